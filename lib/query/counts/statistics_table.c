// Statistics of a table of inlined calls, which has no bytes, no source files, and no copies
// without code.
#include "query/counts/statistics.h"

bool ic_statistics_table_check(const struct ic_statistics_query *query, struct ic_error *err)
{
	if (query->only_sites)
		return true; // all bytes are equal
	if (query->order == IC_STATISTICS_MOST_SELF || query->order == IC_STATISTICS_MOST_BYTES)
		return ic_fail(err, IC_ERROR_UNSUPPORTED,
			       "a table of inlined calls does not contain the sizes of copies");
	if (query->by == IC_STATISTICS_BY_FILE || query->by == IC_STATISTICS_BY_UNIT)
		return ic_fail(err, IC_ERROR_UNSUPPORTED,
			       "a table of inlined calls has neither source files nor units");
	return true;
}

static void forget_numbers(struct ic_statistic *numbers, bool only_sites)
{
	numbers->without_code = numbers->calls = numbers->size = IC_STATISTIC_NONE;
	if (!only_sites)
		numbers->self_size = numbers->out_of_line = numbers->out_of_line_size =
			IC_STATISTIC_NONE;
}

void ic_statistics_table_forget(struct ic_statistics *statistics,
				const struct ic_statistics_query *query)
{
	forget_numbers(&statistics->total.numbers, query->only_sites);
	for (uint32_t i = 0; i < statistics->groups.count; i++)
		forget_numbers(&statistics->groups.items[i].numbers, query->only_sites);
}
