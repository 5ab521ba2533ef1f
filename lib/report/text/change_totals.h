// What changed in all functions, in words that text and Markdown share.
#ifndef REPORT_TEXT_CHANGE_TOTALS_H
#define REPORT_TEXT_CHANGE_TOTALS_H

#include "base/output.h"

#include <inlinecall/extra/change_row.h>

// "240 -> 240 bytes: -8 in copies and functions that came or went, +4 in others".
void ic_write_changed_code(struct ic_output *output, const struct ic_change_row *row);

// "5 -> 4: 1 outlined".
void ic_write_changed_copies(struct ic_output *output, const struct ic_change_row *row);

// "2 became readable, 1 unreadable", of arguments.
void ic_write_changed_arguments(struct ic_output *output, const struct ic_change_row *row);

// "2 functions, 1 of these only by a few bytes".
void ic_write_changed_functions(struct ic_output *output, const struct ic_change_row *row);

// "2 -> 0"; only one number if both are the same.
void ic_write_change(struct ic_output *output, uint64_t before, uint64_t after);

// The number with its sign.
void ic_write_signed(struct ic_output *output, int64_t number);

// The word for this many functions or groups.
const char *ic_change_noun(enum ic_comparison_by by, uint64_t count);

#endif
