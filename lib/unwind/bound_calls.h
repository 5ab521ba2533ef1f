// Targets of calls that the dynamic linker bound.
#ifndef UNWIND_BOUND_CALLS_H
#define UNWIND_BOUND_CALLS_H

#include "unwind/targets/target.h"

// Finds the target of the call or jump at an address of a process, or before it if `is_after`, if
// it goes through a word of memory that has not changed since the call. False if it does not, or
// that is uncertain.
bool ic_bound_call_find(struct ic_target *target, uint64_t addr, bool is_after, uint64_t *callee);

#endif
