// Everything that the public API says of an image's call frames.
#ifndef TESTS_FUZZ_FRAMES_WALK_H
#define TESTS_FUZZ_FRAMES_WALK_H

#include <inlinecall/call_frames.h>

// Reads rows and items. False, with *err set, if out of memory. Adds to *hash.
bool frames_walk(struct ic_image *image, uint64_t *hash, struct ic_error *err);

#endif
