// Where the dynamic linker has bound calls to.
#ifndef UNWIND_BOUND_CALLS_H
#define UNWIND_BOUND_CALLS_H

#include "unwind/target.h"

// Finds where the call or jump at an address of a process, or if `is_after` the one before it, goes
// by a word of memory that has not changed since it was made. False if it does not, or that is not
// certain.
bool ic_bound_call_find(struct ic_target *target, uint64_t addr, bool is_after, uint64_t *callee);

#endif
