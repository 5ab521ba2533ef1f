// Kernel module files by module name, before any of them is opened: files that were named
// explicitly, and files found in directories such as /lib/modules/RELEASE.
//
// An object is for one thread at a time.
#ifndef INLINECALL_EXTRA_MODULE_FILES_H
#define INLINECALL_EXTRA_MODULE_FILES_H

#include <stdbool.h>
#include <stddef.h>

#include <inlinecall/error.h>
#include <inlinecall/extra/span.h>

#ifdef __cplusplus
extern "C" {
#endif

struct ic_module_files;

struct ic_module_file {
	const char *path; /**< this and `name` are valid as long as the files */
	const char *name; /**< as the kernel spells it */
	/** As passed when it was added; among files of one name those with a low rank come
	 *  first. */
	unsigned rank;
	bool is_taken; /**< false at first, for the caller to set */
};

/**
 * Makes an empty list.
 *
 * @param err  [out] Set on failure; may be NULL.
 *
 * @return The list, to be freed with ic_module_files_free(); NULL if memory runs out.
 */
IC_API struct ic_module_files *ic_module_files_new(struct ic_error *err);

/** Frees the list; NULL is allowed. */
IC_API void ic_module_files_free(struct ic_module_files *files);

/**
 * Adds a file.
 *
 * @param path  Copied. The file need not exist.
 * @param rank  See ic_module_file.
 * @param err   [out] Set on failure; may be NULL.
 *
 * @return false if its name is not that of a module file (IC_ERROR_ARGUMENT: see ic_module_name()),
 *         or memory runs out.
 */
IC_API bool ic_module_files_add(struct ic_module_files *files, const char *path, unsigned rank,
				struct ic_error *err);

/**
 * Adds the modules in a directory and its subdirectories; symbolic links to directories are not
 * followed. A missing directory counts as empty.
 *
 * @param left_out  Called with each directory that cannot be read, and the error; may be NULL.
 *
 * @return false if a directory could not be read. The others were added.
 */
IC_API bool ic_module_files_add_directory(struct ic_module_files *files, const char *directory,
					  unsigned rank,
					  void (*left_out)(void *context, const char *directory,
							   const struct ic_error *err),
					  void *context);

/** The number of files; a file added twice may count twice. */
IC_API size_t ic_module_files_count(const struct ic_module_files *files);

/**
 * Gets file number `number`, which must be below the count; valid until the next addition or
 * search.
 */
IC_API struct ic_module_file *ic_module_files_get(struct ic_module_files *files, size_t number);

/**
 * Finds the files of a module.
 *
 * @param name   May have "-" in place of "_".
 * @param count  [out] The number of files.
 *
 * @return The first of them, sorted by rank and then by path; valid until the next addition. NULL
 *         if there are none.
 *
 * Time: O(log n), plus O(n log n) if any was added.
 */
IC_API struct ic_module_file *ic_module_files_find(struct ic_module_files *files,
						   struct ic_span name, size_t *count);

/**
 * Derives a module's name from its file name, in the kernel's spelling: "nf_nat" for
 * "/lib/modules/6.1.0/kernel/net/netfilter/nf-nat.ko.debug".
 *
 * @param name  [out] `capacity` bytes, terminated by NUL.
 *
 * @return false if it is not the name of a module file, or the name does not fit.
 */
IC_API bool ic_module_name(const char *path, size_t path_size, char *name, size_t capacity);

/**
 * Whether the name of a module, in the kernel's spelling, equals another name, which may have "-"
 * in place of "_". An empty name equals none.
 */
IC_API bool ic_module_name_is(const char *module, struct ic_span name);

#ifdef __cplusplus
}
#endif

#endif
