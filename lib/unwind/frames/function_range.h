// The functions around addresses of code, by the symbols of files.
#ifndef UNWIND_FRAMES_FUNCTION_RANGE_H
#define UNWIND_FRAMES_FUNCTION_RANGE_H

#include "base/range.h"

#include <inlinecall/unwind.h>

// Finds the addresses in memory of the function that contains one. False if no symbol tells.
bool ic_function_range_find(const struct ic_unwind_options *options, uint64_t addr,
			    struct ic_range *range);

// Whether that is the function where the kernel enters the program, by its symbol: nothing has
// called it.
bool ic_function_range_is_entry(const struct ic_unwind_options *options, uint64_t addr);

#endif
