// inlinecall stats FILE...: statistics of what was inlined.
#include <string.h>

#include "functions/answers.h"

static const char usage[] =
	"Usage: inlinecall stats [OPTION]... FILE...\n"
	"Count what was inlined: functions, copies and bytes, and show the functions with\n"
	"the most of them.\n"
	"\n" CLI_FILE_HELP;

enum { DEFAULT_LIMIT = 20 }; // fills a screen, including the lines above

struct request {
	struct cli_answers answers; // first member: its functions cast it back to the request
	struct ic_statistics_query query;
	bool limit_given;
	const char *group_option;                // the last option about groups, or NULL
	struct ic_statistic_row total;           // over the files so far
	struct ic_argument_statistics arguments; // the same
	unsigned long files;
};

static enum cli_status take_order(struct request *request, const char *order)
{
	static const char *const names[] = {
		[IC_STATISTICS_MOST_COPIES] = "copies", [IC_STATISTICS_MOST_SELF] = "self",
		[IC_STATISTICS_MOST_BYTES] = "bytes",   [IC_STATISTICS_MOST_CALLERS] = "callers",
		[IC_STATISTICS_BY_NAME] = "name",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (strcmp(order, names[i]) == 0) {
			request->query.order = (enum ic_statistics_order)i;
			return CLI_ANSWERED;
		}
	}
	return cli_usage_error("--sort must be copies, self, bytes, callers or name, not '%s'",
			       order);
}

static enum cli_status take_by(struct request *request, const char *by)
{
	static const char *const names[] = {
		[IC_STATISTICS_BY_FUNCTION] = "function",
		[IC_STATISTICS_BY_CALLER] = "caller",
		[IC_STATISTICS_BY_FILE] = "file",
		[IC_STATISTICS_BY_UNIT] = "unit",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (strcmp(by, names[i]) == 0) {
			request->query.by = (enum ic_statistics_by)i;
			return CLI_ANSWERED;
		}
	}
	return cli_usage_error("--by must be function, caller, file or unit, not '%s'", by);
}

static enum cli_status take_option(void *context, enum cli_option option, char *argument)
{
	struct request *request = context;
	struct cli_answers *answers = &request->answers;
	unsigned long number;

	switch (option) {
	case CLI_OPTION_CALL_FILE:
		if (answers->query.call_file_glob)
			return cli_usage_error("-f can be given only once; a glob can match "
					       "several names, as in '[ab].c'");
		answers->query.call_file_glob = argument;
		break;
	case CLI_OPTION_SORT:
		request->group_option = "--sort";
		return take_order(request, argument);
	case CLI_OPTION_BY: request->group_option = "--by"; return take_by(request, argument);
	case CLI_OPTION_LIMIT:
		request->group_option = "--limit";
		if (!cli_parse_limit(argument, 1, &number))
			return CLI_USAGE;
		request->query.limit = number;
		request->limit_given = true;
		break;
	default: return cli_answers_take(answers, option, argument);
	}
	return CLI_ANSWERED;
}

static bool has_groups(const struct cli_answers *answers, const struct ic_statistics *statistics)
{
	struct ic_statistic all;

	ic_statistics_total(statistics, &all);
	return answers->kind == IC_ROWS_ARGUMENTS ? all.copies > 0
						  : ic_statistics_count(statistics) > 0;
}

static bool is_text(const struct cli_answers *answers)
{
	return answers->report.options.format == IC_REPORT_TEXT;
}

static bool look_for_statistics(struct cli_answers *answers, const struct ic_index *index,
				bool *any, struct ic_error *err)
{
	const struct ic_statistics_query query = { .sites = &answers->query,
						   .with_code = is_text(answers) };
	struct ic_statistics *statistics = ic_statistics_find(index, &query, err);

	*any = statistics && has_groups(answers, statistics);
	ic_statistics_free(statistics);
	return statistics != NULL;
}

// If a number is unknown for one of them, the sum is unknown.
static void add_known(uint64_t *sum, uint64_t number)
{
	*sum = *sum == IC_STATISTIC_NONE || number == IC_STATISTIC_NONE ? IC_STATISTIC_NONE
									: *sum + number;
}

// A function in several files is counted once per file.
static void add_total(struct request *request, const struct ic_statistics *statistics)
{
	struct ic_statistic_row *total = &request->total;
	struct ic_statistic all;

	ic_statistics_total(statistics, &all);
	add_known(&total->copies, all.copies);
	add_known(&total->without_code, all.without_code);
	add_known(&total->functions, all.functions);
	add_known(&total->callers, all.callers);
	add_known(&total->bytes, all.size);
	add_known(&total->never, all.never);
	add_known(&total->partly, all.partly);
	add_known(&total->fully, all.fully);
	add_known(&total->code_bytes, all.code_size);
	request->files++;
}

static bool selects_functions(const struct cli_answers *answers)
{
	return !answers->all || answers->host_count > 0 || answers->query.call_file_glob;
}

static void add_counts(struct ic_argument_counts *total, const struct ic_argument_counts *counts)
{
	total->functions += counts->functions;
	total->copies += counts->copies;
	total->arguments += counts->arguments;
	for (size_t i = 0; i < sizeof(counts->categories) / sizeof(*counts->categories); i++)
		total->categories[i] += counts->categories[i];
	for (size_t i = 0; i < sizeof(counts->shapes) / sizeof(*counts->shapes); i++)
		total->shapes[i] += counts->shapes[i];
	total->optimised_out += counts->optimised_out;
	total->not_here += counts->not_here;
	total->unreadable += counts->unreadable;
	total->without_reason += counts->without_reason;
}

