// How much was inlined, in numbers: of a whole file, and of its functions, callers, source files or
// units.
//
// Statistics borrow from their index and are read only once they are made: any number of threads
// may share them.
#ifndef INLINECALL_EXTRA_STATISTICS_H
#define INLINECALL_EXTRA_STATISTICS_H

#include <inlinecall/extra/symbolizer.h>
#include <inlinecall/parameters.h>
#include <inlinecall/sites.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What copies are grouped by. */
enum ic_statistics_by {
	IC_STATISTICS_BY_FUNCTION, /**< that was inlined: see ic_statistics_find() */
	IC_STATISTICS_BY_CALLER,   /**< the function whose code they are in: the host */
	IC_STATISTICS_BY_FILE,     /**< the source file that declares the function */
	IC_STATISTICS_BY_UNIT,     /**< the unit whose code they are in */
	IC_STATISTICS_OF_ALL       /**< only ic_statistic::by: of all groups together */
};

/** The order of groups. Those that are equal come by copies, then by bytes, then by name. */
enum ic_statistics_order {
	IC_STATISTICS_MOST_COPIES,
	IC_STATISTICS_MOST_SELF, /**< bytes */
	IC_STATISTICS_MOST_BYTES,
	IC_STATISTICS_MOST_CALLERS,
	IC_STATISTICS_BY_NAME
};

/** Whether a function has code of its own, and copies in that of others. */
enum ic_inlined {
	IC_INLINED_UNKNOWN, /**< neither, or no function */
	IC_INLINED_NEVER,   /**< only code of its own */
	IC_INLINED_PARTLY,  /**< both: a probe on its symbol misses the copies */
	IC_INLINED_FULLY    /**< only copies */
};

/** What statistics are wanted. Zero-initialised: of all functions. */
struct ic_statistics_query {
	/** Which copies count. `out_of_line` and `calls` do not matter. NULL for all. A function
	 *  that was never inlined has a group only if `function` names it. */
	const struct ic_sites_query *sites;
	enum ic_statistics_by by;
	enum ic_statistics_order order;
	size_t top; /**< only the first so many groups; 0 for all */
	/** Counts the selected sites of each function and nothing else, which takes a fraction of
	 *  the time for a few functions: ic_statistic::copies, `without_code`, `size`,
	 *  `out_of_line` and `calls`. The other numbers and the total mean nothing. Parts count if
	 *  the query selects them. Only for groups by function. */
	bool only_sites;
};

struct ic_statistics;

/**
 * Makes statistics.
 *
 * A function that several units have, such as one of a header, is one: of the same name (the
 * linkage name if there is one), and declared at the same line. Calls from units that only declare
 * the function are counted for the definition, if the file has only one of that name.
 *
 * @param index  Must live as long as the statistics.
 * @param query  NULL for the defaults. Not kept.
 * @param err    [out] Set on failure; may be NULL.
 *
 * @return The statistics, perhaps without a group, to be freed with ic_statistics_free(); NULL as
 *         ic_sites_find(), and if the index is of a table (ic_index_options::inline_table), and
 *         they are to be grouped or sorted by what that does not have: source files, units, bytes
 *         (IC_ERROR_UNSUPPORTED), unless only sites are counted.
 *
 * Time: O(n log n) for n instances, ranges and functions; 0.1 s in a kernel.
 */
IC_API struct ic_statistics *ic_statistics_find(const struct ic_index *index,
						const struct ic_statistics_query *query,
						struct ic_error *err);

/** Frees statistics; NULL is allowed. */
IC_API void ic_statistics_free(struct ic_statistics *statistics);

/** How many groups there are. */
IC_API size_t ic_statistics_count(const struct ic_statistics *statistics);

#define IC_STATISTIC_NONE UINT64_MAX /**< a number that means nothing of such a group */

