#include "runs/traced_file.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "runs/trace_losses.h"
#include "runs/trace_request.h"

// With -k, finds where the file is loaded. Returns false after an error message.
static bool place_file(struct cli_trace_request *request, struct cli_traced_file *traced)
{
	struct cli_answers *answers = &request->answers;

	if (!cli_running_is_given(&request->running))
		return true;
	traced->placement =
		cli_running_find(&request->running, answers->now.file.image, answers->index.jobs);
	answers->now.incomplete |= !traced->placement;
	return traced->placement;
}

// Finds the places to trace of the selected sites. Returns false on failure.
static bool find_places(struct cli_trace_request *request, struct cli_traced_file *traced,
			const struct ic_index *index, struct ic_error *err)
{
	struct cli_answers *answers = &request->answers;

	if (!cli_trace_is_of_line(request)) {
		bool ok = cli_answers_find_entries(answers, index, traced->sites, err);
		request->options.entries = answers->now.file.entries;
		return ok;
	}
	traced->line = request->line;
	request->line = (struct cli_trace_line){ .line = traced->line.line };
	answers->now.incomplete |=
		!cli_trace_line_join(&traced->line, traced->sites) ||
		cli_trace_line_complain(&traced->line, answers->report.rows.file);
	request->options.points = traced->line.points;
	request->options.point_count = traced->line.point_count;
	return true;
}

// A member that no argument has is an error, unless there are no arguments at all.
static bool know_members(const struct cli_trace_request *request, struct ic_trace *trace,
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

static bool make_trace(struct cli_trace_request *request, struct cli_traced_file *traced,
		       const struct ic_index *index, struct ic_error *err)
{
	struct cli_answers *answers = &request->answers;
	struct ic_trace_options *options = &request->options;

	traced->sites = ic_sites_find(index, &answers->query, err);
	if (!traced->sites || !find_places(request, traced, index, err))
		return false;
	// The kernel follows this link also if the file was deleted or replaced.
	traced->path = *request->exe ? strdup(request->exe)
				     : realpath(answers->report.rows.file, NULL);
	options->path = traced->path;
	options->placement = traced->placement;
	options->exits = request->exits ? ic_exits_open(answers->now.file.image, index, err) : NULL;
	if (!request->exits || options->exits)
		traced->trace = ic_trace_new(answers->now.file.image, traced->sites,
					     answers->report.rows.parameters, options, err);
	ic_exits_free(options->exits);
	options->exits = NULL; // these are of this file
	options->entries = NULL;
	options->points = NULL;
	options->placement = NULL;
	return traced->trace && know_members(request, traced->trace, err);
}

static bool is_same_file(const char *left, const char *right)
{
	struct stat a, b;

	return stat(left, &a) == 0 && stat(right, &b) == 0 && a.st_dev == b.st_dev &&
	       a.st_ino == b.st_ino;
}

// The same file twice is a forgotten "--".
static bool check_twice(const struct cli_trace_request *request, struct ic_error *err)
{
	const char *path = request->answers.report.rows.file;

	for (size_t i = 0; i < request->file_count; i++) {
		if (!is_same_file(request->files[i].path, path))
			continue;
		err->code = IC_ERROR_ARGUMENT;
		snprintf(err->message, sizeof(err->message),
			 "%s is given twice; put COMMAND after --", path);
		return false;
	}
	return true;
}

bool cli_traced_file_answer(struct cli_answers *answers, const struct ic_index *index,
			    struct ic_error *err)
{
	struct cli_trace_request *request = (struct cli_trace_request *)answers;
	struct cli_traced_file traced = { .path = NULL };
	struct ic_trace_copy copy;

	if (!check_twice(request, err))
		return false;
	bool is_placed = place_file(request, &traced);
	bool ok = !is_placed || make_trace(request, &traced, index, err);
	if (!ok || !is_placed || !ic_trace_copy_get(traced.trace, 0, &copy)) {
		cli_traced_file_close(&traced);
		// Another file may have what this one lacks.
		bool is_of_file = !ok && answers->now.several_files &&
				  err->code == IC_ERROR_ARGUMENT;
		if (is_of_file)
			cli_complain("%s: not traced: %s", answers->report.rows.file, err->message);
		answers->now.incomplete |= is_of_file;
		return ok || is_of_file;
	}
	struct cli_traced_file *files =
		realloc(request->files, (request->file_count + 1) * sizeof(*files));
	if (!files) {
		cli_traced_file_close(&traced);
		err->code = IC_ERROR_MEMORY;
		snprintf(err->message, sizeof(err->message), "out of memory");
		return false;
	}
	answers->now.found = true;
	cli_answers_keep(answers, &traced.file);
	request->files = files;
	files[request->file_count++] = traced;
	return true;
}

void cli_traced_file_report(struct cli_trace_request *request, const struct cli_traced_file *traced)
{
	struct ic_row_options *rows = &request->answers.report.rows;

	rows->file = ic_image_path(traced->file.image);
	rows->entries = traced->file.entries;
	rows->parameters = traced->file.reader.parameters;
}

bool cli_traced_file_next(struct cli_trace_request *request, struct cli_traced_file *traced,
			  uint64_t time)
{
	struct ic_error err = { .code = IC_ERROR_NONE };

	cli_traced_file_report(request, traced);
	if (!traced->rows)
		traced->rows = ic_rows_of_hits(traced->trace, request->modules,
					       &request->answers.report.rows, &err);
	// The first time, rows may only pause.
	for (int i = 0; traced->rows && !traced->has_next && i < 2; i++)
		traced->has_next = ic_rows_next(traced->rows, &traced->next, &err);
	if (err.code != IC_ERROR_NONE)
		cli_write_failed(err.os_error, err.message);
	return traced->has_next && traced->next.hit->time < time;
}

void cli_traced_file_say_start(const struct cli_trace_request *request,
			       const struct cli_traced_file *traced)
{
	const char *path = ic_image_path(traced->file.image);
	struct ic_trace_copy copy;
	size_t count = 0;

	while (ic_trace_copy_get(traced->trace, count, &copy))
		count++;
	const char *what = cli_trace_is_of_line(request) ? count == 1 ? "place is" : "places are"
			   : count == 1                  ? "copy is"
							 : "copies are";
	if (!request->command && request->duration > 0)
		cli_complain("%s: %zu %s traced for %g s", path, count, what, request->duration);
	else if (!request->command)
		cli_complain("%s: %zu %s traced until Ctrl-C", path, count, what);
}

bool cli_traced_file_complain(struct cli_trace_request *request, struct cli_traced_file *traced)
{
	const char *path = ic_image_path(traced->file.image);
	const char *hint = request->options.filter         ? "that meet --where"
			   : cli_trace_is_of_line(request) ? "seen: the line was not executed"
			   : request->command && !traced->placement &&
					   !request->options.has_children
				   ? "seen; child processes of the command are not traced "
				     "without --children"
				   : "seen";
	bool any = cli_trace_complain_of_calls(traced->trace, path, hint, &request->has_hits);

	return (request->exits && cli_trace_complain_of_exits(traced->trace, path)) || any;
}

bool cli_traced_file_close(struct cli_traced_file *traced)
{
	ic_rows_free(traced->rows);
	ic_trace_free(traced->trace);
	cli_trace_line_forget(&traced->line);
	ic_placement_free(traced->placement);
	ic_sites_free(traced->sites);
	free(traced->path);
	return cli_open_file_close(&traced->file);
}
