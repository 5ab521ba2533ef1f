// Queries to an index for the call sites of functions.
//
// A selection of sites borrows from its index and is read only once it is made: any number of
// threads may share it.
#ifndef INLINECALL_SITES_H
#define INLINECALL_SITES_H

#include <inlinecall/index.h>
#include <inlinecall/range.h>

#ifdef __cplusplus
extern "C" {
#endif

enum ic_match {
	IC_MATCH_NAME, // the name as it is
	IC_MATCH_GLOB, // fnmatch(3)
	IC_MATCH_REGEX // a POSIX extended regular expression that matches some part of the name
};

/** Which sites are wanted. Zero-initialised: all inlined instances there are. */
struct ic_sites_query {
	/** The function's name: as DWARF has it, its linkage name, or its qualified name as in
	 *  "ns::Class::method" or "ns::Class<int>::method(int)", of which outer scopes, arguments
	 *  of templates and parameters may be left out; NULL for every function that was
	 *  inlined. */
	const char *function;
	/** Other functions that are wanted as well; ends with NULL. NULL for none, and without
	 *  effect if `function` is NULL. */
	const char *const *more_functions;
	enum ic_match match; /**< of all names here */
	/** Only what is in the code of functions with these names, which are hosts: they were not
	 *  inlined there. Ends with NULL; NULL for all. */
	const char *const *hosts;
	/** Only calls in source files that this glob matches, by path or, if it has no '/', by
	 *  base name; NULL for all. Out-of-line copies are in no
	 *  call's file and are not left out. */
	const char *call_file_glob;
	bool out_of_line; /**< also the copies that were not inlined into anything */
	bool calls;       /**< also the calls that were not inlined, if the index was built so */
	/** Also parts of functions, which GCC splits off (-fpartial-inlining): neither they nor the
	 *  calls of them are in the source (ic_site::is_part). */
	bool parts;
};

struct ic_sites;

/**
 * Selects sites.
 *
 * @param index  Must live as long as the selection.
 * @param query  NULL for all inlined instances. Not kept.
 * @param err    [out] The reason if it fails; may be NULL.
 *
 * @return The selection, perhaps an empty one, to be freed with ic_sites_free(); NULL if the
 *         regular expression is not one (IC_ERROR_ARGUMENT), or memory is out. Sites are grouped
 *         by function, these in the order of their DIEs in the file, and within a function in
 *         the order of the file: inlined instances, out-of-line copies, and calls each.
 *
 * Time: O(f + s log s), for f functions in the index and s sites.
 */
IC_API struct ic_sites *ic_sites_find(const struct ic_index *index,
				      const struct ic_sites_query *query, struct ic_error *err);

/** Frees a selection; NULL is allowed. */
IC_API void ic_sites_free(struct ic_sites *sites);

/** How many there are. */
IC_API size_t ic_sites_count(const struct ic_sites *sites);

enum ic_site_kind {
	IC_SITE_INLINED,     // a call that was inlined: an instance of the function
	IC_SITE_OUT_OF_LINE, // a copy of the function with code of its own
	IC_SITE_CALL         // a call that was not inlined
};

/** One site. Strings that are not known are NULL, lines and columns 0, addresses
 *  IC_NO_ADDR. */
struct ic_site {
	enum ic_site_kind kind;
	const char *function; /**< DW_AT_name, or the linkage name if there is no other */
	const char *linkage_name;
	const char *decl_file; /**< path */
	uint32_t decl_line;
	/** Of the function's DIE in .debug_info: tells functions apart. If DIEs are in
	 * several files, they are numbered one file after the other. */
	uint64_t function_off;
	enum ic_inlining inlining;
	const char *call_file; /**< path */
	uint32_t call_line, call_column;
	/** The code, in the order of the file, without empty ranges; none if no code is left. */
	const struct ic_range *ranges;
	size_t range_count;
	uint64_t entry;       /**< where it is entered; of a call, its own address */
	uint64_t return_addr; /**< of a call: the instruction after it */
	bool is_tail_call;    /**< a jump: it does not return to the function that calls */
	bool is_part;         /**< only a part of the function, or a call of one */
	const char *host;     /**< the function whose code this is in */
	const char *host_linkage_name;
	const char *unit;     /**< DW_AT_name of the unit */
	uint64_t die_off;     /**< of its own DIE in .debug_info, or .debug_info.dwo; else
			       * a number that no other instance has */
	const char *die_file; /**< path of the file with that; NULL for the image's own, or its
			       * debug file */
	uint32_t depth;       /**< inlined functions around it: see ic_sites_chain() */
	/** Its ranges, and the functions around it but the host, are not known: there are none
	 * here. So is every inlined copy in an index of a table (ic_index_options::inline_table).
	 */
	bool has_only_entry;
	uint32_t unit_number, instance_number; /**< opaque */
};

/**
 * Site number `number`, from 0.
 *
 * @return false if there are not so many. Cannot fail otherwise. Time: O(depth).
 */
IC_API bool ic_sites_get(const struct ic_sites *sites, size_t number, struct ic_site *site);

/** An inlined function around a site, and where it was itself called. */
struct ic_site_caller {
	const char *function, *linkage_name;
	const char *call_file;
	uint32_t call_line, call_column;
};

/**
 * The inlined functions around a site, the innermost first, without the host.
 *
 * @param callers   [out] Array of `capacity`.
 * @param capacity  What fits; site->depth is enough.
 *
 * @return How many there are, which may exceed `capacity`. Cannot fail.
 */
IC_API size_t ic_sites_chain(const struct ic_sites *sites, const struct ic_site *site,
			     struct ic_site_caller *callers, size_t capacity);

#ifdef __cplusplus
}
#endif

#endif
