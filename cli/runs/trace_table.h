// What a trace prints instead of calls: how often each copy was called, or groups of calls.
#ifndef CLI_RUNS_TRACE_TABLE_H
#define CLI_RUNS_TRACE_TABLE_H

#include <inlinecall/extra/trace_groups.h>
#include <time.h>

#include "base/report.h"

enum cli_trace_table_kind { CLI_TRACE_CALLS, CLI_TRACE_COUNTS, CLI_TRACE_GROUPS };

struct cli_trace_table {
	enum cli_trace_table_kind kind;
	bool has_counts, has_latencies, has_buckets; // options that were given
	const char *by, *measure;
	enum ic_trace_order order;
	unsigned long limit, most_groups; // printed, and counted; 0 if not given
	bool is_folded;
	double interval; // in seconds; 0 for none

	char *keys;                 // owned: `by` and what other options add to it
	struct ic_modules *modules; // for stacks
	struct timespec last;       // when the last interval began
	bool is_incomplete;         // something was missing in an interval
};

// Takes an option about the table; *status is CLI_ANSWERED, or CLI_USAGE after an error message.
// Returns false for other options.
bool cli_trace_table_take(struct cli_trace_table *table, enum cli_option option,
			  const char *argument, enum cli_status *status);

// After all options: chooses the table and sets the options of the trace. Prints an error and
// returns false if memory runs out.
bool cli_trace_table_finish(struct cli_trace_table *table, struct ic_trace_options *options);

// Why the options do not fit together; NULL if they do.
const char *cli_trace_table_fault(const struct cli_trace_table *table,
				  const struct ic_trace_options *options, bool exits);

// Whether the trace must read the arguments of copies.
bool cli_trace_table_needs_arguments(const struct cli_trace_table *table,
				     const struct ic_trace_options *options);

enum ic_rows_kind cli_trace_table_rows(const struct cli_trace_table *table);

// Adds the calls so far, and prints the groups when an interval is over. With intervals, all calls
// must be of one trace. Prints an error and returns false on failure.
bool cli_trace_table_follow(struct cli_trace_table *table, struct cli_report *report,
			    struct ic_trace *trace);

// Prints the table when the trace is over, and a message for each kind of missing calls or values.
// Returns false if there are any.
bool cli_trace_table_print(struct cli_trace_table *table, struct cli_report *report,
			   struct ic_trace *trace);

void cli_trace_table_free(struct cli_trace_table *table);

#endif
