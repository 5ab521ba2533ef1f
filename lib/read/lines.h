// The line table of a unit, and the paths of its files.
#ifndef READ_LINES_H
#define READ_LINES_H

#include "dwarf/lines/rows.h"
#include "read/reader.h"

// The path of a file of the unit's line table, whose number is an attribute's value, as an index in
// the reader's files; IC_NONE if there is none.
uint32_t ic_decl_file_of(struct ic_reader *reader, const struct ic_value *value, uint64_t die_off);

// The same for a number from the line program.
uint32_t ic_unit_lines_file(struct ic_reader *reader, uint64_t file, uint64_t die_off);

// The unit whose line table the unit's DIEs refer to: a split unit has none (DWARF 5, 3.1.3).
const struct ic_unit *ic_unit_lines_unit(const struct ic_reader *reader);

// Reads the table's header, once for each unit, if there is one.
void ic_unit_lines_read(struct ic_reader *reader);

// Adds a file that the program defines to those of the header.
void ic_unit_lines_add_file(struct ic_reader *reader, struct ic_line_file file);

// Reports what ended a program early: a fault, or the limit of `budget` bytes. Returns whether it
// ran to its end.
bool ic_unit_lines_end(struct ic_reader *reader, const struct ic_line_program *program,
		       uint64_t budget);

// The bytes of the line table's header, or of its program, that the unit may still read. A table
// may be shared, by type units or those of dwz, but not by a million small units.
uint64_t ic_unit_lines_budget(const struct ic_reader *reader);

#endif
