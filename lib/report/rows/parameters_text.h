// The parameters of a copy or of a frame as text, below its lines (docs/formats/text.md).
#ifndef REPORT_ROWS_PARAMETERS_TEXT_H
#define REPORT_ROWS_PARAMETERS_TEXT_H

#include "base/output.h"

#include <inlinecall/extra/rows.h>

struct ic_parameters_shown {
	const struct ic_row_parameter *params; // NULL if the debug information describes none
	size_t count;
	bool variadic, has_lists;
	const char *section; // of the row
	uint64_t addr;       // that the arguments are at, as the row has its addresses
};

// One line for all of them; with their lists, one for each and one for each entry.
void ic_parameters_write(struct ic_output *output, const struct ic_parameters_shown *shown);

#endif
