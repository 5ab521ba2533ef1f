// Asking an index what was inlined into a function's own code: as trees of instances.
//
// A selection of trees borrows from its index and is read only once it is made: any number of
// threads may share it.
#ifndef INLINECALL_EXTRA_TREE_H
#define INLINECALL_EXTRA_TREE_H

#include <inlinecall/sites.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Which trees are wanted. Zero-initialised: of every function into which something was inlined. */
struct ic_trees_query {
	/** The function's name, as in struct ic_sites_query; NULL for every function into which
	 *  something was inlined. */
	const char *function;
	const char *const *more_functions; /**< as in struct ic_sites_query */
	enum ic_match match;
	/** Also the copies of the function that were inlined, each with what is in it. A copy that
	 *  is in a tree already has none of its own. */
	bool inlined;
	/** How many levels of a tree: 1 is only its root; 0 for all. */
	uint32_t levels;
	/** Only instances of at least so many bytes, those inside them included. */
	uint64_t least_size;
	/** Also parts of functions, as in struct ic_sites_query; else what is in them is in the
	 *  function. */
	bool parts;
};

struct ic_trees;

/**
 * Selects trees: one for each out-of-line copy of the functions that a query names, if it has any
 * code.
 *
 * @param index  Must live as long as the selection.
 * @param query  NULL for all. Not kept.
 * @param err    [out] Set on failure; may be NULL.
 *
 * @return The selection, perhaps an empty one, to be freed with ic_trees_free(); NULL if the
 *         regular expression is not one (IC_ERROR_ARGUMENT), if the index is of a table
 *         (ic_index_options::inline_table), which has no trees (IC_ERROR_UNSUPPORTED), or memory
 * runs out. Trees are in the order of the file.
 *
 * Time: O(f + r log r), for f functions in the index, and r instances and ranges in the units that
 *       have a function that is named.
 */
IC_API struct ic_trees *ic_trees_find(const struct ic_index *index,
				      const struct ic_trees_query *query, struct ic_error *err);

/** Frees a selection; NULL is allowed. */
IC_API void ic_trees_free(struct ic_trees *trees);

/** How many instances there are in all trees. */
IC_API size_t ic_trees_count(const struct ic_trees *trees);

/** An instance of a tree. Strings that are not known are NULL, lines and columns 0, addresses
 *  IC_NO_ADDR. */
struct ic_tree_node {
	uint32_t depth;  /**< 0: the root, with which a tree begins; 1: inlined into that; ... */
	bool is_last;    /**< of the instances directly inside the same one */
	bool is_inlined; /**< of a root: only if the query includes such */
	bool is_part;    /**< only a part of the function */
	/** Bytes of its code and of all that is inside it; what several of them claim counts
	 *  once. */
	uint64_t size;
	/** Those of them that are in none of the instances inside it. As long as no two instances
	 *  claim the same byte, but for one inside the other, these add up to the root's size. */
	uint64_t own_size;
	const char *function; /**< DW_AT_name, or the linkage name if there is no other */
	const char *linkage_name;
	const char *decl_file; /**< path */
	uint32_t decl_line;
	/** Where the call was that was inlined; not known of what was not inlined. */
	const char *call_file; /**< path */
	uint32_t call_line, call_column;
	/** The code, in the order of the file, without empty ranges; none if no code is left. */
	const struct ic_range *ranges;
	size_t range_count;
	uint64_t entry;   /**< where it is entered */
	const char *host; /**< the function whose code this is in; of one out of line, itself */
	const char *host_linkage_name;
	const char *unit;     /**< DW_AT_name of the unit */
	uint64_t die_off;     /**< of its own entry in .debug_info, or .debug_info.dwo */
	uint64_t parent_off;  /**< of the instance around it; IC_NO_ADDR if there is none */
	const char *die_file; /**< path of the file with these; NULL for the image's own, or its
			       * debug file */
};

/**
 * Instance number `number`, from 0: tree after tree, and in each a parent before what is inside it,
 * and that before its next sibling.
 *
 * @return false if there are not so many. Cannot fail otherwise. Time: O(1).
 */
IC_API bool ic_trees_get(const struct ic_trees *trees, size_t number, struct ic_tree_node *node);

#ifdef __cplusplus
}
#endif

#endif
