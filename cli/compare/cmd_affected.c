// inlinecall affected FUNCTION FILE...: which out-of-line functions contain code of a function.
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/report.h"
#include "base/trees.h"
#include "compare/touched.h"

static const char usage[] =
	"Usage: inlinecall affected [OPTION]... FUNCTION FILE...\n"
	"       inlinecall affected [OPTION]... --line=SOURCE:LINE FILE...\n"
	"       inlinecall affected [OPTION]... --patch=PATCH FILE...\n"
	"       inlinecall affected [OPTION]... --reverse=FUNCTION FILE...\n"
	"Show which out-of-line functions contain code of a function, because it was\n"
	"inlined into them, directly or by way of others: what must be replaced, or\n"
	"tested again, if the function changes. For each file, a function is 'present'\n"
	"(it has code of its own), 'inlined only', 'folded' (its symbol is at the code of\n"
	"another function), 'absent' or 'unknown' (the debug information does not tell).\n"
	"\n"
	"A FILE is an ELF file, an archive, or a directory with all files below it.\n";

enum { MOST_NAMES = 64, MOST_BUILDS = 64 };

// A smaller .debug_info is read completely, so that all of its faults are reported. Of several
// files only those are that take little time.
#define READ_WHOLE        (16ull << 20)
#define READ_EACH_OF_MANY (1ull << 20)

struct total { // of a function in a build
	uint64_t files, present, inlined_only, folded, unknown, hosts, copies, without_code;
};

struct build {
	char *name;
	const char *path;
};

struct request {
	struct cli_files files;
	struct cli_report report;
	struct ic_index_options index;
	struct cli_touched touched;
	const char *names[MOST_NAMES + 1], *hosts[2];
	size_t name_count;
	struct build builds[MOST_BUILDS];
	size_t build_count;

	// While it runs:
	const char **functions; // the names that are asked for, terminated by NULL
	size_t function_count;
	char **demangled; // those of symbols, to be freed
	const char **wanted;
	size_t build;                    // the number of the one that is being read: 0 for FILEs
	struct total *totals;            // of FILEs, then of each build
	struct ic_image_package package; // of the file that is being read
	bool has_package;
	char heading[PATH_MAX + sizeof(struct ic_image_package) + 8]; // the file and its package
	bool several, found, incomplete;
};

// ---- Options

static enum cli_status add_name(struct request *request, const char *name)
{
	if (request->name_count == MOST_NAMES)
		return cli_usage_error("at most %d functions can be given", MOST_NAMES);
	request->names[request->name_count++] = name;
	return CLI_ANSWERED;
}

static enum cli_status add_build(struct request *request, const char *text)
{
	const char *equals = strchr(text, '=');

	if (!equals || equals == text || !equals[1])
		return cli_usage_error("--build takes NAME=FILE or NAME=DIRECTORY, not '%s'", text);
	if (request->build_count == MOST_BUILDS)
		return cli_usage_error("at most %d builds can be given", MOST_BUILDS);
	request->builds[request->build_count++] =
		(struct build){ .name = strndup(text, (size_t)(equals - text)),
				.path = equals + 1 };
	if (request->builds[request->build_count - 1].name)
		return CLI_ANSWERED;
	cli_complain("out of memory");
	return CLI_INCOMPLETE;
}

static enum cli_status take_option(void *context, enum cli_option option, char *argument)
{
	struct request *request = context;
	enum cli_status status;

	if (cli_files_take(&request->files, option, argument, &status) ||
	    cli_report_take(&request->report, option, argument, &status))
		return status;
	switch (option) {
	case CLI_OPTION_FUNCTION: return add_name(request, argument);
	case CLI_OPTION_LINE:
		return cli_touched_add_place(&request->touched, argument) ? CLI_ANSWERED
									  : CLI_USAGE;
	case CLI_OPTION_PATCH:
		return cli_touched_add_patch(&request->touched, argument) ? CLI_ANSWERED
									  : CLI_INCOMPLETE;
	case CLI_OPTION_REVERSE: request->hosts[0] = argument; break;
	case CLI_OPTION_BUILD: return add_build(request, argument);
	case CLI_OPTION_JOBS: return cli_take_jobs(argument, &request->index.jobs);
	default: return cli_hint_at_help();
	}
	return CLI_ANSWERED;
}

// ---- Totals

static const char *state_of(const struct total *total)
{
	return total->present > 0        ? "present"
	       : total->inlined_only > 0 ? "inlined_only"
	       : total->folded > 0       ? "folded"
	       : total->unknown > 0      ? "unknown"
					 : "absent";
}

