// inlinecall check RULES FILE...: whether files keep rules about inlining.
#include <string.h>

#include "base/report.h"
#include "base/trees.h"
#include "compare/rule_files.h"
#include "compare/rule_readers.h"
#include "compare/rule_update.h"

static const char usage[] =
	"Usage: inlinecall check [OPTION]... RULES FILE...\n"
	"       inlinecall check [OPTION]... --bpftrace=SCRIPT FILE...\n"
	"       inlinecall check --init FILE... >RULES\n"
	"Check whether files keep rules about inlining, each a line of RULES, such as\n"
	"'never inline NAME', 'always inline NAME', 'never out-of-line NAME',\n"
	"'at most N copies of NAME', 'bytes of NAME <= N', 'NAME into HOST',\n"
	"'not NAME into HOST' and 'no call of NAME from HOST'; the manual has all. NAME\n"
	"and HOST may be globs, and NAME@SOURCE is declared in that file. A rule may end\n"
	"with 'unless HOST...', 'for FILE...' and '-- REASON'.\n"
	"\n"
	"A FILE is an ELF file, an archive, or a directory with all files below it.\n";

struct request {
	struct cli_files files;
	struct cli_report report;
	struct ic_index_options index;
	struct ic_rules *rules;
	struct ic_rule_needs needs;
	bool has_scripts; // instead of RULES
	bool init, update;

	// While it runs:
	struct cli_rule_writer writer; // with --init
	bool incomplete;
};

static enum cli_status read_script(struct request *request, bool ok)
{
	request->has_scripts = true;
	request->incomplete |= !ok;
	return CLI_ANSWERED;
}

static enum cli_status take_option(void *context, enum cli_option option, char *argument)
{
	struct request *request = context;
	enum cli_status status;

	if (cli_files_take(&request->files, option, argument, &status) ||
	    cli_report_take(&request->report, option, argument, &status))
		return status;
	switch (option) {
	case CLI_OPTION_BPFTRACE:
		return read_script(request, cli_rules_read_bpftrace(request->rules, argument));
	case CLI_OPTION_PROBES:
		return read_script(request, cli_rules_read_probes(request->rules, argument));
	case CLI_OPTION_INIT: request->init = true; break;
	case CLI_OPTION_UPDATE: request->update = true; break;
	case CLI_OPTION_JOBS: return cli_take_jobs(argument, &request->index.jobs);
	default: return cli_hint_at_help();
	}
	return CLI_ANSWERED;
}

static bool check_index(struct request *request, struct ic_image *image,
			const struct ic_index *index, struct ic_error *err)
{
	struct cli_rule_readers opened;

	bool ok = cli_rule_readers_open(&opened, &request->needs, image, index, err) &&
		  ic_rules_check(request->rules, image, index, &opened.readers, err);
	request->incomplete |= cli_rule_readers_close(&opened, ic_image_path(image));
	return ok;
}

static bool take_index(struct request *request, struct ic_image *image,
		       const struct ic_index *index, struct ic_error *err)
{
	return request->init ? cli_rule_writer_add(&request->writer, index, err)
			     : check_index(request, image, index, err);
}

static bool visit_image(void *context, struct ic_image *image)
{
	struct request *request = context;
	const char *path = ic_image_path(image);
	struct cli_progress progress;
	struct ic_error err;

	cli_progress_begin(&progress, path);
	request->index.progress = cli_progress_show;
	request->index.progress_context = &progress;
	struct ic_index *index = ic_index_build(image, &request->index, &err);
	cli_progress_end(&progress);
	if (index)
		request->incomplete |= cli_files_print_index_problems(index, path);
	if (!index || !take_index(request, image, index, &err)) {
		cli_complain("%s", err.message);
		request->incomplete = true;
	}
	ic_index_free(index);
	ic_image_free(image);
	return true;
}

static void visit_files(struct request *request, int count, char **operands)
{
	struct cli_tree tree = { .files = &request->files,
				 .visit = visit_image,
				 .context = request };

	for (int i = 0; i < count; i++)
		cli_tree_visit(&tree, operands[i]);
	if (tree.without_debug > 0)
		cli_complain(tree.without_debug == 1
				     ? "%lu file has no debug information and is not checked"
				     : "%lu files have no debug information and are not checked",
			     tree.without_debug);
	request->incomplete |= tree.incomplete || tree.without_debug > 0;
}

static bool are_kept(const struct ic_rules *rules)
{
	struct ic_rule rule;

	for (size_t i = 0; ic_rules_get(rules, i, &rule); i++)
		if (rule.state != IC_RULE_KEPT)
			return false;
	return true;
}

static bool print_results(struct request *request)
{
	struct cli_report *report = &request->report;
	struct ic_error err;

	if (!cli_report_open(report, IC_ROWS_RULES))
		return false;
	cli_report_print(report, ic_rows_of_rules(request->rules, &report->rows, &err), &err);
	return cli_report_close(report);
}

static enum cli_status check_files(struct request *request, int count, char **operands)
{
	const char *path = operands[0];

	if (!request->has_scripts) {
		if (!cli_rules_read(request->rules, path))
			return CLI_INCOMPLETE;
		operands++;
		count--;
	}
	request->needs = ic_rules_need(request->rules, &request->index);
	visit_files(request, count, operands);
	if (request->update && !request->incomplete)
		request->incomplete |= !cli_rules_update(request->rules, path);
	request->incomplete |= !print_results(request);
	return request->incomplete        ? CLI_INCOMPLETE
	       : are_kept(request->rules) ? CLI_ANSWERED
					  : CLI_NOTHING;
}

static enum cli_status init_rules(struct request *request, int count, char **operands)
{
	visit_files(request, count, operands);
	request->incomplete |= !cli_rule_writer_end(&request->writer);
	return request->incomplete ? CLI_INCOMPLETE : CLI_ANSWERED;
}

static enum cli_status run_request(struct request *request, int count, char **operands)
{
	bool has_rules = !request->has_scripts && !request->init;
	enum cli_status status;

	if (request->update && !has_rules)
		return cli_usage_error("--update needs RULES");
	if (request->init && request->has_scripts)
		return cli_usage_error("--init cannot be used with --bpftrace or --probes");
	if (has_rules && count == 0)
		return cli_usage_error("no RULES given");
	if (count == (has_rules ? 1 : 0))
		return cli_usage_error("no FILE given");
	status = cli_report_check(&request->report, IC_ROWS_RULES);
	if (status == CLI_ANSWERED)
		status = cli_files_begin(&request->files);
	if (status != CLI_ANSWERED)
		return status;
	status = request->init ? init_rules(request, count, operands)
			       : check_files(request, count, operands);
	cli_files_end(&request->files);
	return status;
}

static enum cli_status run_check(int argc, char **argv)
{
	struct request request = { .rules = NULL };
	enum cli_status status;
	struct ic_error err;

	cli_files_init(&request.files);
	request.report.options.colors = cli_use_colors("auto");
	request.rules = ic_rules_new(&err);
	if (!request.rules) {
		cli_complain("%s", err.message);
		return CLI_INCOMPLETE;
	}
	if (cli_options_read(&cli_command_check, argc, argv, take_option, &request, &status))
		status = run_request(&request, argc - optind, argv + optind);
	ic_rules_free(request.rules);
	return status;
}

const struct cli_command cli_command_check = {
	.name = "check",
	.usage = usage,
	.statuses =
		"0 all rules are kept; 1 a rule is broken, or says nothing about these files; 2 "
		"part of the input could not be read; 64 usage error",
	.which = "What is checked",
	.run = run_check,
};
