// DIEs being written, and their abbreviations, which are created on first use: one table for all
// units.
#ifndef EMIT_DIE_OUT_H
#define EMIT_DIE_OUT_H

#include "base/map.h"
#include "emit/out.h"

enum ic_die_attr {
#define DIE_ATTR(name, form) IC_DIE_##name,
#include "emit/die_attrs.def"
#undef DIE_ATTR
	IC_DIE_ATTRS,
};

struct ic_die_out { // a DIE to be written
	uint16_t tag;
	bool has_children;
	uint32_t given; // attributes that are set: bit 1 << enum ic_die_attr
	uint64_t values[IC_DIE_ATTRS];
};

struct ic_dies_out { // zero-initialise, then set the address size and the byte orders
	struct ic_out info, abbrev;
	unsigned addr_size;
	struct ic_map codes; // by tag, children and attributes
	uint32_t code_count;
};

static inline void ic_die_give(struct ic_die_out *die, enum ic_die_attr attr, uint64_t value)
{
	die->given |= 1u << attr;
	die->values[attr] = value;
}

// Writes a DIE, and its abbreviation if that is new. Returns the DIE's offset.
uint32_t ic_dies_out_put(struct ic_dies_out *dies, const struct ic_die_out *die);

// Ends the children of a DIE.
void ic_dies_out_end(struct ic_dies_out *dies);

// Ends the abbreviations.
void ic_dies_out_finish(struct ic_dies_out *dies);

void ic_dies_out_free(struct ic_dies_out *dies);

#endif
