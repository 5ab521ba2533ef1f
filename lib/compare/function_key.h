// The names by which functions of different builds match.
#ifndef COMPARE_FUNCTION_KEY_H
#define COMPARE_FUNCTION_KEY_H

#include <stddef.h>

// Writes the key of a symbol's name, or of another name, to `to`, of `size` bytes, and returns its
// length: the name without what compilers append to clones, and without the hashes of Rust, which
// differ between two builds of the same source. Keys that are too long are truncated.
size_t ic_function_key(const char *name, char *to, size_t size);

#endif
