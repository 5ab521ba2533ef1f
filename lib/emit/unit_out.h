// Writes the model of a unit as DIEs, with their ranges, and its line table.
#ifndef EMIT_UNIT_OUT_H
#define EMIT_UNIT_OUT_H

#include "base/byte_pool.h"
#include "emit/die_out.h"
#include "emit/line_out.h"

struct ic_units_out { // zero-initialise, then set the version, the address size and the byte orders
	struct ic_dies_out dies;
	struct ic_lines_out lines;
	struct ic_out ranges;  // .debug_rnglists; in DWARF 4 .debug_ranges
	struct ic_out aranges; // .debug_aranges
	struct ic_byte_pool strings;
	unsigned version, addr_size; // 4 or 5
	uint64_t functions, copies;  // numbers written, for reports
	bool failed;
};

// Writes a unit of the index, if it has code; `language` is the DW_AT_language, or 0. Returns false
// if memory runs out.
bool ic_units_out_put(struct ic_units_out *out, const struct ic_index *index, uint32_t number,
		      uint16_t language);

// Ends the sections. Returns false if memory runs out, or a section would be 4 GiB or larger.
bool ic_units_out_finish(struct ic_units_out *out);

// Whether a section would be 4 GiB or larger.
bool ic_units_out_are_too_large(const struct ic_units_out *out);

void ic_units_out_free(struct ic_units_out *out);

#endif
