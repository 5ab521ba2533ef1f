#include "runs/trace_losses.h"

#include "base/cli.h"

bool cli_trace_complain_of_groups(struct ic_trace *trace, const char *path, const char *measure)
{
	const struct ic_trace_totals totals = ic_trace_groups_totals(trace);
	unsigned long long unavailable = totals.all.count - totals.all.measured;

	if (totals.left_out > 0)
		cli_complain("%s: %llu calls are in no group: there were too many groups; try "
			     "--max-groups",
			     path, (unsigned long long)totals.left_out);
	if (measure && unavailable > 0)
		cli_complain("%s: %llu calls without a value of '%s': it was unavailable", path,
			     unavailable, measure);
	if (totals.contended > 0)
		cli_complain(
			"%s: the least and most values may lack %llu values, which came at the "
			"same time as others",
			path, (unsigned long long)totals.contended);
	return totals.left_out > 0 || (measure && unavailable > 0) || totals.contended > 0;
}

void cli_trace_complain_of_losses(struct ic_trace *trace, const char *path,
				  unsigned long long *before)
{
	unsigned long long lost = 0;
	struct ic_trace_counts counts;

	for (size_t i = 0; ic_trace_counts_get(trace, i, &counts); i++)
		lost += counts.lost;
	if (lost > *before)
		cli_complain("%s: %llu calls lost: they come faster than they can be read", path,
			     lost - *before);
	*before = lost;
}

bool cli_trace_complain_of_exits(struct ic_trace *trace, const char *path)
{
	const char *why = NULL, *doubt = NULL;
	size_t count = 0, unknown = 0, uncertain = 0;
	unsigned long long lost = 0;
	struct ic_trace_counts counts;
	struct ic_trace_copy copy;

	for (; ic_trace_copy_get(trace, count, &copy); count++) {
		ic_trace_counts_get(trace, count, &counts);
		lost += counts.lost_exits;
		unknown += copy.exits_why_not != NULL;
		uncertain += copy.exits_doubt != NULL;
		why = why ? why : copy.exits_why_not;
		doubt = doubt ? doubt : copy.exits_doubt;
	}
	if (unknown > 0)
		cli_complain("%s: unknown when control leaves %zu of %zu copies: %s%s", path,
			     unknown, count, why, unknown > 1 ? ", for example" : "");
	if (uncertain > 0)
		cli_complain("%s: uncertain when control leaves %zu of %zu copies: %s%s", path,
			     uncertain, count, doubt, uncertain > 1 ? ", for example" : "");
	if (lost > 0)
		cli_complain("%s: %llu exits lost: they came faster than they could be read", path,
			     lost);
	return unknown > 0 || lost > 0;
}

bool cli_trace_complain_of_calls(struct ic_trace *trace, const char *path, const char *hint,
				 bool *any)
{
	const char *why = NULL;
	unsigned long long hits = 0, lost = 0, undecided = 0;
	size_t count = 0, left_out = 0;
	struct ic_trace_counts counts;
	struct ic_trace_copy copy;

	for (; ic_trace_copy_get(trace, count, &copy); count++) {
		ic_trace_counts_get(trace, count, &counts);
		hits += counts.hits;
		lost += counts.lost;
		undecided += counts.undecided;
		left_out += copy.why_not != NULL;
		why = why ? why : copy.why_not;
	}
	if (left_out > 0)
		cli_complain("%s: %zu of %zu copies not traced: %s%s", path, left_out, count, why,
			     left_out > 1 ? ", for example" : "");
	if (lost > 0)
		cli_complain("%s: %llu of %llu calls lost: they came faster than they could be "
			     "read; try --sample, --count, --by or --ring-size",
			     path, lost, hits);
	if (undecided > 0)
		cli_complain("%s: %llu calls left out: an argument of --where was unavailable",
			     path, undecided);
	if (ic_trace_unfollowed(trace) > 0)
		cli_complain("%s: %llu processes not traced: too many were started", path,
			     (unsigned long long)ic_trace_unfollowed(trace));
	if (hits == 0)
		cli_complain("%s: no calls %s", path, hint);
	*any |= hits > 0;
	return left_out > 0 || lost > 0 || undecided > 0 || ic_trace_unfollowed(trace) > 0;
}
