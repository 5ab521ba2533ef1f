// Sums of groups of calls, by the key of the group.
#ifndef TRACE_GROUPS_SUMS_H
#define TRACE_GROUPS_SUMS_H

#include "trace/hits/trace.h"

// Finds the sum of a key, or adds one of copy number `copy`, unless there are `most`: *number is
// then IC_NONE. False if memory runs out.
bool ic_trace_sums_find(struct ic_trace *trace, struct ic_trace_sums *sums,
			const struct ic_bytes *key, uint32_t copy, uint32_t *number) IC_CHECKED;

// The buckets of a sum, negative numbers last; NULL if there are none.
uint64_t *ic_trace_sums_buckets(const struct ic_trace *trace, const struct ic_trace_sums *sums,
				uint32_t number);

// Adds a measured value to a sum.
void ic_trace_sum_measure(struct ic_trace_sum *sum, uint64_t *buckets, uint64_t value);

// Adds another sum with its buckets.
void ic_trace_sum_add(struct ic_trace_sum *sum, uint64_t *buckets, const struct ic_trace_sum *other,
		      const uint64_t *other_buckets);

// Sets all sums to zero, and keeps the groups.
void ic_trace_sums_reset(struct ic_trace_sums *sums);
void ic_trace_sums_free(struct ic_trace_sums *sums);

// The numbers of a sum. It must have measured something.
uint64_t ic_trace_sum_least(const struct ic_trace_sum *sum);
uint64_t ic_trace_sum_most(const struct ic_trace_sum *sum);
long double ic_trace_sum_mean(const struct ic_trace_sum *sum);

enum { IC_TRACE_SUM_TEXT = 40 };

// Writes the sum in decimal; it may have 96 bits.
void ic_trace_sum_text(const struct ic_trace_sum *sum, char text[IC_TRACE_SUM_TEXT]);

#endif
