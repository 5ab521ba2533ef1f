// The callers of functions that were not inlined: the return address on entry.
#ifndef TRACE_HITS_CALLER_H
#define TRACE_HITS_CALLER_H

#include "trace/hits/reading.h"

// Determines how to fetch the return address at a place. False if it is unknown there.
bool ic_trace_caller_fetch(const struct ic_trace_place *place, struct ic_trace_fetch *fetch);

// The return address of a hit at a copy; 0 if unknown.
uint64_t ic_trace_caller_find(const struct ic_trace *trace, const struct ic_trace_item *item,
			      const struct ic_trace_reading *reading);

#endif
