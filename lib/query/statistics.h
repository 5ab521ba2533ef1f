// The statistics of an index. The public half is inlinecall/statistics.h.
#ifndef QUERY_STATISTICS_H
#define QUERY_STATISTICS_H

#include "base/arena.h"
#include "base/array.h"
#include "model/index.h"

#include <inlinecall/statistics.h>

struct ic_statistics_group {
	const struct ic_function *function; // the function or the caller; NULL if there is none
	struct ic_statistic numbers;
	uint64_t key, second; // the groups with the largest come first
	uint32_t number;      // of the definition, file or unit
};

struct ic_statistics {
	const struct ic_index *index;
	IC_ARRAY(struct ic_statistics_group) groups;
	struct ic_statistics_group total;
	struct ic_arena arena; // paths of files
};

#endif
