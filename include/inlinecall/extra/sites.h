// More of inlinecall/sites.h: what happened to functions without sites, and similar names.
#ifndef INLINECALL_EXTRA_SITES_H
#define INLINECALL_EXTRA_SITES_H

#include <inlinecall/sites.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * The name of the innermost function symbol that contains the whole range, NULL if there is none.
 * Only 32 symbols that start before the range are examined for larger ones.
 *
 * @param function  If several symbols are at one address, for example because a linker folded
 *                  identical functions, that of this function, or of a clone of it
 *                  ("f.constprop.0"), is preferred. A linkage name, or a name in C. May be NULL.
 *
 * Time: O(n) for n symbols the first few times, 0.2 ms in a kernel; then O(log n).
 */
IC_API const char *ic_index_symbol(const struct ic_index *index, struct ic_range range,
				   const char *function);

/** What happened to the functions with a name. */
struct ic_function_summary {
	/** The number that match; functions without instances only in an index built with
	 *  `declarations` or `names_only`. */
	uint64_t functions;
	uint64_t inlined;   /**< their inlined instances */
	uint64_t with_code; /**< inlined instances with code left */
	uint64_t hosts;     /**< out-of-line copies */
	bool was_inlined;   /**< according to DW_AT_inline, whether or not an instance is left */
	/** Position of the declaration of the first of them for which it is known, preferring one
	 *  with copies, which is its definition. NULL if none is known. */
	const char *decl_file;
	uint32_t decl_line;
	bool is_defined; /**< that function has copies */
};

/**
 * Summarises the functions named in the query; its other fields are ignored, and it must not be
 * NULL.
 *
 * @param summaries  [out] One for each name, in order. For a query without a name, one for all
 *                   functions.
 *
 * @return false in the cases where ic_sites_find() returns NULL.
 *
 * Time: O(n) for n functions and instances, for any number of names.
 */
IC_API bool ic_sites_summary(const struct ic_index *index, const struct ic_sites_query *query,
			     struct ic_function_summary *summaries, struct ic_error *err);

/**
 * Finds the function names in the index that are most similar to `name`, nearest first.
 *
 * @param name   Nothing is similar to NULL.
 * @param names  [in, out] Array of `capacity`. The names found are owned by the index.
 * @param count  Names already in the array, such as those of another index: the nearest of all of
 *               them are kept. Initially 0.
 *
 * @return How many names there are, at most `capacity`; names that are not similar at all are left
 *         out. Cannot fail. Time: O(f * length of the names).
 */
IC_API size_t ic_index_nearest_names(const struct ic_index *index, const char *name,
				     const char **names, size_t count, size_t capacity);

#ifdef __cplusplus
}
#endif

#endif
