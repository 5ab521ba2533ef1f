// Where stacks of Go's runtime start and continue.
#ifndef UNWIND_GO_STACKS_H
#define UNWIND_GO_STACKS_H

#include "unwind/targets/target.h"

#include <inlinecall/backtrace.h>

// Whether a thread is a goroutine that stopped by calling the runtime. Otherwise a goroutine has
// not begun: its address is the entry of a function.
bool ic_go_stack_has_called(struct ic_target *target, const struct ic_target_thread *thread);

// Whether a frame starts a stack of Go: what called it is on another stack, or nothing has. Set
// `has_switched` to false for a thread that may have been stopped before it switched.
bool ic_go_stack_starts_at(const struct ic_backtrace_frame *frame, bool has_switched);

// Called for each frame of a thread: notes which goroutines its stack has.
void ic_go_stack_see(struct ic_target *target, uint32_t tid,
		     const struct ic_unwind_registers *registers);

// Called after all threads: goroutines that no thread's stack had are those of the target. False if
// memory runs out.
bool ic_go_stack_settle(struct ic_target *target) IC_CHECKED;

// Notes that the goroutines of a library are not shown, if a thread runs code of Go in one.
void ic_go_stack_check(struct ic_target *target);

#endif
