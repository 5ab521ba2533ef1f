// Packages of split DWARF: the indexes of a .dwp file, which give the parts of its sections by unit
// (DWARF 5, 7.3.5; GCC's "Fission" for DWARF 4, whose indexes have version 2).
#ifndef DWARF_UNITS_PACKAGE_H
#define DWARF_UNITS_PACKAGE_H

#include "base/array.h"
#include "base/bytes.h"
#include "base/error.h"

struct ic_package_row { // a unit, and the start of its part of each section
	uint64_t id;    // dwo_id or type signature
	uint32_t info_off, info_size;
	uint32_t abbrev_off, str_offsets_off, rnglists_off;
	uint32_t locations_off; // in .debug_loclists.dwo, or .debug_loc.dwo before DWARF 5
};

// Zero-initialised is empty. Rows are sorted by info_off.
struct ic_package {
	IC_ARRAY(struct ic_package_row) in_info;  // units of .debug_info.dwo
	IC_ARRAY(struct ic_package_row) in_types; // of .debug_types.dwo, before DWARF 5
};

// Reads one index, of compilation units or of type units, and adds its rows. False if it is
// damaged. An absent section is an index without units.
bool ic_package_add(struct ic_package *package, struct ic_bytes index, const char *section,
		    bool swap, struct ic_error *err) IC_CHECKED;

// The row of the unit at an offset of .debug_info.dwo, or of .debug_types.dwo; NULL if no index has
// it. Call this only after all rows have been added. Time: O(log n).
const struct ic_package_row *ic_package_find(const struct ic_package *package, bool in_types,
					     uint64_t info_off);

void ic_package_free(struct ic_package *package);

#endif
