// inlinecall sites FUNCTION FILE...: every call site of an inlined function.
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include <inlinecall/inlinecall.h>

#include "cli.h"
#include "explain.h"
#include "files.h"
#include "members.h"

static const char help[] =
	"Usage: inlinecall [sites] [OPTION]... FUNCTION FILE...\n"
	"       inlinecall [sites] [OPTION]... -a FILE...\n"
	"List every call site of an inlined function: where its copies are in the code.\n"
	"A FILE is any ELF file with DWARF, or one whose debug file can be found; or an archive\n"
	"of such files, or 'lib.a(member.o)' for one of them; '-' reads the names of files from\n"
	"standard input, one a line.\n"
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
	"      --json              JSON lines, an object a site\n"
	"      --csv               comma-separated values, with a heading\n"
	"      --color[=WHEN]      always, never, or auto (the default)\n"
	"How:\n" CLI_FILES_HELP
	"      --strict            print nothing from a file that has faults\n"
	"  -j, --jobs=N            use N threads; 0, the default, is one a CPU\n"
	"  -h, --help              this text\n"
	"  -V, --version           the version\n"
	"\n"
	"Exit status: 0 answered, 1 nothing found, 2 something could not be read or was left\n"
	"out, 64 wrong usage.\n";

enum {
	OPTION_JSON = 256,
	OPTION_CSV,
	OPTION_COLOR,
	OPTION_STRICT,
};

// clang-format off
static const struct option long_options[] = {
	{ "all",         no_argument,       NULL, 'a' },
	{ "glob",        no_argument,       NULL, 'g' },
	{ "regex",       no_argument,       NULL, 'r' },
	{ "call-file",   required_argument, NULL, 'f' },
	{ "out-of-line", no_argument,       NULL, 'o' },
	{ "calls",       no_argument,       NULL, 'c' },
	{ "chain",       no_argument,       NULL, 'i' },
	{ "demangle",    no_argument,       NULL, 'C' },
	{ "basenames",   no_argument,       NULL, 's' },
	{ "names",       no_argument,       NULL, 'n' },
	{ "json",        no_argument,       NULL, OPTION_JSON },
	{ "csv",         no_argument,       NULL, OPTION_CSV },
	{ "color",       optional_argument, NULL, OPTION_COLOR },
	CLI_FILES_OPTIONS,
	{ "strict",      no_argument,       NULL, OPTION_STRICT },
	{ "jobs",        required_argument, NULL, 'j' },
	{ "help",        no_argument,       NULL, 'h' },
	{ "version",     no_argument,       NULL, 'V' },
	{ NULL,          0,                 NULL, 0 },
};
// clang-format on

#define SHORT_OPTIONS "agrf:ociCsnj:hV"

struct request { // what the arguments ask for
	struct ic_sites_query query;
	struct ic_report_options report;
	struct ic_index_options index;
	struct cli_files files;
	bool all, strict, several_files;
	bool headings; // the file's name above its sites
};

struct outcome { // of all files
	bool found, incomplete;
	unsigned long files;
};

static int first_operand(int argc, char **argv)
{
	opterr = 0;
	while (getopt_long(argc, argv, "+" SHORT_OPTIONS, long_options, NULL) != -1) {}
	int first = optind;

	opterr = 1;
	optind = 0; // start again, also with the order of operands
	return first;
}

static enum cli_status take_match(struct request *request, enum ic_match match)
{
	if (request->query.match != IC_MATCH_NAME && request->query.match != match)
		return cli_usage_error(
			"FUNCTION is either a glob (-g) or a regular expression (-r)");
	request->query.match = match;
	return CLI_ANSWERED;
}

static enum cli_status take_format(struct request *request, enum ic_report_format format)
{
	if (request->report.format != IC_REPORT_TEXT && request->report.format != format)
		return cli_usage_error("--json and --csv exclude each other");
	request->report.format = format;
	return CLI_ANSWERED;
}

static enum cli_status take_option(struct request *request, int option, char *argument)
{
	enum cli_status status;

