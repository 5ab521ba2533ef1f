// The first statement of an instance, as the line table has it.
#ifndef CODE_ENTRIES_FIRST_STATEMENT_H
#define CODE_ENTRIES_FIRST_STATEMENT_H

#include "code/flow/host_code.h"

// Where the instance that was chosen is entered, by DWARF; the start of the first range of what is
// out of line.
uint64_t ic_first_statement_start(const struct ic_host_code *code);

// Its row; NULL if it is not near to that start. Rows before the declarator there are the caller's,
// as is code that is mixed with it. Code of a copy that was moved can be before its entry. Of one
// out of line the first row is where the body begins. With -flto GCC marks no statements: then it
// is the first other row. read/entries.c keeps those rows that have its position.
const struct ic_entry_row *ic_first_statement_find(const struct ic_host_code *code);

// Whether two rows have the same position in the source.
bool ic_entry_row_is_same_place(const struct ic_entry_row *a, const struct ic_entry_row *b);

#endif
