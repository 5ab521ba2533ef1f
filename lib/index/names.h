// Selects the units that can have functions of some names: the others need not be read.
//
// Searches .debug_info for what every spelling of the names has (units/name_needles.h): a unit
// without any of that has no such function.
#ifndef INDEX_NAMES_H
#define INDEX_NAMES_H

#include "read/stream.h"
#include "units/name_needles.h"

// Clears `wanted`, by unit, for the units without a function called by any of the names that the
// needles were made of. All stay wanted if that cannot be decided: units may take names from one
// another, or the strings cannot be searched (docs/decisions/0016); or if nearly all would.
// Collects the needles of the units' section. False if memory runs out.
//
// Time: that of reading .debug_info and .debug_str once, on all threads.
bool ic_units_select(struct ic_read_context *context, struct ic_name_needles *needles,
		     atomic_uchar *wanted, struct ic_error *err) IC_CHECKED;

#endif