	if (cli_files_take(&request->files, option, argument, &status))
		return status;
	switch (option) {
	case 'a': request->all = true; break;
	case 'g': return take_match(request, IC_MATCH_GLOB);
	case 'r': return take_match(request, IC_MATCH_REGEX);
	case 'f':
		if (request->query.call_file_glob)
			return cli_usage_error("-f can be given once; a glob may have several "
					       "names, as in '[ab].c'");
		request->query.call_file_glob = argument;
		break;
	case 'o': request->query.out_of_line = true; break;
	case 'c': request->query.calls = request->index.calls = true; break;
	case 'i': request->report.chain = true; break;
	case 'C': request->report.demangle = true; break;
	case 's': request->report.base_names = true; break;
	case 'n': request->report.names = true; break;
	case 'j': return cli_take_jobs(argument, &request->index.jobs);
	case OPTION_JSON: return take_format(request, IC_REPORT_JSON);
	case OPTION_CSV: return take_format(request, IC_REPORT_CSV);
	case OPTION_COLOR: return cli_take_color(argument, &request->report.colors);
	case OPTION_STRICT: request->strict = true; break;
	default: return cli_hint_at_help();
	}
	return CLI_ANSWERED;
}

static void print_problems(const struct ic_index *index, const char *path)
{
	struct ic_index_problem problem;

	for (uint64_t i = 0; ic_index_problem_get(index, i, &problem); i++)
		cli_complain("%s: %s", problem.file ? problem.file : path, problem.message);
}

// Text says nothing of instances without code, the other formats say that there is none.
static bool has_rows(const struct request *request, const struct ic_sites *sites)
{
	struct ic_site site;

	if (request->report.format != IC_REPORT_TEXT)
		return ic_sites_count(sites) > 0;
	for (size_t i = 0; ic_sites_get(sites, i, &site); i++)
		if (site.range_count > 0 || site.kind == IC_SITE_CALL)
			return true;
	return false;
}

static void report_sites(struct request *request, const struct ic_index *index, const char *path,
			 struct outcome *outcome)
{
	struct ic_error err;
	struct ic_sites *sites = ic_sites_find(index, &request->query, &err);

	if (!sites && err.code == IC_ERROR_ARGUMENT)
		exit(cli_usage_error("%s", err.message));
	if (!sites) {
		cli_complain("%s", err.message);
		outcome->incomplete = true;
		return;
	}
	bool any = has_rows(request, sites);
	request->report.file = path;
	if (any && request->headings && request->report.format == IC_REPORT_TEXT) {
		cli_print_name(path);
		puts(":");
	}
	if ((any || (request->report.format == IC_REPORT_CSV && !request->report.no_csv_header)) &&
	    !ic_report_sites(sites, &request->report, stdout, &err))
		cli_write_failed(err.os_error, err.message);
	request->report.no_csv_header = true;
	outcome->found |= any;
	ic_sites_free(sites);
}

static void answer(struct request *request, struct ic_image *image, struct cli_progress *progress,
		   struct outcome *outcome)
{
	const char *path = ic_image_path(image);
	struct ic_error err;

	request->index.progress = cli_progress_show;
	request->index.progress_context = progress;
	struct ic_index *index = ic_index_build(image, &request->index, &err);
	cli_progress_end(progress);
	if (!index) {
		cli_complain("%s", err.message);
		outcome->incomplete = true;
		return;
	}
	struct ic_index_problem problem;
	bool faulty = ic_index_problem_get(index, 0, &problem);
	outcome->incomplete |= faulty;
	if (!faulty || !request->strict)
		report_sites(request, index, path, outcome);
	print_problems(index, path);
	if (faulty && request->strict)
		cli_complain("%s: left out, since it has faults and --strict was given", path);
	ic_index_free(index);
}

static bool must_explain(const struct request *request, const struct outcome *outcome)
{
	return !outcome->found && !request->several_files && !outcome->incomplete;
}

static void answer_image(struct request *request, struct ic_image *image, struct outcome *outcome)
{
	struct cli_explanation explanation;
	struct cli_progress progress;

	cli_progress_begin(&progress, ic_image_path(image));
	request->headings = request->several_files;
	answer(request, image, &progress, outcome);
	if (!must_explain(request, outcome))
		return;
	cli_explain_begin(&explanation, &request->query);
	cli_explain_add(&explanation, image, &request->index);
	cli_explain_end(&explanation, ic_image_path(image));
}

// One verdict for all members: only when they are known to have nothing are they looked at again.
static void explain_members(struct request *request, struct cli_members *members, const char *path,
			    struct cli_progress *progress)
{
	struct cli_explanation explanation;
	struct ic_image *image;

