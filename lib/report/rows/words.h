// What the text forms of all reports share: how functions, places and addresses are written.
#ifndef REPORT_ROWS_WORDS_H
#define REPORT_ROWS_WORDS_H

#include "base/output.h"

// A function with its parameters, or with "()" where the name has none; "??()" where unknown.
void ic_words_function(struct ic_output *output, const char *name);

// The symbol of code out of line if it is another one than that of the function, as a clone has, so
// that two of them are told apart: "f.constprop.0". Else NULL. All may be NULL.
const char *ic_words_other_symbol(const char *name, const char *linkage_name, const char *symbol);

// "a.c:7"; "??:0" where unknown.
void ic_words_position(struct ic_output *output, const char *file, uint32_t line);

// The same, and the column if it is known: "a.c:7:3".
void ic_words_place(struct ic_output *output, const char *file, uint32_t line, uint32_t column);

// A number with a tab after it, to the right of seven characters if it is not longer, as size(1)
// has them. UINT64_MAX is one that is not known: "?".
void ic_words_number(struct ic_output *output, uint64_t number);

// "0x2a", or ".text+0x2a" where there is a section.
void ic_words_address(struct ic_output *output, const char *section, uint64_t addr);

// What the pieces of a line look like on a terminal.
#define IC_PAINT_HEADING "\033[35m"
#define IC_PAINT_ADDRESS "\033[32m"
#define IC_PAINT_CALLER  "\033[1m"

void ic_words_begin_paint(struct ic_output *output, bool colors, const char *paint);
void ic_words_end_paint(struct ic_output *output, bool colors);

#endif
