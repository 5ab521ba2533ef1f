// What a caller's debug information records about a call in progress: the values of registers on
// entry to the function (DW_TAG_call_site, DWARF 5, 3.4). Debuggers use it to find arguments that
// the function itself no longer has.
#ifndef INLINECALL_EXTRA_CALL_VALUES_H
#define INLINECALL_EXTRA_CALL_VALUES_H

#include <inlinecall/extra/tail_calls.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The value of a register on entry to the function. */
struct ic_call_value {
	uint32_t reg; /**< DWARF register number */
	/** An expression for the value, to be evaluated in the caller's frame. */
	const uint8_t *expression;
	size_t size; /**< of the expression in bytes */
};

struct ic_call_values;

/**
 * Finds the call that returns to an address.
 *
 * @param return_addr  As the file numbers it.
 * @param err          [out] Set on failure; may be NULL.
 *
 * @return The values, to be freed with ic_call_values_free() before the symbolizer; NULL if memory
 *         runs out or its limit is reached. Unreadable data becomes a problem of the symbolizer.
 *
 * Time: decoding the unit, if it has not been decoded yet, and reading the function.
 */
IC_API struct ic_call_values *ic_call_values_find(struct ic_symbolizer *symbolizer,
						  uint64_t return_addr, struct ic_error *err);

/** The same for a tail call found by ic_tail_calls_find(). */
IC_API struct ic_call_values *ic_call_values_find_tail_call(struct ic_symbolizer *symbolizer,
							    const struct ic_tail_call *call,
							    struct ic_error *err);

/** Frees call values; NULL is allowed. */
IC_API void ic_call_values_free(struct ic_call_values *values);

/** Gets the values, possibly none. Returns their number. */
IC_API size_t ic_call_values_get(const struct ic_call_values *values,
				 const struct ic_call_value **list);

/** The name of the called function; NULL if there is none, as for calls through pointers. */
IC_API const char *ic_call_values_callee(const struct ic_call_values *values);

/** Likewise its linkage name. */
IC_API const char *ic_call_values_callee_linkage_name(const struct ic_call_values *values);

/**
 * The start address of the called function, as the file numbers it; IC_NO_ADDR if unknown: several
 * functions may have the same name.
 */
IC_API uint64_t ic_call_values_callee_addr(const struct ic_call_values *values);

/**
 * The frame base expression (DW_AT_frame_base) of the calling function, which the values'
 * expressions may need: `size` bytes, also to be evaluated in its frame. NULL if it has none, or a
 * location list.
 */
IC_API const uint8_t *ic_call_values_frame_base(const struct ic_call_values *values, size_t *size);

/**
 * The same for the target address of a call through a pointer (DW_AT_call_target). NULL if it is
 * not recorded, or no longer holds when the call returns.
 */
IC_API const uint8_t *ic_call_values_target(const struct ic_call_values *values, size_t *size);

#ifdef __cplusplus
}
#endif

#endif
