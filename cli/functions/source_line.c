#include "functions/source_line.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Whether the first `length` characters end with a line.
static bool has_line(const char *text, size_t length)
{
	size_t digits = length;

	while (digits > 0 && text[digits - 1] >= '0' && text[digits - 1] <= '9')
		digits--;
	return digits < length && digits > 1 && text[digits - 1] == ':';
}

enum cli_status cli_source_line_take(struct cli_source_line *line, char *argument)
{
	char *colon = strrchr(argument, ':'), *stop = NULL;

	if (line->source)
		return cli_usage_error("--line can be given only once");
	while (strncmp(argument, "./", 2) == 0)
		argument += 2;
	errno = 0;
	unsigned long number = colon > argument && colon[1] >= '0' && colon[1] <= '9'
				       ? strtoul(colon + 1, &stop, 10)
				       : 0;
	if (number == 0 || number > UINT32_MAX || errno != 0 || *stop)
		return cli_usage_error("--line expects SOURCE:LINE, not '%s'", argument);
	if (has_line(argument, (size_t)(colon - argument)))
		return cli_usage_error("--line expects SOURCE:LINE without a column, not '%s'",
				       argument);
	*colon = 0;
	line->source = argument;
	line->line = (uint32_t)number;
	return CLI_ANSWERED;
}

enum cli_status cli_source_line_check(const struct cli_answers *answers, const char *own)
{
	const char *other = answers->query.match == IC_MATCH_GLOB    ? "-g"
			    : answers->query.match == IC_MATCH_REGEX ? "-r"
			    : answers->name_count > 0                ? "--function"
			    : answers->host_count > 0                ? "--in"
			    : answers->query.call_file_glob          ? "-f"
			    : !answers->query.out_of_line            ? "--only-inlined"
								     : own;

	return other ? cli_usage_error("--line selects all code of a line, so %s has no effect",
				       other)
		     : CLI_ANSWERED;
}

void cli_source_line_explain(struct cli_source_line *line, const struct ic_lines *lines)
{
	const char *source = line->source;
	unsigned next = ic_lines_next(lines), number = line->line;
	int length;

	free(line->why_none);
	if (!ic_lines_has_file(lines))
		length = asprintf(&line->why_none, "no code from a source file named '%s'", source);
	else if (ic_lines_count(lines) > 0)
		length = asprintf(&line->why_none, "no breakpoint location at %s:%u", source,
				  number);
	else if (next > 0)
		length = asprintf(&line->why_none,
				  "no code at %s:%u; the next line with code is %u", source, number,
				  next);
	else
		length = asprintf(&line->why_none, "no code at %s:%u or after it", source, number);
	if (length < 0)
		line->why_none = NULL;
}

void cli_source_line_complain(const struct cli_source_line *line, const char *path)
{
	cli_complain("%s: %s", path, line->why_none ? line->why_none : "no code");
}

void cli_source_line_free(struct cli_source_line *line)
{
	free(line->why_none);
}