// What a file has of a function: several functions of the name count as one.
static void count_file(struct total *total, const struct total *file)
{
	total->files++;
	if (file->present > 0)
		total->present++;
	else if (file->inlined_only > 0)
		total->inlined_only++;
	else if (file->folded > 0)
		total->folded++;
	else if (file->unknown > 0)
		total->unknown++;
	total->hosts += file->hosts;
	total->copies += file->copies;
	total->without_code += file->without_code;
}

static void count_function(struct total *file, const struct ic_affected_function *function)
{
	file->present += function->state == IC_AFFECTED_PRESENT;
	file->inlined_only += function->state == IC_AFFECTED_INLINED_ONLY;
	file->folded += function->state == IC_AFFECTED_FOLDED;
	file->unknown += function->state == IC_AFFECTED_UNKNOWN;
	file->hosts += function->host_count;
	file->copies += function->copies;
	file->without_code += function->without_code;
}

// The name of a build; NULL for the FILEs.
static const char *build_name(const struct request *request, size_t build)
{
	return build > 0 ? request->builds[build - 1].name : NULL;
}

static struct total *totals_of(const struct request *request, size_t build)
{
	return request->totals + build * request->function_count;
}

static void count_answer(struct request *request, const struct ic_affected *affected)
{
	struct ic_affected_function function;

	for (size_t i = 0; i < request->function_count; i++) {
		struct total file = { .files = 0 };
		for (size_t j = 0; ic_affected_get(affected, j, &function); j++)
			if (function.asked && strcmp(function.asked, request->functions[i]) == 0)
				count_function(&file, &function);
		count_file(&totals_of(request, request->build)[i], &file);
	}
	for (size_t i = 0; ic_affected_get(affected, i, &function); i++)
		request->found |= function.state == IC_AFFECTED_PRESENT ||
				  function.state == IC_AFFECTED_INLINED_ONLY ||
				  function.state == IC_AFFECTED_FOLDED;
}

// A row without numbers.
static struct ic_affected_row empty_row(const struct request *request, size_t function,
					const char *of)
{
	return (struct ic_affected_row){ .type = "affected",
					 .of = of,
					 .function = request->functions[function],
					 .hosts = UINT64_MAX,
					 .address = IC_NO_ADDR,
					 .end = IC_NO_ADDR,
					 .bytes = UINT64_MAX,
					 .files = UINT64_MAX,
					 .present = UINT64_MAX,
					 .inlined_only = UINT64_MAX,
					 .folded = UINT64_MAX,
					 .unknown = UINT64_MAX };
}

static void print_total(struct request *request, size_t function, size_t build)
{
	const struct total *total = &totals_of(request, build)[function];
	struct ic_affected_row row = empty_row(request, function, "total");

	row.is_total = true;
	row.build = build_name(request, build);
	row.state = state_of(total);
	row.copies = total->copies;
	row.without_code = total->without_code;
	row.hosts = total->hosts;
	row.files = total->files;
	row.present = total->present;
	row.inlined_only = total->inlined_only;
	row.folded = total->folded;
	row.unknown = total->unknown;
	ic_report_row(request->report.report, &(struct ic_row){ .affected = &row });
}

static void print_totals(struct request *request, bool has_files)
{
	ic_report_begin(request->report.report, "total");
	for (size_t i = 0; i < request->function_count; i++)
		for (size_t j = has_files ? 0 : 1; j <= request->build_count; j++)
			print_total(request, i, j);
}

// ---- Files

static const char stray[] = "it has code of these lines, in no copy that is described";

static void add_package(const struct request *request, struct ic_affected_row *row)
{
	const struct ic_image_package *package = &request->package;

	if (request->has_package)
		row->package = package->name;
	if (request->has_package && package->version[0])
		row->package_version = package->version;
}

// Prints a heading if there are several files.
static void begin_file(struct request *request)
{
	const struct ic_image_package *package = &request->package;

	snprintf(request->heading, sizeof(request->heading),
		 request->has_package ? "%s (%s%s%s)" : "%s", request->report.rows.file,
		 package->name, package->version[0] ? " " : "", package->version);
	ic_report_begin(request->report.report, request->several ? request->heading : NULL);
}

