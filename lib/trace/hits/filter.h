// The filter of a trace: what its terms compare at each copy, and its answers where the kernel has
// none.
#ifndef TRACE_HITS_FILTER_H
#define TRACE_HITS_FILTER_H

#include "trace/hits/reading.h"

// Binds each term to arguments, at each copy. False if a term cannot be compared at any copy, or
// memory runs out.
bool ic_trace_filter_bind(struct ic_trace *trace, struct ic_error *err) IC_CHECKED;

// The filter's answer for a hit at a copy.
enum ic_trace_answer ic_trace_filter_answer(const struct ic_trace *trace, uint32_t copy,
					    const struct ic_trace_reading *reading);

#endif
