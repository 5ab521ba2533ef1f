// inlinecall profile [FILE]: where the time goes, attributed to inlined functions.
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <inlinecall/extra/profile.h>

#include "base/files.h"
#include "base/output_file.h"
#include "base/report.h"

static const char usage[] =
	"Usage: inlinecall profile [OPTION]... [FILE]\n"
	"Show where the time goes in a recording of 'perf record', the text of 'perf\n"
	"script', a profile of pprof or OpenTelemetry, or folded stacks, with inlined\n"
	"functions. For each function:\n"
	"  SELF     the share of the time spent in the function itself\n"
	"  TOTAL    the share of the time spent in it and in the functions that it calls\n"
	"  INLINED  how much of TOTAL is in its inlined copies\n"
	"Tools without support for inlined functions do not show a function that is\n"
	"inlined everywhere.\n"
	"\n"
	"FILE is perf.data by default, and standard input if it is '-'. The programs,\n"
	"libraries and kernels that it names must be those that ran.\n";

enum { DEFAULT_LIMIT = 30, MOST_OUTPUTS = IC_PROFILE_PAGE + 1 };

struct output { // all samples in one format
	enum ic_profile_form form;
	const char *path; // "-" for standard output
};

struct request {
	struct cli_report report;
	struct cli_files files;
	struct ic_profile_options profile;
	struct ic_profile_query query;
	struct cli_progress progress;
	uint32_t jobs;
	const char *event; // NULL for the first one
	struct output outputs[MOST_OUTPUTS];
	size_t output_count;
	bool has_limit, has_by, incomplete;
};

static enum cli_status take_by(struct request *request, const char *by)
{
	static const char *const names[] = {
		[IC_PROFILE_BY_FUNCTION] = "function", [IC_PROFILE_BY_CALL] = "call",
		[IC_PROFILE_BY_LINE] = "line",         [IC_PROFILE_BY_HOST] = "host",
		[IC_PROFILE_BY_SOURCE] = "source",     [IC_PROFILE_BY_FILE] = "file",
		[IC_PROFILE_BY_THREAD] = "thread",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (strcmp(by, names[i]) == 0) {
			request->query.by = (enum ic_profile_by)i;
			return CLI_ANSWERED;
		}
	}
	return cli_usage_error(
		"--by must be function, call, line, host, source, file or thread, not '%s'", by);
}

// Takes --by, --callers or --callees.
static enum cli_status take_question(struct request *request, enum cli_option option,
				     const char *argument)
{
	if (request->has_by)
		return cli_usage_error("only one of --by, --callers and --callees can be given");
	request->has_by = true;
	if (option == CLI_OPTION_BY)
		return take_by(request, argument);
	request->query.by = option == CLI_OPTION_CALLERS ? IC_PROFILE_BY_CALLER
							 : IC_PROFILE_BY_CALLEE;
	request->query.of = argument;
	return CLI_ANSWERED;
}

static enum cli_status take_output(struct request *request, enum ic_profile_form form,
				   const char *path)
{
	for (size_t i = 0; i < request->output_count; i++) {
		if (request->outputs[i].form == form)
			return cli_usage_error("each output format can be given only once");
		if (strcmp(request->outputs[i].path, path) == 0)
			return cli_usage_error("two formats cannot be written to %s",
					       strcmp(path, "-") == 0 ? "standard output" : path);
	}
	request->outputs[request->output_count++] = (struct output){ form, path };
	return CLI_ANSWERED;
}

static enum cli_status take_percent(struct request *request, const char *text)
{
	char *end;
	double percent = strtod(text, &end);

	if (end == text || *end || !(percent >= 0 && percent <= 100))
		return cli_usage_error("--min-percent must be a number from 0 to 100, not '%s'",
				       text);
	request->query.least_percent = percent;
	return CLI_ANSWERED;
}

static enum cli_status take_option(void *context, enum cli_option option, char *argument)
{
	struct request *request = context;
	enum cli_status status;
	unsigned long number;

