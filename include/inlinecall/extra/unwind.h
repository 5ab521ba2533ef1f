// More of inlinecall/unwind.h: more of unwinders.
#ifndef INLINECALL_EXTRA_UNWIND_H
#define INLINECALL_EXTRA_UNWIND_H

#include <inlinecall/unwind.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Forgets what modules there are, and the rows found in them. */
IC_API void ic_unwinder_forget(struct ic_unwinder *unwinder);

/** The canonical frame address of the last frame that ic_unwinder_next() has returned. False if its
 *  code has no call frame information, or not all that it needs is known. */
IC_API bool ic_unwinder_cfa(struct ic_unwinder *unwinder, uint64_t *cfa);

#ifdef __cplusplus
}
#endif

#endif
