// inlinecall diff OLD NEW: what changed in the inlining between two builds.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/output_file.h"
#include "base/report.h"
#include "compare/builds.h"

static const char usage[] =
	"Usage: inlinecall diff [OPTION]... OLD NEW\n"
	"Show what changed in the inlining between two builds, function by function:\n"
	"  inlined   there are copies in place of calls\n"
	"  outlined  there are calls in place of copies\n"
	"  added     there are more copies; no call is known that they replace\n"
	"  removed   there are fewer copies; no call is known that replaced them\n"
	"  grown     copies of both builds have more bytes; shrunk: fewer\n"
	"  new       only NEW has the function; vanished: only OLD has it\n"
	"  moved     it is in another source file\n"
	"  came      copies came with the function or copy that they are in; went: they\n"
	"            went with it\n"
	"  emptied   copies of both builds have code only in OLD; filled: only in NEW\n"
	"  readable  the location of an argument, when copies of both builds are entered,\n"
	"            is known only in NEW; unreadable: only in OLD (with -p)\n"
	"Code that only moved is no change.\n"
	"\n"
	"OLD and NEW are ELF files, archives, or directories with all files below them.\n";

enum { DEFAULT_MIN_BYTES = 16, DEFAULT_LIMIT = 30 };

struct request {
	struct cli_builds builds;
	struct cli_report report;
	struct ic_comparison_query query;
	unsigned long allowed;
	bool limit_given;
};

// In the order of the bits of enum ic_change_kind.
static const char *const kinds[] = { "new",     "vanished", "inlined", "outlined", "added",
				     "removed", "grown",    "shrunk",  "moved",    "came",
				     "went",    "emptied",  "filled",  "readable", "unreadable" };

static const char *const groups[] = {
	[IC_COMPARISON_BY_FUNCTION] = "function",
	[IC_COMPARISON_BY_SOURCE] = "source",
	[IC_COMPARISON_BY_DIRECTORY] = "directory",
	[IC_COMPARISON_BY_TEMPLATE] = "template",
};

static enum cli_status take_by(struct request *request, const char *word)
{
	const size_t count = sizeof(groups) / sizeof(*groups);
	size_t found = cli_find_word(groups, count, word);

	if (found == count)
		return cli_usage_error(
			"--by must be function, source, directory or template, not '%s'", word);
	request->query.by = (enum ic_comparison_by)found;
	return CLI_ANSWERED;
}

static enum cli_status take_kind(struct request *request, const char *word, size_t length)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		if (strlen(kinds[i]) == length && memcmp(kinds[i], word, length) == 0) {
			request->query.kinds |= 1u << i;
			return CLI_ANSWERED;
		}
	}
	return cli_usage_error(
		"--only takes new, vanished, inlined, outlined, added, removed, grown, shrunk, "
		"moved, came, went, emptied, filled, readable and unreadable, separated by commas, "
		"not '%.*s'",
		(int)length, word);
}

static enum cli_status take_only(struct request *request, const char *list)
{
	enum cli_status status;

	do {
		size_t length = strcspn(list, ",");
		status = take_kind(request, list, length);
		list += length;
	} while (status == CLI_ANSWERED && *list++ == ',');
	return status;
}

static enum cli_status take_option(void *context, enum cli_option option, char *argument)
{
	struct request *request = context;
	enum cli_status status;
	unsigned long number;

	if (cli_files_take(&request->builds.files, option, argument, &status) ||
	    cli_report_take(&request->report, option, argument, &status))
		return status;
	switch (option) {
	case CLI_OPTION_BY: return take_by(request, argument);
	case CLI_OPTION_ONLY: return take_only(request, argument);
	case CLI_OPTION_MIN_BYTES:
		if (!cli_parse_number(argument, "--min-bytes", 0, UINT32_MAX, &number))
			return CLI_USAGE;
		request->query.min_size = number;
		break;
	case CLI_OPTION_LIMIT:
		if (!cli_parse_limit(argument, 1, &number))
			return CLI_USAGE;
		request->query.limit = number;
		request->limit_given = true;
		break;
	case CLI_OPTION_ALLOW:
		if (!cli_parse_number(argument, "--allow", 0, UINT32_MAX, &request->allowed))
			return CLI_USAGE;
		break;
	case CLI_OPTION_JOBS: return cli_take_jobs(argument, &request->builds.index.jobs);
	default: return cli_hint_at_help();
	}
	return CLI_ANSWERED;
}

