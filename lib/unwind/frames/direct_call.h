// The return address of code without call frame information, recognised by a direct call to that
// code right before it.
#ifndef UNWIND_FRAMES_DIRECT_CALL_H
#define UNWIND_FRAMES_DIRECT_CALL_H

#include "unwind/frames/machine.h"

#include <inlinecall/unwind.h>

// Finds it where a call leaves it: in its register, or at the stack pointer or just above, since
// stubs of dynamic linking push up to two words. The instruction before it must be a call to the
// running code, or to just before that. Sets the caller's stack pointer. Supported are x86 and
// AArch64.
bool ic_direct_call_find(const struct ic_unwind_options *options,
			 const struct ic_unwind_machine *machine,
			 const struct ic_unwind_registers *registers, uint64_t *return_addr,
			 uint64_t *sp);

#endif
