// More of inlinecall/sites.h: what became of functions without sites, and names like one.
#ifndef INLINECALL_EXTRA_SITES_H
#define INLINECALL_EXTRA_SITES_H

#include <inlinecall/sites.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * The name of the innermost function symbol that wholly holds the range, NULL if there is none.
 * Larger symbols are looked for among the 32 that start before the range.
 *
 * @param function  Of several symbols at one address, as where a linker folded functions that are
 *                  the same, that of this function is taken, or of a clone of it
 *                  ("f.constprop.0"). By linkage name, or by name in C. May be NULL.
 *
 * Time: O(n) for n symbols the first few times, 0.2 ms in a kernel; then O(log
 * n).
 */
IC_API const char *ic_index_symbol(const struct ic_index *index, struct ic_range range,
				   const char *function);

/** What became of the functions of a name. */
struct ic_function_summary {
	uint64_t functions; /**< that match; those without instances only in an index built with
			     *   `declarations` or `names_only` */
	uint64_t inlined;   /**< instances of them */
	uint64_t with_code; /**< inlined instances of which code is left */
	uint64_t hosts;     /**< out-of-line copies */
	bool was_inlined;   /**< as DW_AT_inline has it, whether or not an instance is left */
	/** Where the first of them is declared for which that is known: one with copies, which is
	 *  its definition, if there is any. NULL if it is known of none. */
	const char *decl_file;
	uint32_t decl_line;
	bool is_defined; /**< that one has copies */
};

/**
 * Says what became of the functions that the query names; its other fields do not matter, and it
 * may not be NULL.
 *
 * @param summaries  [out] One for each name, in their order. Of a query without a name one, of all
 *                   functions.
 *
 * @return false as ic_sites_find() returns NULL.
 *
 * Time: O(n) for n functions and instances, however many names there are.
 */
IC_API bool ic_sites_summary(const struct ic_index *index, const struct ic_sites_query *query,
			     struct ic_function_summary *summaries, struct ic_error *err);

/**
 * The function names of the index that are most like `name`, the nearest first.
 *
 * @param name      Nothing is like NULL.
 * @param names     [in, out] Array of `capacity`. Names that are found are the index's.
 * @param count     Names that are there already, such as those of another index: what is nearest
 *                  of all of them stays. 0 at first.
 *
 * @return How many were found, at most `capacity`; names that are not alike at all are none.
 *         Cannot fail. Time: O(f * length of the names).
 */
IC_API size_t ic_index_nearest_names(const struct ic_index *index, const char *name,
				     const char **names, size_t count, size_t capacity);

#ifdef __cplusplus
}
#endif

#endif
