// How many bytes of code each function has, inlined or not: each byte once.
//
// Sizes borrow from their index and are read only once they are made: any number of threads may
// share them.
#ifndef INLINECALL_EXTRA_SIZES_H
#define INLINECALL_EXTRA_SIZES_H

#include <inlinecall/sites.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What code is grouped by. */
enum ic_sizes_by {
	IC_SIZES_BY_FUNCTION,  /**< told apart as ic_statistics_find() does */
	IC_SIZES_BY_TEMPLATE,  /**< functions whose names differ in template or generic arguments
				*   only are one: "Vec<_>::push" */
	IC_SIZES_BY_NAMESPACE, /**< that the function is declared in, with those around it; a module
				*   of Rust */
	IC_SIZES_BY_CRATE,     /**< the outermost of these */
	IC_SIZES_BY_SOURCE,    /**< the file that declares the function */
	IC_SIZES_BY_DIRECTORY, /**< of that file */
	IC_SIZES_BY_UNIT,      /**< whose debugging information describes the copy */
	IC_SIZES_BY_SECTION,   /**< that the code is in: all of it, whatever it is */
	IC_SIZES_OF_ALL        /**< only ic_size::by: of all groups together */
};

/** The order of groups; those that are equal come by bytes of their own, then by name. */
enum ic_sizes_order {
	IC_SIZES_MOST_SELF,
	IC_SIZES_MOST_TOTAL,
	IC_SIZES_MOST_COPIES,
	IC_SIZES_MOST_SAVING,
	IC_SIZES_BY_NAME
};

/** Zero-initialised: by function. */
struct ic_sizes_query {
	enum ic_sizes_by by;
	enum ic_sizes_order order;
	size_t top; /**< only the first so many groups; 0 for all */
};

/** What a group of code is. */
enum ic_size_kind {
	IC_SIZE_FUNCTION, /**< that debugging information describes; of several functions, if the
			   *   query says so */
	IC_SIZE_SYMBOL,   /**< that only a symbol names; by anything but functions all of these */
	IC_SIZE_SECTION,  /**< all code of a section */
	IC_SIZE_LINKAGE,  /**< what the linker made to call other files: .plt and the like */
	IC_SIZE_PADDING,  /**< the rest: between functions, and what nothing names */
	IC_SIZE_UNNAMED   /**< the same without debug information and with a stripped symbol table:
			   *   most of it may be functions */
};

#define IC_SIZE_NONE INT64_MIN /**< of a saving that is not known */

/** The bytes of a group. Strings that are not known are NULL, lines 0. */
struct ic_size {
	enum ic_sizes_by by;
	enum ic_size_kind kind;
	const char *function, *linkage_name; /**< by function; of symbols the symbol */
	/** Of functions and sources the path; of directories that. */
	const char *decl_file;
	uint32_t decl_line;
	/** The template, namespace, crate, unit (as ic_statistic::unit) or section. */
	const char *group;
	/** Bytes that are in nothing inlined into the group's functions. Each byte of the file
	 *  counts in one group: of functions that a linker made one in the first. */
	uint64_t self;
	uint64_t self_inlined; /**< of these, those of inlined copies */
	/** Bytes of all copies, with what was inlined into them; each byte once in a group. */
	uint64_t total;
	uint64_t total_inlined; /**< likewise, of inlined copies */
	uint64_t copies;        /**< inlined ones of which code is left */
	uint64_t out_of_line;   /**< copies with code of their own */
	/** By function: about how many bytes the file would lose if nothing of it were inlined:
	 *  each copy becomes a call, whose arguments are where they must be, and if there is no
	 *  copy out of line, one of average size is added. Negative if it would grow;
	 *  IC_SIZE_NONE if nothing of it is inlined. */
	int64_t saving;
};

struct ic_sizes;

/**
 * Counts the bytes of all code.
 *
 * @param index  Of all functions, and not of a table of inlined calls; must live as long as the
 *               sizes. Of an image without debug information its symbols have sizes.
 * @param query  NULL for the defaults. Not kept.
 * @param err    [out] Set on failure; may be NULL.
 *
 * @return The sizes, to be freed with ic_sizes_free(). NULL if memory runs out, or the index is of
 * a table, which has no sizes (IC_ERROR_UNSUPPORTED).
 *
 * Time: O(n log n) for n instances, ranges, functions and symbols.
 */
IC_API struct ic_sizes *ic_sizes_find(const struct ic_index *index,
				      const struct ic_sizes_query *query, struct ic_error *err);

/** Frees sizes; NULL is allowed. */
IC_API void ic_sizes_free(struct ic_sizes *sizes);

/** How many groups there are. */
IC_API size_t ic_sizes_count(const struct ic_sizes *sizes);

/** Group number `number`, from 0, as long-lived as the sizes; false if there are not so many. Those
 *  of functions and symbols come in their order, then what has no name of its own. */
IC_API bool ic_sizes_get(const struct ic_sizes *sizes, size_t number, struct ic_size *size);

/** The bytes of all groups, also of those that are not among the first. */
struct ic_sizes_total {
	uint64_t code;      /**< what can be executed in the file; 0 if that is not known */
	uint64_t functions; /**< of these, by enum ic_size_kind; together they are all of it */
	uint64_t symbols, linkage, padding, unnamed;
	uint64_t inlined;        /**< of `functions`, in inlined copies */
	uint64_t function_count; /**< different functions that have code */
};

/** */
IC_API void ic_sizes_total(const struct ic_sizes *sizes, struct ic_sizes_total *total);

#ifdef __cplusplus
}
#endif

#endif
