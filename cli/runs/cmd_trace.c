// inlinecall trace FUNCTION FILE [-- COMMAND...]: prints the calls of a function while they happen.
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/running_kernel.h"
#include "functions/answers.h"
#include "runs/trace_line.h"
#include "runs/trace_losses.h"
#include "runs/trace_table.h"
#include "runs/traced_command.h"

static const char usage[] =
	"Usage: inlinecall trace [OPTION]... FUNCTION FILE [-- COMMAND [ARGUMENT]...]\n"
	"   or: inlinecall trace [OPTION]... --line=SOURCE:LINE FILE [-- COMMAND...]\n"
	"   or: inlinecall trace [OPTION]... --pid=PID FUNCTION\n"
	"Print each call of a function with its arguments while programs run: where it\n"
	"was inlined, and its own code; or each execution of a source line.\n"
	"\n"
	"FILE is the program or library with the function. All processes that execute it\n"
	"are traced until Ctrl-C is pressed; with --pid only that process, and with\n"
	"COMMAND only the process that it starts, until it exits. Without FILE it is what\n"
	"the process executes. This requires root, or\n"
	"the capabilities CAP_BPF and CAP_PERFMON, and Linux 5.15 or later.\n";

enum {
	POLL_NANOSECONDS = 20000000,
	STACK_BYTES = 8192,
	MOST_STACK_BYTES = 32768,
	MOST_BUFFERS = 16
};

struct request {
	struct cli_answers answers; // first member: its functions cast it back to the request
	struct ic_trace_options options;
	struct cli_running running; // the kernel, if that is traced
	struct cli_trace_line line; // traced instead of functions
	char **command;             // ends with NULL; NULL for none
	unsigned long pid, most;
	double duration; // in seconds; 0 for no limit
	const char *buffers[MOST_BUFFERS + 1];
	const char *output;           // written instead of standard output; NULL for none
	bool has_color;               // --color says whether to use colours
	char exe[32];                 // the file that a process executes, if none is given
	bool exits;                   // trace each copy until control leaves it
	struct cli_trace_table table; // printed instead of the calls
	char *members;                // owned: all members requested
	struct ic_modules *modules;   // for stacks
	struct cli_progress progress; // while probes are being set
	struct timespec began;        // when that began
	unsigned long long lost;      // calls, as far as that was said
	bool has_hits;
};

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

// ---- Options

static enum cli_status take_number(const char *argument, const char *what, unsigned long most,
				   unsigned long *number)
{
	return cli_parse_number(argument, what, 1, most, number) ? CLI_ANSWERED : CLI_USAGE;
}

static enum cli_status take_seconds(const char *argument, const char *what, double *seconds)
{
	char *end;

	*seconds = strtod(argument, &end);
	if (end == argument || *end || !(*seconds > 0 && *seconds < 1e9))
		return cli_usage_error("%s must be a number of seconds, as in 2.5, not '%s'", what,
				       argument);
	return CLI_ANSWERED;
}

static enum cli_status take_buffer(struct request *request, const char *argument)
{
	size_t count = 0;

	while (request->buffers[count])
		count++;
	if (count == MOST_BUFFERS)
		return cli_usage_error("--bytes can be given at most %d times", MOST_BUFFERS);
	request->buffers[count] = argument;
	request->options.buffers = request->buffers;
	return CLI_ANSWERED;
}

static enum cli_status take_option(void *context, enum cli_option option, char *argument)
{
	struct request *request = context;
	struct cli_answers *answers = &request->answers;
	enum cli_status status;
	unsigned long number = 0;

