// The return address of code without call frame information, recognised by a direct call to that
// code right before it.
#ifndef UNWIND_FRAMES_DIRECT_CALL_H
#define UNWIND_FRAMES_DIRECT_CALL_H

#include "unwind/frames/machine.h"

#include <inlinecall/extra/call_before.h>
#include <inlinecall/unwind.h>

// Finds the caller of the code at `pc`. Certain, in which case *is_certain is set, is a return
// address that the code leaves where it is, on the way from an entry address to `pc`: one after a
// call to that entry address or, if that is the start of the function by its symbol, after a call
// through a pointer or one of a function that may have left by a jump. Otherwise, if `may_guess`,
// the return address must be where a call leaves it, or just above, since stubs of dynamic linking
// push up to two words; and the call must be to the running code, or to just before that. `pc` is
// exact if `may_guess`, and otherwise a return address.
//
// Sets the code address and the stack pointer of the caller, and the registers that are known to
// have its values. Supported are x86, AArch64 and POWER.
bool ic_direct_call_find(const struct ic_unwind_options *options,
			 const struct ic_unwind_machine *machine,
			 const struct ic_unwind_registers *registers, bool may_guess,
			 struct ic_unwind_registers *caller, bool *is_certain);

// Whether an address is not a return address of the function that contains `lookup`: the
// instruction before it directly calls another function, which does not leave by a jump. False if
// that is not known.
bool ic_direct_call_contradicts(const struct ic_unwind_options *options, uint64_t lookup,
				uint64_t return_addr);

// Whether there is a call, direct or not, right before an address of code. Unknown if the code
// cannot be read, or calls of the machine are not recognised.
enum ic_call_before ic_call_before_in_memory(const struct ic_unwind_options *options,
					     uint64_t addr);

#endif
