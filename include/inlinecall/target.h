// Processes whose stacks are unwound: live ones, and cores of those that have ended. A dump of a
// kernel is a core too, whose threads are what its processors ran.
//
// A target has the registers and the memory of threads, and a space (space.h) with the files that
// were mapped. It is used by one thread at a time, and freed before the modules.
#ifndef INLINECALL_TARGET_H
#define INLINECALL_TARGET_H

#include <inlinecall/space.h>
#include <inlinecall/unwind.h>

#ifdef __cplusplus
extern "C" {
#endif

struct ic_target;

/** How a core is opened. Zero-initialised: with files as it names them. */
struct ic_target_core_options {
	/** The program that the core is of, in place of what the core names; NULL for that. Of a
	 *  kernel's dump it is vmlinux, which must be given. */
	const char *program;
	/** A directory with the file system of the machine that the core is from; NULL for `/`. */
	const char *sysroot;
};

/**
 * Opens a core file, or a dump of a Linux kernel on x86-64 in ELF form: as kdump has it in
 * /proc/vmcore, or QEMU (dump-guest-memory).
 *
 * @param modules  Open its files; must live longer than the target.
 * @param path     It may be compressed as a whole, by zstd, lz4, xz or gzip. Then it takes as much
 *                 memory as without: at most ic_image_options::max_memory of the modules, if that
 *                 is not 0 (IC_ERROR_LIMIT).
 * @param options  NULL for the defaults. Not kept.
 * @param err      [out] Why not; may be NULL.
 *
 * @return To be freed with ic_target_free(); NULL if it cannot be read or is no core, its machine
 *         or form is not known (IC_ERROR_UNSUPPORTED), or memory is out. What it lacks is a
 * problem.
 */
IC_API struct ic_target *ic_target_open_core(struct ic_modules *modules, const char *path,
					     const struct ic_target_core_options *options,
					     struct ic_error *err);

/** Which threads of a process, and how much of them is copied. */
struct ic_target_process_options {
	int tid;            /**< only this thread; 0 for all */
	uint64_t max_stack; /**< bytes of each stack that are copied; 0 for 8 MiB */
};

/**
 * Copies the registers and the stacks of the threads of a process, which are stopped meanwhile, and
 * run again when this returns. If the caller is killed, they run again too.
 *
 * @param pid      May be of another mount namespace.
 * @param options  NULL for the defaults. Not kept.
 * @param err      [out] Why not; may be NULL.
 *
 * @return As ic_target_open_core(). NULL also if the process may not be traced by the caller, or is
 *         traced already.
 */
IC_API struct ic_target *ic_target_copy_process(struct ic_modules *modules, int pid,
						const struct ic_target_process_options *options,
						struct ic_error *err);

/** A thread of which the caller has registers and memory, such as a sample of a profiler. */
struct ic_target_options {
	unsigned machine; /**< as ic_image_machine() has it */
	bool is_32_bit, is_big_endian;
	/** Reads memory; false if it cannot be read. What files have, and nobody can write to, is
	 *  then read from these. NULL if there is no memory. */
	bool (*read_memory)(void *context, uint64_t addr, void *bytes, size_t size);
	void *context; /**< handed to it */
};

/**
 * Makes a target for unwinding with registers and memory of the caller's: fill its space
 * (ic_target_space()) with what is mapped, and hand the registers to ic_unwinder_begin() of an
 * unwinder with ic_target_unwind_options().
 *
 * @param options  Not kept.
 * @param err      [out] Why not; may be NULL.
 *
 * @return As ic_target_open_core(). It has no threads.
 */
IC_API struct ic_target *ic_target_new(struct ic_modules *modules,
				       const struct ic_target_options *options,
				       struct ic_error *err);

/** Frees a target; NULL is allowed. */
IC_API void ic_target_free(struct ic_target *target);

/** A thread. */
struct ic_target_thread {
	uint32_t pid, tid;
	const char *name; /**< NULL if it is not known */
	const char *core; /**< path of the core that has it; NULL of a process */
	uint32_t signal;  /**< that ended it; 0 if none did, or the process lives */
	/** Of a kernel's dump: `tid` is the number of the processor, and `pid` that of what it ran,
	 * 0 if it was idle or that is not known. */
	bool is_processor;
	bool is_user_mode; /**< the processor ran a program, of which only the address is known */
	struct ic_unwind_registers registers;
};

/** Thread number `number`, from 0; of a core the first is the one that crashed. False if there are
 *  not so many. */
IC_API bool ic_target_thread_get(const struct ic_target *target, size_t number,
				 struct ic_target_thread *thread);

/** What is mapped where. It is the target's. */
IC_API struct ic_space *ic_target_space(const struct ic_target *target);

/** How to unwind the target's stacks, for ic_unwinder_new(): the unwinder must be freed before the
 *  target. */
IC_API void ic_target_unwind_options(struct ic_target *target, struct ic_unwind_options *options);

/** Reads memory of the target; of a live process what was not copied as it is now. False if not all
 *  of it can be read. */
IC_API bool ic_target_read_memory(struct ic_target *target, uint64_t addr, void *bytes,
				  size_t size);

/** Problem number `number` of those met so far; false if there are not so many. */
IC_API bool ic_target_problem_get(struct ic_target *target, size_t number,
				  struct ic_index_problem *problem);

#ifdef __cplusplus
}
#endif

#endif
