// What `inlinecall trace` is asked for: its options, and which of them go together.
#ifndef CLI_RUNS_TRACE_REQUEST_H
#define CLI_RUNS_TRACE_REQUEST_H

#include <time.h>

#include "base/running_kernel.h"
#include "functions/answers.h"
#include "runs/trace_line.h"
#include "runs/trace_table.h"

struct cli_traced_file;

enum { CLI_TRACE_MOST_BUFFERS = 16 };

struct cli_trace_request {
	struct cli_answers answers; // first member: its functions cast it back to the request
	struct ic_trace_options options;
	struct cli_running running; // the kernel, if that is traced
	struct cli_trace_line line; // traced instead of functions
	char **command;             // ends with NULL; NULL for none
	unsigned long pid, most;
	int process;     // of the pid, if there is one; see pidfd_open(2)
	double duration; // in seconds; 0 for no limit
	const char *buffers[CLI_TRACE_MOST_BUFFERS + 1];
	const char *output;            // written instead of standard output; NULL for none
	bool has_color;                // --color says whether to use colours
	char exe[32];                  // the file that a process executes, if none is given
	bool exits;                    // trace each copy until control leaves it
	struct cli_trace_table table;  // printed instead of the calls
	char *members;                 // owned: all members requested
	struct cli_traced_file *files; // what is traced
	size_t file_count;
	struct ic_modules *modules;   // for stacks
	struct cli_progress progress; // while probes are being set
	struct timespec began;        // when that began
	bool has_hits;
};

// Takes one option; `context` is the request.
enum cli_status cli_trace_take_option(void *context, enum cli_option option, char *argument);

// Whether a source line is traced instead of functions.
bool cli_trace_is_of_line(const struct cli_trace_request *request);

// Whether the first operand is FUNCTION.
bool cli_trace_needs_function(const struct cli_trace_request *request);

// Why the options do not go together, or with this number of operands; NULL if they do.
const char *cli_trace_fault(const struct cli_trace_request *request, int operands);

// Requests the members that the options name, too; they are owned by the request.
enum cli_status cli_trace_ask_for_members(struct cli_trace_request *request);

#endif
