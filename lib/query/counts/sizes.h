// Sizes of an index. The public part is inlinecall/extra/sizes.h.
#ifndef QUERY_COUNTS_SIZES_H
#define QUERY_COUNTS_SIZES_H

#include "base/arena.h"
#include "base/array.h"
#include "base/error.h"
#include "model/index.h"

#include <inlinecall/extra/sizes.h>

struct ic_sizes_group {
	const struct ic_function *function; // by function; NULL if there is none
	struct ic_size numbers;
	int64_t key;     // primary sort key, descending
	uint64_t second; // secondary sort key, descending
	uint32_t number; // in file order
};

struct ic_sizes {
	const struct ic_index *index;
	IC_ARRAY(struct ic_sizes_group) groups;
	struct ic_sizes_total total;
	uint32_t left_out; // groups beyond the limit of the query
	enum ic_sizes_by by;
	struct ic_arena arena; // owns the texts of groups
};

#endif
