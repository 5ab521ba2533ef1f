// The sizes of an index. The public half is inlinecall/extra/sizes.h.
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
	int64_t key;     // the groups with the largest come first, and of these
	uint64_t second; // likewise
	uint32_t number; // in the order of the file
};

struct ic_sizes {
	const struct ic_index *index;
	IC_ARRAY(struct ic_sizes_group) groups;
	struct ic_sizes_total total;
	enum ic_sizes_by by;
	struct ic_arena arena; // texts of groups
};

#endif
