// The functions that have left a stack by tail calls: a function that ends with a call may give its
// frame to the one that it calls, which then returns to its own caller. Callers say which function
// they have called, and functions which tail calls they make (DW_TAG_call_site and
// DW_AT_call_tail_call, DWARF 5, 3.4); if only one way leads from the one to the function that
// runs, it was taken.
//
// What was read is kept; one thread at a time may use it. It is freed before its symbolizer.
#ifndef INLINECALL_EXTRA_TAIL_CALLS_H
#define INLINECALL_EXTRA_TAIL_CALLS_H

#include <inlinecall/symbolizer.h>

#ifdef __cplusplus
extern "C" {
#endif

struct ic_tail_calls;

/**
 * @return The tail calls of the functions of a file, to be freed with ic_tail_calls_free(); NULL if
 *         memory runs out.
 */
IC_API struct ic_tail_calls *ic_tail_calls_open(struct ic_symbolizer *symbolizer);

/** Finds where the call or jump at an address of the file, or if `is_after` the one before it, goes
 * in the file if the dynamic linker has chosen that; false if it does not go by what that chooses,
 * goes to another file, or that is not certain. */
typedef bool ic_bound_call_function(void *context, uint64_t addr, bool is_after, uint64_t *callee);

/** Lets them know what the dynamic linker has bound in a process: before the first question, which
 * is then of that process too. */
IC_API void ic_tail_calls_set_bound(struct ic_tail_calls *calls, ic_bound_call_function *find_bound,
				    void *context);

/** Frees them; NULL is allowed. */
IC_API void ic_tail_calls_free(struct ic_tail_calls *calls);

/** A function that runs, and where it returns to. */
struct ic_tail_calls_query {
	uint64_t return_addr; /**< in the file of the tail calls, as the file numbers it */
	/** Of the file that has the function that runs, and where that is entered in it. */
	struct ic_symbolizer *symbolizer;
	uint64_t entry;
	const char *function, *linkage_name; /**< its names; NULL if not known */
	bool is_symbol;                      /**< all that is known of the function is its symbol */
	/** If `is_from_outside` the return address is in another file, whose call goes to the
	 *  function that begins at `start` in the file of the tail calls. */
	bool is_from_outside;
	uint64_t start;
};

/** A tail call that was made, or the call that all began with. */
struct ic_tail_call {
	/** Of the jump, or if `is_after` of the instruction after it, as the file numbers it. */
	uint64_t addr;
	bool is_after;
	uint64_t entry; /**< of the function that makes it; IC_NO_ADDR for the first of the list */
	/** The function that it goes to, if others may have been entered between that and the next
	 *  of the list; NULL if it made the next, or for the last if it is the one that runs. */
	const char *callee;
};

/**
 * Finds the tail calls that have led from a call to the function that runs. Each was certainly
 * made, in this order; but those that lead in a circle, back to where they came from, are left out.
 * A tail call is certain if without it no way led to the function that runs: all functions that can
 * be reached say that they describe all their tail calls, and all these say where they go. A call
 * that the dynamic linker may bind elsewhere says nothing.
 *
 * @param list  [out] The call that returns to the address, which was certainly made, and the tail
 *              calls, those made first before others. They live until the next call.
 * @param err   [out] Set on failure; may be NULL.
 *
 * @return Their number; 1 with a callee if only that is certain, that another function was called
 *         than the one that runs; 0 if it is the one that runs, or nothing is known. SIZE_MAX if
 *         memory runs out. What cannot be read is a problem of the symbolizer.
 *
 * Time: that of decoding the units of at most 64 functions, if they have not been, and of reading
 *       these.
 */
IC_API size_t ic_tail_calls_find(struct ic_tail_calls *calls,
				 const struct ic_tail_calls_query *query,
				 const struct ic_tail_call **list, struct ic_error *err);

/**
 * Whether tail calls may lead from the function at an address back to itself: then it may have been
 * entered again, with other arguments than its caller gave.
 *
 * @param may_return  [out] Also true if that cannot be told.
 * @param err         [out] Set on failure; may be NULL.
 *
 * @return false if memory runs out.
 *
 * Time: as ic_tail_calls_find().
 */
IC_API bool ic_tail_calls_may_return(struct ic_tail_calls *calls, uint64_t addr, bool *may_return,
				     struct ic_error *err);

#ifdef __cplusplus
}
#endif

#endif
