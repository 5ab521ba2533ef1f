// inlinecall sites FUNCTION FILE...: every call site of an inlined function.

#include <string.h>

#include "functions/answers.h"

static const char usage[] =
	"Usage: inlinecall [sites] [OPTION]... FUNCTION FILE...\n"
	"       inlinecall [sites] [OPTION]... -a FILE...\n"
	"       inlinecall COMMAND ...\n"
	"List every call of a function that was inlined, with the address ranges of the\n"
	"copy that replaced it.\n"
	"\n" CLI_FILE_HELP;

struct request {
	struct cli_answers answers; // first member: its functions cast it back to the request
	struct ic_statistics_query counts;
};

static void count_functions(struct request *request)
{
	request->answers.kind = IC_ROWS_COUNTS;
	request->answers.index.calls = true;
}

static enum cli_status take_order(struct request *request, const char *order)
{
	if (strcmp(order, "copies") == 0)
		request->counts.order = IC_STATISTICS_MOST_COPIES;
	else if (strcmp(order, "bytes") == 0)
		request->counts.order = IC_STATISTICS_MOST_BYTES;
	else if (strcmp(order, "name") == 0)
		request->counts.order = IC_STATISTICS_BY_NAME;
	else
		return cli_usage_error("--sort must be copies, bytes or name, not '%s'", order);
	count_functions(request);
	return CLI_ANSWERED;
}

static enum cli_status take_option(void *context, enum cli_option option, char *argument)
{
	struct request *request = context;
	struct cli_answers *answers = &request->answers;

	switch (option) {
	case CLI_OPTION_CALL_FILE:
		if (answers->query.call_file_glob)
			return cli_usage_error("-f can be given only once; a glob can match "
					       "several names, as in '[ab].c'");
		answers->query.call_file_glob = argument;
		break;
	case CLI_OPTION_OUT_OF_LINE: answers->query.out_of_line = true; break;
	case CLI_OPTION_CALLS: answers->query.calls = answers->index.calls = true; break;
	case CLI_OPTION_ENTRY: answers->report.options.entries = true; break;
	case CLI_OPTION_CHAIN: answers->report.options.chain = true; break;
	case CLI_OPTION_NAMES: answers->report.options.names = true; break;
	case CLI_OPTION_FUNCTION_COUNT: count_functions(request); break;
	case CLI_OPTION_SORT: return take_order(request, argument);
	default: return cli_answers_take(answers, option, argument);
	}
	return CLI_ANSWERED;
}

// Text omits instances without code; the other formats contain them, without ranges.
static bool has_rows(const struct cli_answers *answers, const struct ic_sites *sites)
{
	struct ic_site site;

	if (answers->report.options.format != IC_REPORT_TEXT)
		return ic_sites_count(sites) > 0;
	for (size_t i = 0; ic_sites_get(sites, i, &site); i++)
		if (site.range_count > 0 || site.kind == IC_SITE_CALL || site.has_only_entry)
			return true;
	return false;
}

static bool has_counts(const struct cli_answers *answers, const struct ic_statistics *counts)
{
	struct ic_statistic count;

	if (answers->report.options.format != IC_REPORT_TEXT)
		return ic_statistics_count(counts) > 0;
	for (size_t i = 0; ic_statistics_get(counts, i, &count); i++)
		if (count.copies > 0 || count.out_of_line > 0 || count.calls > 0)
			return true;
	return false;
}

static bool answer_counts(struct request *request, const struct ic_index *index,
			  struct ic_error *err)
{
	struct cli_answers *answers = &request->answers;
	struct ic_statistics *counts = ic_statistics_find(index, &request->counts, err);

	if (!counts)
		return false;
	cli_answers_print(answers, has_counts(answers, counts),
			  ic_rows_of_counts(counts, &answers->report.rows, err), err);
	ic_statistics_free(counts);
	return true;
}

static bool look_for_sites(struct cli_answers *answers, const struct ic_index *index, bool *any,
			   struct ic_error *err)
{
	struct ic_sites *sites;
	struct ic_statistics *counts;

	if (answers->kind == IC_ROWS_COUNTS) {
		counts = ic_statistics_find(index, &((struct request *)answers)->counts, err);
		*any = counts && has_counts(answers, counts);
		ic_statistics_free(counts);
		return counts != NULL;
	}
	sites = ic_sites_find(index, &answers->query, err);
	*any = sites && has_rows(answers, sites);
	ic_sites_free(sites);
	return sites != NULL;
}

static bool answer_sites(struct cli_answers *answers, const struct ic_index *index,
			 struct ic_error *err)
{
	struct ic_sites *sites = ic_sites_find(index, &answers->query, err);

