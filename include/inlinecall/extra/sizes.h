// How many bytes of code each function has, inlined or not. Each byte counts once.
//
// Sizes borrow from their index. They never change once made: any number of threads may share them.
#ifndef INLINECALL_EXTRA_SIZES_H
#define INLINECALL_EXTRA_SIZES_H

#include <inlinecall/sites.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What to group code by. */
enum ic_sizes_by {
	IC_SIZES_BY_FUNCTION, /**< told apart as by ic_statistics_find() */
	/** Functions whose names differ only in template or generic arguments are one:
	 *  "Vec<_>::push". */
	IC_SIZES_BY_TEMPLATE,
	/** The namespace in which the function is declared, with the enclosing ones; in Rust, its
	 *  module. */
	IC_SIZES_BY_NAMESPACE,
	IC_SIZES_BY_CRATE,     /**< the outermost of these */
	IC_SIZES_BY_SOURCE,    /**< the file that declares the function */
	IC_SIZES_BY_DIRECTORY, /**< the directory of that file */
	IC_SIZES_BY_UNIT,      /**< the unit whose debug information describes the copy */
	IC_SIZES_BY_SECTION, /**< the section that contains the code: all code, described or not */
	IC_SIZES_OF_ALL      /**< only in ic_size::by: all groups together */
};

/** The order of groups; ties are broken by self bytes, then by name. */
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
	size_t limit; /**< only the first this many groups; 0 for all */
};

/** What a group of code consists of. */
enum ic_size_kind {
	/** A function described by debug information, or several functions, depending on the
	 *  query. */
	IC_SIZE_FUNCTION,
	/** A function that only has a symbol; when not grouping by function, all of these
	 *  together. */
	IC_SIZE_SYMBOL,
	IC_SIZE_SECTION, /**< all code of a section */
	IC_SIZE_LINKAGE, /**< code that the linker made to call other files: .plt and the like */
	IC_SIZE_PADDING, /**< the rest: between functions, and code without a name */
	/** The same without debug information and with a stripped symbol table: most of it may be
	 *  functions. */
	IC_SIZE_UNNAMED
};

#define IC_SIZE_NONE INT64_MIN /**< an unknown saving */

/** The bytes of a group. Unknown strings are NULL, unknown lines 0. */
struct ic_size {
	enum ic_sizes_by by;
	enum ic_size_kind kind;
	const char *function, *linkage_name; /**< by function; for symbols the symbol */
	/** For functions and sources the path; for directories the directory. */
	const char *decl_file;
	uint32_t decl_line;
	/** The template, namespace, crate, unit (as ic_statistic::unit) or section. */
	const char *group;
	/** Bytes that are in nothing inlined into the group's functions. Each byte of the file
	 *  counts in one group: if a linker folded functions, in the first. */
	uint64_t self;
	uint64_t self_inlined; /**< the part in inlined copies */
	/** Bytes of all copies, including everything inlined into them; each byte once per
	 *  group. */
	uint64_t total;
	uint64_t total_inlined; /**< the part in inlined copies */
	uint64_t copies;        /**< inlined copies with code left */
	uint64_t out_of_line;   /**< copies with code of their own */
	/** By function: roughly how many bytes the file would shrink by if the function were never
	 *  inlined. Each copy becomes a call, with its arguments put in place, and if there is no
	 *  out-of-line copy, one of average size is added. Negative if the file would grow;
	 *  IC_SIZE_NONE if no copy is inlined. */
	int64_t saving;
};

struct ic_sizes;

/**
 * Counts the bytes of all code.
 *
 * @param index  Of all functions, and not of a table of inlined calls; must outlive the sizes. For
 *               an image without debug information, its symbols have sizes.
 * @param query  NULL for the defaults. Not kept.
 * @param err    [out] Set on failure; may be NULL.
 *
 * @return The sizes, to be freed with ic_sizes_free(). NULL if memory runs out, or the index is of
 *         a table, which has no sizes (IC_ERROR_UNSUPPORTED).
 *
 * Time: O(n log n) for n instances, ranges, functions and symbols.
 */
IC_API struct ic_sizes *ic_sizes_find(const struct ic_index *index,
				      const struct ic_sizes_query *query, struct ic_error *err);

/** Frees sizes; NULL is allowed. */
IC_API void ic_sizes_free(struct ic_sizes *sizes);

/** The number of groups. */
IC_API size_t ic_sizes_count(const struct ic_sizes *sizes);

/**
 * Gets group number `number`, from 0, valid as long as the sizes; false if there are fewer.
 * Functions and symbols come first, in the requested order, then code without a name of its own.
 */
IC_API bool ic_sizes_get(const struct ic_sizes *sizes, size_t number, struct ic_size *size);

/** The bytes of all groups, including those beyond the limit. */
struct ic_sizes_total {
	uint64_t code; /**< executable bytes in the file; 0 if unknown */
	/** This and the next four are parts of `code`, by enum ic_size_kind, and add up to it. */
	uint64_t functions;
	uint64_t symbols, linkage, padding, unnamed;
	uint64_t inlined;        /**< the part of `functions` in inlined copies */
	uint64_t function_count; /**< number of different functions with code */
};

/** Gets the totals. */
IC_API void ic_sizes_total(const struct ic_sizes *sizes, struct ic_sizes_total *total);

#ifdef __cplusplus
}
#endif

#endif
