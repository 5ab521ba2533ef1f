// inlinecall why FUNCTION FILE...: what became of a function.
#include <string.h>

#include "functions/answers.h"

static const char usage[] =
	"Usage: inlinecall why [OPTION]... FUNCTION FILE...\n"
	"Show whether a function was inlined, fully or partly, what code it has, where a\n"
	"probe sees its calls, and where the arguments are there.\n"
	"\n" CLI_FILE_HELP;

static enum cli_status take_option(void *context, enum cli_option option, char *argument)
{
	return cli_answers_take(context, option, argument);
}

struct certainty { // how certain the verdict about a name is
	const char *name;
	bool all, any;
};

static void complain_of(const struct cli_answers *answers, const struct certainty *certainty)
{
	const char *file = answers->report.rows.file;

	if (certainty->any)
		cli_complain("%s: %s: there may be more copies, calls and code: part of the file "
			     "could not be read",
			     file, certainty->name);
	if (!certainty->all)
		cli_complain("%s: %s: no verdict: part of the file could not be read", file,
			     certainty->name);
}

// If a file cannot be read completely, the only certain verdict is that a function was partly
// inlined, since both its code and its copies are there. All other verdicts claim that something
// does not exist.
static void print_certain(struct cli_answers *answers, struct ic_rows *rows, struct ic_error *err)
{
	struct cli_report *report = &answers->report;
	struct certainty certainty = { .name = NULL, .all = true };
	struct ic_row row;

	ic_report_begin(report->report, answers->now.headings ? report->rows.file : NULL);
	while (ic_rows_next(rows, &row, err)) {
		if (certainty.name && strcmp(certainty.name, row.verdict->asked) != 0) {
			complain_of(answers, &certainty);
			certainty = (struct certainty){ .all = true };
		}
		certainty.name = row.verdict->asked;
		if (row.verdict->kind == IC_VERDICT_PARTLY && row.verdict->code_count > 0 &&
		    row.verdict->code[0].described)
			certainty.any |= ic_report_row(report->report, &row);
		else
			certainty.all = false;
		answers->now.found |= certainty.any;
	}
	if (certainty.name)
		complain_of(answers, &certainty);
	answers->now.incomplete = true;
	cli_report_print(report, rows, err); // the rest of them, which is empty
}

// Records which names have verdicts.
static void note_names(struct cli_answers *answers, const struct ic_verdicts *verdicts)
{
	struct ic_verdict verdict;

	for (size_t i = 0; ic_verdicts_get(verdicts, i, &verdict); i++)
		for (size_t j = 0; j < answers->name_count; j++)
			answers->found_names[j] |= strcmp(answers->names[j], verdict.asked) == 0;
}

static bool answer_file(struct cli_answers *answers, const struct ic_index *index,
			struct ic_error *err)
{
	struct ic_verdicts *verdicts = ic_verdicts_find(index, answers->names, err);

	if (!verdicts)
		return false;
	note_names(answers, verdicts);
	bool ok = cli_answers_find_entries(answers, index, ic_verdicts_sites(verdicts), err);
	if (ok && ic_verdicts_count(verdicts) > 0) {
		struct ic_rows *rows = ic_rows_of_verdicts(verdicts, &answers->report.rows, err);
		if (rows && ic_index_count(index).problems > 0)
			print_certain(answers, rows, err);
		else
			cli_answers_print(answers, true, rows, err);
	}
	ic_verdicts_free(verdicts);
	return ok;
}

// Any name that a function matches has a verdict, so only other names are explained.
static void explain_missing(void *context, const struct cli_subject *subject, const char *path)
{
	(void)context;
	cli_complain("%s: %s: nothing known about it", path, subject ? subject->name : "");
}

static enum cli_status run_why(int argc, char **argv)
{
	struct cli_answers answers = { .answer = answer_file,
				       .explain = explain_missing,
				       .nothing = "nothing known about it",
				       .takes_symbols = true };
	enum cli_status status;

	cli_answers_init(&answers);
	answers.kind = IC_ROWS_VERDICTS;
	// Finding the entries of more copies would take longer than everything else; 'sites -e'
	// lists them.
	answers.now.most_functions = IC_VERDICT_MOST_COPIES;
	answers.index.declarations = answers.index.calls = answers.index.entries = true;
	if (!cli_options_read(&cli_command_why, argc, argv, take_option, &answers, &status))
		return status;
	// CSV has no columns for them.
	answers.report.parameters = answers.report.options.format != IC_REPORT_CSV;
	return cli_answers_run(&answers, argc - optind, argv + optind);
}

const struct cli_command cli_command_why = {
	.name = "why",
	.usage = usage,
	.which = "Which function",
	.run = run_why,
};
