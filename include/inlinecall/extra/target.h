// More of inlinecall/target.h: stopping, and memory.
#ifndef INLINECALL_EXTRA_TARGET_H
#define INLINECALL_EXTRA_TARGET_H

#include <inlinecall/target.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Closes the core, or frees the copies of stacks, after which no memory of the target can be read.
 *  Its threads, space and problems stay, and so do backtraces made of it: to keep those of many
 *  cores. */
IC_API void ic_target_close_memory(struct ic_target *target);

/** How long the threads were stopped, in nanoseconds; 0 of a core. */
IC_API uint64_t ic_target_stop_time(const struct ic_target *target);

#ifdef __cplusplus
}
#endif

#endif
