// More of inlinecall/space.h: memory use.
#ifndef INLINECALL_EXTRA_SPACE_H
#define INLINECALL_EXTRA_SPACE_H

#include <inlinecall/space.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The memory taken by open files, in bytes, as counted for max_memory. */
IC_API uint64_t ic_modules_memory(struct ic_modules *modules);

/**
 * Closes files that no answer uses, least recently used first, until the others take no more than
 * `memory` bytes. They are reopened when needed.
 */
IC_API void ic_modules_trim(struct ic_modules *modules, uint64_t memory);

#ifdef __cplusplus
}
#endif

#endif
