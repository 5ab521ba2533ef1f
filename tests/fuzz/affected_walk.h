// Asks which functions of an index contain code of others, and checks rules.
#ifndef TESTS_FUZZ_AFFECTED_WALK_H
#define TESTS_FUZZ_AFFECTED_WALK_H

#include <stdbool.h>
#include <stdint.h>

#include <inlinecall/index.h>

// Checks promises on the way. False if the library failed, for the reason in *err.
bool affected_walk(struct ic_image *image, const struct ic_index *index, uint64_t *hash,
		   struct ic_error *err);

#endif
