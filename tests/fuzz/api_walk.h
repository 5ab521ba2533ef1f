// Everything that the public API says of an index, and of call frames.
#ifndef TESTS_FUZZ_API_WALK_H
#define TESTS_FUZZ_API_WALK_H

#include <inlinecall/index.h>

// Selects sites in several ways, of the image that the index is of, looks at each, and reports them
// in every format. False, with *err set, if out of memory. *hash is of all that was written.
bool api_walk(struct ic_image *image, const struct ic_index *index, uint64_t *hash,
	      struct ic_error *err);

#endif
