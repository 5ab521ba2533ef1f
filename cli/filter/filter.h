// inlinecall addr --filter: text with the inlined frames of the places that it mentions.
#ifndef CLI_FILTER_FILTER_H
#define CLI_FILTER_FILTER_H

#include "base/report.h"
#include "filter/files.h"

struct cli_filter_options {
	bool return_addresses;
	bool as_perf;        // add lines as perf script has them, before that of the host
	bool open_none;      // only the files that are given
	const char *sysroot; // below which those are that the text names; NULL for none
	struct ic_symbolizer_options symbolizer;
	struct cli_report report; // not open
};

// Copies standard input to standard output; after a line that mentions a place in one of the files,
// adds a line for each frame there, or, as perf, before a line of perf script's a line for each
// frame that was inlined.
enum cli_status cli_filter(char *const *paths, size_t count, struct cli_files *opening,
			   struct cli_running *running, const struct cli_filter_options *options);

#endif
