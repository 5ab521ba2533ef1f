// The functions that left a stack by tail calls: a function that ends with a call may give up its
// frame to the called function, which then returns to its caller's caller. Debug information
// records which function a caller calls, and which tail calls each function makes (DW_TAG_call_site
// and DW_AT_call_tail_call, DWARF 5, 3.4). If only one path leads from the called function to the
// running one, it was taken.
//
// What was read is cached; the cache is for one thread at a time. Free it before its symbolizer.
#ifndef INLINECALL_EXTRA_TAIL_CALLS_H
#define INLINECALL_EXTRA_TAIL_CALLS_H

#include <inlinecall/symbolizer.h>

#ifdef __cplusplus
extern "C" {
#endif

struct ic_tail_calls;

/**
 * Opens the tail calls of the functions in a file.
 *
 * @param err  [out] Set on failure; may be NULL.
 *
 * @return To be freed with ic_tail_calls_free(), before the symbolizer; NULL if memory runs out.
 */
IC_API struct ic_tail_calls *ic_tail_calls_open(struct ic_symbolizer *symbolizer,
						struct ic_error *err);

/**
 * Finds the target that the dynamic linker chose for the call or jump at an address of the file, or
 * before it if `is_after`. Returns false if it does not go through the dynamic linker, its target
 * is in another file, or that is uncertain.
 */
typedef bool ic_bound_call_function(void *context, uint64_t addr, bool is_after, uint64_t *callee);

/**
 * Sets a callback for what the dynamic linker bound in a process. To be called before the first
 * query; all queries are then about that process.
 */
IC_API void ic_tail_calls_set_bound(struct ic_tail_calls *calls, ic_bound_call_function *find_bound,
				    void *context);

/** Frees tail calls; NULL is allowed. */
IC_API void ic_tail_calls_free(struct ic_tail_calls *calls);

/** The running function, and its return address. */
struct ic_tail_calls_query {
	uint64_t return_addr; /**< in the file of the tail calls, as the file numbers it */
	/** Of the file that contains the running function, and the function's entry address in
	 *  it. */
	struct ic_symbolizer *symbolizer;
	uint64_t entry;
	const char *function, *linkage_name; /**< its names; NULL if unknown */
	bool is_symbol;                      /**< only a symbol is known of the function */
	/** If `is_from_outside` the return address is in another file, whose call goes to the
	 *  function that starts at `start` in the file of the tail calls. */
	bool is_from_outside;
	uint64_t start;
};

/** A tail call that was made, or the initial call. */
struct ic_tail_call {
	/** Of the jump or, if `is_after`, of the instruction after it, as the file numbers it. */
	uint64_t addr;
	bool is_after;
	uint64_t entry; /**< of the function that makes it; IC_NO_ADDR for the first in the list */
	/** The function that it calls, if others may have been entered between that and the next in
	 *  the list; NULL if the callee made the next call or, for the last one, is the running
	 *  function. */
	const char *callee;
};

/**
 * Finds the tail calls that led from a call to the running function. Each was certainly made, in
 * this order, except that those leading in a circle are left out. A tail call is certain if without
 * it there is no path to the running function: all functions that can be reached have all their
 * tail calls described, each with its target. A call that the dynamic linker may bind elsewhere
 * does not count as described.
 *
 * @param list  [out] The call that returns to the address, which was certainly made, and the tail
 *              calls, earliest first. Valid until the next query.
 * @param err   [out] Set on failure; may be NULL.
 *
 * @return Their number; 1 with a callee if it is only certain that a function other than the
 *         running one was called; 0 if the running function was called, or nothing is known.
 *         SIZE_MAX if memory runs out. Unreadable data becomes a problem of the symbolizer.
 *
 * Time: decoding the units of at most 64 functions, if not decoded yet, and reading the
 *       functions.
 */
IC_API size_t ic_tail_calls_find(struct ic_tail_calls *calls,
				 const struct ic_tail_calls_query *query,
				 const struct ic_tail_call **list, struct ic_error *err);

/**
 * Whether tail calls may lead from the function at an address back to itself: it may then have been
 * entered again, with arguments that its caller did not pass.
 *
 * @param may_return  [out] Also true if that is unknown.
 * @param err         [out] Set on failure; may be NULL.
 *
 * @return false if memory runs out.
 *
 * Time: see ic_tail_calls_find().
 */
IC_API bool ic_tail_calls_may_return(struct ic_tail_calls *calls, uint64_t addr, bool *may_return,
				     struct ic_error *err);

#ifdef __cplusplus
}
#endif

#endif
