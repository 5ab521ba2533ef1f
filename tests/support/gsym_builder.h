// A small GSYM file, of either version and byte order: two functions with the same info, an inlined
// call in an inlined call, lines, a function that was merged into another one, and a call site.
#ifndef TESTS_SUPPORT_GSYM_BUILDER_H
#define TESTS_SUPPORT_GSYM_BUILDER_H

#include "byte_buffer.h"

enum { GSYM_BASE = 0x1000, GSYM_SECOND = 0x20 }; // where its functions begin; each has 0x40 bytes

// The caller deinitialises the buffer.
struct byte_buffer gsym_build(unsigned version, bool big_endian);

#endif
