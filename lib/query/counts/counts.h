// Sites counted by function. The public half is inlinecall/extra/counts.h.
#ifndef QUERY_COUNTS_COUNTS_H
#define QUERY_COUNTS_COUNTS_H

#include "base/array.h"
#include "model/index.h"

#include <inlinecall/extra/counts.h>

struct ic_function_count {
	const struct ic_function *function; // NULL if the origin of its copies cannot be found
	uint64_t inlined, without_code, out_of_line, calls, size;
};

struct ic_counts {
	const struct ic_index *index;
	IC_ARRAY(struct ic_function_count) items;
};

#endif
