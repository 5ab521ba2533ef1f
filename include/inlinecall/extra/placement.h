// Where the code of a file is in the memory of a running kernel, or of a process.
//
// A kernel is loaded at an offset from the addresses that it was linked for, and each section of a
// module somewhere else. /proc/kallsyms, /proc/modules and /sys/module have the addresses, if the
// reader has the privileges; copies of them describe another machine.
//
// Placements are for one thread at a time; what they find never changes, and any number of threads
// may read it. The two are independent: either may be freed first.
#ifndef INLINECALL_EXTRA_PLACEMENT_H
#define INLINECALL_EXTRA_PLACEMENT_H

#include <inlinecall/extra/span.h>
#include <inlinecall/extra/window.h>
#include <inlinecall/symbolizer.h>

#ifdef __cplusplus
extern "C" {
#endif

struct ic_placements; // the sources of load addresses
struct ic_placement;  // where one file is loaded

/** Where a section is loaded. */
struct ic_placement_section {
	struct ic_span name; /**< such as ".text" */
	uint64_t addr;
};

/** Everything it points to must outlive the placements. */
struct ic_placement_options {
	/** A file like /proc/kallsyms: for kernels, and for modules whose sections are not in
	 *  `sysfs`. If NULL, it is not read. The same goes for the next two. */
	const char *kallsyms;
	const char *modules; /**< like /proc/modules: only for modules, on x86 */
	/** A directory like /sys, with module/NAME/sections in it, and with module/NAME/notes and
	 *  kernel/notes: a file with a different build ID is rejected. */
	const char *sysfs;
	bool has_base; /**< nothing else is then used for linked files */
	/** The load address of a kernel's _text; for another linked file, of its lowest segment. */
	uint64_t base;
	/** For relocatable files; if there are any, nothing else is used. */
	const struct ic_placement_section *sections;
	size_t section_count;
	/** Called with a one-line message, once for each file above that cannot be read; may be
	 *  NULL. Calls that need the file also fail. */
	void (*unreadable)(void *context, const char *message);
	void *context;
};

/**
 * Makes placements. Files are read on demand, and only as far as needed.
 *
 * @param options  Which files to use; NULL for none. Copied, but not what it points to.
 * @param err      [out] Set on failure; may be NULL.
 *
 * @return The placements, to be freed with ic_placements_free(); NULL if memory runs out.
 */
IC_API struct ic_placements *ic_placements_new(const struct ic_placement_options *options,
					       struct ic_error *err);

/** Frees placements; NULL is allowed. */
IC_API void ic_placements_free(struct ic_placements *placements);

/**
 * Calls `visit` with the name of each loaded module, in the kernel's spelling; some are visited
 * several times. It may look up placements meanwhile.
 *
 * @param err  [out] Set on failure; may be NULL.
 *
 * @return false if a file cannot be read (IC_ERROR_SYSTEM). The modules in the others were visited.
 */
IC_API bool ic_placements_list_modules(struct ic_placements *placements,
				       void (*visit)(void *context, const char *name),
				       void *context, struct ic_error *err);

/** What is known of a file's load address. */
enum ic_placement_status {
	IC_PLACEMENT_FOUND,
	IC_PLACEMENT_NOT_ASKED, /**< the options have nothing for files of its kind */
	IC_PLACEMENT_NO_KERNEL, /**< kallsyms was used, and the file is linked but not a kernel */
	/** The file is relocatable, but its name is not that of a module file. */
	IC_PLACEMENT_NO_MODULE,
	IC_PLACEMENT_NOT_LOADED, /**< no such module is loaded */
	IC_PLACEMENT_HIDDEN,     /**< it is loaded, but reading the address needs privileges */
	/** The module's address is known, but not those of its sections. */
	IC_PLACEMENT_NO_SECTIONS,
};

/**
 * Finds where a file is loaded.
 *
 * @param image       The one that the symbolizer was made for.
 * @param symbolizer  Used for symbols and sections; neither is kept.
 * @param err         [out] Set on failure; may be NULL.
 *
 * @return The placement, to be freed with ic_placement_free(), whatever its status. NULL if a
 *         required file cannot be read (IC_ERROR_SYSTEM), if the kernel hides the addresses from
 *         unprivileged readers (IC_ERROR_HIDDEN), if the file is of another kernel or another build
 *         of the module, by its build ID in `sysfs` or by the distances between its symbols in
 *         kallsyms, or if kallsyms has no line in the expected format (IC_ERROR_MISMATCH); if a
 *         section of the options does not exist (IC_ERROR_NOT_FOUND) or exists several times
 *         (IC_ERROR_ARGUMENT); or if memory runs out.
 *
 * Time: for a kernel, reading kallsyms until its first symbols are found; for a module placed by
 *       its symbols, proportional to the size of kallsyms, each time.
 */
IC_API struct ic_placement *ic_placement_find(struct ic_placements *placements,
					      const struct ic_image *image,
					      struct ic_symbolizer *symbolizer,
					      struct ic_error *err);

/**
 * Makes the placement of a linked file at a known address: its address `start` is at `given`.
 *
 * @return The placement, to be freed with ic_placement_free(); NULL if memory runs out.
 */
IC_API struct ic_placement *ic_placement_new(uint64_t given, uint64_t start, struct ic_error *err);

/** Frees a placement; NULL is allowed. */
IC_API void ic_placement_free(struct ic_placement *placement);

/** Whether the file was found, or why not. */
IC_API enum ic_placement_status ic_placement_status(const struct ic_placement *placement);

/**
 * The file's module, in the kernel's spelling; NULL if it is not a module or modules were not used.
 * Owned by the placement.
 */
IC_API const char *ic_placement_module(const struct ic_placement *placement);

/**
 * Gets the loaded parts of the file: one for a linked file, and one for each known section of a
 * relocatable one; none unless it was found.
 *
 * @param windows  [out] Owned by the placement.
 *
 * @return Their number.
 */
IC_API size_t ic_placement_windows(const struct ic_placement *placement,
				   const struct ic_window **windows);

/**
 * Converts an address in memory into one in the file.
 *
 * @param addr  [out] As the file numbers it.
 *
 * @return false if it is in no known part.
 */
IC_API bool ic_placement_addr(const struct ic_placement *placement, uint64_t loaded,
			      uint64_t *addr);

/**
 * Converts an address in the file into one in memory: the reverse of ic_placement_addr().
 *
 * @param loaded  [out] The address in memory.
 *
 * @return false if it is in no known part.
 */
IC_API bool ic_placement_loaded(const struct ic_placement *placement, uint64_t addr,
				uint64_t *loaded);

/** Whether a file starts like /proc/kallsyms. */
IC_API bool ic_placement_is_kallsyms(const char *path);

/** Whether a file starts like /proc/modules. */
IC_API bool ic_placement_is_modules(const char *path);

#ifdef __cplusplus
}
#endif

#endif
