// What several benchmarks need.
#ifndef BENCH_COMMON_H
#define BENCH_COMMON_H

#include <stdint.h>

// Memory of the process without mapped files, in KiB; 0 if the system does not say.
long anonymous_memory(void);

// xorshift64*: uniform, and the same everywhere.
uint64_t next_random(uint64_t *state);

#endif