	if (cli_running_take(&request->running, option, argument, &status) ||
	    cli_trace_table_take(&request->table, option, argument, &status))
		return status;
	switch (option) {
	case CLI_OPTION_PID: return take_number(argument, "--pid", INT32_MAX, &request->pid);
	case CLI_OPTION_MAX: return take_number(argument, "--max", ULONG_MAX, &request->most);
	case CLI_OPTION_DURATION: return take_seconds(argument, "--duration", &request->duration);
	case CLI_OPTION_INTERVAL:
		return take_seconds(argument, "--interval", &request->table.interval);
	case CLI_OPTION_RING_SIZE:
		status = take_number(argument, "--ring-size", 1024, &number);
		request->options.ring_size = (uint32_t)(number << 20);
		return status;
	case CLI_OPTION_SAMPLE:
		status = take_number(argument, "--sample", INT32_MAX, &number);
		request->options.sample = number;
		return status;
	case CLI_OPTION_STRING_BYTES:
		status = take_number(argument, "--string-bytes", 512, &number);
		request->options.string_size = (uint32_t)number;
		return status;
	case CLI_OPTION_STACK:
		number = STACK_BYTES;
		status = argument ? take_number(argument, "--stack", MOST_STACK_BYTES, &number)
				  : CLI_ANSWERED;
		request->options.stack_size = (uint32_t)number;
		return status;
	case CLI_OPTION_LINE: return cli_source_line_take(&request->line.line, argument);
	case CLI_OPTION_BYTES: return take_buffer(request, argument);
	case CLI_OPTION_FIELDS: answers->report.parameter_options.members = argument; break;
	case CLI_OPTION_CONDITION: request->options.filter = argument; break;
	case CLI_OPTION_EXIT: request->exits = true; break;
	case CLI_OPTION_CLOCK: answers->report.rows.clock = true; break;
	case CLI_OPTION_OUTPUT: request->output = argument; break;
	case CLI_OPTION_COLOR:
		request->has_color = !argument || strcmp(argument, "auto") != 0;
		return cli_answers_take(answers, option, argument);
	case CLI_OPTION_WITH_OWN: request->options.with_own = true; break;
	case CLI_OPTION_CHILDREN: request->options.has_children = true; break;
	case CLI_OPTION_ONLY_INLINED: answers->query.out_of_line = false; break;
	case CLI_OPTION_CALL_FILE: answers->query.call_file_glob = argument; break;
	default: return cli_answers_take(answers, option, argument);
	}
	return CLI_ANSWERED;
}

// ---- Calls

static double seconds_since(const struct timespec *start)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)(now.tv_sec - start->tv_sec) + (double)(now.tv_nsec - start->tv_nsec) / 1e9;
}

// Prints the calls seen so far; returns false when there are as many as wanted.
static bool print_hits(struct request *request, struct ic_trace *trace)
{
	struct cli_report *report = &request->answers.report;
	struct ic_error err;
	struct ic_rows *rows = ic_rows_of_hits(trace, request->modules, &report->rows, &err);
	struct ic_row row;
	bool is_open = true;

	if (!rows)
		cli_write_failed(err.os_error, err.message);
	while (is_open && ic_rows_next(rows, &row, &err)) {
		request->has_hits = true;
		ic_report_row(report->report, &row);
		is_open = row.hit->exit || !request->most || --request->most > 0;
	}
	ic_rows_free(rows);
	ic_report_flush(report->report);
	return is_open;
}

static bool is_over(const struct request *request, const struct timespec *start)
{
	return must_stop || (request->duration > 0 && seconds_since(start) >= request->duration) ||
	       (request->pid && kill((pid_t)request->pid, 0) < 0 && errno == ESRCH);
}

// Prints or adds up the calls so far; returns false when there are as many as wanted.
static bool take_calls(struct request *request, struct ic_trace *trace)
{
	if (request->table.kind == CLI_TRACE_CALLS)
		return print_hits(request, trace);
	if (cli_trace_table_follow(&request->table, &request->answers.report, trace))
		return true;
	request->answers.now.incomplete = true;
	return false;
}

// Prints calls until there is a reason to stop.
static void follow_calls(struct request *request, struct ic_trace *trace,
			 struct cli_traced_command *command)
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
			ic_trace_stop(trace);
		is_open = take_calls(request, trace);
		cli_trace_complain_of_losses(trace, request->answers.report.rows.file,
					     &request->lost);
		if (is_open && !is_last)
			nanosleep(&pause, NULL);
	}
	ic_trace_stop(trace);
}

static bool is_of_line(const struct request *request)
{
	return request->line.line.source != NULL;
}

static void say_start(const struct request *request, const struct ic_trace *trace)
{
	struct ic_trace_copy copy;
	size_t count = 0;

	while (ic_trace_copy_get(trace, count, &copy))
		count++;
	double seconds = seconds_since(&request->began);
	if (seconds >= 1)
		cli_complain("%s: probes set in %.0f s", request->answers.report.rows.file,
			     seconds);
	const char *what = is_of_line(request) ? count == 1 ? "place is" : "places are"
			   : count == 1        ? "copy is"
					       : "copies are";
	if (!request->command && request->duration > 0)
		cli_complain("%s: %zu %s traced for %g s", request->answers.report.rows.file, count,
			     what, request->duration);
	else if (!request->command)
		cli_complain("%s: %zu %s traced until Ctrl-C", request->answers.report.rows.file,
			     count, what);
}

