// inlinecall trace FUNCTION FILE [-- COMMAND...]: prints the calls of a function while they happen.
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "runs/trace_losses.h"
#include "runs/trace_request.h"
#include "runs/traced_command.h"
#include "runs/traced_file.h"

static const char usage[] =
	"Usage: inlinecall trace [OPTION]... FUNCTION FILE... [-- COMMAND [ARGUMENT]...]\n"
	"   or: inlinecall trace [OPTION]... --line=SOURCE:LINE FILE... [-- COMMAND...]\n"
	"   or: inlinecall trace [OPTION]... --pid=PID FUNCTION\n"
	"Print each call of a function with its arguments while programs run: where it\n"
	"was inlined, and its own code; or each execution of a source line.\n"
	"\n"
	"FILE is a program or library with the function. All processes that execute it\n"
	"are traced until Ctrl-C is pressed; with --pid only that process, and with\n"
	"COMMAND only the process that it starts, until it exits. The default for FILE is\n"
	"the program that process PID executes. This requires root, or the capabilities\n"
	"CAP_BPF and CAP_PERFMON, and Linux 5.15 or later.\n";

enum { POLL_NANOSECONDS = 20000000 };

static volatile sig_atomic_t must_stop;

static void note_signal(int signal)
{
	(void)signal;
	must_stop = 1;
}

static void stop_on_signals(void)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
	const struct sigaction action = { .sa_handler = note_signal };

	for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++)
		sigaction(signals[i], &action, NULL);
}

// ---- Calls

static double seconds_since(const struct timespec *start)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)(now.tv_sec - start->tv_sec) + (double)(now.tv_nsec - start->tv_nsec) / 1e9;
}

