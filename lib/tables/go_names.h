// Finds functions of Go's table by name, in place of the symbols of a stripped program.
#ifndef TABLES_GO_NAMES_H
#define TABLES_GO_NAMES_H

#include "tables/go_table.h"
#include "text/symbols.h"

struct ic_go_names {
	struct ic_keyed *by_hash; // owned: hashes of names, with the numbers of functions
	uint32_t count;
};

// Hashes all names. Returns false if memory runs out, or if names overlap so much that it would
// take too long. On success, *err is the error of the first unreadable function; its code is
// IC_ERROR_NONE if there is none.
bool ic_go_names_build(struct ic_go_names *names, const struct ic_go_table *go,
		       struct ic_error *err) IC_CHECKED;

// Gets the `number`th function of this name, from 0 and in the order of the table. It ends where
// the next one begins. Returns false if there are fewer. Time: O(log n) plus the functions passed
// over.
bool ic_go_names_find(const struct ic_go_names *names, const struct ic_go_table *go,
		      const char *name, uint32_t number, struct ic_symbol *found);

void ic_go_names_free(struct ic_go_names *names);

#endif
