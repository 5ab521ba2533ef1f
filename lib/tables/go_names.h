// Functions of Go's table by name: what the symbols of a stripped program would say.
#ifndef TABLES_GO_NAMES_H
#define TABLES_GO_NAMES_H

#include "tables/go_table.h"
#include "text/symbols.h"

struct ic_go_names {
	struct ic_keyed *by_hash; // owned: hashes of names, and numbers of functions
	uint32_t count;
};

// Hashes all names. False if memory runs out, or they overlap in a way that would take too long. If
// it is true, *err says of the first function that cannot be read why; else its code is
// IC_ERROR_NONE.
bool ic_go_names_build(struct ic_go_names *names, const struct ic_go_table *go,
		       struct ic_error *err) IC_CHECKED;

// The function number `number`, from 0, of those that have the name, in the order of the table. It
// ends where the next one begins. False if there are not so many. Time: O(log n) besides those.
bool ic_go_names_find(const struct ic_go_names *names, const struct ic_go_table *go,
		      const char *name, uint32_t number, struct ic_symbol *found);

void ic_go_names_free(struct ic_go_names *names);

#endif
