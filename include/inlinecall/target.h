// Processes whose stacks are unwound: live ones, and core files. A dump of a kernel is a core too;
// its threads are what its processors were running.
//
// A target has the registers and memory of threads, and a space (space.h) with the mapped files. It
// is for one thread at a time. Free it before the modules.
#ifndef INLINECALL_TARGET_H
#define INLINECALL_TARGET_H

#include <inlinecall/space.h>
#include <inlinecall/unwind.h>

#ifdef __cplusplus
extern "C" {
#endif

struct ic_target;

/** How to open a core. Zero-initialised: with the files that it names. */
struct ic_target_core_options {
	/** The program that crashed, instead of the one that the core names; NULL for that. For a
	 *  kernel dump it is vmlinux, and required. */
	const char *program;
	/** A directory with the file system of the machine that the core is from; NULL for `/`. */
	const char *sysroot;
	bool no_goroutines; /**< only threads, not the goroutines of Go that no thread runs */
};

/**
 * Opens a core file, or a dump of a Linux kernel on x86-64 in ELF format, as written by kdump
 * (/proc/vmcore) or QEMU (dump-guest-memory).
 *
 * @param modules  Used to open its files; must outlive the target.
 * @param path     The file may be compressed as a whole, with zstd, lz4, xz or gzip. It then takes
 *                 as much memory as its uncompressed size: at most ic_image_options::max_memory of
 *                 the modules, if that is not 0 (IC_ERROR_LIMIT).
 * @param options  NULL for the defaults. Not kept.
 * @param err      [out] Set on failure; may be NULL.
 *
 * @return The target, to be freed with ic_target_free(); NULL if the file cannot be read or is not
 *         a core, its machine or format is not supported (IC_ERROR_UNSUPPORTED), or memory runs
 *         out. Missing data becomes a problem.
 */
IC_API struct ic_target *ic_target_open_core(struct ic_modules *modules, const char *path,
					     const struct ic_target_core_options *options,
					     struct ic_error *err);

/** Which threads of a process to copy, and how much of them. */
struct ic_target_process_options {
	int tid;            /**< only this thread; 0 for all */
	uint64_t max_stack; /**< most bytes to copy of each stack; 0 for 8 MiB */
	/** Only threads, not the goroutines of Go that no thread runs; with `tid` there are none
	 *  anyway. */
	bool no_goroutines;
};

/**
 * Copies the registers and stacks of the threads of a process. The threads are stopped meanwhile,
 * and running again when this returns. If the caller is killed, they continue too.
 *
 * @param pid      May be in another mount namespace.
 * @param options  NULL for the defaults. Not kept.
 * @param err      [out] Set on failure; may be NULL.
 *
 * @return See ic_target_open_core(). Also NULL if the caller may not trace the process, or it is
 *         already being traced.
 */
IC_API struct ic_target *ic_target_copy_process(struct ic_modules *modules, int pid,
						const struct ic_target_process_options *options,
						struct ic_error *err);

/** A thread whose registers and memory the caller provides, such as a profiler's sample. */
struct ic_target_options {
	unsigned machine; /**< as returned by ic_image_machine() */
	bool is_32_bit, is_big_endian;
	/** Reads memory; returns false if it cannot be read. Contents that files have, and that
	 *  nobody can write to, are then read from the files. NULL if there is no memory. */
	bool (*read_memory)(void *context, uint64_t addr, void *bytes, size_t size);
	void *context; /**< passed to `read_memory` */
};

/**
 * Makes a target for unwinding with registers and memory from the caller. Fill its space
 * (ic_target_space()) with mappings, and pass the registers to ic_unwinder_begin() of an unwinder
 * made with ic_target_unwind_options().
 *
 * @param options  Not kept.
 * @param err      [out] Set on failure; may be NULL.
 *
 * @return See ic_target_open_core(). The target has no threads.
 */
IC_API struct ic_target *ic_target_new(struct ic_modules *modules,
				       const struct ic_target_options *options,
				       struct ic_error *err);

/** Frees a target; NULL is allowed. */
IC_API void ic_target_free(struct ic_target *target);

/** A thread, or a goroutine that no thread runs. */
struct ic_target_thread {
	uint32_t pid, tid;
	const char *name; /**< NULL if unknown */
	const char *core; /**< path of the core that has it; NULL for a live process */
	uint32_t signal;  /**< that ended it; 0 if none did, or the process is alive */
	/** For a kernel dump: `tid` is the number of the processor, and `pid` that of the process
	 *  it was running, 0 if it was idle or that is unknown. */
	bool is_processor;
	/** The processor was in user mode: only the address is known. */
	bool is_user_mode;
	/** A goroutine of Go that no thread runs has an ID, a state such as "chan receive" or
	 *  "runnable", and no `tid`. Otherwise 0 and NULL. */
	uint64_t goroutine;
	const char *state;
	struct ic_unwind_registers registers;
};

/**
 * Gets thread number `number`, from 0; in a core the first is the one that crashed. Returns false
 * if there are fewer.
 */
IC_API bool ic_target_thread_get(const struct ic_target *target, size_t number,
				 struct ic_target_thread *thread);

/** The target's mappings. Owned by the target. */
IC_API struct ic_space *ic_target_space(const struct ic_target *target);

/**
 * Fills in the options for ic_unwinder_new() to unwind the target's stacks. The unwinder must be
 * freed before the target.
 */
IC_API void ic_target_unwind_options(struct ic_target *target, struct ic_unwind_options *options);

/**
 * Reads memory of the target; in a live process, anything that was not copied is read as it is now.
 * Returns false if not all of it can be read.
 */
IC_API bool ic_target_read_memory(struct ic_target *target, uint64_t addr, void *bytes,
				  size_t size);

/** Gets problem number `number` of those found so far; false if there are fewer. */
IC_API bool ic_target_problem_get(struct ic_target *target, size_t number,
				  struct ic_index_problem *problem);

#ifdef __cplusplus
}
#endif

#endif