// Prints the changes; *count is their number.
static bool print_changes(struct request *request, const struct ic_build *before,
			  const struct ic_build *after, uint64_t *count)
{
	struct cli_report *report = &request->report;
	struct ic_comparison_total total;
	struct ic_error err;
	struct ic_comparison *comparison = ic_comparison_find(before, after, &request->query, &err);

	if (!comparison) {
		cli_complain("%s", err.message);
		return false;
	}
	ic_comparison_total(comparison, &total);
	*count = total.selected;
	cli_report_print(report, ic_rows_of_changes(comparison, &report->rows, &err), &err);
	ic_comparison_free(comparison);
	report->is_empty = false;
	return true;
}

// The title of a page; NULL, after an error message, if memory runs out.
static char *make_title(const char *before_path, const char *after_path)
{
	size_t size = strlen(before_path) + strlen(after_path) + sizeof(" -> ");
	char *title = malloc(size);

	if (title)
		snprintf(title, size, "%s -> %s", before_path, after_path);
	else
		cli_complain("out of memory");
	return title;
}

static enum cli_status compare_paths(struct request *request, const char *before_path,
				     const char *after_path)
{
	struct cli_builds *builds = &request->builds;
	char *title = make_title(before_path, after_path);
	struct ic_build *before = title ? cli_build_read(builds, before_path) : NULL;
	struct ic_build *after = before ? cli_build_read(builds, after_path) : NULL;
	bool is_complete = cli_builds_end(builds);
	uint64_t count = 0;

	request->report.rows.file = title;
	request->report.is_empty = true;
	if (!after || !is_complete || !cli_report_open(&request->report, IC_ROWS_CHANGES)) {
		builds->incomplete = true;
	} else {
		builds->incomplete |= !print_changes(request, before, after, &count);
		builds->incomplete |= !cli_report_close(&request->report);
	}
	ic_build_free(before);
	ic_build_free(after);
	free(title);
	return builds->incomplete         ? CLI_INCOMPLETE
	       : count > request->allowed ? CLI_NOTHING
					  : CLI_ANSWERED;
}

// Whether the page would replace a build.
static bool check_page(const struct request *request, const char *before, const char *after)
{
	const char *page = request->report.page;

	if (!page || (!cli_output_is(page, before) && !cli_output_is(page, after)))
		return true;
	cli_usage_error("--html=%s would overwrite an input file", page);
	return false;
}

static enum cli_status run_diff(int argc, char **argv)
{
	struct request request = { .query = { .min_size = DEFAULT_MIN_BYTES },
				   .builds = { .index = { .calls = true,
							  .without_call_lines = true } } };
	enum cli_status status;

	cli_files_init(&request.builds.files);
	request.report.options.colors = cli_use_colors("auto");
	if (!cli_options_read(&cli_command_diff, argc, argv, take_option, &request, &status))
		return status;
	if (argc - optind != 2)
		return cli_usage_error(argc - optind < 2 ? "OLD and NEW must be given"
							 : "more than OLD and NEW given");
	enum ic_report_format format = request.report.options.format;
	if (!request.limit_given && (format == IC_REPORT_TEXT || format == IC_REPORT_MARKDOWN))
		request.query.limit = DEFAULT_LIMIT;
	request.builds.index.parameters = request.report.parameters;
	if ((request.query.kinds & (IC_CHANGE_READABLE | IC_CHANGE_UNREADABLE)) &&
	    !request.report.parameters)
		return cli_usage_error("--only=readable and --only=unreadable need -p");
	status = cli_report_check(&request.report, IC_ROWS_CHANGES);
	if (status == CLI_ANSWERED && !check_page(&request, argv[optind], argv[optind + 1]))
		status = CLI_USAGE;
	if (status == CLI_ANSWERED)
		status = cli_files_begin(&request.builds.files);
	if (status != CLI_ANSWERED)
		return status;
	status = compare_paths(&request, argv[optind], argv[optind + 1]);
	cli_files_end(&request.builds.files);
	return status;
}

const struct cli_command cli_command_diff = {
	.name = "diff",
	.usage = usage,
	.statuses = "0 no change, or no more than --allow; 1 changes; 2 part of the input could "
		    "not be read or was skipped; 64 usage error",
	.which = "Which changes",
	.run = run_diff,
};
