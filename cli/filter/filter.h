// inlinecall addr --filter: adds to a text the inlined frames at the places it mentions.
#ifndef CLI_FILTER_FILTER_H
#define CLI_FILTER_FILTER_H

#include "base/report.h"
#include "filter/files.h"

struct cli_filter_options {
	bool return_addresses;
	bool as_perf;        // add lines in perf script's format, before that of the host
	bool open_none;      // use only the given files
	const char *sysroot; // the directory that files named by the text are below; NULL for none
	struct ic_symbolizer_options symbolizer;
	struct cli_report report; // not open
};

// Copies standard input to standard output. After a line that mentions a place in one of the files,
// adds a line for each frame there; with `as_perf`, adds before each line of perf script a line for
// each inlined frame.
enum cli_status cli_filter(char *const *paths, size_t count, struct cli_files *opening,
			   struct cli_running *running, const struct cli_filter_options *options);

#endif
