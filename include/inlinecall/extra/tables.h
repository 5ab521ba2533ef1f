// Everything that an index holds, as tables for databases: see docs/database.md.
//
// Rows refer to rows of other tables by number, from 1 in each file. Numbers depend only on the
// file and on the index options, never on the number of threads.
#ifndef INLINECALL_EXTRA_TABLES_H
#define INLINECALL_EXTRA_TABLES_H

#include <inlinecall/index.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The tables, each after those that it refers to. */
enum ic_table {
	IC_TABLE_FILES, /**< one row: the file */
	IC_TABLE_UNITS,
	IC_TABLE_SOURCES,   /**< source files that declare a function or call one */
	IC_TABLE_FUNCTIONS, /**< that have an instance or a call */
	IC_TABLE_INSTANCES, /**< copies of functions, inlined or not */
	IC_TABLE_RANGES,    /**< of instances */
	IC_TABLE_ARGUMENTS, /**< of instances; none without ic_row_options::parameters */
	IC_TABLE_CALLS,     /**< that were not inlined, if the index has them */
	IC_TABLE_PROBLEMS   /**< of the index, and of the parameters that were read so far */
};

#define IC_TABLE_COUNT 9 /**< the number of tables */

/** The name of a table, such as "units"; NULL if there is no such table. */
IC_API const char *ic_table_name(enum ic_table table);

struct ic_schema; // <inlinecall/extra/fields.h>

/**
 * The fields of a table's rows, in order: text, numbers and flags only. NULL if there is no such
 * table.
 */
IC_API const struct ic_schema *ic_table_schema(enum ic_table table);

/** The numbers of an index's rows. */
struct ic_tables;

/**
 * Numbers the rows of an index. Functions are numbered in the order of their DIEs, and a function
 * that several units have counts once; sources are numbered in the order of their paths.
 *
 * @param index  Must outlive the result. Not of a table (ic_index_options::inline_table), whose
 *               copies have no ranges (IC_ERROR_UNSUPPORTED).
 * @param err    [out] Set on failure; may be NULL.
 *
 * @return The numbers, to be freed with ic_tables_free(). They never change: any number of threads
 *         may share them. NULL if memory runs out, or if there are more rows than 32 bits can count
 *         (IC_ERROR_LIMIT).
 *
 * Time: O(n log n) for n functions and source files of all units.
 */
IC_API struct ic_tables *ic_tables_make(const struct ic_index *index, struct ic_error *err);

/** Frees numbers; NULL is allowed. */
IC_API void ic_tables_free(struct ic_tables *tables);

#ifdef __cplusplus
}
#endif

#endif
