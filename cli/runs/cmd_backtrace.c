// inlinecall backtrace -p PID and backtrace --core=CORE: the stacks of threads.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <inlinecall/backtrace.h>

#include "base/files.h"
#include "base/report.h"

static const char usage[] =
	"Usage: inlinecall backtrace [OPTION]... --pid=PID\n"
	"       inlinecall backtrace [OPTION]... --core=CORE... [PROGRAM]\n"
	"Print the stack of each thread of a process, or in core files, with inlined\n"
	"functions. A process is stopped only while its registers and stacks are copied.\n"
	"For a program in Go also print the goroutines that no thread runs.\n"
	"For a dump of a Linux kernel on x86-64, as written by kdump and QEMU, print the\n"
	"stack of each CPU.\n"
	"\n"
	"PROGRAM is the program that dumped the cores, if it is no longer at its path;\n"
	"for a kernel dump it is vmlinux. A frame found without call frame information is\n"
	"a guess, and is marked.\n";

struct request {
	struct cli_report report;
	struct cli_files files;
	struct ic_symbolizer_options symbolizer;
	struct ic_target_core_options core;
	struct ic_target_process_options process;
	struct ic_backtraces_options stacks;
	const char **cores; // with room for as many as there are arguments
	size_t core_count;
	unsigned long pid;
	bool group;
};

static enum cli_status take_number(const char *text, const char *what, unsigned long *number)
{
	return cli_parse_number(text, what, 1, INT32_MAX, number) ? CLI_ANSWERED : CLI_USAGE;
}

static enum cli_status take_option(void *context, enum cli_option option, char *argument)
{
	struct request *request = context;
	enum cli_status status;
	unsigned long number = 0;

	// Debuggers use -p for a process; here it is not an option for parameters, as in other
	// commands.
	if (option == CLI_OPTION_PID)
		return take_number(argument, "--pid", &request->pid);
	if (cli_files_take(&request->files, option, argument, &status) ||
	    cli_report_take(&request->report, option, argument, &status))
		return status;
	switch (option) {
	case CLI_OPTION_CORE: request->cores[request->core_count++] = argument; break;
	case CLI_OPTION_TID:
		status = take_number(argument, "--tid", &number);
		request->process.tid = (int)number;
		return status;
	case CLI_OPTION_SYSROOT: request->core.sysroot = argument; break;
	case CLI_OPTION_NO_GOROUTINES:
		request->core.no_goroutines = request->process.no_goroutines = true;
		break;
	case CLI_OPTION_GROUP: request->group = true; break;
	case CLI_OPTION_VALUES:
		request->stacks.variables = request->stacks.arguments;
		request->stacks.arguments = true;
		break;
	case CLI_OPTION_LIMIT:
		if (!cli_parse_limit(argument, 1, &number))
			return CLI_USAGE;
		request->stacks.most_frames = number == CLI_NO_LIMIT ? 0 : (uint32_t)number;
		return CLI_ANSWERED;
	case CLI_OPTION_JOBS: return cli_take_jobs(argument, &request->symbolizer.jobs);
	default: return cli_hint_at_help();
	}
	return CLI_ANSWERED;
}

struct stacks { // of a process or core
	struct ic_target *target;
	struct ic_backtraces *backtraces;
	const char *path; // of the core file
};

struct kept { // stacks to print after the last core
	struct stacks *list;
	size_t count;
};

static void free_stacks(struct stacks *stacks)
{
	ic_backtraces_free(stacks->backtraces);
	ic_target_free(stacks->target);
}

static bool print_problems(struct ic_target *target)
{
	struct ic_index_problem problem;
	const char *said = NULL;
	bool any = false;

	for (size_t i = 0; ic_target_problem_get(target, i, &problem); i++) {
		// A file is read twice: for its functions, and for its call frames.
		if (!said || strcmp(said, problem.message) != 0)
			cli_complain("%s%s%s", problem.file ? problem.file : "",
				     problem.file ? ": " : "", problem.message);
		said = problem.message;
		any |= !problem.is_note;
	}
	return any;
}

static bool are_whole(const struct request *request, const struct ic_backtraces *backtraces)
{
	struct ic_backtrace_thread thread;
	bool is_whole = true;

	for (size_t i = 0; ic_backtraces_get(backtraces, i, &thread); i++)
		is_whole &= thread.end == IC_UNWIND_OUTERMOST ||
			    (thread.end == IC_UNWIND_TOO_MANY && request->stacks.most_frames > 0);
	return is_whole;
}

static void print_rows(struct request *request, const struct ic_backtraces *const *list,
		       size_t count)
{
	struct cli_report *report = &request->report;
	struct ic_error err;
	struct ic_rows *rows =
		ic_rows_of_backtraces(list, count, request->group, &report->rows, &err);

	cli_report_print(report, rows, &err);
}

// Gets the stacks of a core or, if `path` is NULL, of the process.
static enum cli_status answer_one(struct request *request, struct ic_modules *modules,
				  const char *path, struct kept *kept)
{
	struct ic_error err;
	struct ic_target *target =
		path ? ic_target_open_core(modules, path, &request->core, &err)
		     : ic_target_copy_process(modules, (int)request->pid, &request->process, &err);
	struct stacks stacks = { .target = target, .path = path };

	if (target)
		stacks.backtraces = ic_backtraces_make(target, &request->stacks, &err);
	if (!stacks.backtraces) {
		cli_complain("%s", err.message);
		ic_target_free(target);
		return CLI_INCOMPLETE;
	}
	bool is_whole = are_whole(request, stacks.backtraces);
	if (!kept->list) {
		ic_report_begin(request->report.report, request->core_count > 1 ? path : NULL);
		print_rows(request, (const struct ic_backtraces *const[]){ stacks.backtraces }, 1);
	}
	is_whole &= !print_problems(target);
	if (kept->list) {
		ic_target_close_memory(target);
		kept->list[kept->count++] = stacks;
	} else {
		free_stacks(&stacks);
	}
	return is_whole ? CLI_ANSWERED : CLI_INCOMPLETE;
}

