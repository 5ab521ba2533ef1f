// inlinecall sites FUNCTION FILE...: every call site of an inlined function.
#include <getopt.h>

#include "answers.h"

static const char help[] =
	"Usage: inlinecall [sites] [OPTION]... FUNCTION FILE...\n"
	"       inlinecall [sites] [OPTION]... -a FILE...\n"
	"List every call site of an inlined function: where its copies are in the code.\n"
	"A FILE is any ELF file with DWARF, or one whose debug file can be found; or an archive\n"
	"of such files, or 'lib.a(member.o)' for one of them; '-' reads the names of files from\n"
	"standard input, one a line.\n"
	"\n"
	"Other commands, each with a --help of its own:\n"
	"  addr FILE [ADDRESS...]  what is at an address: a function, and those inlined there\n"
	"  lines FILE SOURCE:LINE  where the code of a source line is, in every copy\n"
	"  tree FUNCTION FILE...   what was inlined into a function's own code, with its bytes\n"
	"\n"
	"Which sites:\n"
	"  -a, --all               of every inlined function; there is no FUNCTION then\n"
	"  -g, --glob              FUNCTION is a glob, as in 'tcp_*'\n"
	"  -r, --regex             FUNCTION is a POSIX extended regular expression\n"
	"  -f, --call-file=GLOB    only calls in these source files\n"
	"  -o, --out-of-line       also the copies that were not inlined\n"
	"  -c, --calls             also the calls that were not inlined\n"
	"What is printed:\n"
	"  -i, --chain             the whole inline chain: f() < g() < host()\n"
	"  -C, --demangle          names as the source has them\n"
	"  -s, --basenames         source files without their directories\n"
	"  -n, --names             the function's name in each heading\n"
	"      --json              JSON lines, an object a site\n" CLI_ANSWERS_FORMATS_HELP
	"How:\n" CLI_ANSWERS_HOW_HELP;

// clang-format off
static const struct option long_options[] = {
	CLI_ANSWERS_OPTIONS,
	{ "call-file",   required_argument, NULL, 'f' },
	{ "out-of-line", no_argument,       NULL, 'o' },
	{ "calls",       no_argument,       NULL, 'c' },
	{ "chain",       no_argument,       NULL, 'i' },
	{ "names",       no_argument,       NULL, 'n' },
	{ "help",        no_argument,       NULL, 'h' },
	{ "version",     no_argument,       NULL, 'V' },
	{ NULL,          0,                 NULL, 0 },
};
// clang-format on

#define SHORT_OPTIONS CLI_ANSWERS_LETTERS "f:ocinhV"

static int first_operand(int argc, char **argv)
{
	opterr = 0;
	while (getopt_long(argc, argv, "+" SHORT_OPTIONS, long_options, NULL) != -1) {}
	int first = optind;

	opterr = 1;
	optind = 0; // start again, also with the order of operands
	return first;
}

static enum cli_status take_option(struct cli_answers *answers, int option, char *argument)
{
	switch (option) {
	case 'f':
		if (answers->query.call_file_glob)
			return cli_usage_error("-f can be given once; a glob may have several "
					       "names, as in '[ab].c'");
		answers->query.call_file_glob = argument;
		break;
	case 'o': answers->query.out_of_line = true; break;
	case 'c': answers->query.calls = answers->index.calls = true; break;
	case 'i': answers->report.chain = true; break;
	case 'n': answers->report.names = true; break;
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

static bool answer(struct cli_answers *answers, const struct ic_index *index, struct ic_error *err)
{
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
static void explain(void *context, const struct ic_function_summary *summary, const char *path)
{
	const struct cli_answers *answers = context;
	const char *name = answers->query.function, *glob = answers->query.call_file_glob;
	char about[CLI_EXPLAIN_SIZE];

	if (!summary) {
		cli_complain("%s: nothing was inlined%s", path,
			     glob ? " in such source files" : "");
		return;
	}
	cli_explain_about(summary, about);
	if (summary->with_code > 0)
		cli_complain("%s: %s: inlined%s, but never in source files that match '%s'", path,
			     name, about, glob ? glob : "*");
	else if (summary->inlined > 0 || (summary->was_inlined && summary->hosts == 0))
		cli_complain("%s: %s: inlined%s, but every copy was optimised away", path, name,
			     about);
	else
		cli_complain("%s: %s: never inlined%s%s", path, name, about,
			     summary->hosts > 0 ? "; it has code of its own, which -o lists" : "");
}

static enum cli_status run_sites(int argc, char **argv)
{
	struct cli_answers answers = { .answer = answer,
				       .explain = explain,
				       .nothing = "no call site" };

	cli_answers_init(&answers);
	for (int option;
	     (option = getopt_long(argc, argv, SHORT_OPTIONS, long_options, NULL)) != -1;) {
		if (option == 'h' || option == 'V')
			return option == 'h' ? cli_print_help(help) : cli_print_version();
		enum cli_status status = take_option(&answers, option, optarg);
		if (status != CLI_ANSWERED)
			return status;
	}
	return cli_answers_run(&answers, argc - optind, argv + optind);
}

const struct cli_command cli_command_sites = {
	.name = "sites",
	.run = run_sites,
	.first_operand = first_operand,
};
