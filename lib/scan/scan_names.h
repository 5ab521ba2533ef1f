// Which units can have functions of some names: the others need not be read.
//
// A function's name is a string of .debug_str or .debug_line_str, or stands in the unit itself. The
// strings that can be the name, or a symbol that is demangled to it, are searched for, then
// .debug_info for their offsets and for the text: a unit without any of them has no such function.
#ifndef SCAN_SCAN_NAMES_H
#define SCAN_SCAN_NAMES_H

#include "scan/scan_stream.h"

// Clears `wanted`, by unit, of those in which no function is called by any of `names` (a list with
// NULL at its end) as IC_MATCH_NAME has it. All of them stay wanted if that cannot be told: a name
// may be spelt in too many ways, units may take names from one another, or the strings are not
// there to be searched (docs/decisions/0016). False if memory is out.
//
// Time: that of reading .debug_info and .debug_str once, on all threads.
bool ic_scan_names_select(struct ic_scan_context *context, const char *const *names,
			  atomic_uchar *wanted, struct ic_error *err) IC_CHECKED;

#endif
