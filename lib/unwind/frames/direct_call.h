// The return address of code without call frame information, recognised by a direct call to that
// code right before it.
#ifndef UNWIND_FRAMES_DIRECT_CALL_H
#define UNWIND_FRAMES_DIRECT_CALL_H

#include "unwind/frames/machine.h"

#include <inlinecall/unwind.h>

// Finds the caller of the code at `pc`: the instruction before the return address is a call to an
// entry address from which the code leads to `pc`, and that leaves the return address where it is.
// In that case *is_certain is set. Otherwise, if `may_guess`, the return address must be where a
// call leaves it, or just above, since stubs of dynamic linking push up to two words; and the call
// must be to the running code, or to just before that.
//
// Sets the code address and the stack pointer of the caller, and the registers that are known to
// have its values. Supported are x86 and AArch64.
bool ic_direct_call_find(const struct ic_unwind_options *options,
			 const struct ic_unwind_machine *machine,
			 const struct ic_unwind_registers *registers, bool may_guess,
			 struct ic_unwind_registers *caller, bool *is_certain);

#endif
