// Querying an index for what was inlined into a function's own code, as trees of instances.
//
// A selection of trees borrows from its index. It never changes once made: any number of threads
// may share it.
#ifndef INLINECALL_EXTRA_TREE_H
#define INLINECALL_EXTRA_TREE_H

#include <inlinecall/sites.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Which trees to select. Zero-initialised: of every function into which something was inlined. */
struct ic_trees_query {
	/** The function's name, as in struct ic_sites_query; NULL for every function into which
	 *  something was inlined. */
	const char *function;
	const char *const *more_functions; /**< see struct ic_sites_query */
	enum ic_match match;
	/** Also inlined copies of the function, each with what is in it. A copy that is already
	 *  inside a selected tree gets no tree of its own. */
	bool inlined;
	/** Number of levels of a tree: 1 for only its root; 0 for all. */
	uint32_t levels;
	/** Only instances with at least this many bytes, including those inside them. */
	uint64_t least_size;
	/** Also parts of functions, as in struct ic_sites_query; otherwise their contents are
	 *  attributed to the function. */
	bool parts;
};

struct ic_trees;

/**
 * Selects trees: one for each out-of-line copy of the functions named in the query, if it has code.
 *
 * @param index  Must outlive the selection.
 * @param query  NULL for all. Not kept.
 * @param err    [out] Set on failure; may be NULL.
 *
 * @return The selection, possibly empty, to be freed with ic_trees_free(); NULL if the regular
 *         expression is invalid (IC_ERROR_ARGUMENT), if the index is of a table
 *         (ic_index_options::inline_table), which has no trees (IC_ERROR_UNSUPPORTED), or memory
 *         runs out. Trees are in file order.
 *
 * Time: O(f + r log r), for f functions in the index, and r instances and ranges in the units with
 *       a named function.
 */
IC_API struct ic_trees *ic_trees_find(const struct ic_index *index,
				      const struct ic_trees_query *query, struct ic_error *err);

/** Frees a selection; NULL is allowed. */
IC_API void ic_trees_free(struct ic_trees *trees);

/** The number of instances in all trees. */
IC_API size_t ic_trees_count(const struct ic_trees *trees);

/**
 * An instance in a tree. Unknown strings are NULL, unknown lines and columns 0, unknown addresses
 * IC_NO_ADDR.
 */
struct ic_tree_node {
	uint32_t depth;  /**< 0: the root, which starts a tree; 1: inlined into that; ... */
	bool is_last;    /**< the last of the instances directly inside the same one */
	bool is_inlined; /**< for a root: only if the query includes inlined copies */
	bool is_part;    /**< only a part of the function */
	/** Bytes of its code including everything inside it; overlapping code counts once. */
	uint64_t size;
	/** The part of `size` that is in none of the instances inside it. If instances overlap only
	 *  by nesting, these add up to the root's size. */
	uint64_t own_size;
	const char *function; /**< DW_AT_name, or the linkage name if there is none */
	const char *linkage_name;
	const char *decl_file; /**< path */
	uint32_t decl_line;
	/** Position of the inlined call; unknown for instances that were not inlined. */
	const char *call_file; /**< path */
	uint32_t call_line, call_column;
	/** Ranges of its code, in file order, without empty ones; none if no code is left. */
	const struct ic_range *ranges;
	size_t range_count;
	uint64_t entry; /**< entry address */
	/** The function that contains this code; for an out-of-line copy, the function itself. */
	const char *host;
	const char *host_linkage_name;
	const char *unit;    /**< DW_AT_name of the unit */
	uint64_t die_off;    /**< of its own DIE in .debug_info or .debug_info.dwo */
	uint64_t parent_off; /**< of the instance around it; IC_NO_ADDR if there is none */
	/** Path of the file with these DIEs; NULL for the image's own file, or its debug file. */
	const char *die_file;
};

/**
 * Gets instance number `number`, from 0: tree by tree, each in depth-first order with parents
 * before their children.
 *
 * @return false if there are fewer. Cannot fail otherwise. Time: O(1).
 */
IC_API bool ic_trees_get(const struct ic_trees *trees, size_t number, struct ic_tree_node *node);

#ifdef __cplusplus
}
#endif

#endif
