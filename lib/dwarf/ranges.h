// Range lists: .debug_ranges (DWARF 2 to 4) and .debug_rnglists (DWARF 5).
#ifndef DWARF_RANGES_H
#define DWARF_RANGES_H

#include "base/range.h"
#include "dwarf/form.h"

// One list, entry by entry. An entry is given as the list has it: it may be empty.
struct ic_range_list {
	struct ic_cursor cur;
	const struct ic_unit *unit;
	uint64_t base;      // what offsets are added to
	bool base_selected; // by an entry of the list, rather than by the unit
};

// The list that an attribute of the unit refers to. False, and why in *err, where it cannot be
// found; faults within the list come to light in ic_range_list_ok.
bool ic_range_list_open(struct ic_range_list *list, const struct ic_value *value,
			const struct ic_unit *unit, struct ic_error *err) IC_CHECKED;

// The next range; false at the end of the list, or at a fault.
bool ic_range_list_next(struct ic_range_list *list, struct ic_range *range);

// Whether the list could be read to where it now is.
bool ic_range_list_ok(const struct ic_range_list *list, struct ic_error *err) IC_CHECKED;

#endif
