// The index of an image: what was inlined where.
//
// An index is built once and never changed; any number of threads may read it. Its strings live as
// long as both it and its image do: free the index first, then close the image.
//
// Addresses are as the ELF file numbers them, before any load bias. In a relocatable file, where
// every section begins at 0, the sections are laid out one after the other, and
// ic_index_section_find() says which section an address is in, and where it begins.
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
	IC_INLINING_UNSAID                // the attribute is absent: an ordinary function
};

/** How the path of a source is made of its directories and its name. */
enum ic_paths {
	IC_PATHS_JOINED,    /**< with a slash between two parts */
	IC_PATHS_ONE_SLASH, /**< likewise, unless the first part ends in one */
	IC_PATHS_RELATIVE   /**< the same without the directory of the compilation */
};

struct ic_index_options {
	/** Threads; 0 for as many as there are CPUs. The index is the same whatever their number.
	 */
	uint32_t jobs;
	/** Also the calls that were not inlined. */
	bool calls;
	/** Also the functions that have no instance, for saying why not; if `functions` names some,
	 *  those that may be called so. */
	bool declarations;
	/** Names of functions, as IC_MATCH_NAME has them, with NULL after the last: the index is
	 * only used for these, not for globs or regular expressions. Units that cannot have such
	 * a function are not read, which takes a fraction of the time; their problems are
	 * then not reported. NULL for all. */
	const char *const *functions;
	/** Whatever `functions` are: all units are read if .debug_info has fewer bytes than this.
	 * That takes about 0.5 ms a megabyte on two CPUs, and reports all problems in it. */
	uint64_t whole_below;
	enum ic_paths paths;
	/** Called now and then by the thread that builds, after a unit, the last one too, with
	 *  bytes done of all; false stops the building (IC_ERROR_STOPPED). May be NULL. */
	bool (*progress)(void *context, unsigned long long done, unsigned long long total);
	void *progress_context;
	/** Also notes the parameters of each instance, for inlinecall/parameters.h, which reads
	 * them faster then. */
	bool parameters;
	/** Also notes the rows of the line tables that tell where copies are entered, for
	 * inlinecall/extra/entries.h; this reads the line tables of all units with inlined
	 * functions. */
	bool entries;
	/** Reads this table (btf_inline.h) in place of the DWARF, which the image need not have. It
	 *  says where each copy is entered and where its arguments are; lines, ranges, and which
	 *  copy is within which are not known (ic_site::has_only_entry). It and its types must live
	 * as long as the index. NULL for DWARF. */
	const struct ic_btf_inline *inline_table;
	/** No copies and no calls: only the functions that may be called one of `functions`, and of
	 * all others the names, each at least once; if `functions` is NULL, all functions. For
	 * telling that no function has a name (ic_sites_summary()), and which names are like it
	 * (ic_index_nearest_names()), in about the time of an index of copies. All units are read,
	 * whatever `whole_below` is. */
	bool names_only;
};

/**
 * Builds the index of a whole image, on several threads.
 *
 * @param image    Must stay open as long as the index is used.
 * @param options  NULL for the defaults. Not kept.
 * @param err      [out] The reason if it fails; may be NULL.
 *
 * @return The index, to be freed with ic_index_free(); NULL if sections cannot be decompressed
 *         or relocated, there are more symbols or units than 32 bits can count, `progress`
 *         stopped it, or memory is out.
 *         Faults inside the DWARF affect only what they concern: see ic_index_problem_get().
 *
 * Cost: about 0.8 ms of CPU and a quarter of a megabyte for each megabyte of .debug_info
 *       (docs/performance.md has a kernel's).
 */
IC_API struct ic_index *ic_index_build(struct ic_image *image,
				       const struct ic_index_options *options,
				       struct ic_error *err);

/** Frees an index; NULL is allowed. */
IC_API void ic_index_free(struct ic_index *index);

/** One thing that was left out, and why. */
struct ic_index_problem {
	const char *file;    /**< path; NULL for the image's own, or its debug file */
	const char *section; /**< NULL if none is to blame */
	uint64_t offset;     /**< in that section */
	const char *message; /**< "SECTION+0xOFFSET: what is wrong" */
	bool is_note;        /**< nothing was left out: it is only to be known */
};

/**
 * Problem number `number`, in the order of the file; of many alike in one unit the first few are
 * kept and the rest counted in a last one.
 *
 * @return false if there are not so many.
 */
IC_API bool ic_index_problem_get(const struct ic_index *index, uint64_t number,
				 struct ic_index_problem *problem);

/** A section of a relocatable file. */
struct ic_index_section {
	const char *name;
	uint64_t start; /**< its address in this index; an offset is the difference to it */
};

/**
 * The section of executable code that an address is in.
 *
 * @return false in linked files, whose addresses are unique, and outside every such section.
 */
IC_API bool ic_index_section_find(const struct ic_index *index, uint64_t addr,
				  struct ic_index_section *section);

#ifdef __cplusplus
}
#endif

#endif