static void print_rows(struct request *request, struct ic_rows *rows, struct ic_error *err)
{
	bool is_text = request->report.options.format == IC_REPORT_TEXT;
	struct ic_row row;

	begin_file(request);
	while (rows && ic_rows_next(rows, &row, err)) {
		struct ic_affected_row added = *row.affected;
		added.build = build_name(request, request->build);
		add_package(request, &added);
		if (!added.is_host &&
		    cli_touched_is_stray(&request->touched,
					 added.linkage_name ? added.linkage_name : added.function,
					 added.decl_line))
			added.reason = stray;
		// Of 4,000 modules, most have nothing of a function.
		if (!is_text || !request->several || strcmp(added.state, "absent") != 0)
			ic_report_row(request->report.report,
				      &(struct ic_row){ .affected = &added });
	}
	cli_report_print(&request->report, rows, err); // the end of them
}

static bool answer_index(struct request *request, const struct ic_index *index,
			 struct ic_error *err)
{
	const struct ic_affected_query query = {
		.functions = request->hosts[0] ? NULL : request->functions,
		.hosts = request->hosts[0] ? request->hosts : NULL,
		.sources = request->touched.functions,
		.source_count = request->touched.function_count,
	};
	struct ic_affected *affected = ic_affected_find(index, &query, err);

	if (!affected)
		return false;
	count_answer(request, affected);
	print_rows(request, ic_rows_of_affected(affected, &request->report.rows, err), err);
	ic_affected_free(affected);
	return true;
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
	request->report.rows.file = path;
	request->has_package = ic_image_package(image, &request->package);
	struct ic_index *index = ic_index_build(image, &request->index, &err);
	cli_progress_end(&progress);
	if (index)
		request->incomplete |= cli_files_print_index_problems(index, path);
	if (!index || !answer_index(request, index, &err)) {
		cli_complain("%s", err.message);
		request->incomplete = true;
	}
	ic_index_free(index);
	ic_image_free(image);
	return true;
}

// A file that cannot be read may have the function.
static void refuse_file(void *context, const char *path, const struct ic_error *err)
{
	struct request *request = context;
	const struct total unknown = { .unknown = 1 };
	bool is_text = request->report.options.format == IC_REPORT_TEXT; // which has totals

	for (size_t i = 0; i < request->function_count; i++) {
		struct ic_affected_row row = empty_row(request, i, "function");
		row.build = build_name(request, request->build);
		row.file = path;
		row.state = "unknown";
		row.reason = err->code == IC_ERROR_NO_DEBUG ? "no debugging information"
							    : "the file cannot be read";
		row.hosts = 0;
		if (!is_text)
			ic_report_row(request->report.report, &(struct ic_row){ .affected = &row });
		count_file(&totals_of(request, request->build)[i], &unknown);
	}
}

static bool look_at_image(void *context, struct ic_image *image)
{
	struct request *request = context;

	request->incomplete |= !cli_touched_look(&request->touched, image);
	ic_image_free(image);
	return !request->touched.failed;
}

// ---- All of it

static void visit_paths(struct request *request, struct cli_tree *tree, int count, char **operands)
{
	for (int i = 0; i < count; i++)
		cli_tree_visit(tree, operands[i]);
	for (size_t i = 0; i < request->build_count; i++)
		cli_tree_visit(tree, request->builds[i].path);
}

// Finds the functions that contain the lines; false if there are none.
static bool find_touched(struct request *request, int count, char **operands)
{
	struct cli_tree tree = { .files = &request->files,
				 .visit = look_at_image,
				 .context = request };

	if (!cli_touched_is_asked(&request->touched))
		return true;
	visit_paths(request, &tree, count, operands);
	request->incomplete |= tree.incomplete;
	request->incomplete |= !cli_touched_finish(&request->touched);
	if (request->touched.function_count == 0 && !request->incomplete)
		cli_complain("no function has code for these lines");
	return request->touched.function_count > 0;
}

static bool has_function(const struct request *request, const char *name)
{
	for (size_t i = 0; i < request->function_count; i++)
		if (strcmp(request->functions[i], name) == 0)
			return true;
	return false;
}

