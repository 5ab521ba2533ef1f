#include "runs/trace_request.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { STACK_BYTES = 8192, MOST_STACK_BYTES = 32768 };

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

static enum cli_status take_buffer(struct cli_trace_request *request, const char *argument)
{
	size_t count = 0;

	while (request->buffers[count])
		count++;
	if (count == CLI_TRACE_MOST_BUFFERS)
		return cli_usage_error("--bytes can be given at most %d times",
				       CLI_TRACE_MOST_BUFFERS);
	request->buffers[count] = argument;
	request->options.buffers = request->buffers;
	return CLI_ANSWERED;
}

enum cli_status cli_trace_take_option(void *context, enum cli_option option, char *argument)
{
	struct cli_trace_request *request = context;
	struct cli_answers *answers = &request->answers;
	enum cli_status status;
	unsigned long number = 0;

	if (cli_running_take(&request->running, option, argument, &status) ||
	    cli_trace_table_take(&request->table, option, argument, &status))
		return status;
	switch (option) {
	case CLI_OPTION_PID: return take_number(argument, "--pid", INT32_MAX, &request->pid);
	case CLI_OPTION_LIMIT:
		if (!cli_parse_limit(argument, 1, &number))
			return CLI_USAGE;
		request->table.limit = number;
		request->most = number == CLI_NO_LIMIT ? 0 : number;
		break;
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

bool cli_trace_is_of_line(const struct cli_trace_request *request)
{
	return request->line.line.source != NULL;
}

bool cli_trace_needs_function(const struct cli_trace_request *request)
{
	return request->answers.name_count == 0 && !cli_trace_is_of_line(request);
}

const char *cli_trace_fault(const struct cli_trace_request *request, int operands)
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
	if (request->table.interval > 0 && operands > (cli_trace_needs_function(request) ? 2 : 1))
		return "--interval can be used with only one FILE; put COMMAND after --";
	if (request->options.stack_size && request->answers.report.options.format == IC_REPORT_CSV)
		return "--stack cannot be used with --csv; use --json";
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

enum cli_status cli_trace_ask_for_members(struct cli_trace_request *request)
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
