// Writes rows of the model as a line table.
#ifndef EMIT_LINE_OUT_H
#define EMIT_LINE_OUT_H

#include "base/byte_pool.h"
#include "emit/out.h"
#include "model/index.h"

struct ic_lines_out { // zero-initialise, then set the version, the address size and the byte orders
	struct ic_out line;
	struct ic_byte_pool strings; // .debug_line_str; in DWARF 4, strings are in the table itself
	unsigned version, addr_size;
	bool failed;
};

// Writes the rows of a code map, and returns the offset of the table. `files` are the files of the
// map and those that DIEs refer to: file i gets number i + 1.
uint32_t ic_lines_out_put(struct ic_lines_out *lines, const struct ic_code_map *map,
			  const char *const *files, uint32_t file_count);

void ic_lines_out_free(struct ic_lines_out *lines);

#endif