// Prints the groups of all cores, and frees the stacks.
static enum cli_status print_kept(struct request *request, struct kept *kept)
{
	const struct ic_backtraces **list = calloc(kept->count + 1, sizeof(*list));

	if (!list)
		cli_complain("out of memory");
	for (size_t i = 0; list && i < kept->count; i++)
		list[i] = kept->list[i].backtraces;
	if (kept->count == 1) // with a heading, as without --group
		ic_report_begin(request->report.report, kept->list[0].path);
	if (list && kept->count > 0)
		print_rows(request, list, kept->count);
	for (size_t i = 0; i < kept->count; i++)
		free_stacks(&kept->list[i]);
	free(list);
	return list ? CLI_ANSWERED : CLI_INCOMPLETE;
}

static enum cli_status answer_all(struct request *request, struct ic_modules *modules)
{
	struct kept kept = { .list = NULL };
	enum cli_status status = CLI_ANSWERED;

	if (request->core_count == 0)
		return answer_one(request, modules, NULL, &kept);
	if (request->group && request->core_count > 1) {
		kept.list = calloc(request->core_count, sizeof(*kept.list));
		if (!kept.list) {
			cli_complain("out of memory");
			return CLI_INCOMPLETE;
		}
	}
	for (size_t i = 0; i < request->core_count; i++)
		if (answer_one(request, modules, request->cores[i], &kept) != CLI_ANSWERED)
			status = CLI_INCOMPLETE;
	if (kept.list && print_kept(request, &kept) != CLI_ANSWERED)
		status = CLI_INCOMPLETE;
	free(kept.list);
	return status;
}

static enum cli_status answer_file(struct request *request)
{
	struct ic_modules_options options = { .image = request->files.image,
					      .symbolizer = request->symbolizer };
	enum cli_status status = CLI_INCOMPLETE;
	struct ic_error err;

	options.image.allow_no_debug = true;
	struct ic_modules *modules = ic_modules_new(&options, &err);
	if (!modules) {
		cli_complain("%s", err.message);
	} else if (cli_report_open(&request->report, IC_ROWS_THREADS)) {
		status = answer_all(request, modules);
		cli_report_close(&request->report);
	}
	ic_modules_free(modules);
	return status;
}

// Whether a file is a core file, according to its ELF header.
static bool is_core(const char *path)
{
	enum { TYPE = 16, CORE = 4 }; // in either byte order
	unsigned char header[TYPE + 2];
	FILE *file = fopen(path, "re");
	bool found = file && fread(header, sizeof(header), 1, file) == 1 &&
		     memcmp(header, "\177ELF", 4) == 0 && header[TYPE] + header[TYPE + 1] == CORE;

	if (file)
		fclose(file);
	return found;
}

// An error message about the arguments, or NULL.
static const char *find_fault(const struct request *request, int operands)
{
	if (request->core_count == 0 && !request->pid)
		return "neither --pid nor --core is given";
	if (request->core_count > 0 && request->pid)
		return "--pid and --core cannot be used together";
	if (request->pid && operands > 0)
		return "--pid takes no operand: the files of the process are found automatically";
	if (operands > 1)
		return "more than one PROGRAM given; give --core for each core";
	if (request->core_count > 0 && request->process.tid)
		return "--tid requires --pid; all threads of a core are printed";
	if (request->pid && request->core.sysroot)
		return "--sysroot requires --core; the files of a process are found automatically";
	return NULL;
}

static enum cli_status run_command(struct request *request, int argc, char **argv)
{
	enum cli_status status;

	if (!cli_options_read(&cli_command_backtrace, argc, argv, take_option, request, &status))
		return status;
	cli_report_name_frames(&request->report, &request->symbolizer);
	const char *fault = find_fault(request, argc - optind);
	if (request->core_count == 0 && !request->pid && optind < argc && is_core(argv[optind]))
		return cli_usage_error("%s is a core file; use --core=%s", argv[optind],
				       argv[optind]);
	if (fault)
		return cli_usage_error("%s", fault);
	if (optind < argc)
		request->core.program = argv[optind];
	status = cli_files_begin(&request->files);
	if (status == CLI_ANSWERED)
		status = answer_file(request);
	cli_files_end(&request->files);
	return status;
}

static enum cli_status run_backtrace(int argc, char **argv)
{
	struct request request = { .cores = calloc((size_t)argc, sizeof(*request.cores)) };

	if (!request.cores) {
		cli_complain("out of memory");
		return CLI_INCOMPLETE;
	}
	cli_files_init(&request.files);
	request.report.options.colors = cli_use_colors("auto");
	enum cli_status status = run_command(&request, argc, argv);
	free(request.cores);
	return status;
}

const struct cli_command cli_command_backtrace = {
	.name = "backtrace",
	.usage = usage,
	.statuses =
		"0 all stacks are complete; 1 is not used; 2 part of the input could not be read, "
		"or a stack ends early; 64 usage error",
	.which = "Which stacks",
	.run = run_backtrace,
};
