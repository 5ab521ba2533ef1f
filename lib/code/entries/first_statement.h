// The first statement of an instance, from the line table.
#ifndef CODE_ENTRIES_FIRST_STATEMENT_H
#define CODE_ENTRIES_FIRST_STATEMENT_H

#include "code/flow/host_code.h"

// The entry address of the chosen instance according to DWARF; for an out-of-line one, the start of
// its first range.
uint64_t ic_first_statement_start(const struct ic_host_code *code);

// The row of its first statement; NULL if there is none near that start. Rows there that precede
// the declarator belong to the caller, as does code mixed with the copy's. A copy's code can be
// moved before its entry. For an out-of-line instance, the first row is where the body starts. With
// -flto GCC marks no statements: the result is then the first other row. read/entries.c keeps the
// rows with the same position as this one.
const struct ic_entry_row *ic_first_statement_find(const struct ic_host_code *code);

// Whether two rows have the same source position.
bool ic_entry_row_is_same_place(const struct ic_entry_row *a, const struct ic_entry_row *b);

#endif
