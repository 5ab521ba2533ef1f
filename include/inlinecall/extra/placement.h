// Where the code of a file is in the memory of a running kernel, or of a process.
//
// A kernel is loaded at an offset to the addresses that it was linked for, and every section of a
// module somewhere else. /proc/kallsyms, /proc/modules and /sys/module say where, as far as the
// reader may know; copies of them say it of another machine.
//
// One thread at a time may use placements; what they found is only read, by any number of threads.
// Neither needs the other to live.
#ifndef INLINECALL_EXTRA_PLACEMENT_H
#define INLINECALL_EXTRA_PLACEMENT_H

#include <inlinecall/extra/span.h>
#include <inlinecall/extra/window.h>
#include <inlinecall/symbolizer.h>

#ifdef __cplusplus
extern "C" {
#endif

struct ic_placements; // what says where files are loaded
struct ic_placement;  // where one is

/** Where a section is loaded. */
struct ic_placement_section {
	struct ic_span name; /**< as in ".text" */
	uint64_t addr;
};

/** What it points to must live as long as the placements. */
struct ic_placement_options {
	/** A file such as /proc/kallsyms: of kernels, and of modules whose sections are not in
	 *  `sysfs`. NULL: none is read; so of the next two. */
	const char *kallsyms;
	const char *modules; /**< such as /proc/modules: only of modules, on x86 */
	/** A folder such as /sys, with module/NAME/sections in it, and with module/NAME/notes and
	 *  kernel/notes: a file that has another build ID than is there is refused. */
	const char *sysfs;
	bool has_base; /**< nothing else is asked of linked files then */
	/** Where _text of a kernel is loaded; of another linked file, its lowest segment. */
	uint64_t base;
	/** Of relocatable files; if there are any, nothing else is asked. */
	const struct ic_placement_section *sections;
	size_t section_count;
	/** Called with a line for each of the files that cannot be read, once; may be NULL. Calls
	 *  that need the file fail besides. */
	void (*unreadable)(void *context, const char *message);
	void *context;
};

/**
 * Makes placements; files are read when they are needed, and only as far as that.
 *
 * @param options  What to ask; NULL for nothing. Copied, but for what it points to.
 * @param err      [out] Set on failure; may be NULL.
 *
 * @return To be freed with ic_placements_free(); NULL if memory runs out.
 */
IC_API struct ic_placements *ic_placements_new(const struct ic_placement_options *options,
					       struct ic_error *err);

/** Frees placements; NULL is allowed. */
IC_API void ic_placements_free(struct ic_placements *placements);

/**
 * Calls `visit` with the name of each module that is loaded, as the kernel spells it; some are
 * named several times. It may find placements meanwhile.
 *
 * @param err  [out] Set on failure; may be NULL.
 *
 * @return false if a file cannot be read (IC_ERROR_SYSTEM). What the others say was visited.
 */
IC_API bool ic_placements_list_modules(struct ic_placements *placements,
				       void (*visit)(void *context, const char *name),
				       void *context, struct ic_error *err);

/** What is known of where a file is. */
enum ic_placement_status {
	IC_PLACEMENT_FOUND,
	IC_PLACEMENT_NOT_ASKED,   /**< the options say nothing of files of its kind */
	IC_PLACEMENT_NO_KERNEL,   /**< kallsyms was asked, and it is linked but no kernel */
	IC_PLACEMENT_NO_MODULE,   /**< it is relocatable, but has no name of a module's file */
	IC_PLACEMENT_NOT_LOADED,  /**< no such module is loaded */
	IC_PLACEMENT_HIDDEN,      /**< it is loaded, but it takes privileges to read where */
	IC_PLACEMENT_NO_SECTIONS, /**< where the module is is known, and not where its parts are */
};

/**
 * Finds where a file is loaded.
 *
 * @param image       Of the symbolizer.
 * @param symbolizer  To be asked for symbols and sections; neither is kept.
 * @param err         [out] Set on failure; may be NULL.
 *
 * @return The placement, to be freed with ic_placement_free(), whatever its status. NULL if what it
 *         takes to know cannot be read (IC_ERROR_SYSTEM), if the kernel hides it from those without
 *         privileges (IC_ERROR_HIDDEN), if it is of another kernel, or of another build of the
 *         module, by its build ID in `sysfs` or by the distances of its symbols in kallsyms, or
 *         if kallsyms has no line of such a list (IC_ERROR_MISMATCH); if a section of the options
 *         is not there (IC_ERROR_NOT_FOUND) or there are several (IC_ERROR_ARGUMENT); if memory
 * runs out.
 *
 * Time: of a kernel, until its first symbols are found; of a module by its symbols, in proportion
 * to what kallsyms has, each time.
 */
IC_API struct ic_placement *ic_placement_find(struct ic_placements *placements,
					      const struct ic_image *image,
					      struct ic_symbolizer *symbolizer,
					      struct ic_error *err);

/**
 * The placement of a linked file that is known: `start` of it is at `given`.
 *
 * @return To be freed with ic_placement_free(); NULL if memory runs out.
 */
IC_API struct ic_placement *ic_placement_new(uint64_t given, uint64_t start, struct ic_error *err);

/** Frees a placement; NULL is allowed. */
IC_API void ic_placement_free(struct ic_placement *placement);

/** Whether the file was found, or why not. */
IC_API enum ic_placement_status ic_placement_status(const struct ic_placement *placement);

/** The module that the file is, as the kernel spells it; NULL if it is none or was not asked for.
 *  The placement's. */
IC_API const char *ic_placement_module(const struct ic_placement *placement);

/**
 * The parts of the file that are loaded: one of a linked file, and one of each section that is
 * known of a relocatable one; none unless it was found.
 *
 * @param windows  [out] The placement's.
 *
 * @return How many there are.
 */
IC_API size_t ic_placement_windows(const struct ic_placement *placement,
				   const struct ic_window **windows);

/**
 * From an address in memory to one of the file.
 *
 * @param addr  [out] As the file numbers it.
 *
 * @return false if it is in no part that is known.
 */
IC_API bool ic_placement_addr(const struct ic_placement *placement, uint64_t loaded,
			      uint64_t *addr);

/** Whether a file begins as /proc/kallsyms does. */
IC_API bool ic_placement_is_kallsyms(const char *path);

/** Whether a file begins as /proc/modules does. */
IC_API bool ic_placement_is_modules(const char *path);

#ifdef __cplusplus
}
#endif

#endif
