// The variables and parameters of the function at an address.
#ifndef INLINECALL_EXTRA_LOCALS_H
#define INLINECALL_EXTRA_LOCALS_H

#include <inlinecall/symbolizer.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A variable or parameter. Strings that are not known are NULL, numbers 0. */
struct ic_local {
	const char *function; /**< DW_AT_name of the function it is declared in, perhaps inlined */
	const char *name;
	const char *decl_file; /**< path */
	uint32_t decl_line;
	bool has_frame_offset, has_size, has_tag_offset;
	int64_t frame_offset; /**< from the frame base, if it is in the frame */
	uint64_t size;        /**< in bytes */
	uint64_t tag_offset;  /**< DW_AT_LLVM_tag_offset: HWASan's tag of it is that of the frame
			       *   and this */
};

struct ic_locals;

/**
 * Finds the variables of the innermost function at an address, and of what was inlined into it.
 *
 * @param err  [out] Set on failure; may be NULL.
 *
 * @return The variables, perhaps none, to be freed with ic_locals_free(), before the symbolizer;
 *         NULL if memory runs out or its limit reached. What cannot be read is a problem of the
 * symbolizer.
 *
 * Time: that of decoding the unit, if it has not been, and of reading the function.
 */
IC_API struct ic_locals *ic_locals_find(struct ic_symbolizer *symbolizer, uint64_t addr,
					struct ic_error *err);

/** The variables in the order of the file; their number is the return. */
IC_API size_t ic_locals_get(const struct ic_locals *locals, const struct ic_local **list);

/** Frees variables; NULL is allowed. */
IC_API void ic_locals_free(struct ic_locals *locals);

/**
 * Finds the variable with an address for the life of the program that holds one.
 *
 * @param variable  [out] Of which the name, the declaration and the size may be known.
 *
 * @return false if there is none. What cannot be read is a problem of the symbolizer.
 *
 * Cost: at the first call the variables of all units are read; from then on, that of reading one.
 */
IC_API bool ic_variable_at(struct ic_symbolizer *symbolizer, uint64_t addr,
			   struct ic_local *variable);

#ifdef __cplusplus
}
#endif

#endif
