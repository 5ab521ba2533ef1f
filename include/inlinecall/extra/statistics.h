// How much was inlined, in numbers: for a whole file, and by function, caller, source file or unit.
//
// Statistics borrow from their index. They never change once made: any number of threads may share
// them.
#ifndef INLINECALL_EXTRA_STATISTICS_H
#define INLINECALL_EXTRA_STATISTICS_H

#include <inlinecall/extra/symbolizer.h>
#include <inlinecall/parameters.h>
#include <inlinecall/sites.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What to group copies by. */
enum ic_statistics_by {
	IC_STATISTICS_BY_FUNCTION, /**< the inlined function: see ic_statistics_find() */
	IC_STATISTICS_BY_CALLER,   /**< the function that contains them: the host */
	IC_STATISTICS_BY_FILE,     /**< the source file that declares the function */
	IC_STATISTICS_BY_UNIT,     /**< the unit that contains them */
	IC_STATISTICS_OF_ALL       /**< only in ic_statistic::by: all groups together */
};

/** The order of groups. Ties are broken by copies, then by bytes, then by name. */
enum ic_statistics_order {
	IC_STATISTICS_MOST_COPIES,
	IC_STATISTICS_MOST_SELF, /**< bytes */
	IC_STATISTICS_MOST_BYTES,
	IC_STATISTICS_MOST_CALLERS,
	IC_STATISTICS_BY_NAME
};

/** Whether a function has code of its own, and copies in others. */
enum ic_inlined {
	IC_INLINED_UNKNOWN, /**< neither, or not a function */
	IC_INLINED_NEVER,   /**< only code of its own */
	IC_INLINED_PARTLY,  /**< both: a probe on its symbol misses the copies */
	IC_INLINED_FULLY    /**< only copies */
};

/** Which statistics to make. Zero-initialised: of all functions. */
struct ic_statistics_query {
	/** Which copies count. `out_of_line` and `calls` are ignored. NULL for all. A function that
	 *  was never inlined has a group only if it is named in `function`. */
	const struct ic_sites_query *sites;
	enum ic_statistics_by by;
	enum ic_statistics_order order;
	size_t limit;   /**< only the first this many groups; 0 for all */
	bool with_code; /**< only groups with code: copies or, by function, an out-of-line one */
	/** Count only the selected sites of each function, which takes a fraction of the time for a
	 *  few functions: ic_statistic::copies, `without_code`, `size`, `out_of_line` and `calls`.
	 *  The other numbers and the total are meaningless. Parts count if the query selects them.
	 *  Only for groups by function. */
	bool only_sites;
};

struct ic_statistics;

/**
 * Makes statistics.
 *
 * A function in several units, such as one from a header, counts as one function: it has the same
 * name (linkage name if present) and is declared at the same line. Calls from units that only
 * declare the function are counted for its definition, if the file has only one of that name.
 *
 * @param index  Must outlive the statistics.
 * @param query  NULL for the defaults. Not kept.
 * @param err    [out] Set on failure; may be NULL.
 *
 * @return The statistics, possibly without a group, to be freed with ic_statistics_free(); NULL as
 *         for ic_sites_find(), and if the index is of a table (ic_index_options::inline_table) and
 *         the groups or their order need data that it lacks: source files, units, bytes
 *         (IC_ERROR_UNSUPPORTED), unless only sites are counted.
 *
 * Time: O(n log n) for n instances, ranges and functions; 0.1 s in a kernel.
 */
IC_API struct ic_statistics *ic_statistics_find(const struct ic_index *index,
						const struct ic_statistics_query *query,
						struct ic_error *err);

/** Frees statistics; NULL is allowed. */
IC_API void ic_statistics_free(struct ic_statistics *statistics);

/** The number of groups. */
IC_API size_t ic_statistics_count(const struct ic_statistics *statistics);

#define IC_STATISTIC_NONE UINT64_MAX /**< a number that does not apply to a group */

