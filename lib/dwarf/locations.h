// Locations: location expressions, and the location lists in .debug_loc (DWARF 2 to 4),
// .debug_loclists (DWARF 5), and .debug_loc.dwo and .debug_loclists.dwo of split units.
#ifndef DWARF_LOCATIONS_H
#define DWARF_LOCATIONS_H

#include "dwarf/form.h"

// The sections with the location lists of one file, both empty if there are none.
struct ic_location_sections {
	struct ic_bytes loc, loclists;
};

// The expressions of one attribute, in turn, for all ranges of code.
struct ic_locations {
	struct ic_cursor cur; // in the list; without one, at the only expression
	const struct ic_unit *unit;
	bool is_list, is_over;
};

// Opens the expressions of an attribute, whose unread bytes are at the cursor; `base` is the start
// of the offsets that DW_FORM_loclistx indexes. False if there is no such list.
bool ic_locations_open(struct ic_locations *locations, struct ic_cursor attr,
		       const struct ic_attr_spec *spec, const struct ic_unit *unit,
		       const struct ic_location_sections *sections, uint64_t base,
		       struct ic_error *err) IC_CHECKED;

// The next expression; false after the last one, or at a fault.
bool ic_locations_next(struct ic_locations *locations, struct ic_cursor *expression);

// Whether everything so far could be read.
bool ic_locations_ok(const struct ic_locations *locations, struct ic_error *err) IC_CHECKED;

// The bytes of a block (DW_FORM_exprloc and the like) at the cursor, which moves past them.
struct ic_cursor ic_block_read(struct ic_cursor *cur, uint16_t form);

#endif
