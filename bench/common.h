// What several benchmarks need.
#ifndef BENCH_COMMON_H
#define BENCH_COMMON_H

#include <stdint.h>

// What the process holds beside mapped files, in KiB; 0 if the system does not say.
long anonymous_memory(void);

// xorshift64*: uniform, and everywhere the same.
uint64_t next_random(uint64_t *state);

#endif
