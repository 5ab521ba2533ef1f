// inlinecall probe FUNCTION FILE...: definitions of probes for a tracer.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "functions/source_line.h"

static const char usage[] =
	"Usage: inlinecall probe [OPTION]... FUNCTION FILE...\n"
	"       inlinecall probe --line=SOURCE:LINE [OPTION]... FILE...\n"
	"Define probes for a tracer at every call of a function, with the arguments: at\n"
	"the entries of its inlined copies and of its out-of-line code.\n"
	"\n" CLI_FILE_HELP "The tracer opens the same file.\n";

struct request {
	struct cli_answers answers; // first member: its functions cast it back to the request
	struct ic_probe_options options;
	unsigned long most; // limit of all probes; 0 for no limit
	bool exits;
	struct cli_source_line line; // probed instead of functions
	unsigned long long made, copies;
};

static enum cli_status take_option(void *context, enum cli_option option, char *argument)
{
	struct request *request = context;
	struct cli_answers *answers = &request->answers;

	switch (option) {
	case CLI_OPTION_FOR:
		if (!ic_tracer_find(argument, &request->options.tracer))
			return cli_usage_error("--for must be tracefs, perf, bpftrace, systemtap, "
					       "kinst, gdb or libbpf, not '%s'",
					       argument);
		break;
	case CLI_OPTION_GROUP_NAME: request->options.group = argument; break;
	case CLI_OPTION_LIMIT:
		if (!cli_parse_limit(argument, 1, &request->most))
			return CLI_USAGE;
		break;
	case CLI_OPTION_FIELDS: answers->report.parameter_options.members = argument; break;
	case CLI_OPTION_LINE: return cli_source_line_take(&request->line, argument);
	case CLI_OPTION_EXIT: request->exits = true; break;
	case CLI_OPTION_ONLY_INLINED: answers->query.out_of_line = false; break;
	case CLI_OPTION_CALL_FILE:
		if (answers->query.call_file_glob)
			return cli_usage_error("-f can be given only once; a glob can match "
					       "several names, as in '[ab].c'");
		answers->query.call_file_glob = argument;
		break;
	default: return cli_answers_take(answers, option, argument);
	}
	return CLI_ANSWERED;
}

// Copies that cannot be probed are also reported on standard error, since nobody reads comments.
static void complain_of_rest(struct request *request, const struct ic_probes *probes)
{
	const char *path = request->answers.report.rows.file, *why = NULL;
	bool differs = false;
	size_t count = 0;
	struct ic_probe probe;

	for (size_t i = 0; ic_probes_get(probes, i, &probe); i++) {
		if (probe.definition || probe.kind == IC_PROBE_ELSEWHERE)
			continue;
		why = why ? why : probe.why_not;
		differs |= why && probe.why_not && strcmp(why, probe.why_not) != 0;
		count++;
	}
	if (count == 0)
		return;
	cli_complain("%s: %zu of %zu %s not probed: %s%s", path, count, ic_probes_count(probes),
		     request->exits         ? "entries and exits"
		     : request->line.source ? "places"
					    : "copies",
		     why, differs ? ", for example" : "");
	request->answers.now.incomplete = true;
}

static void print_probes(struct request *request, const struct ic_probes *probes,
			 struct ic_error *err)
{
	struct cli_answers *answers = &request->answers;
	struct ic_rows *rows = ic_rows_of_probes(probes, &answers->report.rows, err);
	size_t count = ic_probes_count(probes);
	struct ic_row row;

	if (!rows || !request->most || request->made + count <= request->most) {
		cli_answers_print(answers, count > 0, rows, err);
		request->made += count;
		complain_of_rest(request, probes);
		return;
	}
	uint64_t left_out = request->made + count - request->most;
	cli_complain("%s: %" PRIu64 " of %zu probes left out (--limit=%lu)",
		     answers->report.rows.file, left_out, count, request->most);
	answers->now.found |= count > 0;
	ic_report_begin(answers->report.report,
			answers->now.headings ? answers->report.rows.file : NULL);
	for (; request->made < request->most && ic_rows_next(rows, &row, err); request->made++)
		ic_report_row(answers->report.report, &row);
	ic_rows_free(rows);
	ic_report_left_out(answers->report.report, answers->report.rows.file, left_out);
	ic_report_flush(answers->report.report);
}

static void count_copies(struct request *request, const struct ic_probes *probes)
{
	size_t last = SIZE_MAX;
	struct ic_probe probe;

	for (size_t i = 0; ic_probes_get(probes, i, &probe); i++) {
		request->copies += probe.kind == IC_PROBE_LINE || probe.site != last;
		last = probe.site;
	}
}

static void complain_of_members(struct request *request, const struct ic_probes *probes)
{
	const struct ic_row_options *rows = &request->answers.report.rows;
	const char *unknown = rows->parameters ? ic_parameters_unknown_member(rows->parameters)
					       : NULL;

	if (!unknown || ic_probes_count(probes) == 0)
		return;
	cli_complain("%s: %s '%s'", rows->file, cli_answers_no_member(&request->answers), unknown);
	request->answers.now.incomplete = true;
}

