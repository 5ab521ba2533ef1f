// What the calls of a group have in common, as it is asked for, and at each copy.
#ifndef TRACE_GROUPS_KEYS_H
#define TRACE_GROUPS_KEYS_H

#include "trace/hits/trace.h"

// Parses a list of keys. False with IC_ERROR_ARGUMENT if it is invalid.
bool ic_trace_keys_read(const char *text, struct ic_trace_keys *keys, struct ic_error *err)
	IC_CHECKED;

// Checks that each names a pointer and a length. False with IC_ERROR_ARGUMENT if one does not.
bool ic_trace_buffers_check(const char *const *buffers, struct ic_error *err) IC_CHECKED;

// Determines which keys are arguments. False if there is no such argument.
bool ic_trace_keys_find(struct ic_trace *trace, struct ic_error *err) IC_CHECKED;

// Determines for each copy where its keys are, and which other copies it is added up with. False if
// memory runs out.
bool ic_trace_keys_bind(struct ic_trace *trace, struct ic_error *err) IC_CHECKED;

#endif