	if (members->images == 0) {
		cli_complain("%s: no ELF file with code in it", path);
		return;
	}
	members->next = 0;
	cli_explain_begin(&explanation, &request->query);
	while ((image = cli_members_next(members, &request->files.image))) {
		cli_members_progress(members, progress);
		cli_explain_add(&explanation, image, &request->index);
		ic_image_close(image);
	}
	cli_progress_end(progress);
	cli_explain_end(&explanation, path);
}

static void answer_members(struct request *request, struct cli_members *members, const char *path,
			   struct outcome *outcome)
{
	struct cli_progress progress;
	struct ic_image *image;

	cli_progress_begin(&progress, path);
	request->headings = request->several_files || cli_members_are_several(members);
	while ((image = cli_members_next(members, &request->files.image))) {
		cli_members_progress(members, &progress);
		answer(request, image, &progress, outcome);
		ic_image_close(image);
	}
	outcome->incomplete |= !cli_members_check(members);
	if (must_explain(request, outcome))
		explain_members(request, members, path, &progress);
}

static void answer_file(struct request *request, const char *path, struct outcome *outcome)
{
	struct ic_error err;
	struct cli_members members;

	outcome->files++;
	struct ic_image *image = cli_files_open(&request->files, path, &err);
	if (image) {
		answer_image(request, image, outcome);
		ic_image_close(image);
	} else if (cli_members_begin(&members, path, &err)) {
		answer_members(request, &members, path, outcome);
		cli_members_end(&members);
	} else {
		cli_complain("%s", err.message);
		outcome->incomplete = true;
	}
}

static void answer_listed_files(struct request *request, struct outcome *outcome)
{
	char *line = NULL;
	size_t capacity = 0;
	ssize_t length;

	while ((length = getline(&line, &capacity, stdin)) > 0) {
		if (line[length - 1] == '\n')
			line[--length] = 0;
		if (length > 0)
			answer_file(request, line, outcome);
	}
	if (ferror(stdin)) {
		cli_complain("cannot read names of files from standard input: %s", strerror(errno));
		outcome->incomplete = true;
	}
	free(line);
}

static enum cli_status answer_operands(struct request *request, int count, char **operands)
{
	struct outcome outcome = { .found = false };
	bool stdin_taken = false;

	for (int i = 0; i < count; i++) {
		if (strcmp(operands[i], "-") != 0) {
			answer_file(request, operands[i], &outcome);
		} else if (!stdin_taken) {
			stdin_taken = true;
			answer_listed_files(request, &outcome);
		}
	}
	if (!outcome.found && request->several_files && !outcome.incomplete)
		cli_complain(outcome.files == 1 ? "%s%sno call site in %lu file"
						: "%s%sno call site in any of %lu files",
			     request->all ? "" : request->query.function, request->all ? "" : ": ",
			     outcome.files);
	return outcome.incomplete ? CLI_INCOMPLETE : outcome.found ? CLI_ANSWERED : CLI_NOTHING;
}

static enum cli_status run_sites(int argc, char **argv)
{
	struct request request = { .query.match = IC_MATCH_NAME };
	enum cli_status status;

	cli_files_init(&request.files);
	request.report.colors = cli_use_colors("auto");
	for (int option;
	     (option = getopt_long(argc, argv, SHORT_OPTIONS, long_options, NULL)) != -1;) {
		if (option == 'h' || option == 'V')
			return option == 'h' ? cli_print_help(help) : cli_print_version();
		status = take_option(&request, option, optarg);
		if (status != CLI_ANSWERED)
			return status;
	}
	if (request.all && request.query.match != IC_MATCH_NAME)
		return cli_usage_error("-a takes no FUNCTION, so -g and -r say nothing");
	if (!request.all && optind == argc)
		return cli_usage_error("no FUNCTION given");
	request.query.function = request.all ? NULL : argv[optind++];
	if (optind == argc)
		return cli_usage_error("no FILE given");
	request.several_files = argc - optind > 1 || !strcmp(argv[optind], "-");

	status = cli_files_begin(&request.files);
	if (status != CLI_ANSWERED)
		return status;
	status = answer_operands(&request, argc - optind, argv + optind);
	cli_files_end(&request.files);
	return status;
}

const struct cli_command cli_command_sites = {
	.name = "sites",
	.run = run_sites,
	.first_operand = first_operand,
};
