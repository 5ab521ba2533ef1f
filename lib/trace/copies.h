// The copies of a new trace, and how to fetch their arguments.
#ifndef TRACE_COPIES_H
#define TRACE_COPIES_H

#include "trace/hits/ways_out.h"

typedef IC_ARRAY(struct ic_trace_fetch) ic_trace_fetch_list; // IC_TRACE_MOST_ARGUMENTS per copy

// Adds the copies of the trace's sites, with their exits and results. False on failure.
bool ic_trace_copies_find(const struct ic_trace_ways *ways, struct ic_parameters *parameters,
			  const struct ic_trace_options *options, ic_trace_fetch_list *fetches)
	IC_CHECKED;

#endif