static void report_calls(struct request *request, struct ic_trace *trace,
			 struct cli_traced_command *command)
{
	say_start(request, trace);
	if (request->command && !cli_traced_command_begin(command)) {
		request->answers.now.incomplete = true;
		return;
	}
	ic_report_begin(request->answers.report.report, NULL);
	follow_calls(request, trace, command);
	cli_traced_command_end(command);
	const char *path = request->answers.report.rows.file;
	request->answers.now.incomplete |=
		request->table.kind != CLI_TRACE_CALLS &&
		!cli_trace_table_print(&request->table, &request->answers.report, trace);
	const char *hint = request->options.filter ? "that meet --where"
			   : is_of_line(request)   ? "seen: the line was not executed"
			   : request->command && !request->options.is_kernel &&
					   !request->options.has_children
				   ? "seen; child processes of the command are not traced "
				     "without --children"
				   : "seen";
	request->answers.now.incomplete |=
		cli_trace_complain_of_calls(trace, path, hint, &request->has_hits);
	if (request->exits)
		request->answers.now.incomplete |= cli_trace_complain_of_exits(trace, path);
}

// Debug files of the code on stacks are found as in 'inlinecall backtrace'.
static bool open_modules(struct request *request, struct ic_error *err)
{
	struct ic_modules_options options = { .image = request->answers.files.image };

	if (!request->options.stack_size)
		return true;
	cli_report_name_frames(&request->answers.report, &options.symbolizer);
	options.image.allow_no_debug = true;
	request->modules = request->table.modules = ic_modules_new(&options, err);
	return request->modules;
}

static bool run_trace(struct request *request, struct ic_trace *trace, struct ic_error *err)
{
	struct cli_traced_command command = { .pid = 0 };
	bool must_hold = request->options.stack_size > 0 && !request->options.is_kernel;

	if (request->command &&
	    !cli_traced_command_prepare(&command, request->command, must_hold)) {
		request->answers.now.incomplete = true;
		return true;
	}
	request->answers.now.incomplete |= command.pid && must_hold && !command.is_held;
	if (!cli_traced_output_begin(request->output)) {
		cli_traced_command_end(&command);
		request->answers.now.incomplete = true;
		return true;
	}
	uint32_t pid = command.pid ? (uint32_t)command.pid : (uint32_t)request->pid;
	cli_traced_files_raise();
	clock_gettime(CLOCK_MONOTONIC, &request->began);
	cli_progress_begin(&request->progress, "setting probes");
	bool ok = ic_trace_start(trace, request->options.is_kernel ? 0 : pid, err);
	cli_progress_end(&request->progress);
	if (ok)
		report_calls(request, trace, &command);
	cli_traced_command_end(&command);
	if (!ok && err->code == IC_ERROR_STOPPED) {
		cli_complain("%s: interrupted before all probes were set",
			     request->answers.report.rows.file);
		request->answers.now.incomplete = true;
		return true;
	}
	return ok;
}

// A member that no argument has is an error, unless there are no arguments at all.
static bool know_members(const struct request *request, struct ic_trace *trace,
			 struct ic_error *err)
{
	const struct ic_parameters *parameters = request->answers.report.rows.parameters;
	const char *unknown = parameters ? ic_parameters_unknown_member(parameters) : NULL;
	struct ic_trace_copy copy;

	if (!unknown || !ic_trace_copy_get(trace, 0, &copy))
		return true;
	err->code = IC_ERROR_ARGUMENT;
	snprintf(err->message, sizeof(err->message), "%s '%s'",
		 cli_answers_no_member(&request->answers), unknown);
	return false;
}

static bool show_probes(void *context, unsigned long long done, unsigned long long total)
{
	struct request *request = context;

	return cli_progress_show(&request->progress, done, total) && !must_stop;
}

