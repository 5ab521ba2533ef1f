// Where stacks of Go's runtime start and continue.
#ifndef UNWIND_GO_STACKS_H
#define UNWIND_GO_STACKS_H

#include "unwind/targets/target.h"

#include <inlinecall/backtrace.h>

// Whether a thread is a goroutine that stopped by calling the runtime. Otherwise a goroutine has
// not begun: its address is the entry of a function.
bool ic_go_stack_has_called(struct ic_target *target, const struct ic_target_thread *thread);

// Whether a frame that has called another starts a stack of Go: what called it is on another stack,
// or nothing has.
bool ic_go_stack_starts_at(const struct ic_backtrace_frame *frame);

#endif
