// How often something was seen in a table of inlined calls, and where first.
#ifndef CLI_BTF_TALLY_H
#define CLI_BTF_TALLY_H

#include "cli.h"

enum { CLI_BTF_MOST_EXAMPLES = 3 };

struct cli_btf_tally {
	unsigned long long count;
	uint64_t places[CLI_BTF_MOST_EXAMPLES]; // the first ones
};

void cli_btf_tally_add(struct cli_btf_tally *tally, uint64_t place);

// Prints a line, with the places if they are wanted.
void cli_btf_tally_print(const struct cli_btf_tally *tally, const char *text, bool has_places);

#endif