	if (option == CLI_OPTION_HTML) // a different page from those of reports
		return take_output(request, IC_PROFILE_PAGE, argument);
	if (cli_files_take(&request->files, option, argument, &status) ||
	    cli_report_take(&request->report, option, argument, &status))
		return status;
	switch (option) {
	case CLI_OPTION_BY:
	case CLI_OPTION_CALLERS:
	case CLI_OPTION_CALLEES: return take_question(request, option, argument);
	case CLI_OPTION_EVENT: request->event = argument; return CLI_ANSWERED;
	case CLI_OPTION_FOLDED: return take_output(request, IC_PROFILE_FOLDED, "-");
	case CLI_OPTION_PPROF: return take_output(request, IC_PROFILE_PPROF, argument);
	case CLI_OPTION_SPEEDSCOPE: return take_output(request, IC_PROFILE_SPEEDSCOPE, argument);
	case CLI_OPTION_FIREFOX:
		request->profile.keep_times = true;
		return take_output(request, IC_PROFILE_FIREFOX, argument);
	case CLI_OPTION_MIN_PERCENT: return take_percent(request, argument);
	case CLI_OPTION_SYSROOT: request->profile.sysroot = argument; return CLI_ANSWERED;
	case CLI_OPTION_LIMIT:
		if (!cli_parse_limit(argument, 1, &number))
			return CLI_USAGE;
		request->query.limit = number;
		request->has_limit = true;
		return CLI_ANSWERED;
	case CLI_OPTION_JOBS: return cli_take_jobs(argument, &request->jobs);
	default: return cli_hint_at_help();
	}
}

static const char *event_name(const struct ic_profile_event *event)
{
	return event->name ? event->name : "an unnamed event";
}

// Prints which events have samples, except the chosen one.
static void print_others(const struct request *request, const struct ic_profile *profile,
			 const char *path, bool is_chosen)
{
	struct ic_profile_event event;

	for (size_t i = 0; ic_profile_event_get(profile, i, &event); i++)
		if (event.samples > 0 && !(is_chosen && i == request->query.event))
			cli_complain("%s: also has %" PRIu64 " samples of %s; see --event", path,
				     event.samples, event_name(&event));
}

// Finds the wanted event. Prints an error and returns false on failure.
static bool choose_event(struct request *request, const struct ic_profile *profile,
			 const char *path)
{
	struct ic_profile_event event;
	bool found = false;

	for (size_t i = 0; !found && ic_profile_event_get(profile, i, &event); i++) {
		request->query.event = i;
		found = request->event ? event.name && strcmp(event.name, request->event) == 0
				       : event.samples > 0;
	}
	if (!found)
		cli_complain(request->event ? "%s: no event named '%s'" : "%s: no samples%s", path,
			     request->event ? request->event : "");
	if (!found || !request->event)
		print_others(request, profile, path, found);
	return found;
}

// Prints problems of the recording and of files.
static void print_problems(struct request *request, struct ic_profile *profile, const char *path)
{
	struct ic_index_problem problem;

	for (size_t i = 0; ic_profile_problem_get(profile, i, &problem); i++)
		request->incomplete |= cli_files_print_problem(&problem, path);
	if (ic_profile_lost(profile) > 0)
		cli_complain("%s: perf lost %" PRIu64
			     " records because it could not write fast enough",
			     path, ic_profile_lost(profile));
	request->incomplete |= ic_profile_lost(profile) > 0;
}

// Prints problems of an event's samples.
static void print_gaps(struct request *request, const struct ic_profile *profile, const char *path)
{
	struct ic_profile_event event;

	ic_profile_event_get(profile, request->query.event, &event);
	if (event.without_stack > 0)
		cli_complain("%s: %" PRIu64
			     " samples not counted: their stacks exceed the memory limit",
			     path, event.without_stack);
	if (event.cut_stacks > 0)
		cli_complain("%s: %" PRIu64 " of %" PRIu64
			     " stacks lack outer frames: they were not fully copied, or cannot be "
			     "unwound further",
			     path, event.cut_stacks, event.samples);
	bool is_full = event.weight == UINT64_MAX || event.samples == UINT64_MAX;
	if (is_full)
		cli_complain("%s: the sums overflow", path);
	request->incomplete |= event.without_stack > 0 || is_full;
}

