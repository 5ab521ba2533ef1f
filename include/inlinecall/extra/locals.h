// The variables and parameters of the function at an address.
#ifndef INLINECALL_EXTRA_LOCALS_H
#define INLINECALL_EXTRA_LOCALS_H

#include <inlinecall/symbolizer.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A variable or parameter. Unknown strings are NULL, unknown numbers 0. */
struct ic_local {
	/** DW_AT_name of the function that declares it, possibly an inlined one. */
	const char *function;
	const char *name;
	const char *decl_file; /**< path */
	uint32_t decl_line;
	bool has_frame_offset, has_size, has_tag_offset;
	int64_t frame_offset; /**< from the frame base, if it is in the frame */
	uint64_t size;        /**< in bytes */
	uint64_t tag_offset;  /**< DW_AT_LLVM_tag_offset: its HWASan tag is the frame's plus this */
};

struct ic_locals;

/**
 * Finds the variables of the innermost function at an address, and of the functions inlined into
 * it.
 *
 * @param err  [out] Set on failure; may be NULL.
 *
 * @return The variables, possibly none, to be freed with ic_locals_free() before the symbolizer;
 *         NULL if memory runs out or its limit is reached. Unreadable data becomes a problem of the
 *         symbolizer.
 *
 * Time: decoding the unit, if it has not been decoded yet, and reading the function.
 */
IC_API struct ic_locals *ic_locals_find(struct ic_symbolizer *symbolizer, uint64_t addr,
					struct ic_error *err);

/** Gets the variables, in file order. Returns their number. */
IC_API size_t ic_locals_get(const struct ic_locals *locals, const struct ic_local **list);

/** Frees variables; NULL is allowed. */
IC_API void ic_locals_free(struct ic_locals *locals);

/**
 * Finds the statically allocated variable that contains an address.
 *
 * @param variable  [out] The name, the declaration and the size may be known.
 *
 * @return false if there is none. Unreadable data becomes a problem of the symbolizer.
 *
 * Cost: the first call reads the variables of all units; later calls read one.
 */
IC_API bool ic_variable_at(struct ic_symbolizer *symbolizer, uint64_t addr,
			   struct ic_local *variable);

#ifdef __cplusplus
}
#endif

#endif
