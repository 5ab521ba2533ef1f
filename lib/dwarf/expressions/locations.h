// Locations: location expressions, and the location lists in .debug_loc (DWARF 2 to 4),
// .debug_loclists (DWARF 5), and .debug_loc.dwo and .debug_loclists.dwo of split units.
#ifndef DWARF_EXPRESSIONS_LOCATIONS_H
#define DWARF_EXPRESSIONS_LOCATIONS_H

#include "base/range.h"
#include "dwarf/units/form.h"

// The sections with the location lists of one file, both empty if there are none.
struct ic_location_sections {
	struct ic_bytes loc, loclists;
};

// An iterator over the entries of one attribute. An attribute with an expression instead of a list
// has one entry, for all addresses.
struct ic_locations {
	struct ic_cursor cur;   // in the list; without a list, at the only expression
	struct ic_cursor views; // of the remaining entries: at its end if there are none
	const struct ic_unit *unit;
	struct ic_bytes section; // that contains the list
	uint64_t base;           // added to offsets
	uint64_t lists_base;     // base for DW_FORM_loclistx
	const uint8_t *first, *first_views;
	bool is_list, is_over;
};

// As in the list: the range may be empty, or not be code.
struct ic_location_entry {
	struct ic_cursor expression;
	bool has_range;  // otherwise it holds at all addresses
	bool is_default; // only for addresses without another entry
	bool is_dead;    // a linker has marked the code as discarded
	bool has_views;  // otherwise both are 0
	struct ic_range range;
	// Views number the line table rows at one address. The entry starts in a view at
	// range.start, and ends before one at range.end.
	uint64_t start_view, end_view;
};

struct ic_location_lists { // for a unit
	const struct ic_unit *unit;
	const struct ic_location_sections *sections;
	uint64_t base; // the start of the offsets that DW_FORM_loclistx indexes
};

// Opens the expressions of an attribute, whose unread bytes are at the cursor. False if the list
// does not exist.
bool ic_locations_open(struct ic_locations *locations, struct ic_cursor attr,
		       const struct ic_attr_spec *spec, const struct ic_location_lists *lists,
		       struct ic_error *err) IC_CHECKED;

// Adds the views that the value of a DW_AT_GNU_locviews refers to: a pair of numbers for each entry
// with a range. To be called before the first entry is read.
bool ic_locations_open_views(struct ic_locations *locations, const struct ic_value *value,
			     struct ic_error *err) IC_CHECKED;

// Gets the next entry; false after the last one, or at an error.
bool ic_locations_next(struct ic_locations *locations, struct ic_location_entry *entry);

// Returns to the first entry, and clears errors.
void ic_locations_rewind(struct ic_locations *locations);

// Whether everything so far could be read.
bool ic_locations_ok(const struct ic_locations *locations, struct ic_error *err) IC_CHECKED;

struct ic_location_query {
	uint64_t addr;
	uint64_t view; // one of those at the address; ignored if the list has none
	// Entries that start outside are for discarded code. NULL: only marks identify such
	// entries.
	const struct ic_range_set *code;
};

// Finds the entry that holds at an address: the first of several, and a default only if there is no
// other. False if there is none; ic_locations_ok() returns whether all could be read.
bool ic_locations_find(struct ic_locations *locations, const struct ic_location_query *query,
		       struct ic_location_entry *entry);

// Finds the first address from query->addr on that is in one of the ranges and at which an entry
// holds, in any view; if there is none, the first one before it. False if no entry holds in the
// ranges, which may be in any order. Time: O(entries * count).
bool ic_locations_find_later(struct ic_locations *locations, const struct ic_location_query *query,
			     const struct ic_range *ranges, uint32_t count, uint64_t *addr);

// The bytes of a block (DW_FORM_exprloc and the like) at the cursor, which moves past them.
struct ic_cursor ic_block_read(struct ic_cursor *cur, uint16_t form);

#endif