static uint64_t read_clock(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

// The file whose next call is the earliest of those before `time`; NULL if there is none.
static struct cli_traced_file *find_earliest(struct cli_trace_request *request, uint64_t time)
{
	struct cli_traced_file *first = NULL;

	for (size_t i = 0; i < request->file_count; i++) {
		struct cli_traced_file *traced = &request->files[i];
		if (!cli_traced_file_next(request, traced, time))
			continue;
		first = traced;
		time = traced->next.hit->time;
	}
	return first;
}

// Prints the calls up to now, in the order of time. Later ones wait for the next turn, because
// another file may have an earlier one that has not been read. Returns false when there are as many
// as wanted.
static bool print_hits(struct cli_trace_request *request, bool is_last)
{
	struct cli_report *report = &request->answers.report;
	uint64_t time = is_last ? UINT64_MAX : read_clock();
	struct cli_traced_file *traced;
	bool is_open = true;

	while (is_open && (traced = find_earliest(request, time))) {
		request->has_hits = true;
		ic_report_row(report->report, &traced->next);
		is_open = traced->next.hit->exit || !request->most || --request->most > 0;
		traced->has_next = false;
	}
	ic_report_flush(report->report);
	return is_open;
}

// Whether the traced process has ended, even if its parent has not waited for it.
static bool has_process_ended(const struct cli_trace_request *request)
{
	struct pollfd ended = { .fd = request->process, .events = POLLIN };

	return request->pid && poll(&ended, 1, 0) > 0;
}

// Opens the process to trace. Returns false after an error message.
static bool open_process(struct cli_trace_request *request)
{
	if (!request->pid)
		return true;
	request->process = (int)syscall(SYS_pidfd_open, (pid_t)request->pid, 0);
	if (request->process >= 0 && !has_process_ended(request))
		return true;
	if (request->process >= 0)
		cli_complain("process %lu has ended", request->pid);
	else if (errno == EINVAL || errno == ENOENT)
		cli_complain("%lu is a thread; give the ID of its process", request->pid);
	else if (errno == ESRCH)
		cli_complain("no process %lu", request->pid);
	else
		cli_complain("process %lu: %s", request->pid, strerror(errno));
	return false;
}

static bool is_over(const struct cli_trace_request *request, const struct timespec *start)
{
	return must_stop || (request->duration > 0 && seconds_since(start) >= request->duration) ||
	       has_process_ended(request);
}

// Prints or adds up the calls so far; returns false when there are as many as wanted.
static bool take_calls(struct cli_trace_request *request, bool is_last)
{
	if (request->table.kind == CLI_TRACE_CALLS)
		return print_hits(request, is_last);
	for (size_t i = 0; i < request->file_count; i++) {
		cli_traced_file_report(request, &request->files[i]);
		if (cli_trace_table_follow(&request->table, &request->answers.report,
					   request->files[i].trace))
			continue;
		request->answers.now.incomplete = true;
		return false;
	}
	return true;
}

static void stop_all(struct cli_trace_request *request)
{
	for (size_t i = 0; i < request->file_count; i++)
		ic_trace_stop(request->files[i].trace);
}

// Prints calls until there is a reason to stop.
static void follow_calls(struct cli_trace_request *request, struct cli_traced_command *command)
{
	const struct timespec pause = { .tv_nsec = POLL_NANOSECONDS };
	struct timespec start;
	bool is_open = true, is_last = false;

	clock_gettime(CLOCK_MONOTONIC, &start);
	while (is_open && !is_last) {
		// Calls from before the reason to stop are also printed.
		is_last = is_over(request, &start) ||
			  (request->command && cli_traced_command_has_ended(command));
		if (is_last)
			stop_all(request);
		is_open = take_calls(request, is_last);
		for (size_t i = 0; i < request->file_count; i++)
			cli_trace_complain_of_losses(request->files[i].trace,
						     ic_image_path(request->files[i].file.image),
						     &request->files[i].lost);
		if (is_open && !is_last)
			nanosleep(&pause, NULL);
	}
	stop_all(request);
}

static void say_start(const struct cli_trace_request *request)
{
	double seconds = seconds_since(&request->began);

	if (seconds >= 1)
		cli_complain("probes set in %.0f s", seconds);
	for (size_t i = 0; i < request->file_count; i++)
		cli_traced_file_say_start(request, &request->files[i]);
}

static void report_calls(struct cli_trace_request *request, struct cli_traced_command *command)
{
	struct cli_answers *answers = &request->answers;
	bool is_table = request->table.kind != CLI_TRACE_CALLS;

	say_start(request);
	if (request->command && !cli_traced_command_begin(command)) {
		answers->now.incomplete = true;
		return;
	}
	if (!is_table || request->file_count == 1)
		ic_report_begin(answers->report.report, NULL);
	follow_calls(request, command);
	cli_traced_command_end(command);
	for (size_t i = 0; i < request->file_count; i++) {
		struct cli_traced_file *traced = &request->files[i];
		cli_traced_file_report(request, traced);
		if (is_table && request->file_count > 1)
			ic_report_begin(answers->report.report, answers->report.rows.file);
		answers->now.incomplete |=
			is_table &&
			!cli_trace_table_print(&request->table, &answers->report, traced->trace);
		answers->now.incomplete |= cli_traced_file_complain(request, traced);
	}
}

// Debug files of the code on stacks are found as in 'inlinecall backtrace'.
static bool open_modules(struct cli_trace_request *request, struct ic_error *err)
{
	struct ic_modules_options options = { .image = request->answers.files.image };

	if (!request->options.stack_size)
		return true;
	cli_report_name_frames(&request->answers.report, &options.symbolizer);
	options.image.allow_no_debug = true;
	request->modules = request->table.modules = ic_modules_new(&options, err);
	return request->modules;
}

static bool show_probes(void *context, unsigned long long done, unsigned long long total)
{
	struct cli_trace_request *request = context;

	return cli_progress_show(&request->progress, done, total) && !must_stop;
}

// Returns false after an error message.
static bool start_all(struct cli_trace_request *request, uint32_t pid)
{
	struct ic_trace **traces = calloc(request->file_count, sizeof(*traces));
	struct ic_error err = { .message = "out of memory" };

	for (size_t i = 0; traces && i < request->file_count; i++)
		traces[i] = request->files[i].trace;
	cli_traced_files_raise();
	clock_gettime(CLOCK_MONOTONIC, &request->began);
	cli_progress_begin(&request->progress, "setting probes");
	bool ok = traces && ic_trace_start_all(traces, request->file_count, pid, &err);
	cli_progress_end(&request->progress);
	free(traces);
	if (!ok && err.code == IC_ERROR_STOPPED)
		cli_complain("interrupted before all probes were set");
	else if (!ok)
		cli_complain("%s", err.message);
	request->answers.now.incomplete |= !ok;
	return ok;
}

static void run_traces(struct cli_trace_request *request)
{
	struct cli_traced_command command = { .pid = 0 };
	struct cli_answers *answers = &request->answers;
	bool is_kernel = cli_running_is_given(&request->running);
	bool must_hold = request->options.stack_size > 0 && !is_kernel;

	if (request->command &&
	    !cli_traced_command_prepare(&command, request->command, must_hold)) {
		answers->now.incomplete = true;
		return;
	}
	answers->now.incomplete |= command.pid && must_hold && !command.is_held;
	bool ok = cli_traced_output_begin(request->output);
	answers->now.incomplete |= !ok;
	uint32_t pid = command.pid ? (uint32_t)command.pid : (uint32_t)request->pid;
	if (ok && start_all(request, is_kernel ? 0 : pid))
		report_calls(request, &command);
	cli_traced_command_end(&command);
}

// Called when all files are ready.
static void trace_files(struct cli_answers *answers)
{
	struct cli_trace_request *request = (struct cli_trace_request *)answers;
	struct ic_error err;

	if (request->file_count == 0)
		return;
	if (open_modules(request, &err)) {
		run_traces(request);
	} else {
		cli_complain("%s", err.message);
		answers->now.incomplete = true;
	}
}

static void close_files(struct cli_trace_request *request)
{
	for (size_t i = 0; i < request->file_count; i++)
		request->answers.now.incomplete |= cli_traced_file_close(&request->files[i]);
	free(request->files);
	if (request->pid)
		close(request->process);
	ic_modules_free(request->modules);
}

// Makes the functions that contain the line those of the query.
static bool prepare_line(struct cli_answers *answers, struct ic_image *image)
{
	struct cli_trace_line *line = &((struct cli_trace_request *)answers)->line;
	static const char *const none[] = { NULL };

	bool ok = cli_trace_line_look(line, image);
	const char *const *functions = line->function_count > 0 ? line->functions : none;
	answers->query.function = functions[0];
	answers->query.more_functions = functions[0] ? functions + 1 : NULL;
	answers->index.functions = answers->strict ? NULL : functions;
	return ok;
}

static void explain_missing(void *context, const struct cli_subject *subject, const char *path)
{
	const struct cli_trace_request *request = context;

	if (cli_trace_is_of_line(request)) {
		cli_source_line_complain(&request->line.line, path);
		return;
	}
	cli_complain("%s: %s: no code left to trace; 'inlinecall why' explains", path,
		     subject ? subject->name : "");
}

// If a line is traced, checks the other options and sets what it needs.
static enum cli_status choose_line(struct cli_trace_request *request)
{
	struct cli_answers *answers = &request->answers;

	if (!cli_trace_is_of_line(request))
		return CLI_ANSWERED;
	answers->is_function_optional = true;
	answers->prepare = prepare_line;
	answers->report.parameter_options.variables = true;
	answers->report.parameter_options.at_other_places = true;
	return cli_source_line_check(answers, request->table.has_latencies ? "--latency"
					      : request->exits             ? "--exit"
									   : NULL);
}

// Without FILE, that is what the process executes. Returns whether it is.
static bool add_exe(struct cli_trace_request *request, int operands)
{
	if (!request->pid || operands != cli_trace_needs_function(request))
		return false;
	snprintf(request->exe, sizeof(request->exe), "/proc/%lu/exe", request->pid);
	return true;
}

static enum cli_status run_trace_command(int argc, char **argv)
{
	struct cli_trace_request request = { .answers = { .answer = cli_traced_file_answer,
							  .finish = trace_files,
							  .look = cli_answers_look_for_code,
							  .explain = explain_missing,
							  .nothing = "nothing to trace",
							  .takes_tables = true } };
	enum cli_status status;

	cli_answers_init(&request.answers);
	stop_on_signals();
	cli_running_init(&request.running);
	request.answers.query.out_of_line = true;
	request.command = cli_traced_command_find(&argc, argv);
	if (!cli_options_read(&cli_command_trace, argc, argv, cli_trace_take_option, &request,
			      &status))
		return status;
	request.exits |= request.table.has_latencies;
	if (request.output && !request.has_color) // it is no terminal
		request.answers.report.options.colors = false;
	if (!cli_trace_table_finish(&request.table, &request.options))
		return CLI_INCOMPLETE;
	status = choose_line(&request);
	if (status != CLI_ANSWERED)
		return status;
	const char *fault = cli_trace_fault(&request, argc - optind);
	if (fault)
		return cli_usage_error("%s", fault);
	status = cli_trace_ask_for_members(&request);
	if (status != CLI_ANSWERED)
		return status;
	if (!open_process(&request))
		return CLI_INCOMPLETE;
	request.answers.report.parameters =
		request.options.filter ||
		cli_trace_table_needs_arguments(&request.table, &request.options);
	request.answers.report.parameter_options.strings = true;
	request.options.progress = show_probes;
	request.options.progress_context = &request;
	request.options.only_counts = request.table.kind == CLI_TRACE_COUNTS;
	request.answers.index.entries = !cli_trace_is_of_line(&request);
	request.answers.kind = cli_trace_table_rows(&request.table);
	char *operands[] = { NULL, request.exe };
	bool has_no_file = add_exe(&request, argc - optind);
	if (has_no_file)
		operands[0] = argv[optind];
	int skipped = !cli_trace_needs_function(&request);
	status = has_no_file ? cli_answers_run(&request.answers, 2 - skipped, operands + skipped)
			     : cli_answers_run(&request.answers, argc - optind, argv + optind);
	close_files(&request);
	cli_trace_line_free(&request.line);
	free(request.members);
	cli_trace_table_free(&request.table);
	cli_running_deinit(&request.running);
	if (status == CLI_ANSWERED && request.answers.now.incomplete) // which the end has shown
		return CLI_INCOMPLETE;
	return status == CLI_ANSWERED && !request.has_hits ? CLI_NOTHING : status;
}

const struct cli_command cli_command_trace = {
	.name = "trace",
	.usage = usage,
	.statuses = "0 calls seen; 1 no calls seen; 2 part of the input could not be read, or "
		    "copies or calls are missing; 64 usage error",
	.which = "Which calls",
	.run = run_trace_command,
};
