// The header of a line table: its files, and what its program (dwarf/lines/rows.h) needs (DWARF 5,
// 6.2.4; the same for DWARF 2 to 4).
#ifndef DWARF_LINES_HEADER_H
#define DWARF_LINES_HEADER_H

#include "dwarf/units/form.h"

struct ic_line_file {
	const char *name;   // in the section or in a string section; never NULL
	uint64_t directory; // index in directories
	const char *source; // its whole text; NULL if not in the table
};

// A function that the table itself names. Unknown numbers are 0.
struct ic_line_function {
	const char *name; // in a string section; NULL if unknown
	uint32_t decl_file, decl_line;
};

enum { IC_LINE_TWO_LEVEL = 0xf006 }; // the experimental version of two-level tables

struct ic_line_header {
	// How paths are joined; set by the reader after the header has been parsed.
	bool one_slash;   // between two parts, even if the first ends with one
	bool is_relative; // to the unit's directory
	uint16_t version; // 2 to 5, or IC_LINE_TWO_LEVEL
	uint8_t offset_size;
	uint8_t min_inst_length;  // bytes
	uint8_t max_ops_per_inst; // 1 before DWARF 4; 0 means 1
	bool default_is_stmt;
	int8_t line_base;
	uint8_t line_range; // may be 0: the program must not divide by it
	uint8_t opcode_base;
	const uint8_t *opcode_lengths; // in the section: operands of opcodes 1 to opcode_base - 1
	uint64_t program_off;          // in the section
	uint64_t program_size;         // bytes; 0 if its beginning cannot be found
	uint64_t logicals_size;        // before the actuals of a two-level table
	uint64_t names_off;            // in .debug_str: the base of offsets in NVIDIA's opcodes
	// In DWARF 5 entry 0 is the first in the file; before, it is the unit's directory, and a
	// file that does not exist.
	IC_ARRAY(const char *) directories;
	IC_ARRAY(struct ic_line_file) files;
	// For a two-level table; number 0 is unknown.
	IC_ARRAY(struct ic_line_function) functions;
};

// Parses the header of the unit's line table, at most `budget` bytes of it, and replaces the
// contents of `header`. False if its beginning cannot be read; what was read before a fault stays.
bool ic_line_header_parse(struct ic_line_header *header, const struct ic_unit *unit,
			  uint64_t budget, struct ic_error *err) IC_CHECKED;

// Writes the path of a file of the table to `path` (of `size` bytes, NUL-terminated, truncated if
// too long) and returns its length without the NUL, or some number not below `size` if truncated.
// The path is the name if that is absolute, else it follows its directory and, if that is relative,
// the unit's. Nothing is normalised, except by `one_slash` and `is_relative`. Returns 0 if the
// table has no such file.
size_t ic_line_file_path(const struct ic_line_header *header, const struct ic_unit *unit,
			 uint64_t file, char *path, size_t size);

// Empties the header and keeps its memory.
void ic_line_header_clear(struct ic_line_header *header);

void ic_line_header_free(struct ic_line_header *header);

#endif
