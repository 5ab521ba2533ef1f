// The line table of a unit, and the paths of its files.
#ifndef READ_LINES_H
#define READ_LINES_H

#include "dwarf/lines/rows.h"
#include "read/reader.h"

// The index in the reader's files of a file of the unit's line table, whose number is the value of
// an attribute; IC_NONE if there is none.
uint32_t ic_decl_file_of(struct ic_reader *reader, const struct ic_value *value, uint64_t die_off);

// The same for a number from the line program.
uint32_t ic_unit_lines_file(struct ic_reader *reader, uint64_t file, uint64_t die_off);

// The unit whose line table the unit's DIEs refer to: a split unit has none of its own (DWARF 5,
// 3.1.3).
const struct ic_unit *ic_unit_lines_unit(const struct ic_reader *reader);

// Reads the header of the line table, if there is one, once per unit.
void ic_unit_lines_read(struct ic_reader *reader);

// Adds a file defined by the program to those of the header.
void ic_unit_lines_add_file(struct ic_reader *reader, struct ic_line_file file);

// Reports why a program ended early: a fault, or the limit of `budget` bytes. Returns whether it
// ran to its end.
bool ic_unit_lines_end(struct ic_reader *reader, const struct ic_line_program *program,
		       uint64_t budget);

// How many bytes of the line table's header, or of its program, the unit may still read. Type
// units, or units of dwz, may share a table, but not a million small units.
uint64_t ic_unit_lines_budget(const struct ic_reader *reader);

#endif
