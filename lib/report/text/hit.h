// Shared by the text formats of traced calls and of their counts.
#ifndef REPORT_TEXT_HIT_H
#define REPORT_TEXT_HIT_H

#include "report/text/texts.h"

#include <inlinecall/extra/traced_row.h>

// " < mid() b.c:7 < main() a.c:3": the copy's callers, with the position of each call. For an
// out-of-line copy " out of line, leaf.constprop.0", if that adds anything.
void ic_write_copy(struct ic_writer *writer, const char *function, const char *linkage_name,
		   const struct ic_row_copy *copy);

// "12.345 us"
void ic_write_microseconds(struct ic_output *output, uint64_t nanoseconds);

#endif
