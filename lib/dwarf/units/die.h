// DIEs read attribute by attribute: those at which a walk stops, those that others refer to, and
// the root DIE of a unit.
#ifndef DWARF_UNITS_DIE_H
#define DWARF_UNITS_DIE_H

#include "base/problems.h"
#include "dwarf/units/walk.h"

struct ic_die {
	struct ic_cursor cur; // at the first unread attribute
	const struct ic_unit *unit;
	uint64_t off;
	uint16_t tag;
	bool has_children;
	const struct ic_attr_spec *spec, *spec_end;
};

// Opens the DIE at an offset of the section in the unit. False if there is none, or the attributes
// of its tag were not kept.
bool ic_die_open(struct ic_die *die, const struct ic_unit *unit,
		 const struct ic_abbrev_table *table, uint64_t off, struct ic_error *err)
	IC_CHECKED;

// Opens the DIE at which a walk has stopped.
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

// Fills in the unit's members from its root DIE. False if the DIE cannot be read; an unreadable
// attribute is a problem, and the rest is filled in.
bool ic_unit_read_root(struct ic_unit *unit, const struct ic_abbrev_table *table,
		       struct ic_problems *problems, struct ic_error *err) IC_CHECKED;

#endif
