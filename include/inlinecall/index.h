// The index of an image: what was inlined where.
//
// An index is built once and never changes; any number of threads may read it. Its strings are
// valid as long as both it and its image exist: free the index first, then close the image.
//
// Addresses are as the ELF file numbers them, before any load bias. In a relocatable file, where
// every section starts at 0, the sections are laid out one after the other; ic_index_section_find()
// returns the section that contains an address, and where that section starts.
#ifndef INLINECALL_INDEX_H
#define INLINECALL_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <inlinecall/error.h>
#include <inlinecall/image.h>

#ifdef __cplusplus
extern "C" {
#endif

struct ic_index;
struct ic_btf_inline;

enum ic_inlining {                        // DW_AT_inline (DWARF 5, 3.3.8.1)
	IC_INLINING_NOT_INLINED,          // neither declared inline nor inlined
	IC_INLINING_INLINED,              // inlined, though not declared inline
	IC_INLINING_DECLARED_NOT_INLINED, // declared inline, but not inlined
	IC_INLINING_DECLARED_INLINED,     // declared inline, and inlined
	IC_INLINING_ABSENT                // the attribute is absent: an ordinary function
};

/** How the path of a source file is joined from its directories and its name. */
enum ic_paths {
	IC_PATHS_JOINED,    /**< with a slash between two parts */
	IC_PATHS_ONE_SLASH, /**< the same, but no slash is added if the first part ends in one */
	IC_PATHS_RELATIVE   /**< like JOINED, without the compilation directory */
};

struct ic_index_options {
	/** Threads; 0 for one per CPU. The index is the same for any number of threads. */
	uint32_t jobs;
	/** Also index calls that were not inlined. */
	bool calls;
	/** Also index functions without an instance, to explain why they have none; if `functions`
	 *  is set, only those that may have one of its names. */
	bool declarations;
	/** The names of the only functions that will be queried, matched as by IC_MATCH_NAME (no
	 *  globs or regular expressions), terminated by NULL. Units that cannot contain such a
	 *  function are not read, which takes a fraction of the time; their problems are then not
	 *  reported. NULL for all functions. */
	const char *const *functions;
	/** If .debug_info has fewer bytes than this, all units are read even if `functions` is set.
	 *  That takes about 0.5 ms per megabyte on two CPUs, and reports all problems in it. */
	uint64_t whole_below;
	enum ic_paths paths;
	/** Called occasionally on the building thread, after a unit (always after the last one),
	 *  with the bytes done and the total; return false to stop building (IC_ERROR_STOPPED). May
	 *  be NULL. */
	bool (*progress)(void *context, unsigned long long done, unsigned long long total);
	void *progress_context;
	/** Also record the parameters of each instance, which makes inlinecall/parameters.h
	 *  faster. */
	bool parameters;
	/** Also record the line table rows that show where copies are entered, for
	 *  inlinecall/extra/entries.h; this reads the line tables of all units that contain inlined
	 *  functions. */
	bool entries;
	/** Read this table (btf_inline.h) instead of DWARF, which the image need not have. The
	 *  table has the entry address and the argument locations of each copy; lines, ranges and
	 *  nesting are unknown (ic_site::has_only_entry). The table and its types must outlive the
	 *  index. NULL for DWARF. */
	const struct ic_btf_inline *inline_table;
	/** Index no copies and no calls: only the functions that may have a name in `functions`,
	 *  plus the name of every other function at least once; if `functions` is NULL, all
	 *  functions. This serves to establish that no function has a given name
	 *  (ic_sites_summary()) and to suggest similar names (ic_index_nearest_names()), in about
	 *  the time of an index of copies. All units are read, whatever `whole_below` is. */
	bool names_only;
	/** With `calls`: leave out the positions of calls that the debug information only has in
	 * its line tables, which need not be read then. */
	bool without_call_lines;
};

/**
 * Builds the index of a whole image, on several threads.
 *
 * @param image    Must stay open as long as the index is used.
 * @param options  NULL for the defaults. Not kept.
 * @param err      [out] Set on failure; may be NULL.
 *
 * @return The index, to be freed with ic_index_free(); NULL if sections cannot be decompressed or
 *         relocated, there are more symbols or units than 32 bits can count, `progress` stopped it,
 *         or memory runs out. Errors inside the DWARF only lose the data they affect: see
 *         ic_index_problem_get().
 *
 * Cost: about 0.8 ms of CPU time and a quarter of a megabyte of memory for each megabyte of
 * .debug_info (docs/performance.md has figures for a kernel).
 */
IC_API struct ic_index *ic_index_build(struct ic_image *image,
				       const struct ic_index_options *options,
				       struct ic_error *err);

/** Frees an index; NULL is allowed. */
IC_API void ic_index_free(struct ic_index *index);

/** Data that was left out, and why. */
struct ic_index_problem {
	const char *file;    /**< path; NULL for the image's own file, or its debug file */
	const char *section; /**< NULL if no section is to blame */
	uint64_t offset;     /**< in that section */
	const char *message; /**< "SECTION+0xOFFSET: description" */
	bool is_note;        /**< for information only: nothing was left out */
};

/**
 * Gets problem number `number`, in file order. If a unit has many similar problems, the first few
 * are kept, and a last one has the count of the rest.
 *
 * @return false if there are fewer.
 */
IC_API bool ic_index_problem_get(const struct ic_index *index, size_t number,
				 struct ic_index_problem *problem);

/** A section of a relocatable file. */
struct ic_index_section {
	const char *name;
	/** Its address in this index; subtract it from an address to get the offset in the
	 *  section. */
	uint64_t start;
};

/**
 * Finds the section of executable code that contains an address.
 *
 * @return false for linked files, whose addresses are unique, and for addresses outside all such
 *         sections.
 */
IC_API bool ic_index_section_find(const struct ic_index *index, uint64_t addr,
				  struct ic_index_section *section);

#ifdef __cplusplus
}
#endif

#endif
