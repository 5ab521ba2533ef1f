#include "runs/trace_table.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/cli.h"
#include "runs/trace_losses.h"

enum { STACK_BYTES = 8192, MOST_GROUPS = 1 << 20, OTHER_LINES = 5 /* of the screen */ };

// ---- Options

static enum cli_status take_measure(struct cli_trace_table *table, const char *argument,
				    enum ic_trace_order order)
{
	if (table->measure)
		return cli_usage_error(
			"only one of --sum, --avg, --min-of, --max-of and --hist can "
			"be used, once");
	table->measure = argument;
	table->order = order;
	return CLI_ANSWERED;
}

bool cli_trace_table_take(struct cli_trace_table *table, enum cli_option option,
			  const char *argument, enum cli_status *status)
{
	*status = CLI_ANSWERED;
	switch (option) {
	case CLI_OPTION_FUNCTION_COUNT: table->has_counts = true; return true;
	case CLI_OPTION_LATENCY: table->has_latencies = true; return true;
	case CLI_OPTION_BY: table->by = argument; return true;
	case CLI_OPTION_FOLDED: table->is_folded = true; return true;
	case CLI_OPTION_SUM:
		*status = take_measure(table, argument, IC_TRACE_ORDER_SUM);
		return true;
	case CLI_OPTION_AVG:
		*status = take_measure(table, argument, IC_TRACE_ORDER_MEAN);
		return true;
	case CLI_OPTION_MIN_OF:
		*status = take_measure(table, argument, IC_TRACE_ORDER_LEAST);
		return true;
	case CLI_OPTION_MAX_OF:
		*status = take_measure(table, argument, IC_TRACE_ORDER_MOST);
		return true;
	case CLI_OPTION_HIST:
		table->has_buckets = true;
		*status = take_measure(table, argument, IC_TRACE_ORDER_COUNT);
		return true;
	case CLI_OPTION_MAX_GROUPS:
		if (!cli_parse_number(argument, "--max-groups", 1, MOST_GROUPS,
				      &table->most_groups))
			*status = CLI_USAGE;
		return true;
	default: return false;
	}
}

static bool has_key(const char *by, const char *word)
{
	size_t length = strlen(word);

	for (const char *key = by; key; key = strchr(key, ',')) {
		key += strspn(key, ", @");
		if (strncmp(key, word, length) == 0 && strchr(", ", key[length]))
			return true;
	}
	return false;
}

// The keys of groups without --by.
static const char *default_keys(const struct cli_trace_table *table,
				const struct ic_trace_options *options)
{
	if (options->stack_size)
		return "@stack";
	return table->has_counts ? "@copy" : "@function";
}

bool cli_trace_table_finish(struct cli_trace_table *table, struct ic_trace_options *options)
{
	bool is_grouped = table->by || table->measure || table->has_latencies ||
			  table->interval > 0;

	if (table->has_counts && options->stack_size)
		is_grouped = true;
	table->kind = is_grouped          ? CLI_TRACE_GROUPS
		      : table->has_counts ? CLI_TRACE_COUNTS
					  : CLI_TRACE_CALLS;
	clock_gettime(CLOCK_MONOTONIC, &table->last);
	if (!is_grouped)
		return true;
	const char *by = table->by ? table->by : default_keys(table, options);
	bool adds_stack = options->stack_size && !has_key(by, "stack");
	size_t size = strlen(by) + sizeof(",@stack");
	table->keys = malloc(size);
	if (!table->keys) {
		cli_complain("out of memory");
		return false;
	}
	snprintf(table->keys, size, "%s%s", by, adds_stack ? ",@stack" : "");
	if (!options->stack_size && has_key(by, "stack"))
		options->stack_size = STACK_BYTES;
	options->by = table->keys;
	options->measure = table->measure;
	options->has_buckets = table->has_buckets || table->has_latencies;
	options->order = table->order;
	options->most_groups = (uint32_t)table->most_groups;
	return true;
}

const char *cli_trace_table_fault(const struct cli_trace_table *table,
				  const struct ic_trace_options *options, bool exits)
{
	if (table->has_latencies && table->measure)
		return "--latency measures durations; it cannot be used with --hist, --sum, --avg, "
		       "--min-of or --max-of";
	if (exits &&
	    (table->has_counts || (table->kind != CLI_TRACE_CALLS && !table->has_latencies)))
		return table->has_latencies
			       ? "--count counts entries; it cannot be used with --latency"
			       : "--exit prints where calls end; it cannot be used with what adds "
				 "calls up";
	if (table->kind == CLI_TRACE_GROUPS && options->sample > 1)
		return "--sample leaves calls out, and cannot be used with what adds calls up";
	if (table->kind == CLI_TRACE_COUNTS && table->limit)
		return "--count prints all copies; --limit requires --by, or no --count";
	if (table->kind != CLI_TRACE_GROUPS && table->most_groups)
		return "--max-groups requires --by, or another option for groups";
	if (table->is_folded && (table->kind != CLI_TRACE_GROUPS || !options->stack_size))
		return "--folded requires --by=stack";
	return NULL;
}

