// The address space of a process or of the kernel: which files its code is from, and the frames at
// its addresses.
//
// A space knows where files are mapped: in a process, in the kernel, or as a caller says it, who
// has the mmap events of a recording. Files are opened when an address in them is first asked for,
// by the modules that any number of spaces share, and closed again if they would together take more
// memory than a limit.
//
// Any number of threads may use modules and spaces at the same time, but for what is being freed.
// Free the modules after all answers and spaces.
#ifndef INLINECALL_SPACE_H
#define INLINECALL_SPACE_H

#include <inlinecall/symbolizer.h>

#ifdef __cplusplus
extern "C" {
#endif

struct ic_modules;
struct ic_space;

struct ic_modules_options {
	/** How files are opened. What it points to must live as long as the modules. Without
	 *  `allow_no_debug`, a file without debug information is one that cannot be opened. */
	struct ic_image_options image;
	struct ic_symbolizer_options symbolizer;
	/** Finds the file of a mapping: returns a descriptor, which is closed by the modules, or -1
	 *  to have the file looked for as without it. It is checked as any other: another build is
	 *  refused. `build_id` is what is known of it; NULL if nothing is. May be called by several
	 *  threads at once. NULL: files are where the mappings say. */
	int (*open_file)(void *context, const char *path, const uint8_t *build_id,
			 size_t build_id_size);
	void *open_context; /**< handed to it */
	/** How much memory all files that are open may take together, in bytes, counted as by
	 *  ic_image_options; 0 for no limit. Those that were not asked for longest are closed, but
	 *  none that an answer still holds. */
	uint64_t max_memory;
};

/**
 * Makes modules, of which none is open yet.
 *
 * @param options  NULL for the defaults.
 * @param err      [out] Why not; may be NULL.
 *
 * @return The modules, to be freed with ic_modules_free(); NULL if memory is out.
 */
IC_API struct ic_modules *ic_modules_new(const struct ic_modules_options *options,
					 struct ic_error *err);

/** Frees modules, after all spaces and answers that use them; NULL is allowed. */
IC_API void ic_modules_free(struct ic_modules *modules);

/** @return An empty space, to be freed with ic_space_free(); NULL if memory is out. */
IC_API struct ic_space *ic_space_new(struct ic_modules *modules, struct ic_error *err);

/** Frees a space; NULL is allowed. */
IC_API void ic_space_free(struct ic_space *space);

/** A part of a file that is mapped as code. */
struct ic_space_mapping {
	uint64_t start, end; /**< addresses, from the first to the one after the last */
	uint64_t offset;     /**< in the file, of the byte at `start` */
	/** `offset` is not one, but the address of that byte as the file numbers it. */
	bool has_addr;
	/** Of the file; copied. One that is open is not looked for again: without a build ID, a
	 * file that was replaced is the old one until it is closed. */
	const char *path;
	/** The build ID that the file must have, copied; of any file if the size is 0. If what is
	 * at the path has another, it is looked for in the directories for debug files, as
	 *  DIR/.build-id/ab/cdef or DIR/.build-id/ab/cdef/elf, and on servers. */
	const uint8_t *build_id;
	size_t build_id_size;
};

/**
 * Adds a mapping, which takes the place of what is mapped there.
 *
 * @param err  [out] Why not; may be NULL.
 *
 * @return false if memory is out, or the range is empty or goes beyond the end of its file
 *         offsets (IC_ERROR_ARGUMENT). Whether there is such a file is seen when it is asked for.
 *
 * Time: O(n) for n mappings.
 */
IC_API bool ic_space_add(struct ic_space *space, const struct ic_space_mapping *mapping,
			 struct ic_error *err);

/**
 * Fills a space with what a process has mapped as code now, instead of what was in it: its files,
 * also those in another mount namespace, and its vDSO. Deleted ones can be opened by who may follow
 * the links in /proc/PID/map_files (CAP_CHECKPOINT_RESTORE), and the program itself by who may look
 * at the process. A file that is opened after the process has ended must have kept its inode.
 *
 * @param err  [out] Why not; may be NULL.
 *
 * @return false if /proc/PID/maps cannot be read, the process has ended, or memory is out; then the
 *         space is as it was.
 */
IC_API bool ic_space_read_process(struct ic_space *space, int pid, struct ic_error *err);

/** What a kernel had loaded, as a recording says. */
struct ic_kernel_loaded {
	const char *module; /**< NULL of the kernel itself */
	/** Of the kernel where its symbol _text was; of a module where it began, as /proc/modules
	 *  has it. */
	uint64_t addr;
	const uint8_t *build_id; /**< that the file must have; NULL if any will do */
	size_t build_id_size;
};

/** Which kernel it is, and where its files are. What it points to is not kept. */
struct ic_space_kernel_options {
	/** As `uname -r` prints it; NULL for that of this machine. Files are looked for by it. */
	const char *release;
	/** A file such as /proc/kallsyms, perhaps of another machine, and a folder such as /sys of
	 *  the same: see ic_placement_options. If both are NULL, those two of this machine. */
	const char *kallsyms;
	const char *sysfs;
	/** What was loaded, and where unless `kallsyms` or `sysfs` say so: nothing is read of this
	 *  machine's kernel then. Of a module only the section .text is known that way, and on x86
	 *  alone. A file may also be found by its build ID. */
	const struct ic_kernel_loaded *loaded;
	size_t loaded_count;
	/** Directories that are looked in first: for vmlinux-RELEASE or vmlinux, and at any depth
	 *  for files of modules. May be NULL if the count is 0. */
	const char *const *dirs;
	size_t dir_count;
	/** Finds the file of a module, or if `module` is NULL, that of the kernel, instead of
	 *  looking for it; may be NULL.
	 *  @param path  [out] Of `capacity` bytes.
	 *  @return false if there is none. */
	bool (*find)(void *context, const char *module, char *path, size_t capacity);
	/** Called for each module, or for the kernel if `module` is NULL, of which there is no
	 * file, or no file that is its: of addresses in it only the symbol is known then
	 * (IC_SPACE_SYMBOL). May be NULL. What the kernel calls a module besides, as "bpf", has no
	 * file either. */
	void (*left_out)(void *context, const char *module, const struct ic_error *err);
	void *context;
};

/**
 * Fills a space with the code of the running kernel and of the modules that it has loaded now,
 * instead of what was in it; functions that no file has, as those of BPF programs, are known by
 * their symbols. It takes privileges to know where they are. Files are looked for by
 * the debug directories of the modules' options, in /usr/lib/debug and in the file system: as
 * boot/vmlinux-RELEASE, lib/modules/RELEASE/vmlinux and lib/modules/RELEASE/build/vmlinux, and for
 * modules in lib/modules/RELEASE. One that is seen not to be of the running kernel is no use; the
 * next is tried. One that was replaced or changed since is not opened again: its addresses are
 * IC_SPACE_UNOPENED until the kernel is read again.
 *
 * @param options  NULL for the defaults.
 * @param err      [out] Why not; may be NULL.
 *
 * @return false if the kernel's list of symbols cannot be read, or it hides where the kernel is
 *         (IC_ERROR_HIDDEN), or memory is out; then the space is as it was. That there are no files
 *         is no error: see ic_space_kernel_options::left_out.
 *
 * Time: that of opening all these files, and of reading the list of symbols, which takes the kernel
 *       about 50 ms; nothing is decoded.
 */
IC_API bool ic_space_read_kernel(struct ic_space *space,
				 const struct ic_space_kernel_options *options,
				 struct ic_error *err);

/** Where an address is in a file: what is recorded in production, to be looked up elsewhere. The
 *  strings live as long as the modules. */
struct ic_space_place {
	const char *path; /**< of the file, or what the kernel calls the mapping */
	uint64_t offset;  /**< in the file, or if `is_addr` an address there */
	bool is_addr;
	const uint8_t *build_id; /**< NULL if the file has none, or cannot be read */
	size_t build_id_size;
};

/**
 * Finds where an address is in a file, without looking for debug information.
 *
 * @return false if there is no code, or code of no file, or memory is out.
 *
 * Time: O(log n) for n mappings; once for a file that of reading its notes.
 */
IC_API bool ic_space_locate(struct ic_space *space, uint64_t addr, struct ic_space_place *place);

/**
 * Has addresses that a space does not map looked for in that of the kernel too, so that stacks of a
 * program and the kernel are looked up as they are.
 *
 * @param kernel  Of the same modules. Must live as long as the space; NULL for none.
 */
IC_API void ic_space_set_kernel(struct ic_space *space, struct ic_space *kernel);

/** What is at an address of a space. */
enum ic_space_status {
	IC_SPACE_FILE,     /**< a file, which was asked: see ic_space_answer::lookup */
	IC_SPACE_NONE,     /**< nothing that is code */
	IC_SPACE_NO_FILE,  /**< code of no file: a compiler of the process made it */
	IC_SPACE_UNOPENED, /**< a file that cannot be opened, or is not the one that was mapped */
	/** A function that the kernel's list of symbols has, and no file: its one frame has the
	 *  symbol's name. The list has no sizes: it is the last symbol before the address, if that
	 *  may reach so far. */
	IC_SPACE_SYMBOL,
};

struct ic_space_answer {
	enum ic_space_status status;
	enum ic_lookup_status lookup; /**< if a file was asked: what it knows */
	/** Of the file, or what the kernel calls the mapping; of IC_SPACE_SYMBOL the module in
	 *  brackets, or "[kernel]"; NULL if none. */
	const char *path;
	const char *reason; /**< why the file cannot be asked; else NULL */
	uint64_t offset;    /**< in the file; 0 if there is none, and of a kernel */
	uint64_t addr;      /**< as the file numbers it, IC_NO_ADDR if not known */
	/** As ic_symbolizer_lookup_at() has them; of IC_SPACE_SYMBOL, `start` is in memory. */
	const struct ic_frame *frames;
	size_t frame_count;
	/** The file's, for its symbols and its problems; NULL if no file was asked. */
	struct ic_symbolizer *symbolizer;
};

struct ic_space_answers;

/**
 * Finds the frames at addresses, each of them in the file that is mapped there.
 *
 * @param addrs  In any order. For a return address, subtract 1 first. Not kept.
 * @param err    [out] Why not; may be NULL.
 *
 * @return The answers, to be freed with ic_space_answers_free(); NULL if memory is out, or if
 *         ic_symbolizer_options::progress stops it (which must not use the space). They hold
 *         the files that they are from, whatever becomes of the space.
 *
 * Time: O(n log n) for n addresses, and the opening and decoding of what was not asked for before.
 */
IC_API struct ic_space_answers *ic_space_find(struct ic_space *space, const uint64_t *addrs,
					      size_t count, struct ic_error *err);

/** The answer for address number `number`, which lives as long as the answers. False if there were
 *  not so many addresses. */
IC_API bool ic_space_answers_get(const struct ic_space_answers *answers, size_t number,
				 struct ic_space_answer *answer);

/** Frees answers; NULL is allowed. */
IC_API void ic_space_answers_free(struct ic_space_answers *answers);

#ifdef __cplusplus
}
#endif

#endif
