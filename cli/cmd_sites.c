// inlinecall sites FUNCTION FILE...: every call site of an inlined function.

#include <string.h>

#include "answers.h"

static const char usage[] =
	"Usage: inlinecall [sites] [OPTION]... FUNCTION FILE...\n"
	"       inlinecall [sites] [OPTION]... -a FILE...\n"
	"List every call site of an inlined function: where its copies are in the code.\n"
	"A FILE is any ELF file with DWARF, or one whose debug file can be found; or an archive\n"
	"of such files, or 'lib.a(member.o)' for one of them; '-' reads the names of files from\n"
	"standard input, one per line.\n";

struct request {
	struct cli_answers answers; // first: what is asked of it, is asked of a request
	bool count;
	enum ic_counts_order order;
};

static enum cli_status take_order(struct request *request, const char *order)
{
	if (strcmp(order, "copies") == 0)
		request->order = IC_COUNTS_BY_COPIES;
	else if (strcmp(order, "bytes") == 0)
		request->order = IC_COUNTS_BY_BYTES;
	else if (strcmp(order, "name") == 0)
		request->order = IC_COUNTS_BY_NAME;
	else
		return cli_usage_error("--sort is copies, bytes or name, not '%s'", order);
	request->count = request->answers.index.calls = true;
	return CLI_ANSWERED;
}

static enum cli_status take_option(void *context, enum cli_option option, char *argument)
{
	struct request *request = context;
	struct cli_answers *answers = &request->answers;

	switch (option) {
	case CLI_OPTION_CALL_FILE:
		if (answers->query.call_file_glob)
			return cli_usage_error("-f can be given once; a glob may have several "
					       "names, as in '[ab].c'");
		answers->query.call_file_glob = argument;
		break;
	case CLI_OPTION_OUT_OF_LINE: answers->query.out_of_line = true; break;
	case CLI_OPTION_CALLS: answers->query.calls = answers->index.calls = true; break;
	case CLI_OPTION_ENTRY: answers->report.entries = true; break;
	case CLI_OPTION_CHAIN: answers->report.chain = true; break;
	case CLI_OPTION_NAMES: answers->report.names = true; break;
	case CLI_OPTION_FUNCTION_COUNT: request->count = answers->index.calls = true; break;
	case CLI_OPTION_SORT: return take_order(request, argument);
	default: return cli_answers_take(answers, option, argument);
	}
	return CLI_ANSWERED;
}

// Text says nothing of instances without code, the other formats say that there is none.
static bool has_rows(const struct cli_answers *answers, const struct ic_sites *sites)
{
	struct ic_site site;

	if (answers->report.format != IC_REPORT_TEXT)
		return ic_sites_count(sites) > 0;
	for (size_t i = 0; ic_sites_get(sites, i, &site); i++)
		if (site.range_count > 0 || site.kind == IC_SITE_CALL)
			return true;
	return false;
}

static bool has_counts(const struct cli_answers *answers, const struct ic_counts *counts)
{
	struct ic_count count;

	if (answers->report.format != IC_REPORT_TEXT)
		return ic_counts_count(counts) > 0;
	for (size_t i = 0; ic_counts_get(counts, i, &count); i++)
		if (count.inlined > 0 || count.out_of_line > 0 || count.calls > 0)
			return true;
	return false;
}

static bool answer_counts(struct request *request, const struct ic_index *index,
			  struct ic_error *err)
{
	struct cli_answers *answers = &request->answers;
	struct ic_counts *counts = ic_counts_find(index, &answers->query, request->order, err);

	if (!counts)
		return false;
	if (cli_answers_begin(answers, has_counts(answers, counts)) &&
	    !ic_report_counts(counts, &answers->report, stdout, err))
		cli_write_failed(err->os_error, err->message);
	ic_counts_free(counts);
	return true;
}

static bool look(struct cli_answers *answers, const struct ic_index *index, bool *any,
		 struct ic_error *err)
{
	struct ic_sites *sites;
	struct ic_counts *counts;

	if (((struct request *)answers)->count) {
		counts = ic_counts_find(index, &answers->query, IC_COUNTS_BY_NAME, err);
		*any = counts && has_counts(answers, counts);
		ic_counts_free(counts);
		return counts != NULL;
	}
	sites = ic_sites_find(index, &answers->query, err);
	*any = sites && has_rows(answers, sites);
	ic_sites_free(sites);
	return sites != NULL;
}

static bool answer(struct cli_answers *answers, const struct ic_index *index, struct ic_error *err)
{
	struct request *request = (struct request *)answers;

	if (request->count)
		return answer_counts(request, index, err);
	struct ic_sites *sites = ic_sites_find(index, &answers->query, err);

	if (!sites)
		return false;
	if (cli_answers_begin(answers, has_rows(answers, sites)) &&
	    !ic_report_sites(sites, &answers->report, stdout, err))
		cli_write_failed(err->os_error, err->message);
	ic_sites_free(sites);
	return true;
}

// That the compiler calls a function inlined (DW_AT_inline) says little where it has code of its
// own: gcc says so of whatever it clones.
static void explain(void *context, const struct cli_subject *subject, const char *path)
{
	const struct cli_answers *answers = context;
	const char *glob = answers->query.call_file_glob;
	bool in_hosts = answers->host_count > 0, in_one = answers->host_count == 1;
	char about[CLI_EXPLAIN_SIZE];

	if (!subject) {
		cli_complain("%s: nothing was inlined%s%s", path,
			     glob ? " in such source files" : "",
			     in_hosts ? " into such functions" : "");
		return;
	}
	const struct ic_function_summary *summary = &subject->summary;
	const char *name = subject->name;
	cli_explain_about(summary, about);
	if (summary->with_code > 0)
		cli_complain("%s: %s: inlined%s, but never%s%s%s%s%s%s%s", path, name, about,
			     !in_hosts ? ""
			     : in_one  ? " in the code of '"
				       : " in the code of such functions",
			     in_one ? answers->hosts[0] : "", in_one ? "'" : "",
			     in_hosts && glob ? " and" : "",
			     glob ? " in source files that match '" : "", glob ? glob : "",
			     glob ? "'" : "");
	else if (summary->inlined > 0 || (summary->was_inlined && summary->hosts == 0))
		cli_complain("%s: %s: inlined%s, but every copy was optimised away", path, name,
			     about);
	else
		cli_complain("%s: %s: never inlined%s%s", path, name, about,
			     summary->hosts > 0 ? "; it has code of its own, which -o lists" : "");
}

static enum cli_status check(const struct request *request)
{
	const struct cli_answers *answers = &request->answers;

	if (!request->count)
		return CLI_ANSWERED;
	if (answers->query.out_of_line || answers->query.calls)
		return cli_usage_error("--count counts all kinds of sites, so -o and -c have no "
				       "effect");
	if (answers->report.chain || answers->report.names || answers->report.entries)
		return cli_usage_error("--count prints no sites, so -e, -i and -n have no effect");
	return CLI_ANSWERED;
}

static enum cli_status run_sites(int argc, char **argv)
{
	struct request request = { .answers = { .answer = answer,
						.look = look,
						.explain = explain,
						.nothing = "no call site" } };
	enum cli_status status;

	cli_answers_init(&request.answers);
	if (!cli_options_read(&cli_command_sites, argc, argv, take_option, &request, &status))
		return status;
	status = check(&request);
	if (status != CLI_ANSWERED)
		return status;
	return cli_answers_run(&request.answers, argc - optind, argv + optind);
}

const struct cli_command cli_command_sites = {
	.name = "sites",
	.usage = usage,
	.which = "Which sites",
	.run = run_sites,
};
