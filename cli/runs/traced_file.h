// A file that is traced.
#ifndef CLI_RUNS_TRACED_FILE_H
#define CLI_RUNS_TRACED_FILE_H

#include "runs/trace_line.h"

struct cli_trace_request;

struct cli_traced_file {
	struct cli_open_file file;
	struct cli_trace_line line;     // its places, if a line is traced
	struct ic_placement *placement; // of a kernel or module; otherwise NULL
	struct ic_sites *sites;
	char *path; // of the file that processes execute
	struct ic_trace *trace;
	struct ic_rows *rows; // of its calls; NULL before the first
	struct ic_row next;   // a call that was not printed yet
	bool has_next;
	unsigned long long lost; // calls, as far as that was said
};

// For cli_answers::answer of a request: prepares the trace of a file, and keeps the file open if it
// has code to trace.
bool cli_traced_file_answer(struct cli_answers *answers, const struct ic_index *index,
			    struct ic_error *err);

// Makes its rows those of the report.
void cli_traced_file_report(struct cli_trace_request *request,
			    const struct cli_traced_file *traced);

// Gets its next call, unless it has one already. Returns whether it is before `time`.
bool cli_traced_file_next(struct cli_trace_request *request, struct cli_traced_file *traced,
			  uint64_t time);

// Says how many copies are traced.
void cli_traced_file_say_start(const struct cli_trace_request *request,
			       const struct cli_traced_file *traced);

// Prints what is missing of its calls. Returns whether anything is.
bool cli_traced_file_complain(struct cli_trace_request *request, struct cli_traced_file *traced);

// Closes it. Returns whether a problem of its parameters was reported.
bool cli_traced_file_close(struct cli_traced_file *traced);

#endif
