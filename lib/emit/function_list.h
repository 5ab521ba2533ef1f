// The functions of a file by address, for formats that have a record for each.
#ifndef EMIT_FUNCTION_LIST_H
#define EMIT_FUNCTION_LIST_H

#include "emit/out.h"
#include "model/index.h"

struct ic_listed_function { // one piece of its code
	struct ic_range range;
	uint32_t off, size; // of its record
	uint32_t copies;    // of other functions, in the record
};

struct ic_function_list { // empty if zero-initialised
	struct ic_out records;
	IC_ARRAY(struct ic_listed_function) items;
	bool failed; // memory ran out
};

// Adds a function whose record is from `off` to the end of the records, and has `copies`.
void ic_function_list_add(struct ic_function_list *list, struct ic_range range, uint32_t off,
			  uint32_t copies);

// Sorts the functions by address, and removes all but the largest record of several with the same
// range, which the linker merged.
void ic_function_list_sort(struct ic_function_list *list);

// The sum of all copies.
uint64_t ic_function_list_copies(const struct ic_function_list *list);

// Whether a sorted function covers an address. Time: O(log n).
bool ic_function_list_covers(const struct ic_function_list *list, uint64_t addr);

void ic_function_list_free(struct ic_function_list *list);

struct ic_bare_symbols { // functions of the symbol table that no listed function covers
	const struct ic_function_list *list;
	IC_ARRAY(struct ic_symbol) items; // by address, one at each
	bool failed;
};

// Lists them. Those of unknown size end at the next function or symbol, or with their section.
void ic_bare_symbols_list(struct ic_bare_symbols *symbols, const struct ic_index *index);

#endif
