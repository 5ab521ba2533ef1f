// inlinecall tree FUNCTION FILE...: what was inlined into a function's out-of-line code.
#include <langinfo.h>
#include <locale.h>
#include <string.h>

#include "functions/answers.h"

static const char usage[] =
	"Usage: inlinecall tree [OPTION]... FUNCTION FILE...\n"
	"       inlinecall tree [OPTION]... -a FILE...\n"
	"Show what was inlined into a function's own code, as a tree: each copy with its\n"
	"bytes, with and without the copies inside it, its address, and the location of\n"
	"the call.\n"
	"\n" CLI_FILE_HELP;

struct request {
	struct cli_answers answers; // first member: its functions cast it back to the request
	struct ic_trees_query trees;
	bool size_given;
};

// Does not set the program's locale: with another one, other bytes would match patterns.
static bool locale_has_lines(void)
{
	locale_t locale = newlocale(LC_CTYPE_MASK, "", (locale_t)0);

	if (!locale)
		return false;
	bool has = strcmp(nl_langinfo_l(CODESET, locale), "UTF-8") == 0;
	freelocale(locale);
	return has;
}

static enum cli_status take_charset(struct request *request, const char *name)
{
	bool is_utf8 = strcmp(name, "utf8") == 0;

	if (!is_utf8 && strcmp(name, "ascii") != 0)
		return cli_usage_error("--charset must be utf8 or ascii, not '%s'", name);
	request->answers.report.options.box_lines = is_utf8;
	return CLI_ANSWERED;
}

static enum cli_status take_option(void *context, enum cli_option option, char *argument)
{
	struct request *request = context;
	unsigned long number;

	switch (option) {
	case CLI_OPTION_INLINED: request->trees.inlined = true; break;
	case CLI_OPTION_LIMIT:
		if (!cli_parse_limit(argument, 0, &number))
			return CLI_USAGE;
		request->trees.levels = (uint32_t)number + 1;
		break;
	case CLI_OPTION_MIN_BYTES:
		if (!cli_parse_number(argument, "--min-bytes", 0, UINT32_MAX, &number))
			return CLI_USAGE;
		request->trees.least_size = number;
		request->size_given = true;
		break;
	case CLI_OPTION_CHARSET: return take_charset(request, argument);
	default: return cli_answers_take(&request->answers, option, argument);
	}
	return CLI_ANSWERED;
}

static struct ic_trees *find_trees(struct request *request, const struct ic_index *index,
				   struct ic_error *err)
{
	const struct cli_answers *answers = &request->answers;

	request->trees.function = answers->query.function;
	request->trees.more_functions = answers->query.more_functions;
	request->trees.match = answers->query.match;
	request->trees.parts = answers->query.parts;
	// Text omits what has no code, as in sites.
	if (!request->size_given)
		request->trees.least_size = answers->report.options.format == IC_REPORT_TEXT ||
					    answers->report.options.format == IC_REPORT_PAGE;
	return ic_trees_find(index, &request->trees, err);
}

static bool look_for_trees(struct cli_answers *answers, const struct ic_index *index, bool *any,
			   struct ic_error *err)
{
	struct ic_trees *trees = find_trees((struct request *)answers, index, err);

	*any = trees && ic_trees_count(trees) > 0;
	ic_trees_free(trees);
	return trees != NULL;
}

static bool answer_file(struct cli_answers *answers, const struct ic_index *index,
			struct ic_error *err)
{
	struct request *request = (struct request *)answers;
	struct ic_trees *trees = find_trees(request, index, err);

	if (!trees)
		return false;
	cli_answers_print(answers, ic_trees_count(trees) > 0,
			  ic_rows_of_trees(trees, &answers->report.rows, err), err);
	ic_trees_free(trees);
	return true;
}

// A function that was folded into another one, or is an alias, has a symbol, but no code of its own
// in the debug information.
static void explain_inlined(const struct cli_subject *subject, const char *path)
{
	bool has_copies = subject->summary.with_code > 0;
	const char *hint =
		has_copies ? "; 'inlinecall sites' lists the copies, and -I shows their contents"
			   : "";
	char about[CLI_EXPLAIN_SIZE];

	cli_explain_about(&subject->summary, about);
	if (subject->symbol)
		cli_complain("%s: %s: inlined%s; symbol at %s, not described in the debug "
			     "information%s%s%s",
			     path, subject->name, about, subject->symbol,
			     subject->alias ? "; an alias of " : "",
			     subject->alias ? subject->alias : "", hint);
	else if (has_copies)
		cli_complain("%s: %s: inlined%s; no out-of-line code%s", path, subject->name, about,
			     hint);
	else
		cli_complain("%s: %s: inlined%s, but every copy was optimised away", path,
			     subject->name, about);
}

static void explain_missing(void *context, const struct cli_subject *subject, const char *path)
{
	const struct request *request = context;
	char about[CLI_EXPLAIN_SIZE];

	if (!subject) {
		cli_complain(request->trees.least_size > 1
				     ? "%s: no inlined copy reaches --min-bytes"
				     : "%s: nothing was inlined",
			     path);
		return;
	}
	const struct ic_function_summary *summary = &subject->summary;
	if (summary->hosts > 0 || (summary->with_code > 0 && request->trees.inlined)) {
		cli_complain("%s: %s: no copy reaches --min-bytes", path, subject->name);
	} else if (summary->inlined > 0) {
		explain_inlined(subject, path);
	} else {
		cli_explain_about(summary, about);
		cli_complain("%s: %s: no code in this file%s", path, subject->name, about);
	}
}

static enum cli_status run_tree(int argc, char **argv)
{
	struct request request = { .answers = { .kind = IC_ROWS_TREES,
						.answer = answer_file,
						.look = look_for_trees,
						.explain = explain_missing,
						.nothing = "no code of its own" } };

	cli_answers_init(&request.answers);
	request.answers.report.options.box_lines = locale_has_lines();
	enum cli_status status;
	if (!cli_options_read(&cli_command_tree, argc, argv, take_option, &request, &status))
		return status;
	if (request.answers.all && request.trees.inlined)
		return cli_usage_error("-a already shows inlined copies, so -I has no effect");
	return cli_answers_run(&request.answers, argc - optind, argv + optind);
}

const struct cli_command cli_command_tree = {
	.name = "tree",
	.usage = usage,
	.which = "Which trees",
	.run = run_tree,
};
