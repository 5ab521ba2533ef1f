// The library's allocations, measured and made to fail. What uses it is linked with --wrap for
// malloc, calloc, realloc, aligned_alloc, free, strdup, strndup, realpath, getline and
// pthread_create.
#ifndef TESTS_SUPPORT_ALLOC_METER_H
#define TESTS_SUPPORT_ALLOC_METER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// From here on calls are counted, and number `fail_at` fails; none if it is 0. With `all_after`
// those after it fail too.
void alloc_meter_start(uint64_t fail_at, bool all_after);

// No more calls fail.
void alloc_meter_stop(void);

uint64_t alloc_meter_calls(void); // since the start
size_t alloc_meter_live(void);    // bytes allocated now
size_t alloc_meter_peak(void);    // the most of them at a time since the start

#endif