static bool answer_sites(struct request *request, const struct ic_index *index,
			 const struct ic_sites *sites, struct ic_error *err)
{
	struct cli_answers *answers = &request->answers;
	char *path = realpath(answers->report.rows.file, NULL); // NULL for a member of an archive

	bool ok = cli_answers_find_entries(answers, index, sites, err);

	request->options.path = path;
	request->options.first = request->copies;
	request->options.entries = answers->now.file.entries;
	request->options.exits =
		ok && request->exits ? ic_exits_open(answers->now.file.image, index, err) : NULL;
	struct ic_probes *probes = !ok || (request->exits && !request->options.exits)
					   ? NULL
					   : ic_probes_find(answers->now.file.image, sites,
							    answers->report.rows.parameters,
							    &request->options, err);
	if (probes) {
		print_probes(request, probes, err);
		count_copies(request, probes);
		complain_of_members(request, probes);
	}
	ic_probes_free(probes);
	ic_exits_free(request->options.exits);
	free(path);
	return probes != NULL;
}

static bool answer_lines(struct request *request, const struct ic_index *index,
			 struct ic_symbolizer *symbolizer, struct ic_parameters *parameters,
			 struct ic_error *err)
{
	struct cli_answers *answers = &request->answers;
	struct ic_lines *lines =
		ic_lines_find(symbolizer, request->line.source, request->line.line, err);
	const struct ic_probe_lines of = { index, symbolizer, lines };
	struct ic_probes *probes = lines ? ic_probes_find_lines(answers->now.file.image, &of,
								parameters, &request->options, err)
					 : NULL;

	if (probes) {
		if (ic_probes_count(probes) == 0)
			cli_source_line_explain(&request->line, lines);
		print_probes(request, probes, err);
		count_copies(request, probes);
		complain_of_members(request, probes);
	}
	ic_probes_free(probes);
	ic_lines_free(lines);
	return probes != NULL;
}

// The parameters in the answers are those of the index, which has no functions here.
static bool answer_line(struct request *request, const struct ic_index *index, struct ic_error *err)
{
	struct cli_answers *answers = &request->answers;
	struct ic_symbolizer_options options = { .jobs = answers->index.jobs };
	struct ic_parameters *of_index = answers->report.rows.parameters;

	cli_report_name_frames(&answers->report, &options);
	struct ic_symbolizer *symbolizer =
		ic_symbolizer_new(answers->now.file.image, &options, err);
	struct ic_parameters *parameters =
		symbolizer ? ic_parameters_open_frames(symbolizer,
						       &answers->report.parameter_options, err)
			   : NULL;
	char *path = realpath(answers->report.rows.file, NULL); // NULL for a member of an archive

	request->options.path = path;
	request->options.first = request->copies;
	answers->report.rows.parameters = parameters;
	bool ok = parameters && answer_lines(request, index, symbolizer, parameters, err);
	answers->report.rows.parameters = of_index;
	if (parameters)
		answers->now.incomplete |= cli_files_print_parameter_problems(
			parameters, ic_image_path(answers->now.file.image));
	if (symbolizer)
		answers->now.incomplete |= cli_files_print_problems(
			symbolizer, ic_image_path(answers->now.file.image));
	ic_parameters_free(parameters);
	ic_symbolizer_free(symbolizer);
	free(path);
	return ok;
}

static bool answer_file(struct cli_answers *answers, const struct ic_index *index,
			struct ic_error *err)
{
	if (((struct request *)answers)->line.source)
		return answer_line((struct request *)answers, index, err);
	struct ic_sites *sites = ic_sites_find(index, &answers->query, err);
	bool ok = sites && answer_sites((struct request *)answers, index, sites, err);

	ic_sites_free(sites);
	return ok;
}

static void explain_missing(void *context, const struct cli_subject *subject, const char *path)
{
	const struct request *request = context;

	if (request->line.source) {
		cli_source_line_complain(&request->line, path);
		return;
	}
	cli_complain("%s: %s: %s; 'inlinecall why' explains", path, subject ? subject->name : "",
		     subject && subject->summary.with_code > 0
			     ? "the file does not say where copies are entered"
			     : "no code left to probe");
}

static enum cli_status run_probe(int argc, char **argv)
{
	struct request request = { .answers = { .kind = IC_ROWS_PROBES,
						.answer = answer_file,
						.look = cli_answers_look_for_code,
						.explain = explain_missing,
						.nothing = "nothing to probe",
						.takes_tables = true } };
	static const char *const no_functions[] = { NULL };
	enum cli_status status;

	cli_answers_init(&request.answers);
	request.answers.query.out_of_line = true;
	if (!cli_options_read(&cli_command_probe, argc, argv, take_option, &request, &status))
		return status;
	request.answers.report.parameters = request.answers.index.entries = true;
	request.answers.report.parameter_options.strings = true;
	if (request.line.source) {
		status = cli_source_line_check(&request.answers, request.exits ? "--exit" : NULL);
		if (status != CLI_ANSWERED)
			return status;
		request.answers.is_function_optional = true;
		request.answers.index.functions = no_functions; // only its symbols are needed
	}
	status = cli_answers_run(&request.answers, argc - optind, argv + optind);
	cli_source_line_free(&request.line);
	return status;
}

const struct cli_command cli_command_probe = {
	.name = "probe",
	.usage = usage,
	.statuses = "0 all copies have probes; 1 nothing to probe; 2 part of the input could not "
		    "be read, or copies have no probes; 64 usage error",
	.which = "Which calls",
	.run = run_probe,
};
