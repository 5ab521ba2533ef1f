// Counts of the sites that a query selects, by function: ic_statistics_query::only_sites.
#ifndef QUERY_COUNTS_COUNTS_H
#define QUERY_COUNTS_COUNTS_H

#include "base/error.h"
#include "query/find/definitions.h"

#include <inlinecall/extra/statistics.h>

// Returns the numbers of each definition, to be freed, and the definitions; NULL on failure. The
// query may be NULL.
struct ic_statistic *ic_counts_find(const struct ic_index *index,
				    const struct ic_sites_query *query,
				    struct ic_definitions *definitions, struct ic_error *err);

#endif
