// Shared by the text formats of all reports: how functions, positions and addresses are written.
#ifndef REPORT_ROWS_WORDS_H
#define REPORT_ROWS_WORDS_H

#include "base/output.h"

#include <inlinecall/extra/change_row.h>

// A function with its parameters, or with "()" if the name has none; "??()" if unknown.
void ic_words_function(struct ic_output *output, const char *name);

// The symbol of out-of-line code, if it differs from the function's, as for a clone, to tell
// several apart: "f.constprop.0". Otherwise NULL. All may be NULL.
const char *ic_words_other_symbol(const char *name, const char *linkage_name, const char *symbol);

// "a.c:7"; "??:0" if unknown.
void ic_words_position(struct ic_output *output, const char *file, uint32_t line);

// The same with the column, if it is known: "a.c:7:3".
void ic_words_place(struct ic_output *output, const char *file, uint32_t line, uint32_t column);

// A number and a tab, right-aligned in seven characters unless it is longer, as in size(1).
// UINT64_MAX stands for an unknown number: "?".
void ic_words_number(struct ic_output *output, uint64_t number);

// The same for a signed number, with `plus` before one above 0.
void ic_words_signed(struct ic_output *output, int64_t number, const char *plus);

// "0x2a", or ".text+0x2a" if there is a section.
void ic_words_address(struct ic_output *output, const char *section, uint64_t addr);

// The word for how far a function was inlined, in all rows that have one; NULL if unknown.
const char *ic_inlined_word(enum ic_inlined inlined);

// Where a changed function is declared: in the new build, or else in the old one. Returns the path,
// NULL if unknown.
const char *ic_words_change_position(const struct ic_change_row *row, uint32_t *line);

// The colours of the parts of a line on a terminal.
#define IC_PAINT_HEADING "\033[35m"
#define IC_PAINT_ADDRESS "\033[32m"
#define IC_PAINT_CALLER  "\033[1m"

void ic_words_begin_paint(struct ic_output *output, bool colors, const char *paint);
void ic_words_end_paint(struct ic_output *output, bool colors);

#endif
