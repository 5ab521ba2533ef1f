// inlinecall sizes FILE...: which functions the bytes of the code belong to.
#include "functions/answers.h"

static const char usage[] =
	"Usage: inlinecall sizes [OPTION]... FILE...\n"
	"Show how much code each function has, inlined or not:\n"
	"  SELF     its own bytes\n"
	"  INLINED  how many of these are in inlined copies\n"
	"  TOTAL    its bytes, including everything inlined into it\n"
	"  SAVES    about how many bytes smaller the file would be without inlining it\n"
	"\n" CLI_FILE_HELP;

enum { DEFAULT_LIMIT = 20 };

struct request {
	struct cli_answers answers; // first member: its functions cast it back to the request
	struct ic_sizes_query query;
	bool limit_given;
	bool lacks_debug, lacks_names, lacks_scopes; // of any file so far
};

static const char *const groups[] = {
	[IC_SIZES_BY_FUNCTION] = "function",   [IC_SIZES_BY_TEMPLATE] = "template",
	[IC_SIZES_BY_NAMESPACE] = "namespace", [IC_SIZES_BY_CRATE] = "crate",
	[IC_SIZES_BY_SOURCE] = "source",       [IC_SIZES_BY_DIRECTORY] = "directory",
	[IC_SIZES_BY_UNIT] = "unit",           [IC_SIZES_BY_SECTION] = "section",
};

static const char *const orders[] = {
	[IC_SIZES_MOST_SELF] = "self",     [IC_SIZES_MOST_TOTAL] = "total",
	[IC_SIZES_MOST_COPIES] = "copies", [IC_SIZES_MOST_SAVING] = "saving",
	[IC_SIZES_BY_NAME] = "name",
};

static enum cli_status take_option(void *context, enum cli_option option, char *argument)
{
	const size_t group_count = sizeof(groups) / sizeof(*groups);
	const size_t order_count = sizeof(orders) / sizeof(*orders);
	struct request *request = context;
	unsigned long number;
	size_t found;

	switch (option) {
	case CLI_OPTION_BY:
		found = cli_find_word(groups, group_count, argument);
		if (found == group_count)
			return cli_usage_error("--by must be function, template, namespace, crate, "
					       "source, directory, unit or section, not '%s'",
					       argument);
		request->query.by = (enum ic_sizes_by)found;
		break;
	case CLI_OPTION_SORT:
		found = cli_find_word(orders, order_count, argument);
		if (found == order_count)
			return cli_usage_error(
				"--sort must be self, total, copies, saving or name, not '%s'",
				argument);
		request->query.order = (enum ic_sizes_order)found;
		break;
	case CLI_OPTION_LIMIT:
		if (!cli_parse_limit(argument, 1, &number))
			return CLI_USAGE;
		request->query.limit = number;
		request->limit_given = true;
		break;
	default: return cli_answers_take(&request->answers, option, argument);
	}
	return CLI_ANSWERED;
}

static bool look_for_sizes(struct cli_answers *answers, const struct ic_index *index, bool *any,
			   struct ic_error *err)
{
	struct ic_sizes *sizes = ic_sizes_find(index, NULL, err);

	(void)answers;
	*any = sizes && ic_sizes_count(sizes) > 0;
	ic_sizes_free(sizes);
	return sizes != NULL;
}

static bool answer_file(struct cli_answers *answers, const struct ic_index *index,
			struct ic_error *err)
{
	struct request *request = (struct request *)answers;

	if (!request->limit_given)
		request->query.limit =
			answers->report.options.format == IC_REPORT_TEXT ? DEFAULT_LIMIT : 0;
	struct ic_sizes *sizes = ic_sizes_find(index, &request->query, err);
	if (!sizes)
		return false;
	struct ic_sizes_total total;
	ic_sizes_total(sizes, &total);
	request->lacks_debug |= ic_index_count(index).units == 0;
	request->lacks_names |= total.unnamed > 0;
	request->lacks_scopes |= (request->query.by == IC_SIZES_BY_NAMESPACE ||
				  request->query.by == IC_SIZES_BY_CRATE) &&
				 cli_files_is_symbol_file(answers->now.file.image);
	cli_answers_print(answers, ic_sizes_count(sizes) > 0,
			  ic_rows_of_sizes(sizes, &answers->report.rows, err), err);
	ic_sizes_free(sizes);
	return true;
}

static void complain_of_lacks(struct cli_answers *answers)
{
	const struct request *request = (const struct request *)answers;

	if (request->lacks_debug)
		cli_complain("without debug information, functions are taken from symbols; inlined "
			     "functions and source files are unknown");
	if (request->lacks_names)
		cli_complain("the symbol table is stripped: functions without a name are counted "
			     "together");
	if (request->lacks_scopes)
		cli_complain("GSYM and Breakpad files do not record namespaces: all functions are "
			     "counted together");
	answers->now.incomplete |= request->lacks_debug || request->lacks_names ||
				   request->lacks_scopes;
}

static void explain_missing(void *context, const struct cli_subject *subject, const char *path)
{
	(void)context;
	(void)subject;
	cli_complain("%s: no code", path);
}

static enum cli_status run_sizes(int argc, char **argv)
{
	struct request request = { .answers = { .kind = IC_ROWS_SIZES,
						.answer = answer_file,
						.look = look_for_sizes,
						.explain = explain_missing,
						.finish = complain_of_lacks,
						.nothing = "no code",
						.is_function_optional = true } };
	enum cli_status status;

	cli_answers_init(&request.answers);
	if (!cli_options_read(&cli_command_sizes, argc, argv, take_option, &request, &status))
		return status;
	request.answers.files.symbols_do = !request.answers.strict;
	return cli_answers_run(&request.answers, argc - optind, argv + optind);
}

const struct cli_command cli_command_sizes = {
	.name = "sizes",
	.usage = usage,
	.run = run_sizes,
};