/**
 * The numbers of a group. Unknown strings are NULL, unknown lines 0, unknown numbers
 * IC_STATISTIC_NONE: for a table of inlined calls these are all sizes but `code_size`, the copies
 * without code, the out-of-line copies (unless only sites are counted), and the calls.
 */
struct ic_statistic {
	enum ic_statistics_by by;
	/** The function, or the caller. */
	const char *function, *linkage_name;
	const char *decl_file; /**< path for these; for a file its path, without ".." */
	uint32_t decl_line;
	/** DW_AT_name of the unit, if the group is one; its path if others have the same name. */
	const char *unit;
	enum ic_inlined inlined;
	uint64_t copies;       /**< inlined copies with code left */
	uint64_t without_code; /**< inlined copies without */
	uint64_t functions;    /**< number of different functions that the `copies` are of */
	uint64_t callers;      /**< number of different functions that contain the `copies` */
	/** Bytes of the copies that are in nothing inlined into them; each byte once. */
	uint64_t self_size;
	uint64_t size; /**< bytes of the copies, including everything in them; each byte once */
	/** Number of functions inlined never, partly and fully: those of the group's copies and, in
	 *  groups by function or file and in the total, also those that were never inlined. For
	 *  callers and units `never` does not apply. */
	uint64_t never, partly, fully;
	/** Copies with code of their own, and their bytes including everything inlined into them;
	 *  each byte once. For the functions of the group, for the caller, or in the unit. */
	uint64_t out_of_line, out_of_line_size;
	/** Calls that were not inlined, if the index was built with them and only sites are
	 *  counted; otherwise 0. */
	uint64_t calls;
	uint64_t code_size; /**< only in the total: executable bytes in the file */
};

/** Gets group number `number`, from 0; false if there are fewer. */
IC_API bool ic_statistics_get(const struct ic_statistics *statistics, size_t number,
			      struct ic_statistic *statistic);

/** Gets the total of all groups, including those beyond the limit. */
IC_API void ic_statistics_total(const struct ic_statistics *statistics,
				struct ic_statistic *statistic);

/**
 * Where the arguments of inlined copies are at their entry, in numbers. Only copies with code left
 * count.
 */
struct ic_argument_counts {
	uint64_t functions;     /**< number of different functions that the copies are of */
	uint64_t copies;        /**< including those without arguments */
	uint64_t arguments;     /**< one for each parameter that the function declares */
	uint64_t categories[8]; /**< arguments by enum ic_location_category, not cumulative */
	uint64_t shapes[32];    /**< arguments by enum ic_location_shape */
	/** The arguments of IC_SHAPE_EMPTY: without a value anywhere in the copy, or at its entry;
	 *  or with one that cannot be read. */
	uint64_t optimised_out, not_here, unreadable;
	/** Likewise: those without a location in a table of inlined calls, which does not record
	 *  why. */
	uint64_t without_reason;
};

/** The most copies of a function in ic_argument_statistics::few: from the RFC on .BTF.inline. */
#define IC_ARGUMENTS_FEW 100

/** Counts for all functions, and for those with few copies. */
struct ic_argument_statistics {
	struct ic_argument_counts all;
	/** Of functions with at most IC_ARGUMENTS_FEW copies in the whole file. */
	struct ic_argument_counts few;
	/** Copies that do not count: ic_parameters_is_undescribed(). */
	uint64_t undescribed;
};

/**
 * Counts the arguments of inlined copies, by the kinds of expressions that describe their
 * locations.
 *
 * @param parameters  A reader of the index. Unreadable data becomes a problem of the reader.
 * @param index       The one that the reader was opened with.
 * @param sites       Which copies count, as for ic_statistics_query; NULL for all.
 * @param statistics  [out]
 * @param err         [out] Set on failure; may be NULL.
 *
 * @return false in the cases where ic_sites_find() returns NULL, or if memory runs out.
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
