// More of inlinecall/unwind.h: more functions of unwinders.
#ifndef INLINECALL_EXTRA_UNWIND_H
#define INLINECALL_EXTRA_UNWIND_H

#include <inlinecall/unwind.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Forgets all cached modules, and the rows found in them. */
IC_API void ic_unwinder_forget(struct ic_unwinder *unwinder);

/** The same as ic_unwinder_begin(), for code that has called other code: the address is that to
 * which it returns. */
IC_API void ic_unwinder_begin_call(struct ic_unwinder *unwinder,
				   const struct ic_unwind_registers *registers);

/**
 * Gets the canonical frame address of the last frame that ic_unwinder_next() returned. False if its
 * code has no call frame information, or a required value is unknown.
 */
IC_API bool ic_unwinder_cfa(struct ic_unwinder *unwinder, uint64_t *cfa);

#ifdef __cplusplus
}
#endif

#endif