// Makes the functions that contain the line those of the query.
static bool prepare_line(struct cli_answers *answers, struct ic_image *image)
{
	struct cli_trace_line *line = &((struct request *)answers)->line;
	static const char *const none[] = { NULL };

	bool ok = cli_trace_line_look(line, image);
	const char *const *functions = line->function_count > 0 ? line->functions : none;
	answers->query.function = functions[0];
	answers->query.more_functions = functions[0] ? functions + 1 : NULL;
	answers->index.functions = answers->strict ? NULL : functions;
	return ok;
}

// Finds the places to trace of the selected sites. Returns false on failure.
static bool find_places(struct request *request, const struct ic_index *index,
			const struct ic_sites *sites, struct ic_error *err)
{
	struct cli_answers *answers = &request->answers;

	if (!is_of_line(request)) {
		bool ok = cli_answers_find_entries(answers, index, sites, err);
		request->options.entries = answers->now.entries;
		return ok;
	}
	answers->now.incomplete |=
		!cli_trace_line_join(&request->line, sites) ||
		cli_trace_line_complain(&request->line, answers->report.rows.file);
	request->options.points = request->line.points;
	request->options.point_count = request->line.point_count;
	return true;
}

static bool answer_file(struct cli_answers *answers, const struct ic_index *index,
			struct ic_error *err)
{
	struct request *request = (struct request *)answers;

	stop_on_signals();
	request->options.is_kernel = cli_running_is_given(&request->running);
	if (request->options.is_kernel &&
	    !cli_running_find_offset(&request->running, answers->now.image, answers->index.jobs,
				     &request->options.kernel_offset)) {
		answers->now.incomplete = true;
		return true;
	}
	struct ic_sites *sites = ic_sites_find(index, &answers->query, err);
	// The kernel follows this link also if the file was deleted or replaced.
	char *path = *request->exe ? strdup(request->exe)
				   : realpath(answers->report.rows.file, NULL);
	struct ic_trace *trace = NULL;
	struct ic_trace_copy copy;
	bool ok = sites != NULL;

	request->options.path = path;
	request->options.progress = show_probes;
	request->options.progress_context = request;
	request->options.only_counts = request->table.kind == CLI_TRACE_COUNTS;
	ok = ok && find_places(request, index, sites, err);
	if (ok && request->exits) {
		request->options.exits = ic_exits_open(answers->now.image, index, err);
		ok = request->options.exits != NULL;
	}
	if (ok) {
		trace = ic_trace_new(answers->now.image, sites, answers->report.rows.parameters,
				     &request->options, err);
		ok = trace && know_members(request, trace, err);
	}
	ic_exits_free(request->options.exits);
	answers->now.found |= ok && ic_trace_copy_get(trace, 0, &copy);
	if (ok && answers->now.found)
		ok = open_modules(request, err) && run_trace(request, trace, err);
	ic_trace_free(trace);
	ic_modules_free(request->modules);
	ic_sites_free(sites);
	free(path);
	return ok;
}

static void explain_missing(void *context, const struct cli_subject *subject, const char *path)
{
	const struct request *request = context;

	if (is_of_line(request)) {
		cli_source_line_complain(&request->line.line, path);
		return;
	}
	cli_complain("%s: %s: no code left to trace; 'inlinecall why' explains", path,
		     subject ? subject->name : "");
}

// Whether the first operand is FUNCTION.
static bool needs_function(const struct request *request)
{
	return request->answers.name_count == 0 && !is_of_line(request);
}

static const char *find_fault(const struct request *request, int operands)
{
	if (request->command && !*request->command)
		return "no COMMAND after --";
	if (request->options.with_own && !cli_running_is_given(&request->running))
		return "--with-own requires --kernel";
	if (cli_running_is_given(&request->running) && request->pid)
		return "--kernel and --pid cannot be used together";
	if (request->options.has_children &&
	    (cli_running_is_given(&request->running) || (!request->command && !request->pid)))
		return "--children requires --pid or COMMAND, and no --kernel";
	if (request->command && request->pid)
		return "--pid and COMMAND cannot be used together";
	if (operands > 1 && is_of_line(request))
		return "with --line there is one operand, FILE; put COMMAND after --";
	if (operands > (needs_function(request) ? 2 : 1))
		return "only one FILE can be traced; put COMMAND after --";
	if (request->options.stack_size && request->answers.report.options.format == IC_REPORT_CSV)
		return "--stack cannot be used with --csv; use --json";
	if (request->table.kind != CLI_TRACE_CALLS && request->most)
		return "--max ends a trace that prints calls; --top limits groups";
	if (request->table.kind != CLI_TRACE_CALLS && !request->options.filter &&
	    request->answers.report.parameter_options.members)
		return "--fields selects what is printed of calls, and these are not printed";
	if (request->table.kind == CLI_TRACE_COUNTS && !request->options.filter &&
	    request->options.buffers)
		return "--bytes selects what is printed of calls, and these are not printed";
	if (request->exits && request->options.stack_size)
		return "--stack and --exit cannot be used together: the kernel replaces return "
		       "addresses to see functions return";
	return cli_trace_table_fault(&request->table, &request->options, request->exits);
}