static bool answer_arguments(struct request *request, const struct ic_index *index,
			     struct ic_error *err)
{
	struct cli_answers *answers = &request->answers;
	struct ic_argument_statistics arguments;

	if (!ic_arguments_count(answers->report.rows.parameters, index, &answers->query, &arguments,
				err))
		return false;
	add_counts(&request->arguments.all, &arguments.all);
	add_counts(&request->arguments.few, &arguments.few);
	request->files++;
	bool any = arguments.all.copies > 0 || arguments.undescribed > 0;
	if (any || answers->report.options.format != IC_REPORT_TEXT || !selects_functions(answers))
		cli_answers_print(answers, any,
				  ic_rows_of_arguments(&arguments, &answers->report.rows, err),
				  err);
	if (arguments.undescribed > 0)
		cli_complain("%s: not counted: %llu copies whose parameters the debug information "
			     "does not describe",
			     answers->report.rows.file, (unsigned long long)arguments.undescribed);
	return true;
}

static bool answer_file(struct cli_answers *answers, const struct ic_index *index,
			struct ic_error *err)
{
	struct request *request = (struct request *)answers;

	if (answers->index.inline_table && answers->query.call_file_glob) {
		cli_complain("%s: a table of inlined calls has no source files, so -f counts none",
			     answers->report.rows.file);
		answers->now.incomplete = true;
	}
	if (answers->kind == IC_ROWS_ARGUMENTS)
		return answer_arguments(request, index, err);
	request->query.sites = &answers->query;
	request->query.with_code = is_text(answers);
	if (!request->limit_given)
		request->query.limit = is_text(answers) ? DEFAULT_LIMIT : 0;
	struct ic_statistics *statistics = ic_statistics_find(index, &request->query, err);
	if (!statistics)
		return false;
	bool any = has_groups(answers, statistics);
	add_total(request, statistics);
	// "Nothing was inlined" is a result, too; "nothing was selected" is not.
	if (any || !is_text(answers) || !selects_functions(answers))
		cli_answers_print(answers, any,
				  ic_rows_of_statistics(statistics, &answers->report.rows, err),
				  err);
	ic_statistics_free(statistics);
	return true;
}

// Prints a total, like wc(1). Programs that read the other formats add it up themselves.
static void print_total(struct cli_answers *answers)
{
	struct request *request = (struct request *)answers;
	const struct ic_row row = { .statistic = &request->total };
	struct ic_error err;

	if (request->files < 2 || !is_text(answers))
		return;
	ic_report_begin(answers->report.report, "total");
	if (answers->kind == IC_ROWS_ARGUMENTS)
		cli_report_print(&answers->report,
				 ic_rows_of_arguments(&request->arguments, NULL, &err), &err);
	else
		ic_report_row(answers->report.report, &row);
}

static void explain_missing(void *context, const struct cli_subject *subject, const char *path)
{
	const struct cli_answers *answers = context;
	const char *files = answers->query.call_file_glob ? " in matching source files" : "";
	const char *hosts = answers->host_count > 0 ? " into matching functions" : "";
	char about[CLI_EXPLAIN_SIZE];

	if (!subject) {
		cli_complain("%s: nothing was inlined%s%s", path, files, hosts);
		return;
	}
	const struct ic_function_summary *summary = &subject->summary;
	if (answers->index.inline_table) {
		cli_complain("%s: %s: not in the table of inlined calls%s", path, subject->name,
			     hosts);
		return;
	}
	cli_explain_about(summary, about);
	if (summary->with_code > 0 || summary->hosts > 0)
		cli_complain("%s: %s: never inlined%s%s%s", path, subject->name, files, hosts,
			     summary->with_code > 0 ? ", only elsewhere" : "");
	else if (summary->inlined > 0 || summary->was_inlined)
		cli_complain("%s: %s: inlined%s, but every copy was optimised away", path,
			     subject->name, about);
	else
		cli_complain("%s: %s: no code in this file%s", path, subject->name, about);
}

static enum cli_status run_stats(int argc, char **argv)
{
	struct request request = { .answers = { .kind = IC_ROWS_STATISTICS,
						.answer = answer_file,
						.look = look_for_statistics,
						.explain = explain_missing,
						.nothing = "nothing was inlined",
						.finish = print_total,
						.is_function_optional = true,
						.takes_tables = true },
				   .total = { .group = IC_STATISTICS_OF_ALL } };
	enum cli_status status;

	cli_answers_init(&request.answers);
	if (!cli_options_read(&cli_command_stats, argc, argv, take_option, &request, &status))
		return status;
	if (request.answers.report.parameters) {
		if (request.group_option)
			return cli_usage_error("-p does not print groups, so %s has no effect",
					       request.group_option);
		request.answers.kind = IC_ROWS_ARGUMENTS;
		request.answers.report.parameter_options.lists = false;
	}
	return cli_answers_run(&request.answers, argc - optind, argv + optind);
}

const struct cli_command cli_command_stats = {
	.name = "stats",
	.usage = usage,
	.which = "What is counted",
	.run = run_stats,
};