// Names the files without debug information: those with at least one percent of all samples, of
// which at least half are in code that nothing describes. A few functions in assembly do not count.
static void print_no_debug(const struct request *request, const struct ic_profile *profile,
			   const char *path)
{
	const struct ic_profile_query by_file = { .by = IC_PROFILE_BY_FILE,
						  .event = request->query.event };
	struct ic_profile_groups *groups = ic_profile_groups_find(profile, &by_file, NULL);
	struct ic_profile_group group;
	struct ic_profile_event event;
	char names[1024] = "";
	size_t used = 0, more = 0;

	if (!groups)
		return;
	ic_profile_groups_event(groups, &event);
	for (size_t i = 0; ic_profile_groups_get(groups, i, &group); i++) {
		double percent = 100.0 * (double)group.self_no_debug / (double)event.weight;
		if (!(percent >= 1) || group.self_no_debug < group.self / 2)
			continue;
		size_t room = sizeof(names) - used;
		int length = snprintf(names + used, room, "%s%s (%.1f%%)", used > 0 ? ", " : "",
				      group.file, percent);
		if (length > 0 && (size_t)length < room)
			used += (size_t)length;
		else
			more++;
		names[used] = '\0';
	}
	ic_profile_groups_free(groups);
	if (used + more > 0)
		cli_complain(
			"%s: no debug information for %s%s: inlined functions are unknown there",
			path, names,
			more == 0  ? ""
			: used > 0 ? " and others"
				   : "some files");
}

// Prints an error and returns false on failure.
static bool write_output(const struct request *request, const struct ic_profile *profile,
			 const struct output *output)
{
	struct cli_output_file file = { .stream = stdout };
	bool is_file = strcmp(output->path, "-") != 0;
	struct ic_error err;

	if (is_file && !cli_output_file_open(&file, output->path, NULL))
		return false;
	bool ok = ic_profile_write(profile, output->form, request->query.event, file.stream, &err);
	if (!ok && err.code != IC_ERROR_SYSTEM)
		cli_complain("%s", err.message);
	else if (!ok && !is_file)
		cli_write_failed(err.os_error, err.message);
	// A system error about a file is printed when that is closed.
	return is_file ? cli_output_files_close(&file, 1, ok || err.code == IC_ERROR_SYSTEM) : ok;
}

static enum cli_status write_outputs(const struct request *request,
				     const struct ic_profile *profile)
{
	enum cli_status status = CLI_ANSWERED;

	for (size_t i = 0; i < request->output_count; i++)
		if (!write_output(request, profile, &request->outputs[i]))
			status = CLI_INCOMPLETE;
	return status;
}

static enum cli_status print_groups(struct request *request, struct ic_profile *profile)
{
	struct ic_profile_event event;
	struct ic_error err;

	if (request->output_count > 0)
		return write_outputs(request, profile);
	ic_profile_event_get(profile, request->query.event, &event);
	struct ic_profile_groups *groups = ic_profile_groups_find(profile, &request->query, &err);
	if (!groups) {
		cli_complain("%s", err.message);
		return err.code == IC_ERROR_NOT_FOUND ? CLI_NOTHING : CLI_INCOMPLETE;
	}
	bool is_open = cli_report_open(&request->report, IC_ROWS_PROFILE);
	if (is_open) {
		cli_report_print(&request->report,
				 ic_rows_of_profile(groups, &request->report.rows, &err), &err);
		cli_report_close(&request->report);
	}
	ic_profile_groups_free(groups);
	return !is_open ? CLI_INCOMPLETE : event.samples > 0 ? CLI_ANSWERED : CLI_NOTHING;
}

// Reads a profile. Standard input, or the pipe of a shell's process substitution, is read as it
// comes.
static bool read_profile(struct ic_profile *profile, const char *path, struct ic_error *err)
{
	struct stat st;
	bool is_input = strcmp(path, "-") == 0;

	if (!is_input && (stat(path, &st) != 0 || !S_ISFIFO(st.st_mode)))
		return ic_profile_read(profile, path, err);
	int fd = is_input ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0) {
		*err = (struct ic_error){ .code = IC_ERROR_SYSTEM, .os_error = errno };
		snprintf(err->message, sizeof(err->message), "%s: cannot open: %s", path,
			 strerror(errno));
		return false;
	}
	bool ok = ic_profile_read_fd(profile, fd, is_input ? "standard input" : path, err);
	if (!is_input)
		close(fd);
	return ok;
}

