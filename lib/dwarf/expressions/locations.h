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

// The entries of one attribute, in turn. An attribute that is an expression, not a list, has one,
// for all addresses.
struct ic_locations {
	struct ic_cursor cur;   // in the list; without one, at the only expression
	struct ic_cursor views; // of the entries to come: at the end if there are none
	const struct ic_unit *unit;
	struct ic_bytes section; // with the list
	uint64_t base;           // added to offsets
	uint64_t lists_base;     // of DW_FORM_loclistx
	const uint8_t *first, *first_views;
	bool is_list, is_over;
};

// As in the list: the range may be empty, or not be code.
struct ic_location_entry {
	struct ic_cursor expression;
	bool has_range;  // if not, it is for all addresses
	bool is_default; // only for those that no other entry is for
	bool is_dead;    // a linker has marked the code as discarded
	bool has_views;  // if not, both are 0
	struct ic_range range;
	// Views number the rows of the line table at one address. The entry begins in a view at
	// range.start, and ends before one at range.end.
	uint64_t start_view, end_view;
};

struct ic_location_lists { // of a unit
	const struct ic_unit *unit;
	const struct ic_location_sections *sections;
	uint64_t base; // the start of the offsets that DW_FORM_loclistx indexes
};

// Opens the expressions of an attribute, whose unread bytes are at the cursor. False if there is no
// such list.
bool ic_locations_open(struct ic_locations *locations, struct ic_cursor attr,
		       const struct ic_attr_spec *spec, const struct ic_location_lists *lists,
		       struct ic_error *err) IC_CHECKED;

// Adds the views that the value of a DW_AT_GNU_locviews leads to: a pair of numbers for each entry
// that has a range. To be called before the first entry is read.
bool ic_locations_open_views(struct ic_locations *locations, const struct ic_value *value,
			     struct ic_error *err) IC_CHECKED;

// The next entry; false after the last one, or at a fault.
bool ic_locations_next(struct ic_locations *locations, struct ic_location_entry *entry);

// Goes back to the first entry, and forgets faults.
void ic_locations_rewind(struct ic_locations *locations);

// Whether everything so far could be read.
bool ic_locations_ok(const struct ic_locations *locations, struct ic_error *err) IC_CHECKED;

// How many bytes of the list have been read, since a file can refer to one again and again.
uint64_t ic_locations_read_size(const struct ic_locations *locations);

struct ic_location_query {
	uint64_t addr;
	uint64_t view; // of those at the address; it is ignored if the list has none
	// Entries that start elsewhere are for discarded code. NULL: only marks tell.
	const struct ic_range_set *code;
};

// The entry that holds at an address: the first of several, a default only if there is no other.
// False if none does; ic_locations_ok() tells whether all could be read.
bool ic_locations_find(struct ic_locations *locations, const struct ic_location_query *query,
		       struct ic_location_entry *entry);

// The first address from query->addr on that is in one of the ranges and at which an entry holds,
// in whichever view; if there is none, the first before it. False if no entry holds in the ranges,
// which may be in any order. Time: O(entries * count).
bool ic_locations_find_later(struct ic_locations *locations, const struct ic_location_query *query,
			     const struct ic_range *ranges, uint32_t count, uint64_t *addr);

// The bytes of a block (DW_FORM_exprloc and the like) at the cursor, which moves past them.
struct ic_cursor ic_block_read(struct ic_cursor *cur, uint16_t form);

#endif
