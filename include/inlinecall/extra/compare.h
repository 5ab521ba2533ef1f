// What changed in the inlining between two builds.
//
// A build is made from the indexes of its files: an executable, a kernel with its modules, or all
// objects of a directory. Functions match by name and source file, and copies by their call path,
// from the out-of-line function inwards: code that only moved, or was compiled in another
// directory, is no change.
#ifndef INLINECALL_EXTRA_COMPARE_H
#define INLINECALL_EXTRA_COMPARE_H

#include <inlinecall/extra/statistics.h>
#include <inlinecall/index.h>
#include <inlinecall/parameters.h>

#ifdef __cplusplus
extern "C" {
#endif

struct ic_build;

/**
 * Makes a build without files.
 *
 * @param err  [out] Set on failure; may be NULL.
 *
 * @return The build, to be freed with ic_build_free(); NULL if memory runs out.
 */
IC_API struct ic_build *ic_build_new(struct ic_error *err);

/** Frees a build; NULL is allowed. */
IC_API void ic_build_free(struct ic_build *build);

/**
 * Adds what a file contains. Clones of a function (`f.constprop.0`, `f.isra.0`) and its parts
 * (`f.cold`) count as the function; functions of several files with the same name (linkage name if
 * present), declared at the same line, are one.
 *
 * @param index       Need not outlive the call. Without ic_index_options::calls it is not known
 *                    whether copies were calls before: see ic_change::inlined.
 * @param parameters  A reader of the index, to compare the arguments of copies too. What it cannot
 *                    read becomes a problem of the reader. NULL: arguments are not compared.
 * @param err         [out] Set on failure; may be NULL.
 *
 * @return false if memory runs out; the build can then only be freed.
 *
 * Time: O(n log n) for n instances, ranges and functions of the index, and that of
 *       ic_parameters_find() for each copy.
 */
IC_API bool ic_build_add(struct ic_build *build, const struct ic_index *index,
			 struct ic_parameters *parameters, struct ic_error *err);

/** How a function changed, as bits. */
enum ic_change_kind {
	IC_CHANGE_NEW = 1 << 0,      /**< the old build has neither code nor copies of it */
	IC_CHANGE_VANISHED = 1 << 1, /**< the new build has neither */
	IC_CHANGE_INLINED = 1 << 2,  /**< there are copies in place of calls */
	IC_CHANGE_OUTLINED = 1 << 3, /**< there are calls in place of copies */
	IC_CHANGE_ADDED = 1 << 4,    /**< more copies; no call is known that they replace */
	IC_CHANGE_REMOVED = 1 << 5,  /**< fewer copies; no call is known that replaced them */
	IC_CHANGE_GROWN = 1 << 6,    /**< copies of both builds have more bytes */
	IC_CHANGE_SHRUNK = 1 << 7,   /**< copies of both builds have fewer bytes */
	IC_CHANGE_MOVED = 1 << 8,    /**< it is declared in another source file */
	IC_CHANGE_CAME = 1 << 9,     /**< copies came with the function or copy that they are in */
	IC_CHANGE_WENT = 1 << 10,    /**< copies went with it */
	IC_CHANGE_EMPTIED = 1 << 11, /**< copies of both builds have code only in the old one */
	IC_CHANGE_FILLED = 1 << 12,  /**< copies of both builds have code only in the new one */
	/** In copies of both builds, the location of an argument at the entry is known only in the
	 *  new one, or only in the old one. */
	IC_CHANGE_READABLE = 1 << 13,
	IC_CHANGE_UNREADABLE = 1 << 14
};

/** What to add up changes by. */
enum ic_comparison_by {
	IC_COMPARISON_BY_FUNCTION,
	/** The file that declares the function: in the new build, or else in the old one, as the
	 *  file that it became. */
	IC_COMPARISON_BY_SOURCE,
	IC_COMPARISON_BY_DIRECTORY, /**< the directory of that file */
	/** Functions whose names differ only in template or generic arguments are one:
	 *  "Vec<_>::push". Other functions stay by themselves. */
	IC_COMPARISON_BY_TEMPLATE
};

/** Which changes to find. Zero-initialised: all of them, by function. */
struct ic_comparison_query {
	/** Only functions with changes of these kinds, an or of enum ic_change_kind; 0 for all. */
	uint32_t kinds;
	/** If not 0, functions that only grew or shrank, by fewer bytes than this, are only
	 *  counted, and so are those of which copies only came, went, were emptied or filled,
	 *  unless `kinds` selects these. A group of functions is listed if one of them is, or if
	 *  together they grew or shrank by as many bytes; it adds up all of them. */
	uint64_t min_size;
	size_t limit; /**< only the first this many changes; 0 for all */
	enum ic_comparison_by by;
};

struct ic_comparison;

/**
 * Compares two builds.
 *
 * @param before  Must outlive the comparison.
 * @param after  The same.
 * @param query  NULL for the defaults. Not kept.
 * @param err    [out] Set on failure; may be NULL.
 *
 * @return The comparison, possibly without a change, to be freed with ic_comparison_free(); NULL if
 *         memory runs out. Two threads must not compare the same build at the same time.
 *
 * Time: O(n log n) for n functions and call paths.
 */
IC_API struct ic_comparison *ic_comparison_find(const struct ic_build *before,
						const struct ic_build *after,
						const struct ic_comparison_query *query,
						struct ic_error *err);

/** Frees a comparison; NULL is allowed. */
IC_API void ic_comparison_free(struct ic_comparison *comparison);

/** A function in one of the builds; all zero if it is not in the build. */
struct ic_change_side {
	enum ic_inlined inlined; /**< IC_INLINED_UNKNOWN if it is not in the build */
	const char *decl_file;   /**< path, without ".."; NULL if unknown */
	uint32_t decl_line;      /**< 0 if unknown */
	uint64_t copies;         /**< inlined, with code */
	uint64_t out_of_line;    /**< how often it was compiled out of line */
	/** Bytes of the copies, and of the code out of line, that are in nothing inlined into them.
	 */
	uint64_t size, out_of_line_size;
};

/** A function that changed, or the sums of a group of such functions. */
struct ic_change {
	uint32_t kinds; /**< an or of enum ic_change_kind; of a group, those of all its functions */
	enum ic_comparison_by by;
	/** The source file, directory or template of a group, or the function that is no template;
	 *  NULL if unknown, and by function. */
	const char *group;
	uint64_t functions; /**< number of functions that are added up */
	/** The qualified name, without parameters; NULL if unknown, or for a group. */
	const char *function;
	const char *linkage_name; /**< NULL if it has none */
	/** The source file by which IC_COMPARISON_BY_SOURCE groups it; NULL if unknown, or if the
	 *  functions of a group are in several. */
	const char *source;
	/** For a group, `inlined` is IC_INLINED_UNKNOWN, and only what all its functions share of
	 *  the position is known; directories have none. */
	struct ic_change_side before, after;
	/** Numbers of copies that came and went, in functions or copies that both builds have. If a
	 *  build has no call sites, none counts as inlined or outlined, but as added or removed. */
	uint64_t inlined, outlined, added, removed;
	/** Numbers of copies that came and went with the function or copy that they are in. */
	uint64_t came, went;
	/** Numbers of copies that both builds have, but only the old one, or the new one, with
	 * code. */
	uint64_t emptied, filled;
	/** Numbers of arguments of copies: see struct ic_argument_change. */
	uint64_t readable, unreadable;
	/** Bytes, negative if they went: of copies and code out of line that only one of the builds
	 *  has, and of those that both have. */
	int64_t explained, grown;
	/** Number of call paths, for ic_comparison_path_get(); 0 for a group. */
	size_t path_count;
	/** Number of arguments, for ic_comparison_argument_get(); 0 for a group. */
	size_t argument_count;
};

/** The number of changes. */
IC_API size_t ic_comparison_count(const struct ic_comparison *comparison);

/**
 * Gets change number `number`, those of most bytes first; false if there are fewer. The strings
 * belong to the builds, names of groups to the comparison.
 */
IC_API bool ic_comparison_get(const struct ic_comparison *comparison, size_t number,
			      struct ic_change *change);

/** How the copies of a function with one call path changed. */
struct ic_path_change {
	/** The out-of-line function that contains them. */
	const char *host;
	/** The numbers of copies, and of calls that were not inlined; bytes of the copies. */
	uint64_t old_copies, new_copies, old_calls, new_calls, old_size, new_size;
	size_t caller_count; /**< number of functions inlined into each other around the copies */
};

/**
 * Gets call path number `number` of change number `change`: those with other numbers of copies, in
 * functions or copies that both builds have. False if there are fewer.
 */
IC_API bool ic_comparison_path_get(const struct ic_comparison *comparison, size_t change,
				   size_t number, struct ic_path_change *path);

/**
 * The name of a function around the copies of a call path, from 0 for the innermost one; NULL if
 * there are fewer, or if it is unknown.
 */
IC_API const char *ic_comparison_caller(const struct ic_comparison *comparison, size_t change,
					size_t number, size_t caller);

/** How an argument of the copies of a function changed. */
struct ic_argument_change {
	const char *name;
	/** The numbers of copies that have it, and of those whose location at the entry is known.
	 */
	uint64_t old_copies, new_copies, old_readable, new_readable;
	/** Of the copies that both builds have, those in which it became readable and unreadable:
	 *  the least numbers that are possible, by call path. */
	uint64_t readable, unreadable;
};

/**
 * Gets argument number `number` of change number `change`: those that became readable or
 * unreadable, by name. False if there are fewer.
 */
IC_API bool ic_comparison_argument_get(const struct ic_comparison *comparison, size_t change,
				       size_t number, struct ic_argument_change *argument);

/** What changed in all functions. */
struct ic_comparison_total {
	uint64_t functions; /**< number of functions that changed, including those not listed */
	uint64_t small;     /**< of these, those below ic_comparison_query::min_size */
	/** Of these, those that the query selects, including those beyond the limit; if it groups
	 *  functions, the number of groups. */
	uint64_t selected;
	uint64_t old_copies, new_copies;
	/** As in struct ic_change; together they are the difference of the numbers of copies. */
	uint64_t inlined, outlined, added, removed, came, went, emptied, filled;
	bool has_arguments;            /**< the arguments of both builds were compared */
	uint64_t readable, unreadable; /**< as in struct ic_change */
	int64_t explained, grown;      /**< bytes, as in struct ic_change */
	/** Executable bytes in the files of each build; IC_STATISTIC_NONE if unknown. */
	uint64_t old_code, new_code;
};

/** Gets the total of all changes, including those that the query leaves out. */
IC_API void ic_comparison_total(const struct ic_comparison *comparison,
				struct ic_comparison_total *total);

#ifdef __cplusplus
}
#endif

#endif
