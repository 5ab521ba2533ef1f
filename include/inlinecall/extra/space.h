// More of inlinecall/space.h: memory.
#ifndef INLINECALL_EXTRA_SPACE_H
#define INLINECALL_EXTRA_SPACE_H

#include <inlinecall/space.h>

#ifdef __cplusplus
extern "C" {
#endif

/** How much memory the files that are open take, in bytes, as max_memory counts it. */
IC_API uint64_t ic_modules_memory(struct ic_modules *modules);

#ifdef __cplusplus
}
#endif

#endif
