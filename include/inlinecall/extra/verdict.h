// What became of a function: whether it was inlined, what code it has, and where a probe sees its
// calls.
//
// Verdicts borrow from their index and are read only once they are made: any number of threads may
// share them. They say what the debug information and the symbols of one file do: code without
// debug information may have more copies, and more calls.
#ifndef INLINECALL_EXTRA_VERDICT_H
#define INLINECALL_EXTRA_VERDICT_H

#include <inlinecall/extra/statistics.h>
#include <inlinecall/sites.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What became of a function. The first that holds. */
enum ic_verdict_kind {
	IC_VERDICT_PARTLY,         /**< it has code of its own, and was inlined as well */
	IC_VERDICT_FULLY,          /**< it was inlined, and has no code of its own */
	IC_VERDICT_NO_COPY_LEFT,   /**< it has code of its own; of inlined copies none is left */
	IC_VERDICT_NEVER,          /**< it has code of its own, and no copy was inlined */
	IC_VERDICT_RESOLVER,       /**< its symbol is at code that chooses what is called */
	IC_VERDICT_ALIAS,          /**< its symbol is at code that has other names: an alias, or
				    *   functions that were folded into one */
	IC_VERDICT_SYMBOL_ONLY,    /**< no debug information of its name describes its code */
	IC_VERDICT_LEFT_OUT,       /**< it is described with code that is not in the file */
	IC_VERDICT_DECLARED,       /**< it is called, and not defined here */
	IC_VERDICT_OPTIMISED_AWAY, /**< it was inlined, and no copy is left: nothing but parts */
	IC_VERDICT_UNUSED          /**< it is declared, and neither defined nor called here */
};

/** What a probe at a place sees. */
enum ic_verdict_place_kind {
	IC_VERDICT_ENTRY,    /**< calls that arrive at the function's own code */
	IC_VERDICT_CLONE,    /**< likewise, at a copy made for some calls, as f.constprop.0 */
	IC_VERDICT_PART,     /**< no call: a part of the function, as f.part.0, is entered */
	IC_VERDICT_CHOOSING, /**< no call: here it is chosen where calls go (STT_GNU_IFUNC) */
	IC_VERDICT_BYPASSED, /**< no call by the symbol of this name, which is at other code, as
			      *   if this is a weak definition */
	IC_VERDICT_COPY      /**< the call that was inlined there */
};

#define IC_VERDICT_NO_SITE SIZE_MAX

/** A place to probe. */
struct ic_verdict_place {
	enum ic_verdict_place_kind kind;
	uint64_t addr;
	uint64_t size;      /**< bytes of the code from there on; 0 if not known, and of copies */
	const char *symbol; /**< that holds the address; NULL if none does */
	uint64_t offset;    /**< of the address in it */
	bool is_ambiguous;  /**< other code has a symbol of that name too */
	/** In the sites of the verdicts; IC_VERDICT_NO_SITE if only a symbol says that it is the
	 *  function's. */
	size_t site;
};

/** One function. Strings that are not known are NULL, lines 0, numbers IC_STATISTIC_NONE. */
struct ic_verdict {
	enum ic_verdict_kind kind;
	const char *asked; /**< the name that it is an answer to */
	/** As ic_statistics_find() has it; IC_INLINED_UNKNOWN of what is not described with any
	 *  copy. */
	enum ic_inlined inlined;
	const char *function, *linkage_name;
	const char *decl_file; /**< path */
	uint32_t decl_line;
	enum ic_inlining inlining;
	uint64_t copies, without_code, callers, size; /**< as in struct ic_statistic */
	uint64_t left_out; /**< copies out of line of which no code is in the file */
	/** That were not inlined, if the index has calls; calls of parts are none of the function.
	 *  Not known of a function whose name others have too. */
	uint64_t calls;
	const struct ic_verdict_place *code; /**< of its own, in the order of addresses */
	size_t code_count;
	uint64_t entered; /**< different addresses at which the copies are entered */
	/** The first IC_VERDICT_MOST_COPIES of them, in the order of the file. */
	const struct ic_verdict_place *entries;
	size_t entry_count;
	/** The sites of all copies with code: `copy_count` of those of the verdicts, from this one
	 *  on, in the order of the file. */
	size_t first_copy, copy_count;
	/** Other names of the code, the first IC_VERDICT_MOST_OTHERS of them: a probe there sees
	 *  the calls of those too. */
	const char *const *others;
	size_t other_count;
};

#define IC_VERDICT_MOST_COPIES 5
#define IC_VERDICT_MOST_OTHERS 100

struct ic_verdicts;

/**
 * Says what became of the functions that have some names.
 *
 * @param index  Must live as long as the verdicts. It should have been built with `declarations`
 *               and `calls`: else functions that are only declared are not known, and no call is.
 *               Built for these names only (ic_index_options::functions), it has all that is
 *               needed.
 * @param names  As in struct ic_sites_query; or of symbols. The list ends with NULL, and the names
 *               must live as long as the verdicts. What is said of one does not depend on the
 *               others.
 * @param err    [out] Set on failure; may be NULL.
 *
 * @return For one name after another, one for each function that ic_statistics_find() tells apart,
 *         in the order of their names and places; none if nothing has the name. To be freed with
 *         ic_verdicts_free(). NULL if memory runs out, and if the index is of a table
 *         (IC_ERROR_UNSUPPORTED).
 *
 * Time: O(n log n) for n instances and functions, and three passes over the symbols, however many
 * names there are.
 */
IC_API struct ic_verdicts *ic_verdicts_find(const struct ic_index *index, const char *const *names,
					    struct ic_error *err);

/** Frees verdicts; NULL is allowed. */
IC_API void ic_verdicts_free(struct ic_verdicts *verdicts);

/** How many there are. */
IC_API size_t ic_verdicts_count(const struct ic_verdicts *verdicts);

/** Verdict number `number`, from 0; false if there are not so many. */
IC_API bool ic_verdicts_get(const struct ic_verdicts *verdicts, size_t number,
			    struct ic_verdict *verdict);

/** The sites of all places, for ic_sites_get(); they are freed with the verdicts. */
IC_API const struct ic_sites *ic_verdicts_sites(const struct ic_verdicts *verdicts);

#ifdef __cplusplus
}
#endif

#endif
