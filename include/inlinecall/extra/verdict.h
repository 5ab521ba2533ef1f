// What happened to a function: whether it was inlined, what code it has, and where a probe sees its
// calls.
//
// Verdicts borrow from their index. They never change once made: any number of threads may share
// them. They are based on the debug information and symbols of one file: code without debug
// information may have more copies, and more calls.
#ifndef INLINECALL_EXTRA_VERDICT_H
#define INLINECALL_EXTRA_VERDICT_H

#include <inlinecall/extra/statistics.h>
#include <inlinecall/sites.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What happened to a function. The first that applies. */
enum ic_verdict_kind {
	IC_VERDICT_PARTLY,       /**< it has code of its own, and was also inlined */
	IC_VERDICT_FULLY,        /**< it was inlined, and has no code of its own */
	IC_VERDICT_NO_COPY_LEFT, /**< it has code of its own; no inlined copy is left */
	IC_VERDICT_NEVER,        /**< it has code of its own, and was not inlined */
	IC_VERDICT_RESOLVER, /**< its symbol is at code that selects the implementation to call */
	/** Its symbol is at code with other names: an alias, or functions folded into one. */
	IC_VERDICT_ALIAS,
	IC_VERDICT_SYMBOL_ONLY,    /**< it has code, but no debug information under its name */
	IC_VERDICT_LEFT_OUT,       /**< it is described with code that is not in the file */
	IC_VERDICT_DECLARED,       /**< it is called, but not defined here */
	IC_VERDICT_OPTIMISED_AWAY, /**< it was inlined, but no copy is left, at most parts */
	IC_VERDICT_UNUSED          /**< it is declared, but neither defined nor called here */
};

/** What a probe at a place sees. */
enum ic_verdict_place_kind {
	IC_VERDICT_ENTRY,    /**< calls that reach the function's own code */
	IC_VERDICT_CLONE,    /**< likewise, at a copy made for some calls, such as f.constprop.0 */
	IC_VERDICT_PART,     /**< no calls: entries of a part of the function, such as f.part.0 */
	IC_VERDICT_CHOOSING, /**< no calls: selections of the implementation (STT_GNU_IFUNC) */
	/** No calls through the symbol of this name, which is at other code, for example because
	 *  this is a weak definition. */
	IC_VERDICT_BYPASSED,
	IC_VERDICT_COPY /**< the call that was inlined there */
};

#define IC_VERDICT_NO_SITE SIZE_MAX

/** A place to probe. */
struct ic_verdict_place {
	enum ic_verdict_place_kind kind;
	uint64_t addr;
	uint64_t size;      /**< bytes of code from there on; 0 if unknown, and for copies */
	const char *symbol; /**< the symbol that contains the address; NULL if none does */
	uint64_t offset;    /**< offset of the address in it */
	bool is_ambiguous;  /**< other code has a symbol with the same name */
	/** Index in the sites of the verdicts; IC_VERDICT_NO_SITE if only a symbol identifies it as
	 *  the function's. */
	size_t site;
};

/** One function. Unknown strings are NULL, unknown lines 0, unknown numbers IC_STATISTIC_NONE. */
struct ic_verdict {
	enum ic_verdict_kind kind;
	const char *asked; /**< the name that was asked for */
	/** As from ic_statistics_find(); IC_INLINED_UNKNOWN if the function is not described with
	 *  any copy. */
	enum ic_inlined inlined;
	const char *function, *linkage_name;
	const char *decl_file; /**< path */
	uint32_t decl_line;
	enum ic_inlining inlining;
	uint64_t copies, without_code, callers, size; /**< see struct ic_statistic */
	uint64_t left_out; /**< out-of-line copies without code in the file */
	/** Calls that were not inlined, if the index has calls; calls of parts do not count.
	 *  Unknown if several functions have the name. */
	uint64_t calls;
	const struct ic_verdict_place *code; /**< of its own, sorted by address */
	size_t code_count;
	uint64_t entered; /**< number of different entry addresses of the copies */
	/** The first IC_VERDICT_MOST_COPIES of them, in file order. */
	const struct ic_verdict_place *entries;
	size_t entry_count;
	/** The sites of all copies with code: `copy_count` of the verdicts' sites, starting with
	 *  this one, in file order. */
	size_t first_copy, copy_count;
	/** Other names of the code, the first IC_VERDICT_MOST_OTHERS of them: a probe there also
	 *  sees calls by those names. */
	const char *const *others;
	size_t other_count;
};

#define IC_VERDICT_MOST_COPIES 5
#define IC_VERDICT_MOST_OTHERS 100

struct ic_verdicts;

/**
 * Finds what happened to the functions with given names.
 *
 * @param index  Must outlive the verdicts. It should be built with `declarations` and `calls`:
 *               otherwise functions that are only declared are unknown, and so are calls. It may be
 *               built for only these names (ic_index_options::functions).
 * @param names  See struct ic_sites_query; or names of symbols. Terminated by NULL; the names must
 *               outlive the verdicts. The verdict for one name does not depend on the others.
 * @param err    [out] Set on failure; may be NULL.
 *
 * @return For each name in turn, one verdict for each function that ic_statistics_find() tells
 *         apart, sorted by name and position; none if nothing has the name. To be freed with
 *         ic_verdicts_free(). NULL if memory runs out, and if the index is of a table
 *         (IC_ERROR_UNSUPPORTED).
 *
 * Time: O(n log n) for n instances and functions, and three passes over the symbols, for any
 *       number of names.
 */
IC_API struct ic_verdicts *ic_verdicts_find(const struct ic_index *index, const char *const *names,
					    struct ic_error *err);

/** Frees verdicts; NULL is allowed. */
IC_API void ic_verdicts_free(struct ic_verdicts *verdicts);

/** The number of verdicts. */
IC_API size_t ic_verdicts_count(const struct ic_verdicts *verdicts);

/** Gets verdict number `number`, from 0; false if there are fewer. */
IC_API bool ic_verdicts_get(const struct ic_verdicts *verdicts, size_t number,
			    struct ic_verdict *verdict);

/** The sites of all places, for ic_sites_get(); freed with the verdicts. */
IC_API const struct ic_sites *ic_verdicts_sites(const struct ic_verdicts *verdicts);

#ifdef __cplusplus
}
#endif

#endif
