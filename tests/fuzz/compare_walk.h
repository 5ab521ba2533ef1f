// What a comparison says of an index.
#ifndef TESTS_FUZZ_COMPARE_WALK_H
#define TESTS_FUZZ_COMPARE_WALK_H

#include <inlinecall/parameters.h>

// Compares an index with itself, in which nothing has changed, and with nothing, from which all of
// it is new; also the arguments, unless their reader is NULL. False, with *err set, if out of
// memory. Adds to *hash.
bool compare_walk(const struct ic_index *index, struct ic_parameters *parameters, uint64_t *hash,
		  struct ic_error *err);

#endif
