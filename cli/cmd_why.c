// inlinecall why FUNCTION FILE...: what became of a function.
#include "answers.h"

static const char usage[] = "Usage: inlinecall why [OPTION]... FUNCTION FILE...\n"
			    "Say what became of a function: whether it was inlined, fully or "
			    "partly, what code it has,\n"
			    "where a probe sees its calls, and where the arguments are there.\n"
			    "A FILE is what it is for 'inlinecall sites'.\n";

static enum cli_status take_option(void *context, enum cli_option option, char *argument)
{
	return cli_answers_take(context, option, argument);
}

// Of a file that cannot be read as a whole, only that a function was inlined partly is certain: its
// code and its copies are there. All other verdicts say that something is not.
static void print_certain(struct cli_answers *answers, const char *name, struct ic_rows *rows,
			  struct ic_error *err)
{
	struct cli_report *report = &answers->report;
	struct ic_row row;
	bool all = true, any = false;

	ic_report_begin(report->report, answers->headings ? report->rows.file : NULL);
	while (ic_rows_next(rows, &row, err)) {
		if (row.verdict->kind == IC_VERDICT_PARTLY && row.verdict->code_count > 0 &&
		    row.verdict->code[0].described)
			any |= ic_report_row(report->report, &row);
		else
			all = false;
	}
	answers->found |= any;
	if (any)
		cli_complain("%s: %s: its copies, calls and code are at least these, since part of "
			     "the file could not be read",
			     report->rows.file, name);
	if (!all)
		cli_complain("%s: %s: what became of it is not known, since part of the file could "
			     "not be read",
			     report->rows.file, name);
	answers->incomplete = true;
	cli_report_print(report, rows, err); // what is left of them: none
}

static bool answer_name(struct cli_answers *answers, const struct ic_index *index, const char *name,
			struct ic_error *err)
{
	struct ic_verdicts *verdicts = ic_verdicts_find(index, name, err);

	if (!verdicts)
		return false;
	if (ic_verdicts_count(verdicts) > 0) {
		struct ic_rows *rows = ic_rows_of_verdicts(verdicts, &answers->report.rows, err);
		if (rows && ic_index_count(index).problems > 0)
			print_certain(answers, name, rows, err);
		else
			cli_answers_print(answers, true, rows, err);
	}
	ic_verdicts_free(verdicts);
	return true;
}

static bool answer(struct cli_answers *answers, const struct ic_index *index, struct ic_error *err)
{
	bool ok = true;

	for (size_t i = 0; ok && i < answers->name_count; i++)
		ok = answer_name(answers, index, answers->names[i], err);
	return ok;
}

static bool look(struct cli_answers *answers, const struct ic_index *index, bool *any,
		 struct ic_error *err)
{
	struct ic_verdicts *verdicts = ic_verdicts_find(index, answers->query.function, err);

	*any = verdicts && ic_verdicts_count(verdicts) > 0;
	ic_verdicts_free(verdicts);
	return verdicts != NULL;
}

// Whatever matches any function has a verdict, so only names of none are explained.
static void explain(void *context, const struct cli_subject *subject, const char *path)
{
	(void)context;
	cli_complain("%s: %s: nothing is known of it", path, subject ? subject->name : "");
}

static enum cli_status run_why(int argc, char **argv)
{
	struct cli_answers answers = { .answer = answer,
				       .look = look,
				       .explain = explain,
				       .nothing = "nothing is known of it",
				       .takes_symbols = true };
	enum cli_status status;

	cli_answers_init(&answers);
	answers.kind = IC_ROWS_VERDICTS;
	answers.index.declarations = answers.index.calls = true;
	if (!cli_options_read(&cli_command_why, argc, argv, take_option, &answers, &status))
		return status;
	// A table has no columns for them.
	answers.report.parameters = answers.report.options.format != IC_REPORT_CSV;
	return cli_answers_run(&answers, argc - optind, argv + optind);
}

const struct cli_command cli_command_why = {
	.name = "why",
	.usage = usage,
	.which = "Which function",
	.run = run_why,
};
