// Reads all tables of an index.
#ifndef TESTS_FUZZ_TABLES_WALK_H
#define TESTS_FUZZ_TABLES_WALK_H

#include <stdbool.h>
#include <stdint.h>

#include <inlinecall/parameters.h>

// Checks promises on the way. Without a reader of parameters, which may be NULL, there are no
// arguments. False if the library failed, for the reason in *err.
bool tables_walk(const struct ic_index *index, struct ic_parameters *parameters, uint64_t *hash,
		 struct ic_error *err);

#endif
