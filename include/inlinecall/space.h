// The address space of a process or of the kernel: which files its code comes from, and the frames
// at its addresses.
//
// A space knows where files are mapped: in a process, in the kernel, or as described by a caller,
// for example from the mmap events of a recording. A modules object, which any number of spaces can
// share, opens a file when an address in it is first looked up, and closes files again if together
// they would exceed a memory limit.
//
// Any number of threads may use modules and spaces at the same time, except one that is being
// freed. Free the modules after all answers and spaces.
#ifndef INLINECALL_SPACE_H
#define INLINECALL_SPACE_H

#include <inlinecall/symbolizer.h>

#ifdef __cplusplus
extern "C" {
#endif

struct ic_modules;
struct ic_space;

struct ic_modules_options {
	/** How to open files. Everything it points to must outlive the modules. Without
	 *  `allow_no_debug`, opening a file without debug information fails. */
	struct ic_image_options image;
	struct ic_symbolizer_options symbolizer;
	/** Finds the file of a mapping: returns a descriptor, which the modules will close, or -1
	 *  to search for the file as usual. The file is checked like any other: a different build
	 *  is rejected. `build_id` is NULL if unknown. May be called by several threads at once.
	 *  NULL: files are opened by the paths of the mappings. */
	int (*open_file)(void *context, const char *path, const uint8_t *build_id,
			 size_t build_id_size);
	void *open_context; /**< passed to `open_file` */
	/** Memory limit in bytes for all open files together, counted as for ic_image_options; 0
	 *  for no limit. The least recently used files are closed, except those that an answer
	 *  still uses. */
	uint64_t max_memory;
};

/**
 * Makes modules, with no file open yet.
 *
 * @param options  NULL for the defaults.
 * @param err      [out] Set on failure; may be NULL.
 *
 * @return The modules, to be freed with ic_modules_free(); NULL if memory runs out.
 */
IC_API struct ic_modules *ic_modules_new(const struct ic_modules_options *options,
					 struct ic_error *err);

/** Frees modules. All spaces and answers that use them must be freed first. NULL is allowed. */
IC_API void ic_modules_free(struct ic_modules *modules);

/**
 * Makes an empty space.
 *
 * @param modules  Used to open its files; must outlive the space.
 * @param err      [out] Set on failure; may be NULL.
 *
 * @return The space, to be freed with ic_space_free(); NULL if memory runs out.
 */
IC_API struct ic_space *ic_space_new(struct ic_modules *modules, struct ic_error *err);

/** Frees a space; NULL is allowed. */
IC_API void ic_space_free(struct ic_space *space);

/** A part of a file mapped as code. */
struct ic_space_mapping {
	uint64_t start, end; /**< address range, half open */
	uint64_t offset;     /**< file offset of the byte at `start` */
	/** `offset` is not a file offset, but the address of that byte as the file numbers it. */
	bool has_addr;
	/** Path of the file; copied. A file that is already open is not searched for again: if it
	 *  has been replaced and there is no build ID, the old file is used until it is closed. */
	const char *path;
	/** The build ID that the file must have, copied; size 0 for any file. If the file at the
	 *  path has another one, DIR/.build-id/ab/cdef and DIR/.build-id/ab/cdef/elf in the
	 *  directories for debug files are tried, and servers. */
	const uint8_t *build_id;
	size_t build_id_size;
};

/**
 * Adds a mapping, which replaces what was mapped there.
 *
 * @param err  [out] Set on failure; may be NULL.
 *
 * @return false if memory runs out, or the range is empty or its file offsets overflow
 *         (IC_ERROR_ARGUMENT). Whether the file exists is only checked when an address in it is
 *         looked up.
 *
 * Time: O(n) for n mappings.
 */
IC_API bool ic_space_add(struct ic_space *space, const struct ic_space_mapping *mapping,
			 struct ic_error *err);

/**
 * Replaces the contents of a space by what a process has mapped as code now: its files, including
 * those in another mount namespace, and its vDSO. Opening deleted files needs permission to follow
 * the links in /proc/PID/map_files (CAP_CHECKPOINT_RESTORE); for the program itself, permission to
 * inspect the process is enough. Once the process has ended, a file is only accepted if it still
 * has the same inode.
 *
 * @param err  [out] Set on failure; may be NULL.
 *
 * @return false if /proc/PID/maps cannot be read, the process has ended, or memory runs out; the
 *         space is then unchanged.
 */
IC_API bool ic_space_read_process(struct ic_space *space, int pid, struct ic_error *err);

/** A part of a kernel that was loaded, according to a recording. */
struct ic_kernel_loaded {
	const char *module; /**< NULL for the kernel itself */
	/** For the kernel, the address of its symbol _text; for a module, its start as in
	 *  /proc/modules. */
	uint64_t addr;
	const uint8_t *build_id; /**< that the file must have; NULL for any */
	size_t build_id_size;
};

/** Which kernel it is, and where its files are. What it points to is not kept. */
struct ic_space_kernel_options {
	/** As printed by `uname -r`; NULL for this machine's. Files are searched for by it. */
	const char *release;
	/** A file like /proc/kallsyms and a directory like /sys, both perhaps from another machine:
	 *  see ic_placement_options. If both are NULL, those of this machine are used. */
	const char *kallsyms;
	const char *sysfs;
	/** What was loaded, and, unless `kallsyms` or `sysfs` show it, where: nothing is then read
	 *  from this machine's kernel. For modules this places only the section .text, and only on
	 *  x86. Files may also be found by build ID. */
	const struct ic_kernel_loaded *loaded;
	size_t loaded_count;
	/** Directories to search first: for vmlinux-RELEASE or vmlinux, and at any depth for module
	 *  files. May be NULL if the count is 0. */
	const char *const *dirs;
	size_t dir_count;
	const char *module_file; /**< of a module, to try before all others; may be NULL */
	/** Finds the file of a module, or of the kernel if `module` is NULL, in place of the usual
	 *  search; may be NULL.
	 *
	 *  @param path  [out] `capacity` bytes.
	 *
	 *  @return false if there is none. */
	bool (*find)(void *context, const char *module, char *path, size_t capacity);
	/** Called for each module, or for the kernel if `module` is NULL, without a file, or whose
	 *  file does not match it: addresses in it only get a symbol (IC_SPACE_SYMBOL).
	 *  Pseudo-modules of the kernel, such as "bpf", have no file either. May be NULL. */
	void (*left_out)(void *context, const char *module, const struct ic_error *err);
	void *context;
};

/**
 * Replaces the contents of a space by the code of the running kernel and its currently loaded
 * modules. Functions that are in no file, such as those of BPF programs, are known by their
 * symbols. Reading the addresses needs privileges. Files are searched for in the debug directories
 * of the modules' options, in /usr/lib/debug and in the file system: as boot/vmlinux-RELEASE,
 * lib/modules/RELEASE/vmlinux and lib/modules/RELEASE/build/vmlinux, and for modules in
 * lib/modules/RELEASE. A file that turns out not to belong to the running kernel is skipped and the
 * next one tried. A file that has been replaced or changed since is not opened again: its addresses
 * are IC_SPACE_UNOPENED until the kernel is read again.
 *
 * @param options  NULL for the defaults.
 * @param err      [out] Set on failure; may be NULL.
 *
 * @return false if the kernel's list of symbols cannot be read, or it hides the kernel's addresses
 *         (IC_ERROR_HIDDEN), or memory runs out; the space is then unchanged. Missing files are not
 *         an error: see ic_space_kernel_options::left_out.
 *
 * Time: opening all these files, and reading the list of symbols, which takes the kernel about
 *       50 ms; nothing is decoded.
 */
IC_API bool ic_space_read_kernel(struct ic_space *space,
				 const struct ic_space_kernel_options *options,
				 struct ic_error *err);

/**
 * The place of an address in a file: record it in production, look it up elsewhere. The strings are
 * valid as long as the modules.
 */
struct ic_space_place {
	const char *path; /**< of the file, or the kernel's name for the mapping */
	uint64_t offset;  /**< file offset or, if `is_addr`, an address in the file */
	bool is_addr;
	const uint8_t *build_id; /**< NULL if the file has none, or cannot be read */
	size_t build_id_size;
};

/**
 * Finds the file and offset of an address, without searching for debug information.
 *
 * @return false if there is no code, or its code is in no file, or memory runs out.
 *
 * Time: O(log n) for n mappings, plus reading the notes of each file once.
 */
IC_API bool ic_space_locate(struct ic_space *space, uint64_t addr, struct ic_space_place *place);

/**
 * Makes lookups of addresses that a space does not map fall through to the kernel's space, so that
 * mixed stacks of a program and the kernel can be looked up in one call.
 *
 * @param kernel  Of the same modules. Must outlive the space; NULL for none.
 */
IC_API void ic_space_set_kernel(struct ic_space *space, struct ic_space *kernel);

/** What is at an address of a space. */
enum ic_space_status {
	IC_SPACE_FILE,     /**< a file, which was queried: see ic_space_answer::lookup */
	IC_SPACE_NONE,     /**< no code */
	IC_SPACE_NO_FILE,  /**< code in no file: generated at run time in the process */
	IC_SPACE_UNOPENED, /**< a file that cannot be opened, or is not the one that was mapped */
	/** A function in the kernel's list of symbols but in no file: its only frame has the
	 *  symbol's name. The list has no sizes: this is the last symbol before the address, if it
	 *  may extend that far. */
	IC_SPACE_SYMBOL,
};

struct ic_space_answer {
	enum ic_space_status status;
	enum ic_lookup_status lookup; /**< if a file was queried: what it knows */
	/** Of the file, or the kernel's name for the mapping; for IC_SPACE_SYMBOL the module in
	 *  brackets, or "[kernel]"; NULL if none. */
	const char *path;
	const char *reason; /**< why the file cannot be queried; otherwise NULL */
	uint64_t offset;    /**< in the file; 0 if there is none, and for a kernel */
	uint64_t addr;      /**< as the file numbers it, IC_NO_ADDR if unknown */
	/** See ic_symbolizer_lookup_at(). For IC_SPACE_SYMBOL, `start` is an address in memory. */
	const struct ic_frame *frames;
	size_t frame_count;
	/** Of the file, for its symbols and problems; NULL if no file was queried. */
	struct ic_symbolizer *symbolizer;
};

struct ic_space_answers;

/**
 * Finds the frames at addresses, each in the file that is mapped there.
 *
 * @param addrs  In any order. For a return address, subtract 1 first. Not kept.
 * @param err    [out] Set on failure; may be NULL.
 *
 * @return The answers, to be freed with ic_space_answers_free(); NULL if memory runs out, or if
 *         ic_symbolizer_options::progress (which must not use the space) stops it. The answers keep
 *         the files they came from open, whatever happens to the space.
 *
 * Time: O(n log n) for n addresses, plus opening files and decoding units that were not needed
 *       before.
 */
IC_API struct ic_space_answers *ic_space_find(struct ic_space *space, const uint64_t *addrs,
					      size_t count, struct ic_error *err);

/**
 * Gets the answer for address number `number`, which is valid as long as the answers; false if
 * there were fewer addresses.
 */
IC_API bool ic_space_answers_get(const struct ic_space_answers *answers, size_t number,
				 struct ic_space_answer *answer);

/** Frees answers; NULL is allowed. */
IC_API void ic_space_answers_free(struct ic_space_answers *answers);

#ifdef __cplusplus
}
#endif

#endif