static enum cli_status answer_file(struct request *request, struct ic_modules *modules,
				   const char *path)
{
	struct ic_error err;
	struct ic_profile *profile = ic_profile_new(modules, &request->profile, &err);
	enum cli_status status = CLI_INCOMPLETE;

	if (!profile || !read_profile(profile, path, &err)) {
		cli_complain("%s", err.message);
		ic_profile_free(profile);
		return CLI_INCOMPLETE;
	}
	if (!choose_event(request, profile, path)) {
		status = request->event ? CLI_USAGE : CLI_NOTHING;
	} else {
		cli_progress_begin(&request->progress, path);
		bool ok = ic_profile_resolve(profile, &err);
		cli_progress_end(&request->progress);
		if (ok)
			status = print_groups(request, profile);
		else
			cli_complain("%s", err.message);
		print_gaps(request, profile, path);
		if (ok)
			print_no_debug(request, profile, path);
	}
	print_problems(request, profile, path);
	ic_profile_free(profile);
	return request->incomplete && status != CLI_USAGE ? CLI_INCOMPLETE : status;
}

static enum cli_status answer_with_modules(struct request *request, const char *path)
{
	struct ic_modules_options options = {
		.image = request->files.image,
		.symbolizer = { .jobs = request->jobs,
				.display_names = true,
				.display_style = IC_DEMANGLE_NAME,
				.progress = cli_progress_show,
				.progress_context = &request->progress },
	};
	struct ic_error err;
	enum cli_status status = CLI_INCOMPLETE;

	options.image.allow_no_debug = true;
	struct ic_modules *modules = ic_modules_new(&options, &err);
	if (modules)
		status = answer_file(request, modules, path);
	else
		cli_complain("%s", err.message);
	ic_modules_free(modules);
	return status;
}

static enum cli_status check_outputs(const struct request *request, const char *path)
{
	if (request->output_count == 0)
		return CLI_ANSWERED;
	if (request->has_by || request->has_limit || request->query.least_percent > 0 ||
	    request->report.options.format != IC_REPORT_TEXT)
		return cli_usage_error("--folded, --pprof and similar formats contain all stacks, "
				       "so options that select or format rows have no effect");
	for (size_t i = 0; i < request->output_count; i++)
		if (strcmp(path, "-") != 0 && cli_output_is(request->outputs[i].path, path))
			return cli_usage_error("the output would overwrite %s", path);
	if (isatty(STDOUT_FILENO))
		for (size_t i = 0; i < request->output_count; i++)
			if (request->outputs[i].form == IC_PROFILE_PPROF &&
			    strcmp(request->outputs[i].path, "-") == 0)
				return cli_usage_error("--pprof writes binary data, which cannot "
						       "be written to a terminal");
	return CLI_ANSWERED;
}

// Adds the directories with another machine's files, and those in which perf keeps copies of
// recorded files.
static bool add_debug_dirs(struct request *request)
{
	const char *home = getenv("HOME"), *sysroot = request->profile.sysroot;

	return (!sysroot || cli_files_add_debug_dir(&request->files, sysroot, "/usr/lib/debug")) &&
	       (!home || cli_files_add_debug_dir(&request->files, home, "/.debug"));
}

static enum cli_status run_profile(int argc, char **argv)
{
	struct request request = { .report = { .rows = { .demangle = true } } };
	enum cli_status status;

	cli_files_init(&request.files);
	request.report.options.colors = cli_use_colors("auto");
	if (!cli_options_read(&cli_command_profile, argc, argv, take_option, &request, &status))
		return status;
	if (argc - optind > 1)
		return cli_usage_error("more than one FILE given");
	status = check_outputs(&request, optind < argc ? argv[optind] : "perf.data");
	if (status != CLI_ANSWERED)
		return status;
	if (!request.has_limit && request.report.options.format == IC_REPORT_TEXT)
		request.query.limit = DEFAULT_LIMIT;
	status = cli_files_begin(&request.files);
	if (status != CLI_ANSWERED)
		return status;
	status = CLI_INCOMPLETE;
	if (add_debug_dirs(&request))
		status = answer_with_modules(&request, optind < argc ? argv[optind] : "perf.data");
	cli_files_end(&request.files);
	return status;
}

const struct cli_command cli_command_profile = {
	.name = "profile",
	.usage = usage,
	.which = "What is counted",
	.run = run_profile,
};
