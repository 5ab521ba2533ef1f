// Entries that are read attribute by attribute: those met in a walk, those that others refer to,
// and the root entry of a unit.
#ifndef DWARF_DIE_H
#define DWARF_DIE_H

#include "base/problems.h"
#include "dwarf/walk.h"

struct ic_die {
	struct ic_cursor cur; // at the first attribute that has not been read
	const struct ic_unit *unit;
	uint64_t off;
	uint16_t tag;
	bool has_children;
	const struct ic_attr_spec *spec, *spec_end;
};

// Opens the entry at an offset of the section in the unit. False where there is none, or where its
// tag is not one whose attributes were kept.
bool ic_die_open(struct ic_die *die, const struct ic_unit *unit,
		 const struct ic_abbrev_table *table, uint64_t off, struct ic_error *err)
	IC_CHECKED;

// Opens the entry that a walk has stopped at.
static inline void ic_die_at_walk(struct ic_die *die, const struct ic_walk *walk)
{
	const struct ic_dwarf *dwarf = walk->unit->dwarf;
	const struct ic_abbrev *abbrev = &walk->table->kept.items[walk->step->detail];

	die->cur = (struct ic_cursor){ .pos = walk->pos,
				       .end = walk->end,
				       .begin = dwarf->info.data,
				       .section = dwarf->info_name,
				       .swap = dwarf->swap };
	die->unit = walk->unit;
	die->off = (uint64_t)(walk->entry - dwarf->info.data);
	die->tag = abbrev->tag;
	die->has_children = abbrev->has_children;
	die->spec = walk->table->specs.items + abbrev->first_spec;
	die->spec_end = die->spec + abbrev->spec_count;
}

// The next attribute: its name (DW_AT_*) and value; 0 at the end, or at a fault.
static inline uint16_t ic_die_next(struct ic_die *die, struct ic_value *value)
{
	if (die->spec == die->spec_end)
		return 0;
	*value = ic_value_read(&die->cur, die->spec, die->unit);
	return die->cur.fault ? 0 : die->spec++->name;
}

// Fills in what the root entry of the unit says. False where the entry itself cannot be read; what
// one of its attributes lacks is a problem, and the rest holds.
bool ic_unit_read_root(struct ic_unit *unit, const struct ic_abbrev_table *table,
		       struct ic_problems *problems, struct ic_error *err) IC_CHECKED;

#endif
