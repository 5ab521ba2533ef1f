// More of inlinecall/space.h: memory.
#ifndef INLINECALL_EXTRA_SPACE_H
#define INLINECALL_EXTRA_SPACE_H

#include <inlinecall/space.h>

#ifdef __cplusplus
extern "C" {
#endif

/** How much memory the files that are open take, in bytes, as max_memory counts it. */
IC_API uint64_t ic_modules_memory(struct ic_modules *modules);

/**
 * Closes files that no answer holds, those first that were not asked for longest, until the others
 * take no more than `memory` bytes. They are opened again when they are asked for.
 */
IC_API void ic_modules_trim(struct ic_modules *modules, uint64_t memory);

#ifdef __cplusplus
}
#endif

#endif
