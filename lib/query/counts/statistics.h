// Statistics of an index. The public part is inlinecall/extra/statistics.h.
#ifndef QUERY_COUNTS_STATISTICS_H
#define QUERY_COUNTS_STATISTICS_H

#include "base/arena.h"
#include "base/array.h"
#include "base/error.h"
#include "model/index.h"

#include <inlinecall/extra/statistics.h>

struct ic_statistics_group {
	const struct ic_function *function; // the function or the caller; NULL if there is none
	struct ic_statistic numbers;
	uint64_t key, second; // sort keys, descending
	uint32_t number;      // of the definition, file or unit
};

struct ic_statistics {
	const struct ic_index *index;
	IC_ARRAY(struct ic_statistics_group) groups;
	struct ic_statistics_group total;
	uint32_t left_out;     // groups beyond the limit of the query
	struct ic_arena arena; // owns the paths of files
};

// Whether the statistics can be made from a table of inlined calls.
bool ic_statistics_table_check(const struct ic_statistics_query *query, struct ic_error *err)
	IC_CHECKED;

// Sets the numbers that a table does not have to IC_STATISTIC_NONE.
void ic_statistics_table_forget(struct ic_statistics *statistics,
				const struct ic_statistics_query *query);

#endif
