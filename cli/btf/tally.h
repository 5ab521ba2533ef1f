// How often something was seen in a table of inlined calls, and where first.
#ifndef CLI_BTF_TALLY_H
#define CLI_BTF_TALLY_H

#include "base/report.h"

enum { CLI_BTF_MOST_EXAMPLES = 3 };

struct cli_btf_tally {
	uint64_t count;
	uint64_t places[CLI_BTF_MOST_EXAMPLES]; // the first ones
};

void cli_btf_tally_add(struct cli_btf_tally *tally, uint64_t place);

// Prints a row, with the places if they are wanted. The report is one of IC_ROWS_BTF_TALLIES, and
// is open.
void cli_btf_tally_print(struct cli_report *report, const char *of,
			 const struct cli_btf_tally *tally, const char *what, bool has_places);

// Likewise, of a count without places.
void cli_btf_count_print(struct cli_report *report, const char *of, uint64_t count,
			 const char *what);

#endif
