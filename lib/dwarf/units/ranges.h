// Range lists: .debug_ranges (DWARF 2 to 4) and .debug_rnglists (DWARF 5).
#ifndef DWARF_UNITS_RANGES_H
#define DWARF_UNITS_RANGES_H

#include "base/range.h"
#include "dwarf/units/form.h"

// One list, entry by entry. Entries are as in the list: they may be empty.
struct ic_range_list {
	struct ic_cursor cur;
	const struct ic_unit *unit;
	uint64_t base;      // added to offsets
	bool base_selected; // by an entry of the list, not by the unit
};

// Opens the list that an attribute of the unit refers to. False, with the reason in *err, if it
// cannot be found; ic_range_list_ok reports faults within the list.
bool ic_range_list_open(struct ic_range_list *list, const struct ic_value *value,
			const struct ic_unit *unit, struct ic_error *err) IC_CHECKED;

// The next range; false at the end of the list, or at a fault.
bool ic_range_list_next(struct ic_range_list *list, struct ic_range *range);

// Whether the list could be read so far.
bool ic_range_list_ok(const struct ic_range_list *list, struct ic_error *err) IC_CHECKED;

#endif
