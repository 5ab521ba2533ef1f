// Which out-of-line functions of a file contain code of a function, and are affected if it changes.
//
// An answer borrows from its index. It never changes once made: any number of threads may share it.
#ifndef INLINECALL_EXTRA_AFFECTED_H
#define INLINECALL_EXTRA_AFFECTED_H

#include <inlinecall/extra/verdict.h>
#include <inlinecall/range.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What a file has of a function. */
enum ic_affected_state {
	/** Neither code nor copies. */
	IC_AFFECTED_ABSENT,
	/** Code of its own; there may be copies too. */
	IC_AFFECTED_PRESENT,
	/** Only copies, all of which may have lost their code. */
	IC_AFFECTED_INLINED_ONLY,
	/** Its symbol is at the code of another function: an alias, or folded identical code. */
	IC_AFFECTED_FOLDED,
	/** It has a symbol, but no debug information: copies cannot be found. */
	IC_AFFECTED_UNKNOWN
};

/** A function by its position, which tells functions with the same name apart. */
struct ic_affected_source {
	const char *function; /**< the linkage name or, if it has none, the name */
	const char *file;     /**< only the part after the last slash is compared */
	uint32_t line;        /**< of the declaration */
};

/** What to find. One of the first two arrays must not be NULL. */
struct ic_affected_query {
	/** Names of functions, matched as by IC_MATCH_NAME, or of symbols; terminated by NULL. */
	const char *const *functions;
	/** Names of out-of-line functions: finds everything that was inlined into them, instead of
	 *  what contains `functions`. Terminated by NULL. */
	const char *const *hosts;
	/** Of `functions`, only those that are declared at one of these positions, and those
	 * without a known declaration; ignored if `source_count` is 0. */
	const struct ic_affected_source *sources;
	size_t source_count;
};

struct ic_affected;

/**
 * Finds the out-of-line functions that contain code of functions, directly or inlined into other
 * inlined functions.
 *
 * @param index  Must outlive the answer. If it is built for some functions only
 *               (ic_index_options::functions), then for those of the query. With `declarations` and
 *               `calls` more is known of functions without code.
 * @param query  Not kept, but its names must outlive the answer.
 * @param err    [out] Set on failure; may be NULL.
 *
 * @return The answer, to be freed with ic_affected_free(); NULL if the query has neither functions
 *         nor hosts, or both (IC_ERROR_ARGUMENT), if the index is of a table
 * (IC_ERROR_UNSUPPORTED), or if memory runs out.
 *
 * Time: O(n log n) for n instances and functions.
 */
IC_API struct ic_affected *ic_affected_find(const struct ic_index *index,
					    const struct ic_affected_query *query,
					    struct ic_error *err);

/** Frees an answer; NULL is allowed. */
IC_API void ic_affected_free(struct ic_affected *affected);

/** A function of the query, or one that is inlined into its hosts. */
struct ic_affected_function {
	enum ic_affected_state state;
	/** Why there is no code, or only a symbol; see ic_affected_state. */
	enum ic_verdict_kind verdict;
	const char *asked; /**< the name of the query; NULL for what was inlined into its hosts */
	const char *function, *linkage_name; /**< NULL if unknown */
	const char *decl_file;               /**< path; NULL if unknown */
	uint32_t decl_line;                  /**< 0 if unknown */
	uint64_t copies;                     /**< inlined, with code left */
	uint64_t without_code;               /**< inlined, without code left */
	size_t host_count; /**< number of out-of-line functions, for ic_affected_host() */
};

/** The number of functions: at least one for each name of the query. */
IC_API size_t ic_affected_count(const struct ic_affected *affected);

/** Gets function number `number`, from 0; false if there are fewer. */
IC_API bool ic_affected_get(const struct ic_affected *affected, size_t number,
			    struct ic_affected_function *function);

/** An out-of-line function that contains code of a function. */
struct ic_affected_host {
	const char *function, *linkage_name; /**< NULL if unknown */
	/** Where most of its code is; the section is NULL if unknown. */
	struct ic_range range;
	const char *section;
	/** The symbols at its code, such as "f" and "f.cold". */
	const char *const *symbols;
	size_t symbol_count;
	bool is_function;              /**< it is the function itself, or a clone or part of it */
	uint64_t copies, without_code; /**< inlined into it, as above */
	/** Bytes of the code of the function in it, including everything inlined there. */
	uint64_t size;
};

/** Gets out-of-line function number `number` of function number `function`, those with lower
 *  addresses first; false if there are fewer. */
IC_API bool ic_affected_host(const struct ic_affected *affected, size_t function, size_t number,
			     struct ic_affected_host *host);

#ifdef __cplusplus
}
#endif

#endif
