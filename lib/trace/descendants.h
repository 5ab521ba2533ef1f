// Tracing a process with those that it starts: which processes these are is in a table that two
// small BPF programs keep, when a process is made and when one ends.
#ifndef TRACE_DESCENDANTS_H
#define TRACE_DESCENDANTS_H

#include "trace/hits/trace.h"

// Makes the table, which becomes maps.processes of the trace's program, with the process and those
// that it has started so far; and keeps it until the links of the trace are closed. False if the
// kernel does not let us.
bool ic_trace_follow(struct ic_trace *trace, uint32_t pid, struct ic_error *err) IC_CHECKED;

#endif
