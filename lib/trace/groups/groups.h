// Groups of calls: see inlinecall/extra/trace_groups.h.
#ifndef TRACE_GROUPS_GROUPS_H
#define TRACE_GROUPS_GROUPS_H

#include "trace/hits/trace.h"

void ic_trace_groups_free(struct ic_trace *trace);

#endif
