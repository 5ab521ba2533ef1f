// --line=SOURCE:LINE, which selects code of a source line instead of copies of a function.
#ifndef CLI_FUNCTIONS_SOURCE_LINE_H
#define CLI_FUNCTIONS_SOURCE_LINE_H

#include "functions/answers.h"

struct cli_source_line { // zero-initialised
	char *source;    // NULL if the option is not used
	uint32_t line;
	char *why_none; // why the line has no code in the last file; owned
};

// Takes the option's argument, and keeps it.
enum cli_status cli_source_line_take(struct cli_source_line *line, char *argument);

// Rejects options that select copies of functions, and an option of the command's own, if it is not
// NULL.
enum cli_status cli_source_line_check(const struct cli_answers *answers, const char *own);

// Notes why there are no places to stop at.
void cli_source_line_explain(struct cli_source_line *line, const struct ic_lines *lines);

// Prints that to standard error.
void cli_source_line_complain(const struct cli_source_line *line, const char *path);

void cli_source_line_free(struct cli_source_line *line);

#endif
