// What a caller knows of the call that it is in: with which values in which registers the function
// was entered (DW_TAG_call_site, DWARF 5, 3.4). Debuggers find arguments by it that the function
// itself no longer has.
#ifndef INLINECALL_EXTRA_CALL_VALUES_H
#define INLINECALL_EXTRA_CALL_VALUES_H

#include <inlinecall/extra/tail_calls.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What a register held when the function was entered. */
struct ic_call_value {
	uint32_t reg; /**< DWARF's number */
	/** An expression for it, to be evaluated in the caller's frame. */
	const uint8_t *expression;
	size_t size; /**< of it in bytes */
};

struct ic_call_values;

/**
 * Finds the call that returns to an address.
 *
 * @param return_addr  As the file numbers it.
 * @param err          [out] Set on failure; may be NULL.
 *
 * @return To be freed with ic_call_values_free(), before the symbolizer; NULL if memory runs out or
 *         its limit reached. What cannot be read is a problem of the symbolizer.
 *
 * Time: that of decoding the unit, if it has not been, and of reading the function.
 */
IC_API struct ic_call_values *ic_call_values_find(struct ic_symbolizer *symbolizer,
						  uint64_t return_addr, struct ic_error *err);

/** The same for a tail call, which ic_tail_calls_find() has found. */
IC_API struct ic_call_values *ic_call_values_find_tail_call(struct ic_symbolizer *symbolizer,
							    const struct ic_tail_call *call,
							    struct ic_error *err);

/** Frees them; NULL is allowed. */
IC_API void ic_call_values_free(struct ic_call_values *values);

/** The values, perhaps none; their number is the return. */
IC_API size_t ic_call_values_get(const struct ic_call_values *values,
				 const struct ic_call_value **list);

/** The name and linkage name of the function that is called; NULL if there is none, as of calls
 *  through pointers. */
IC_API const char *ic_call_values_callee(const struct ic_call_values *values);
IC_API const char *ic_call_values_callee_linkage_name(const struct ic_call_values *values);

/** Where the code of the function that is called begins, as the file numbers it; IC_NO_ADDR if it
 * is not known: names may be those of several functions. */
IC_API uint64_t ic_call_values_callee_addr(const struct ic_call_values *values);

/** The expression of the frame base of the function that calls (DW_AT_frame_base), which those of
 *  the values may need: `size` bytes, to be evaluated in its frame too. NULL if it has none, or a
 *  list of locations. */
IC_API const uint8_t *ic_call_values_frame_base(const struct ic_call_values *values, size_t *size);

/** The same for the address that a call through a pointer goes to (DW_AT_call_target). NULL if it
 * is not said, or no longer so when the call returns. */
IC_API const uint8_t *ic_call_values_target(const struct ic_call_values *values, size_t *size);

#ifdef __cplusplus
}
#endif

#endif
