// The parameters of a copy or frame as text, below its lines (docs/formats/text.md).
#ifndef REPORT_ROWS_PARAMETERS_TEXT_H
#define REPORT_ROWS_PARAMETERS_TEXT_H

#include "base/output.h"

#include <inlinecall/extra/rows.h>

struct ic_parameters_shown {
	// NULL if the debug information does not describe them.
	const struct ic_row_parameter *params;
	size_t count;
	bool variadic, has_lists;
	const char *section; // of the row
	uint64_t addr;       // where the arguments are, as an address like those in the row
};

// Writes one line for all; if they have lists, one for each, and one for each entry.
void ic_parameters_write(struct ic_output *output, const struct ic_parameters_shown *shown);

#endif
