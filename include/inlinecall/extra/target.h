// More of inlinecall/target.h: releasing memory, and stop time.
#ifndef INLINECALL_EXTRA_TARGET_H
#define INLINECALL_EXTRA_TARGET_H

#include <inlinecall/target.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Closes the core, or frees the copies of stacks; the target's memory can no longer be read. Its
 * threads, space and problems remain, and so do backtraces made from it. This allows keeping the
 * backtraces of many cores.
 */
IC_API void ic_target_close_memory(struct ic_target *target);

/** How long the threads were stopped, in nanoseconds; 0 for a core. */
IC_API uint64_t ic_target_stop_time(const struct ic_target *target);

#ifdef __cplusplus
}
#endif

#endif