// If a line is traced, checks the other options and sets what it needs.
static enum cli_status choose_line(struct request *request)
{
	struct cli_answers *answers = &request->answers;

	if (!is_of_line(request))
		return CLI_ANSWERED;
	answers->is_function_optional = true;
	answers->prepare = prepare_line;
	answers->report.parameter_options.variables = true;
	answers->report.parameter_options.at_other_places = true;
	return cli_source_line_check(answers, request->table.has_latencies ? "--latency"
					      : request->exits             ? "--exit"
									   : NULL);
}

// Requests the members that the options name, too.
static enum cli_status ask_for_members(struct request *request)
{
	const char **members = &request->answers.report.parameter_options.members;
	struct ic_error err;

	request->members = ic_trace_members(*members, &request->options, &err);
	if (request->members) {
		if (*members || *request->members) // an empty list means none, and is rejected
			*members = request->members;
		return CLI_ANSWERED;
	}
	if (err.code == IC_ERROR_ARGUMENT)
		return cli_usage_error("%s", err.message);
	cli_complain("%s", err.message);
	return CLI_INCOMPLETE;
}

// Without FILE, that is what the process executes. Returns whether it is.
static bool add_exe(struct request *request, int operands)
{
	if (!request->pid || operands != needs_function(request))
		return false;
	snprintf(request->exe, sizeof(request->exe), "/proc/%lu/exe", request->pid);
	return true;
}

static enum cli_status run_trace_command(int argc, char **argv)
{
	struct request request = { .answers = { .answer = answer_file,
						.look = cli_answers_look_for_code,
						.explain = explain_missing,
						.nothing = "nothing to trace",
						.takes_tables = true } };
	enum cli_status status;

	cli_answers_init(&request.answers);
	cli_running_init(&request.running);
	request.answers.query.out_of_line = true;
	request.command = cli_traced_command_find(&argc, argv);
	if (!cli_options_read(&cli_command_trace, argc, argv, take_option, &request, &status))
		return status;
	request.exits |= request.table.has_latencies;
	if (request.output && !request.has_color) // it is no terminal
		request.answers.report.options.colors = false;
	if (!cli_trace_table_finish(&request.table, &request.options))
		return CLI_INCOMPLETE;
	status = choose_line(&request);
	if (status != CLI_ANSWERED)
		return status;
	const char *fault = find_fault(&request, argc - optind);
	if (fault)
		return cli_usage_error("%s", fault);
	status = ask_for_members(&request);
	if (status != CLI_ANSWERED)
		return status;
	if (request.pid && kill((pid_t)request.pid, 0) != 0 && errno == ESRCH) {
		cli_complain("no process %lu", request.pid);
		return CLI_INCOMPLETE;
	}
	request.answers.report.parameters =
		request.options.filter ||
		cli_trace_table_needs_arguments(&request.table, &request.options);
	request.answers.report.parameter_options.strings = true;
	request.answers.index.entries = !is_of_line(&request);
	request.answers.kind = cli_trace_table_rows(&request.table);
	char *operands[] = { NULL, request.exe };
	bool has_no_file = add_exe(&request, argc - optind);
	if (has_no_file)
		operands[0] = argv[optind];
	int skipped = !needs_function(&request);
	status = has_no_file ? cli_answers_run(&request.answers, 2 - skipped, operands + skipped)
			     : cli_answers_run(&request.answers, argc - optind, argv + optind);
	cli_trace_line_free(&request.line);
	free(request.members);
	cli_trace_table_free(&request.table);
	cli_running_deinit(&request.running);
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
