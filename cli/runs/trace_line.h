// Tracing a source line: its places in all copies of the functions that contain it.
#ifndef CLI_RUNS_TRACE_LINE_H
#define CLI_RUNS_TRACE_LINE_H

#include "functions/source_line.h"

struct cli_line_place {       // where the line begins
	const char *function; // the linkage name or, if it has none, the name
	size_t depth;         // number of functions around this one: 0 if it is not inlined
	uint64_t addr;
	const char *file;
	uint32_t line, column;
};

struct cli_trace_line { // zero-initialised
	struct cli_source_line line;
	// Of the file that is being traced; the names and paths are those of the symbolizer.
	struct ic_symbolizer *symbolizer;
	struct ic_lines *lines;
	struct cli_line_place *places;
	size_t place_count;
	size_t stray_count;     // places of which the function is unknown
	const char **functions; // of the places, terminated by NULL
	size_t function_count;
	struct ic_trace_point *points;
	size_t point_count;
};

// Looks for the places of the line in an image. False if part of it could not be read, which has
// been reported.
bool cli_trace_line_look(struct cli_trace_line *line, struct ic_image *image);

// Finds the sites that the places are in, which sets the points. False if memory runs out, which
// has been reported.
bool cli_trace_line_join(struct cli_trace_line *line, const struct ic_sites *sites);

// Prints to standard error how many places are not traced. Returns whether there are any.
bool cli_trace_line_complain(const struct cli_trace_line *line, const char *path);

// Frees what was found in a file.
void cli_trace_line_forget(struct cli_trace_line *line);

void cli_trace_line_free(struct cli_trace_line *line);

#endif
