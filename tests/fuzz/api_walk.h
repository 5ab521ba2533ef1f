// Everything that the public API says of an index.
#ifndef TESTS_FUZZ_API_WALK_H
#define TESTS_FUZZ_API_WALK_H

#include <inlinecall/index.h>

// Selects sites in several ways, looks at each, and reports them in every format. False, and why in
// *err, where memory is out. *hash is of all that was written.
bool api_walk(const struct ic_index *index, uint64_t *hash, struct ic_error *err);

#endif
