// Querying an index for the call sites of functions.
//
// A selection of sites borrows from its index. It never changes once made: any number of threads
// may share it.
#ifndef INLINECALL_SITES_H
#define INLINECALL_SITES_H

#include <inlinecall/index.h>
#include <inlinecall/range.h>

#ifdef __cplusplus
extern "C" {
#endif

enum ic_match {
	IC_MATCH_NAME, // the exact name
	IC_MATCH_GLOB, // fnmatch(3)
	IC_MATCH_REGEX // a POSIX extended regular expression that matches any part of the name
};

/** Which sites to select. Zero-initialised: all inlined instances. */
struct ic_sites_query {
	/** The function's name: as DWARF has it, its linkage name, or its qualified name, such as
	 *  "ns::Class::method" or "ns::Class<int>::method(int)", where outer scopes, template
	 *  arguments and parameters may be omitted. NULL for every function that was inlined. */
	const char *function;
	/** Names of further functions, terminated by NULL. NULL for none; ignored if `function` is
	 *  NULL. */
	const char *const *more_functions;
	enum ic_match match; /**< applies to all names here */
	/** Only sites in the code of functions with these names. These are hosts: out-of-line
	 *  functions, not functions that were inlined there. Terminated by NULL; NULL for all. */
	const char *const *hosts;
	/** Only calls in source files that match this glob, by path or, if it has no '/', by base
	 *  name; NULL for all. Out-of-line copies have no call file and are always included. */
	const char *call_file_glob;
	bool out_of_line; /**< also copies that were not inlined */
	bool calls;       /**< also calls that were not inlined, if the index has them */
	/** Also parts of functions that GCC splits off (-fpartial-inlining): neither they nor the
	 *  calls to them are in the source (ic_site::is_part). */
	bool parts;
};

struct ic_sites;

/**
 * Selects sites.
 *
 * @param index  Must outlive the selection.
 * @param query  NULL for all inlined instances. Not kept.
 * @param err    [out] Set on failure; may be NULL.
 *
 * @return The selection, possibly empty, to be freed with ic_sites_free(); NULL if the regular
 *         expression is invalid (IC_ERROR_ARGUMENT), or memory runs out. Sites are grouped by
 *         function, and functions are in the order of their DIEs in the file. Within a function
 *         come its inlined instances, then its out-of-line copies, then its calls, each in file
 *         order.
 *
 * Time: O(f + s log s), for f functions in the index and s sites.
 */
IC_API struct ic_sites *ic_sites_find(const struct ic_index *index,
				      const struct ic_sites_query *query, struct ic_error *err);

/** Frees a selection; NULL is allowed. */
IC_API void ic_sites_free(struct ic_sites *sites);

/** The number of sites. */
IC_API size_t ic_sites_count(const struct ic_sites *sites);

enum ic_site_kind {
	IC_SITE_INLINED,     // a call that was inlined: an instance of the function
	IC_SITE_OUT_OF_LINE, // a copy of the function with code of its own
	IC_SITE_CALL         // a call that was not inlined
};

/**
 * One site. Unknown strings are NULL, unknown lines and columns 0, unknown addresses IC_NO_ADDR.
 */
struct ic_site {
	enum ic_site_kind kind;
	const char *function; /**< DW_AT_name, or the linkage name if there is none */
	const char *linkage_name;
	const char *decl_file; /**< path */
	uint32_t decl_line;
	/** Offset of the function's DIE in .debug_info: identifies the function. If DIEs come from
	 *  several files, the files are numbered consecutively. */
	uint64_t function_off;
	enum ic_inlining inlining;
	const char *call_file; /**< path */
	uint32_t call_line, call_column;
	/** Ranges of its code, in file order, without empty ones; none if no code is left. */
	const struct ic_range *ranges;
	size_t range_count;
	/** Entry address; for a call, the address of the call. It may be outside the ranges, where
	 * a lookup does not find this copy, and be known though no code is left. */
	uint64_t entry;
	uint64_t return_addr; /**< for a call: the address of the next instruction */
	bool is_tail_call;    /**< a jump: it does not return to the calling function */
	bool is_part;         /**< only a part of the function, or a call of such a part */
	const char *host;     /**< the function that contains this code */
	const char *host_linkage_name;
	const char *unit; /**< DW_AT_name of the unit */
	/** Of its own DIE in .debug_info or .debug_info.dwo; without a DIE, a number unique to the
	 *  instance. */
	uint64_t die_off;
	/** Path of the file with that DIE; NULL for the image's own file, or its debug file. */
	const char *die_file;
	uint32_t depth; /**< number of inlined functions around it: see ic_sites_chain() */
	/** Its ranges and the inlined functions around it are unknown, and absent here. This is
	 *  true of every inlined copy in an index of a table (ic_index_options::inline_table). */
	bool has_only_entry;
	uint32_t unit_number, instance_number; /**< opaque */
};

/**
 * Gets site number `number`, from 0.
 *
 * @return false if there are fewer. Cannot fail otherwise. Time: O(depth).
 */
IC_API bool ic_sites_get(const struct ic_sites *sites, size_t number, struct ic_site *site);

/** An inlined function around a site, and where it was called itself. */
struct ic_site_caller {
	const char *function, *linkage_name;
	const char *call_file;
	uint32_t call_line, call_column;
};

/**
 * Gets the inlined functions around a site, innermost first, without the host.
 *
 * @param callers   [out] Array of `capacity`.
 * @param capacity  The size of `callers`; site->depth is enough.
 *
 * @return The total number, which may exceed `capacity`. Cannot fail.
 */
IC_API size_t ic_sites_chain(const struct ic_sites *sites, const struct ic_site *site,
			     struct ic_site_caller *callers, size_t capacity);

#ifdef __cplusplus
}
#endif

#endif
