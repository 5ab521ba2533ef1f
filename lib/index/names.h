// Selects the units that may have functions with certain names: the others need not be read.
//
// Searches .debug_info for what every spelling of the names contains (units/name_needles.h): a unit
// without any of that has no such function.
#ifndef INDEX_NAMES_H
#define INDEX_NAMES_H

#include "read/stream.h"
#include "units/name_needles.h"

// Clears `wanted`, by unit, for the units without a function that has one of the needles' names.
// All stay wanted if this cannot be decided, because units may take names from one another or the
// strings cannot be searched (docs/decisions/0016), or if nearly all would stay. Collects the
// needles of the units' section. Returns false if memory runs out.
//
// Time: as for reading .debug_info and .debug_str once, using all threads.
bool ic_units_select(struct ic_read_context *context, struct ic_name_needles *needles,
		     atomic_uchar *wanted, struct ic_error *err) IC_CHECKED;

#endif
