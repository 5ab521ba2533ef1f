// inlinecall backtrace -p PID and backtrace --core=CORE: the stacks of threads.
#include <inlinecall/backtrace.h>

#include "files.h"
#include "report.h"

static const char usage[] =
	"Usage: inlinecall backtrace [OPTION]... --pid=PID\n"
	"       inlinecall backtrace [OPTION]... --core=CORE [PROGRAM]\n"
	"Print the stack of each thread of a process, or of a core file of one that has ended,\n"
	"with the functions that were inlined. A process is stopped only while its registers and\n"
	"stacks are copied.\n"
	"\n"
	"PROGRAM is the file that the core is of, if it is not where it was. A frame that is "
	"found\n"
	"without call frame information is a guess, and marked.\n";

struct request {
	struct cli_report report;
	struct cli_files files;
	struct ic_symbolizer_options symbolizer;
	struct ic_target_core_options core;
	struct ic_target_process_options process;
	struct ic_backtraces_options stacks;
	const char *core_path;
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

	// Debuggers have -p for a process; that of other commands, for parameters, is no option
	// here.
	if (option == CLI_OPTION_PID)
		return take_number(argument, "--pid", &request->pid);
	if (cli_files_take(&request->files, option, argument, &status) ||
	    cli_report_take(&request->report, option, argument, &status))
		return status;
	switch (option) {
	case CLI_OPTION_CORE: request->core_path = argument; break;
	case CLI_OPTION_TID:
		status = take_number(argument, "--tid", &number);
		request->process.tid = (int)number;
		return status;
	case CLI_OPTION_SYSROOT: request->core.sysroot = argument; break;
	case CLI_OPTION_GROUP: request->group = true; break;
	case CLI_OPTION_VALUES: request->stacks.arguments = true; break;
	case CLI_OPTION_MOST_FRAMES:
		status = take_number(argument, "--most-frames", &number);
		request->stacks.most_frames = (uint32_t)number;
		return status;
	case CLI_OPTION_JOBS: return cli_take_jobs(argument, &request->symbolizer.jobs);
	default: return cli_hint_at_help();
	}
	return CLI_ANSWERED;
}

static bool print_problems(struct ic_target *target)
{
	struct ic_index_problem problem;
	size_t count = 0;

	for (; ic_target_problem_get(target, count, &problem); count++)
		cli_complain("%s", problem.message);
	return count > 0;
}

static enum cli_status print(struct request *request, struct ic_target *target)
{
	struct ic_backtrace_thread thread;
	struct ic_error err;
	struct ic_backtraces *backtraces = ic_backtraces_make(target, &request->stacks, &err);
	bool is_whole = true;

	if (!backtraces) {
		cli_complain("%s", err.message);
		return CLI_INCOMPLETE;
	}
	for (size_t i = 0; ic_backtraces_get(backtraces, i, &thread); i++)
		is_whole &= thread.end == IC_UNWIND_OUTERMOST ||
			    (thread.end == IC_UNWIND_TOO_MANY && request->stacks.most_frames > 0);
	if (!cli_report_open(&request->report, IC_ROWS_THREADS)) {
		ic_backtraces_free(backtraces);
		return CLI_INCOMPLETE;
	}
	cli_report_print(
		&request->report,
		ic_rows_of_backtraces(backtraces, request->group, &request->report.rows, &err),
		&err);
	cli_report_close(&request->report);
	ic_backtraces_free(backtraces);
	return is_whole ? CLI_ANSWERED : CLI_INCOMPLETE;
}

static enum cli_status answer(struct request *request)
{
	struct ic_modules_options options = { .image = request->files.image,
					      .symbolizer = request->symbolizer };
	struct ic_error err;

	options.image.allow_no_debug = true;
	struct ic_modules *modules = ic_modules_new(&options, &err);
	struct ic_target *target = NULL;
	enum cli_status status = CLI_INCOMPLETE;

	if (modules && request->core_path)
		target = ic_target_open_core(modules, request->core_path, &request->core, &err);
	else if (modules)
		target =
			ic_target_copy_process(modules, (int)request->pid, &request->process, &err);
	if (target) {
		status = print(request, target);
		if (print_problems(target))
			status = CLI_INCOMPLETE;
	} else {
		cli_complain("%s", err.message);
	}
	ic_target_free(target);
	ic_modules_free(modules);
	return status;
}

// A complaint about what was given, or NULL.
static const char *find_fault(const struct request *request, int operands)
{
	if (!request->core_path && !request->pid)
		return "neither --pid nor --core is given";
	if (request->core_path && request->pid)
		return "--pid and --core exclude each other";
	if (request->pid && operands > 0)
		return "--pid takes no operand: the files are those of the process";
	if (operands > 1)
		return "more than one PROGRAM given";
	if (request->core_path && request->process.tid)
		return "--tid is for --pid; the threads of a core are all printed";
	if (request->pid && request->core.sysroot)
		return "--sysroot is for --core; the files of a process are found by itself";
	return NULL;
}

static enum cli_status run_backtrace(int argc, char **argv)
{
	struct request request = { .group = false };
	enum cli_status status;

	cli_files_init(&request.files);
	request.report.options.colors = cli_use_colors("auto");
	if (!cli_options_read(&cli_command_backtrace, argc, argv, take_option, &request, &status))
		return status;
	const char *fault = find_fault(&request, argc - optind);
	if (fault)
		return cli_usage_error("%s", fault);
	if (optind < argc)
		request.core.program = argv[optind];
	status = cli_files_begin(&request.files);
	if (status == CLI_ANSWERED)
		status = answer(&request);
	cli_files_end(&request.files);
	return status;
}

const struct cli_command cli_command_backtrace = {
	.name = "backtrace",
	.usage = usage,
	.which = "Which stacks",
	.run = run_backtrace,
};