	if (!sites)
		return false;
	bool ok = cli_answers_find_entries(answers, index, sites, err);
	if (ok)
		cli_answers_print(answers, has_rows(answers, sites),
				  ic_rows_of_sites(sites, &answers->report.rows, err), err);
	ic_sites_free(sites);
	return ok;
}

// Prints errors about requested data that a table of inlined calls does not have.
static void complain_of_table(struct cli_answers *answers)
{
	bool calls = answers->query.calls, files = answers->query.call_file_glob;
	const char *path = answers->report.rows.file;

	if (calls)
		cli_complain("%s: a table of inlined calls has no other calls, so -c lists none",
			     path);
	if (files)
		cli_complain("%s: a table of inlined calls has no source files, so -f lists none",
			     path);
	answers->now.incomplete |= calls || files;
}

static bool answer_file(struct cli_answers *answers, const struct ic_index *index,
			struct ic_error *err)
{
	if (answers->index.inline_table)
		complain_of_table(answers);
	return answers->kind == IC_ROWS_COUNTS
		       ? answer_counts((struct request *)answers, index, err)
		       : answer_sites(answers, index, err);
}

// DW_AT_inline says little about a function with out-of-line code: GCC sets it on every function
// that it clones.
static void explain_missing(void *context, const struct cli_subject *subject, const char *path)
{
	const struct cli_answers *answers = context;
	const char *glob = answers->query.call_file_glob;
	bool in_hosts = answers->host_count > 0, in_one = answers->host_count == 1;
	char about[CLI_EXPLAIN_SIZE];

	if (!subject) {
		cli_complain("%s: nothing was inlined%s%s", path,
			     glob ? " in matching source files" : "",
			     in_hosts ? " into matching functions" : "");
		return;
	}
	const struct ic_function_summary *summary = &subject->summary;
	const char *name = subject->name;
	if (answers->index.inline_table) {
		cli_complain("%s: %s: not in the table of inlined calls%s%s%s", path, name,
			     in_hosts ? " in the code of " : "",
			     in_one     ? answers->hosts[0]
			     : in_hosts ? "matching functions"
					: "",
			     summary->hosts > 0 && !in_hosts ? "; -o lists its out-of-line code"
							     : "");
		return;
	}
	cli_explain_about(summary, about);
	if (summary->with_code > 0)
		cli_complain("%s: %s: inlined%s, but never%s%s%s%s%s%s%s", path, name, about,
			     !in_hosts ? ""
			     : in_one  ? " in the code of '"
				       : " in the code of matching functions",
			     in_one ? answers->hosts[0] : "", in_one ? "'" : "",
			     in_hosts && glob ? " and" : "",
			     glob ? " in source files that match '" : "", glob ? glob : "",
			     glob ? "'" : "");
	else if (summary->inlined > 0 || (summary->was_inlined && summary->hosts == 0))
		cli_complain("%s: %s: inlined%s, but every copy was optimised away", path, name,
			     about);
	else
		cli_complain("%s: %s: never inlined%s%s", path, name, about,
			     summary->hosts > 0 ? "; -o lists its out-of-line code" : "");
}

static enum cli_status check_options(const struct cli_answers *answers)
{
	const struct ic_report_options *report = &answers->report.options;

	if (answers->kind != IC_ROWS_COUNTS)
		return CLI_ANSWERED;
	if (answers->query.out_of_line || answers->query.calls)
		return cli_usage_error(
			"--count counts all kinds of sites, so -o and -c have no effect");
	if (report->chain || report->names || report->entries)
		return cli_usage_error(
			"--count does not print sites, so -e, -i and -n have no effect");
	if (answers->report.parameters)
		return cli_usage_error("--count does not print sites, so -p has no effect");
	return CLI_ANSWERED;
}

static enum cli_status run_sites(int argc, char **argv)
{
	struct request request = { .answers = { .kind = IC_ROWS_SITES,
						.answer = answer_file,
						.look = look_for_sites,
						.explain = explain_missing,
						.nothing = "no call site",
						.takes_tables = true },
				   .counts = { .only_sites = true } };
	enum cli_status status;

	request.counts.sites = &request.answers.query;
	cli_answers_init(&request.answers);
	if (!cli_options_read(&cli_command_sites, argc, argv, take_option, &request, &status))
		return status;
	status = check_options(&request.answers);
	if (status != CLI_ANSWERED)
		return status;
	request.answers.index.entries = request.answers.report.options.entries;
	// These formats list everything in the DWARF.
	request.answers.query.parts |= request.answers.kind == IC_ROWS_SITES &&
				       request.answers.report.options.format != IC_REPORT_TEXT;
	return cli_answers_run(&request.answers, argc - optind, argv + optind);
}

const struct cli_command cli_command_sites = {
	.name = "sites",
	.usage = usage,
	.which = "Which sites",
	.run = run_sites,
};
