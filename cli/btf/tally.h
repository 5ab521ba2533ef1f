// Counts how often something occurs in a table of inlined calls, and records where it occurs first.
#ifndef CLI_BTF_TALLY_H
#define CLI_BTF_TALLY_H

#include "base/report.h"

enum { CLI_BTF_MOST_EXAMPLES = 3 };

struct cli_btf_tally {
	uint64_t count;
	uint64_t places[CLI_BTF_MOST_EXAMPLES]; // the first ones
};

void cli_btf_tally_add(struct cli_btf_tally *tally, uint64_t place);

// Prints a row, with the positions if wanted. The report must be open, and be one of
// IC_ROWS_BTF_TALLIES.
void cli_btf_tally_print(struct cli_report *report, const char *of,
			 const struct cli_btf_tally *tally, const char *what, bool has_places);

// The same for a count without positions.
void cli_btf_count_print(struct cli_report *report, const char *of, uint64_t count,
			 const char *what);

#endif