// Lists the functions to find. The debug information may describe the function of a symbol without
// a linkage name.
static bool list_functions(struct request *request)
{
	size_t most = request->name_count + request->touched.function_count, wanted = 0;

	request->functions = calloc(most + 1, sizeof(*request->functions));
	request->demangled = calloc(most + 1, sizeof(*request->demangled));
	request->wanted = calloc(2 * most + 2, sizeof(*request->wanted));
	request->totals = calloc((most + 1) * (request->build_count + 1), sizeof(*request->totals));
	if (!request->functions || !request->demangled || !request->wanted || !request->totals)
		return false;
	for (size_t i = 0; i < most; i++) {
		const char *name =
			i < request->name_count
				? request->names[i]
				: request->touched.functions[i - request->name_count].function;
		if (!has_function(request, name))
			request->functions[request->function_count++] = name;
	}
	for (size_t i = 0; i < request->function_count; i++) {
		request->wanted[wanted++] = request->functions[i];
		if (!ic_demangle(request->functions[i], IC_DEMANGLE_FULL, &request->demangled[i]))
			return false;
		if (request->demangled[i])
			request->wanted[wanted++] = request->demangled[i];
	}
	request->index.functions = request->hosts[0] ? request->hosts : request->wanted;
	request->index.whole_below = request->several ? READ_EACH_OF_MANY : READ_WHOLE;
	return true;
}

static void answer_all(struct request *request, int count, char **operands)
{
	struct cli_tree tree = { .files = &request->files,
				 .visit = visit_image,
				 .refuse = refuse_file,
				 .context = request };

	for (int i = 0; i < count; i++)
		cli_tree_visit(&tree, operands[i]);
	for (size_t i = 0; i < request->build_count; i++) {
		request->build = i + 1;
		cli_tree_visit(&tree, request->builds[i].path);
	}
	if (request->several && !request->hosts[0])
		print_totals(request, count > 0);
	request->incomplete |= tree.incomplete || tree.without_debug > 0;
}

static enum cli_status run_request(struct request *request, int count, char **operands)
{
	if (find_touched(request, count, operands)) {
		if (!list_functions(request)) {
			cli_complain("out of memory");
			request->incomplete = true;
		} else if (!cli_report_open(&request->report, IC_ROWS_AFFECTED)) {
			request->incomplete = true;
		} else {
			answer_all(request, count, operands);
			request->incomplete |= !cli_report_close(&request->report);
			if (request->hosts[0] && !request->found && !request->incomplete)
				cli_complain("no code was inlined into a function named '%s'",
					     request->hosts[0]);
		}
	}
	return request->incomplete ? CLI_INCOMPLETE : request->found ? CLI_ANSWERED : CLI_NOTHING;
}

// Takes FUNCTION, unless options say what to look for.
static enum cli_status check_request(struct request *request, int *count, char ***operands)
{
	bool has_lines = cli_touched_is_asked(&request->touched);
	int ways = (request->name_count > 0) + has_lines + (request->hosts[0] != NULL);

	if (ways > 1)
		return cli_usage_error("only one of --function, --reverse, and --line or --patch "
				       "can be used");
	if (ways == 0) {
		if (*count == 0)
			return cli_usage_error("no FUNCTION given");
		(*count)--;
		add_name(request, *(*operands)++);
	}
	if (*count + request->build_count == 0)
		return cli_usage_error("no FILE given");
	request->several = *count + request->build_count > 1 || request->build_count > 0 ||
			   !cli_tree_is_file((*operands)[0]);
	return cli_report_check(&request->report, IC_ROWS_AFFECTED);
}

static void free_request(struct request *request)
{
	cli_touched_free(&request->touched);
	for (size_t i = 0; i < request->build_count; i++)
		free(request->builds[i].name);
	for (size_t i = 0; request->demangled && i < request->function_count; i++)
		free(request->demangled[i]);
	free(request->functions);
	free(request->demangled);
	free(request->wanted);
	free(request->totals);
}

static enum cli_status run_affected(int argc, char **argv)
{
	struct request request = {
		.index = { .calls = true, .declarations = true, .without_call_lines = true }
	};
	enum cli_status status;

	cli_files_init(&request.files);
	request.report.options.colors = cli_use_colors("auto");
	if (cli_options_read(&cli_command_affected, argc, argv, take_option, &request, &status)) {
		int count = argc - optind;
		char **operands = argv + optind;
		status = check_request(&request, &count, &operands);
		if (status == CLI_ANSWERED)
			status = cli_files_begin(&request.files);
		if (status == CLI_ANSWERED) {
			status = run_request(&request, count, operands);
			cli_files_end(&request.files);
		}
	}
	free_request(&request);
	return status;
}

const struct cli_command cli_command_affected = {
	.name = "affected",
	.usage = usage,
	.statuses = "0 a file contains code of a function; 1 none does; 2 part of the input could "
		    "not be read, or a line is in no function with code; 64 usage error",
	.which = "What to find",
	.run = run_affected,
};
