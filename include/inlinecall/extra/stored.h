// Where arguments are when a copy is entered, if compilers say it too early: by its machine code.
//
// GCC says of some arguments that they are on the stack some instructions before it stores them
// there, and without optimisation every compiler says it of the whole function. If the code after
// the entry stores a value there before anything reads it, that value is the argument, and is still
// where it is stored from.
//
// What was read is kept; one thread at a time may use it. It is closed before its image.
#ifndef INLINECALL_EXTRA_STORED_H
#define INLINECALL_EXTRA_STORED_H

#include <inlinecall/image.h>
#include <inlinecall/parameters.h>

#ifdef __cplusplus
extern "C" {
#endif

struct ic_stored;

/**
 * @param image  Of the parameters; must stay open as long.
 * @param err    [out] Set on failure; may be NULL.
 *
 * @return What ic_stored_correct() is called with, to be freed with ic_stored_free() after the
 *         readers of parameters that use it. NULL if memory runs out.
 *
 * Cost: none until the first argument on the stack, which loads libcapstone in some 1.5 ms.
 */
IC_API struct ic_stored *ic_stored_open(struct ic_image *image, struct ic_error *err);

/** Frees it; NULL is allowed. */
IC_API void ic_stored_free(struct ic_stored *stored);

/**
 * Corrects where an argument is when a copy is entered: for ic_parameters_options::at_entry.
 *
 * If the argument is on the stack, the code after the entry is followed up to the first branch,
 * call or return. If it stores a value where the argument is to be, before anything is read there,
 * the location becomes that of the value: a register, a constant, or other memory; or, if that
 * cannot be told, it is not available (IC_LOCATION_WHY_NOT_STORED). On other machines than x86-64,
 * and without libcapstone, nothing is changed.
 *
 * @param stored     Of ic_stored_open().
 * @param entry      As the ELF file numbers it.
 * @param parameter  Where it is said to be there.
 *
 * Time: that of decoding at most 128 instructions.
 */
IC_API void ic_stored_correct(void *stored, uint64_t entry, struct ic_parameter *parameter);

#ifdef __cplusplus
}
#endif

#endif
