// Asks which functions of an index contain code of others, and checks rules.
#ifndef TESTS_FUZZ_AFFECTED_WALK_H
#define TESTS_FUZZ_AFFECTED_WALK_H

#include <stdbool.h>
#include <stdint.h>

#include <inlinecall/parameters.h>

// Checks promises on the way. Without a reader of parameters, which may be NULL, rules about
// arguments are unknown. False if the library failed, for the reason in *err.
bool affected_walk(struct ic_image *image, const struct ic_index *index,
		   struct ic_parameters *parameters, uint64_t *hash, struct ic_error *err);

#endif
