// Follows the instructions of a function without call frame information, from its entry address to
// one that was reached.
#ifndef UNWIND_CODE_FUNCTION_WALK_H
#define UNWIND_CODE_FUNCTION_WALK_H

#include "base/range.h"
#include "unwind/code/x86_stack.h"

#include <inlinecall/unwind.h>

enum { IC_MOST_WALKED = 4096 }; // bytes from the entry on

// Finds what the code from `entry` to `pc` has done to the stack, on one of the paths there:
// compilers make the same stack on all. False if no path is found, for example because of an
// indirect jump or a rare instruction, or if what has happened to the stack pointer and to the
// frame pointer is unknown. x86 only.
bool ic_function_walk(const struct ic_unwind_options *options, uint64_t entry, uint64_t pc,
		      struct ic_x86_stack *stack);

// Whether control may leave the function in a range other than by returning, for example by a tail
// call; true if that is not known. x86 only.
bool ic_function_may_leave(const struct ic_unwind_options *options, struct ic_range range);

#endif
