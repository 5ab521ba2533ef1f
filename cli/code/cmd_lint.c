// inlinecall lint FILE...: finds faults in the DWARF of inlined functions.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <inlinecall/extra/lint.h>

#include "base/files.h"
#include "base/members.h"
#include "base/report.h"

static const char usage[] =
	"Usage: inlinecall lint [OPTION]... FILE...\n"
	"       inlinecall lint --explain[=RULE]\n"
	"Check the debug information of inlined functions against the rules of the DWARF\n"
	"standard, and count the violations by rule and producer.\n"
	"\n" CLI_FILE_HELP;

enum { MOST_RULES = 64 };

struct request {
	struct cli_report report;
	struct cli_files files;
	struct ic_lint_options lint;
	const char *rules[MOST_RULES];
	bool has_severity, explains;
	const char *explained; // NULL for all
	bool several_files, found, incomplete;
};

static enum cli_status take_severity(struct request *request, const char *severity)
{
	static const char *const names[] = {
		[IC_LINT_NOTE] = "note",
		[IC_LINT_WARNING] = "warning",
		[IC_LINT_ERROR] = "error",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (strcmp(severity, names[i]) == 0) {
			request->lint.least = (enum ic_lint_severity)i;
			return CLI_ANSWERED;
		}
	}
	return cli_usage_error("--severity must be error, warning or note, not '%s'", severity);
}

static enum cli_status take_option(void *context, enum cli_option option, char *argument)
{
	struct request *request = context;
	enum cli_status status;
	unsigned long number;

	if (cli_files_take(&request->files, option, argument, &status) ||
	    cli_report_take(&request->report, option, argument, &status))
		return status;
	switch (option) {
	case CLI_OPTION_RULE:
		if (request->lint.rule_count == MOST_RULES)
			return cli_usage_error("more than %d --rule options", MOST_RULES);
		request->rules[request->lint.rule_count++] = argument;
		request->lint.rules = request->rules;
		return CLI_ANSWERED;
	case CLI_OPTION_SEVERITY:
		request->has_severity = true;
		return take_severity(request, argument);
	case CLI_OPTION_EXPLAIN:
		request->explains = true;
		request->explained = argument;
		return CLI_ANSWERED;
	case CLI_OPTION_LIMIT:
		if (!cli_parse_limit(argument, 0, &number))
			return CLI_USAGE;
		request->lint.limit = (uint32_t)number;
		return CLI_ANSWERED;
	case CLI_OPTION_JOBS: return cli_take_jobs(argument, &request->lint.jobs);
	default: return cli_hint_at_help();
	}
}

// ---- Rules

static const char *severity_of(const struct ic_lint_rule *rule)
{
	return rule->severity == IC_LINT_ERROR     ? "error"
	       : rule->severity == IC_LINT_WARNING ? "warning"
						   : "note";
}

// Finds a rule; prints an error and returns false if there is none.
static bool find_rule(const char *name, struct ic_lint_rule *rule)
{
	for (size_t i = 0; ic_lint_rule_get(i, rule); i++)
		if (strcmp(rule->name, name) == 0)
			return true;
	cli_usage_error("unknown rule '%s'; 'inlinecall lint --explain' lists the rules", name);
	return false;
}

static enum cli_status explain_rule(const char *name)
{
	struct ic_lint_rule rule;

	if (!name) {
		for (size_t i = 0; ic_lint_rule_get(i, &rule); i++)
			printf("%s\t%s\t%s\t%s\n", severity_of(&rule), rule.name, rule.paragraph,
			       rule.summary);
		return CLI_ANSWERED;
	}
	if (!find_rule(name, &rule))
		return CLI_USAGE;
	printf("%s (%s, %s): %s.\n%s\n", rule.name, severity_of(&rule), rule.paragraph,
	       rule.summary, rule.explanation);
	return CLI_ANSWERED;
}

// ---- Files

static void check_image(struct request *request, struct ic_image *image)
{
	struct cli_report *report = &request->report;
	const char *path = ic_image_path(image);
	struct ic_index_problem problem;
	struct ic_lint_count count;
	struct ic_error err;
	struct ic_lint *lint = ic_lint_run(image, &request->lint, &err);

	if (!lint) {
		cli_complain("%s", err.message);
		request->incomplete = true;
		return;
	}
	report->rows.file = path;
	request->found |= ic_lint_count_get(lint, 0, &count);
	ic_report_begin(report->report, request->several_files ? path : NULL);
	cli_report_print(report, ic_rows_of_lint(lint, &report->rows, &err), &err);
	bool is_sound = !ic_lint_count_get(lint, 0, &count);
	for (size_t i = 0; ic_lint_problem_get(lint, i, &problem); i++) {
		is_sound = false;
		request->incomplete |= cli_files_print_problem(&problem, path);
	}
	if (is_sound && report->options.format == IC_REPORT_TEXT)
		printf("%s: no findings in %" PRIu64 " copies\n", path, ic_lint_copies(lint));
	ic_lint_free(lint);
}

static void check_members(struct request *request, struct cli_members *members)
{
	struct ic_image *image;

	request->several_files |= cli_members_are_several(members);
	while ((image = cli_members_next(members, &request->files.image))) {
		check_image(request, image);
		ic_image_free(image);
	}
	request->incomplete |= !cli_members_check(members);
}

static void check_file(struct request *request, const char *path)
{
	struct cli_members members;
	struct ic_error err;
	struct ic_image *image = cli_files_open(&request->files, path, &err);

	if (image) {
		check_image(request, image);
		ic_image_free(image);
	} else if (cli_members_begin(&members, path, &err)) {
		check_members(request, &members);
		cli_members_end(&members);
	} else {
		cli_complain("%s", err.message);
		request->incomplete = true;
	}
}

static enum cli_status check_files(struct request *request, int count, char **paths)
{
	enum cli_status status = cli_files_begin(&request->files);

	if (status != CLI_ANSWERED)
		return status;
	request->several_files = count > 1;
	if (cli_report_open(&request->report, IC_ROWS_LINT)) {
		for (int i = 0; i < count; i++)
			check_file(request, paths[i]);
		cli_report_close(&request->report);
	} else {
		request->incomplete = true;
	}
	cli_files_end(&request->files);
	if (request->incomplete)
		return CLI_INCOMPLETE;
	// Like other linters: findings need attention.
	return request->found ? CLI_NOTHING : CLI_ANSWERED;
}

static enum cli_status run_lint(int argc, char **argv)
{
	struct request request = { .lint = { .limit = 3, .least = IC_LINT_WARNING } };
	struct ic_lint_rule rule;
	enum cli_status status;

	cli_files_init(&request.files);
	request.report.options.colors = cli_use_colors("auto");
	if (!cli_options_read(&cli_command_lint, argc, argv, take_option, &request, &status))
		return status;
	if (request.explains)
		return optind < argc ? cli_usage_error("--explain does not take a FILE")
				     : explain_rule(request.explained);
	for (size_t i = 0; i < request.lint.rule_count; i++)
		if (!find_rule(request.rules[i], &rule))
			return CLI_USAGE;
	if (request.lint.rule_count > 0 && request.has_severity)
		return cli_usage_error("--rule selects the rules, so --severity has no effect");
	if (optind == argc)
		return cli_usage_error("no FILE given");
	return check_files(&request, argc - optind, argv + optind);
}

const struct cli_command cli_command_lint = {
	.name = "lint",
	.usage = usage,
	.statuses = "0 no findings; 1 findings; 2 part of the input could not be read or was "
		    "skipped; 64 usage error",
	.which = "Which rules",
	.run = run_lint,
};