bool cli_trace_table_needs_arguments(const struct cli_trace_table *table,
				     const struct ic_trace_options *options)
{
	if (table->kind != CLI_TRACE_GROUPS)
		return table->kind == CLI_TRACE_CALLS;
	for (const char *key = options->by; key; key = strchr(key, ',')) {
		key += strspn(key, ", ");
		if (*key != '@')
			return true; // it may be an argument
	}
	return options->measure != NULL;
}

enum ic_rows_kind cli_trace_table_rows(const struct cli_trace_table *table)
{
	return table->kind == CLI_TRACE_GROUPS   ? IC_ROWS_GROUPS
	       : table->kind == CLI_TRACE_COUNTS ? IC_ROWS_HIT_COUNTS
						 : IC_ROWS_HITS;
}

// ---- Printing

// The number of lines that fit on the screen; 0 if standard output is not a terminal.
static unsigned long find_screen(const struct cli_trace_table *table,
				 const struct cli_report *report)
{
	struct winsize size;

	if (table->interval <= 0 || report->options.format != IC_REPORT_TEXT || table->is_folded ||
	    ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_row <= OTHER_LINES)
		return 0;
	return size.ws_row - OTHER_LINES;
}

// Writes stacks as "main;run;leaf 12", after the other keys.
static void print_folded(const struct cli_trace_table *table, struct ic_trace *trace)
{
	uint64_t groups = ic_trace_groups_totals(trace).groups;
	struct ic_trace_group group;
	size_t count;

	(void)ic_trace_keys(trace, &count);
	for (size_t i = 0;
	     (!table->limit || i < table->limit) && ic_trace_group_get(trace, i, &group); i++) {
		for (size_t key = 0; key < count; key++)
			printf("%s%s", key > 0 ? ";" : "",
			       group.keys[key].text ? group.keys[key].text : "?");
		printf(" %llu\n", (unsigned long long)group.count);
	}
	if (fflush(stdout) != 0)
		cli_write_failed(errno, "standard output");
	if (table->limit && table->limit < groups)
		cli_complain("%" PRIu64 " stacks left out by --limit", groups - table->limit);
}

// Heads the groups of an interval in text with the time.
static void print_heading(const struct cli_trace_table *table, struct cli_report *report,
			  unsigned long screen)
{
	time_t now = time(NULL);
	struct tm local;
	char text[32];

	if (table->interval <= 0 || report->options.format != IC_REPORT_TEXT || table->is_folded ||
	    !localtime_r(&now, &local))
		return;
	strftime(text, sizeof(text), "%H:%M:%S", &local);
	printf("%s%s\n", screen ? "\033[H\033[2J" : "", text);
	fflush(stdout);
}

// Prints the groups that were read last, and what is missing in them.
static void print_groups(struct cli_trace_table *table, struct cli_report *report,
			 struct ic_trace *trace)
{
	unsigned long screen = find_screen(table, report);
	struct timespec now;
	struct ic_error err;

	clock_gettime(CLOCK_MONOTONIC, &now);
	const struct ic_rows_groups shown = {
		.limit = table->limit ? table->limit : screen,
		.time = (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec,
	};
	print_heading(table, report, screen);
	if (table->is_folded)
		print_folded(table, trace);
	else
		cli_report_print(report, ic_rows_of_groups(trace, &shown, &report->rows, &err),
				 &err);
	table->is_incomplete |=
		cli_trace_complain_of_groups(trace, report->rows.file, table->measure);
}

static bool read_groups(struct cli_trace_table *table, struct ic_trace *trace, bool restart)
{
	struct ic_error err;

	if (ic_trace_groups_read(trace, restart, table->modules, &err))
		return true;
	cli_complain("%s", err.message);
	return false;
}

static bool is_interval_over(struct cli_trace_table *table)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	double seconds = (double)(now.tv_sec - table->last.tv_sec) +
			 (double)(now.tv_nsec - table->last.tv_nsec) / 1e9;
	if (table->interval <= 0 || seconds < table->interval)
		return false;
	table->last = now;
	return true;
}

bool cli_trace_table_follow(struct cli_trace_table *table, struct cli_report *report,
			    struct ic_trace *trace)
{
	struct ic_trace_hit hit;
	struct ic_error err;

	if (table->kind == CLI_TRACE_COUNTS) {
		while (ic_trace_next(trace, &hit)) // counts what the kernel could not decide on
			continue;
		return true;
	}
	if (is_interval_over(table)) {
		bool ok = read_groups(table, trace, true);
		if (ok)
			print_groups(table, report, trace);
		return ok;
	}
	if (ic_trace_groups_follow(trace, table->modules, &err))
		return true;
	cli_complain("%s", err.message);
	return false;
}

bool cli_trace_table_print(struct cli_trace_table *table, struct cli_report *report,
			   struct ic_trace *trace)
{
	struct ic_error err;

	if (table->kind == CLI_TRACE_GROUPS) {
		bool ok = read_groups(table, trace, false);
		// A last interval without calls would only clear the screen.
		if (ok && (table->interval <= 0 || ic_trace_groups_totals(trace).groups > 0))
			print_groups(table, report, trace);
		return ok && !table->is_incomplete;
	}
	cli_report_print(report, ic_rows_of_hit_counts(trace, &report->rows, &err), &err);
	return true;
}

void cli_trace_table_free(struct cli_trace_table *table)
{
	free(table->keys);
}
