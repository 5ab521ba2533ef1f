// Files of kernel modules by the names of the modules, before any of them is opened: those that
// were named, and those that are found in directories, as in /lib/modules/RELEASE.
//
// One thread at a time may use an object.
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
	const char *path; /**< this and the next live as long as the files */
	const char *name; /**< as the kernel spells it */
	unsigned rank;    /**< as it was added with; of one name those of low rank come first */
	bool is_taken;    /**< false at first, for the caller to set */
};

/** @return No files, to be freed with ic_module_files_free(); NULL if memory runs out. */
IC_API struct ic_module_files *ic_module_files_new(struct ic_error *err);

/** Frees the list; NULL is allowed. */
IC_API void ic_module_files_free(struct ic_module_files *files);

/**
 * Adds a file.
 *
 * @param path  Copied. The file need not be there.
 * @param rank  See ic_module_file.
 * @param err   [out] Set on failure; may be NULL.
 *
 * @return false if it is no module by its name (IC_ERROR_ARGUMENT: see ic_module_name()), or memory
 * runs out.
 */
IC_API bool ic_module_files_add(struct ic_module_files *files, const char *path, unsigned rank,
				struct ic_error *err);

/**
 * Adds the modules in a directory and in those below it; symbolic links to directories are not
 * followed. If it does not exist there are none.
 *
 * @param left_out  Called with each directory that cannot be read, and why; may be NULL.
 *
 * @return false if one was left out. The others were added.
 */
IC_API bool ic_module_files_add_directory(struct ic_module_files *files, const char *directory,
					  unsigned rank,
					  void (*left_out)(void *context, const char *directory,
							   const struct ic_error *err),
					  void *context);

/** How many there are; one that was added twice may count twice. */
IC_API size_t ic_module_files_count(const struct ic_module_files *files);

/** File number `number`, which must be below the count; valid until one is added or looked for. */
IC_API struct ic_module_file *ic_module_files_get(struct ic_module_files *files, size_t number);

/**
 * The files of a module.
 *
 * @param name   May be spelt with "-" for "_".
 * @param count  [out] How many there are.
 *
 * @return The first of them, by rank and then by path; valid until one is added. NULL if there is
 *         none.
 *
 * Time: O(log n), after O(n log n) if any was added.
 */
IC_API struct ic_module_file *ic_module_files_find(struct ic_module_files *files,
						   struct ic_span name, size_t *count);

/**
 * The name of the module that a file is by its own name, as the kernel spells it: "nf_nat" for
 * "/lib/modules/6.1.0/kernel/net/netfilter/nf-nat.ko.debug".
 *
 * @param name  [out] Of `capacity` bytes, with a NUL.
 *
 * @return false if it is none, or longer.
 */
IC_API bool ic_module_name(const char *path, size_t path_size, char *name, size_t capacity);

/** Whether the module of this name, as the kernel spells it, is meant by another, which may have
 * "-" for "_". Nothing is meant by an empty one. */
IC_API bool ic_module_name_is(const char *module, struct ic_span name);

#ifdef __cplusplus
}
#endif

#endif