/** The numbers of a group. Strings that are not known are NULL, lines 0, numbers
 *  IC_STATISTIC_NONE: of a table of inlined calls all sizes but that of the code, the copies
 *  without code, those out of line (not if only sites are counted), and the calls. */
struct ic_statistic {
	enum ic_statistics_by by;
	/** The function, or the caller. */
	const char *function, *linkage_name;
	const char *decl_file; /**< of these the path; of a file its path, without ".." in it */
	uint32_t decl_line;
	/** DW_AT_name of the unit, if the group is one; its path if others have the name. */
	const char *unit;
	enum ic_inlined inlined;
	uint64_t copies;       /**< inlined ones of which code is left */
	uint64_t without_code; /**< inlined ones of which none is */
	uint64_t functions;    /**< how many different ones the `copies` are of */
	uint64_t callers;      /**< how many different ones the `copies` are in */
	/** Bytes of the copies that are in nothing inlined into these; each byte once. */
	uint64_t self_size;
	uint64_t size; /**< bytes of the copies, with all that is in them; each byte once */
	/** Functions that are so: those of the group's copies, and in groups by function or file
	 *  and of all, those that were never inlined too. Of callers and units `never` is none. */
	uint64_t never, partly, fully;
	/** Copies with code of their own, and their bytes, with what was inlined into them; each
	 *  byte once. Of the functions of the group, of the caller, or in the unit. */
	uint64_t out_of_line, out_of_line_size;
	/** Calls that were not inlined, if the index was built with them and only sites are
	 *  counted; else 0. */
	uint64_t calls;
	uint64_t code_size; /**< only of all: what can be executed in the file */
};

/** Group number `number`, from 0; false if there are not so many. */
IC_API bool ic_statistics_get(const struct ic_statistics *statistics, size_t number,
			      struct ic_statistic *statistic);

/** All groups together, also those that are not among the first. */
IC_API void ic_statistics_total(const struct ic_statistics *statistics,
				struct ic_statistic *statistic);

/** Where the arguments of inlined copies are when these are entered, in numbers. Only copies count
 *  of which code is left. */
struct ic_argument_counts {
	uint64_t functions;     /**< how many different ones the copies are of */
	uint64_t copies;        /**< also those without arguments */
	uint64_t arguments;     /**< one for each parameter that the function declares */
	uint64_t categories[8]; /**< of these, by enum ic_location_category; each alone */
	uint64_t shapes[32];    /**< likewise by enum ic_location_shape */
	/** Those of IC_SHAPE_EMPTY: no value is known anywhere in the copy, or only elsewhere in
	 *  it; or what there is cannot be read. */
	uint64_t optimised_out, not_here, unreadable;
	/** Likewise: a table of inlined calls has none, and does not say why. */
	uint64_t untold;
};

#define IC_ARGUMENTS_FEW 100 /**< copies that a function has at most: the RFC on .BTF.inline */

/** */
struct ic_argument_statistics {
	struct ic_argument_counts all;
	/** Of functions with at most IC_ARGUMENTS_FEW copies in the whole file. */
	struct ic_argument_counts few;
	/** Copies that do not count: ic_parameters_is_undescribed(). */
	uint64_t undescribed;
};

/**
 * Counts the arguments of inlined copies, by the kinds of expressions that say where they are.
 *
 * @param parameters  A reader of the index. What cannot be read is a problem of it.
 * @param index       With which it was opened.
 * @param sites       Which copies count, as for ic_statistics_query; NULL for all.
 * @param statistics  [out]
 * @param err         [out] Set on failure; may be NULL.
 *
 * @return false as ic_sites_find() returns NULL, or if memory runs out.
 *
 * Time: that of ic_parameters_find() for each copy.
 */
IC_API bool ic_arguments_count(struct ic_parameters *parameters, const struct ic_index *index,
			       const struct ic_sites_query *sites,
			       struct ic_argument_statistics *statistics, struct ic_error *err);

#ifdef __cplusplus
}
#endif

#endif
