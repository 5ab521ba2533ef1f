// Where arguments are when a copy is entered, if the compiler's description holds only later: found
// from the machine code.
//
// GCC describes some arguments as on the stack a few instructions before it stores them there, and
// without optimisation every compiler does so for the whole function. If the code after the entry
// stores a value there before anything reads it, that value is the argument, and it is still where
// it is stored from.
//
// What was read is cached; the cache is for one thread at a time. Close it before its image.
#ifndef INLINECALL_EXTRA_STORED_H
#define INLINECALL_EXTRA_STORED_H

#include <inlinecall/image.h>
#include <inlinecall/parameters.h>

#ifdef __cplusplus
extern "C" {
#endif

struct ic_stored;

/**
 * Opens the cache that is passed to ic_stored_correct().
 *
 * @param image  The one of the parameters; must stay open as long.
 * @param err    [out] Set on failure; may be NULL.
 *
 * @return The cache, to be freed with ic_stored_free() after the readers of parameters that use it.
 *         NULL if memory runs out.
 *
 * Cost: none until the first argument on the stack, which loads libcapstone in some 1.5 ms.
 */
IC_API struct ic_stored *ic_stored_open(struct ic_image *image, struct ic_error *err);

/** Frees the cache; NULL is allowed. */
IC_API void ic_stored_free(struct ic_stored *stored);

/**
 * Corrects where an argument is when a copy is entered: for ic_parameters_options::at_entry.
 *
 * If the argument is on the stack, the code after the entry is followed up to the first branch,
 * call or return. If it stores a value at the argument's location before anything is read there,
 * the location becomes that of the value: a register, a constant, or other memory; or if that is
 * unclear, it becomes unavailable (IC_LOCATION_WHY_NOT_STORED). On machines other than x86-64 and
 * AArch64, and without libcapstone, nothing is changed.
 *
 * @param stored     From ic_stored_open().
 * @param entry      As the ELF file numbers it.
 * @param parameter  Its described location there.
 *
 * Time: decoding at most 128 instructions.
 */
IC_API void ic_stored_correct(void *stored, uint64_t entry, struct ic_parameter *parameter);

#ifdef __cplusplus
}
#endif

#endif
