// Selects the units that can have functions of some names: the others need not be read.
//
// Searches .debug_info for what every spelling of the names has (scan/name_needles.h): a unit
// without any of that has no such function.
#ifndef SCAN_SCAN_NAMES_H
#define SCAN_SCAN_NAMES_H

#include "scan/scan_stream.h"

// Clears `wanted`, by unit, for the units without a function called by any of `names` (a list that
// NULL ends) in the sense of IC_MATCH_NAME. All stay wanted if that cannot be decided: a name may
// be spelt in too many ways, units may take names from one another, or the strings cannot be
// searched (docs/decisions/0016). False if memory is out.
//
// Time: that of reading .debug_info and .debug_str once, on all threads.
bool ic_scan_names_select(struct ic_scan_context *context, const char *const *names,
			  atomic_uchar *wanted, struct ic_error *err) IC_CHECKED;

#endif
