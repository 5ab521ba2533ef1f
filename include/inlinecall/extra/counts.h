// How often functions were inlined: one count per function, while sites are one per copy.
//
// Counts borrow from their index and are read only once they are made: any number of threads may
// share them.
#ifndef INLINECALL_EXTRA_COUNTS_H
#define INLINECALL_EXTRA_COUNTS_H

#include <inlinecall/extra/symbolizer.h>
#include <inlinecall/sites.h>

#ifdef __cplusplus
extern "C" {
#endif

enum ic_counts_order {
	IC_COUNTS_BY_COPIES, // most copies first
	IC_COUNTS_BY_BYTES,  // most bytes first
	IC_COUNTS_BY_NAME
};

struct ic_counts;

/**
 * Counts the sites of functions.
 *
 * A function that several units have, such as one of a header, is one: of the same name (the
 * linkage name if there is one), and declared at the same line. Calls from units that only declare
 * the function are counted for the definition, if the file has only one of that name.
 *
 * @param index  Must live as long as the counts. Calls are counted if it was built with them.
 * @param query  Which sites; `out_of_line` and `calls` do not matter, since all kinds are counted.
 *               NULL, or without a function: all functions that were inlined. Not kept.
 * @param err    [out] The reason if it fails; may be NULL.
 *
 * @return The counts, perhaps none, to be freed with ic_counts_free(); NULL as ic_sites_find().
 *
 * Time: O(f + s log s), for f functions in the index and s sites.
 */
IC_API struct ic_counts *ic_counts_find(const struct ic_index *index,
					const struct ic_sites_query *query,
					enum ic_counts_order order, struct ic_error *err);

/** Frees counts; NULL is allowed. */
IC_API void ic_counts_free(struct ic_counts *counts);

/** How many functions there are. */
IC_API size_t ic_counts_count(const struct ic_counts *counts);

/** What there is of one function. Strings that are not known are NULL, lines 0. In an index of a
 *  table (ic_index_options::inline_table) the last two and `without_code` are not known, which is
 *  IC_NO_ADDR. */
struct ic_count {
	const char *function; /**< DW_AT_name, or the linkage name if there is no other */
	const char *linkage_name;
	const char *decl_file; /**< path */
	uint32_t decl_line;
	uint64_t inlined;      /**< inlined copies of which code is left */
	uint64_t without_code; /**< inlined copies of which none is */
	uint64_t out_of_line;  /**< copies with code of their own */
	uint64_t calls;        /**< calls that were not inlined */
	uint64_t size;         /**< bytes of the inlined copies, each byte once */
};

/** Count number `number`, from 0; false if there are not so many. */
IC_API bool ic_counts_get(const struct ic_counts *counts, size_t number, struct ic_count *count);

#ifdef __cplusplus
}
#endif

#endif
