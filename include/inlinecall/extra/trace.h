// Tracing: each call of a function in running programs, at every copy of it, inlined or not, with
// the arguments. A small BPF program runs where the copies are entered. Nothing is written into the
// processes by this library: the kernel puts its breakpoints there, and takes them away when the
// trace is freed, or its process ends in any way.
//
// It needs Linux 5.15, better 6.6; and root, or the capabilities CAP_BPF, CAP_PERFMON and, on some
// systems, CAP_SYS_ADMIN. A trace belongs to one thread at a time.
#ifndef INLINECALL_EXTRA_TRACE_H
#define INLINECALL_EXTRA_TRACE_H

#include <inlinecall/backtrace.h>
#include <inlinecall/extra/exits.h>
#include <inlinecall/image.h>
#include <inlinecall/parameters.h>
#include <inlinecall/sites.h>
#include <inlinecall/unwind.h>

#ifdef __cplusplus
extern "C" {
#endif

struct bpf_insn; // <linux/bpf.h>
struct ic_trace;

/** What is traced, and how. Zero-initialised: every call, with strings of up to 128 bytes. */
struct ic_trace_options {
	/** The file that processes execute; NULL for the path that the image was opened by. */
	const char *path;
	uint32_t string_size; /**< bytes of a string that are copied, at most 512; 0 for 128 */
	/** Bytes of the stack that are copied, from the stack pointer on, at most 32 KiB; 0 for
	 *  none. */
	uint32_t stack_size;
	uint32_t ring_size; /**< bytes that can wait to be read; 0 for 16 MiB */
	uint64_t sample;    /**< only each call of this many at a copy; 0 for all */
	/** Only calls with such arguments, which the kernel decides: conditions as `n > 10`, with
	 * ==, !=,
	 *  <, <=, > or >= and a number, a character in '', a string in "", true, false or the name
	 * of a value of an enumeration; several with &&. NULL for all. A call with an argument that
	 * is not available is not reported, but counted. */
	const char *filter;
	/** Where the copies are entered, all of which is traced; NULL for ic_site::entry. Of the
	 *  sites. Only needed by ic_trace_new(). */
	const struct ic_entries *entries;
	bool only_counts; /**< calls are counted in the kernel, and nothing else is done */
	/** Finds where copies are left, which is traced too; NULL if it is not. Only needed by
	 * ic_trace_new(). Not for a trace that only counts. */
	struct ic_exits *exits;
	/** The file is the vmlinux of the running kernel, which is loaded `kernel_offset` bytes
	 *  above its link address (KASLR). Its copies are traced with kprobes, one by one, in all
	 *  processes. */
	bool is_kernel;
	uint64_t kernel_offset;
	bool with_own; /**< of a kernel: also the calls that this process makes there */
	/** Called while probes are set, if it is not NULL, with how many of them are done; if it
	 *  returns false ic_trace_start() fails (IC_ERROR_STOPPED). A kernel needs some
	 * milliseconds for each. */
	bool (*progress)(void *context, unsigned long long done, unsigned long long total);
	void *progress_context;
};

/**
 * What a trace needs of ic_parameters_options::members: those that are asked for, those that a
 * filter names ("a.b,c" of "p->a.b > 1 && n == 2 && q.c != 3"), and that of an argument ("[2]" of
 * "p[2]").
 *
 * @param members, filter, argument  Each may be NULL.
 * @param err  [out] Set on failure; may be NULL.
 *
 * @return To be freed with free(), "" without members. NULL if the filter is none
 *         (IC_ERROR_ARGUMENT), or memory runs out.
 */
IC_API char *ic_trace_members(const char *members, const char *filter, const char *argument,
			      struct ic_error *err);

/** An argument of a copy. */
struct ic_trace_argument {
	const char *name, *type; /**< NULL if not known */
	const char *why; /**< it cannot be had: "optimised out" and the like; NULL if it can */
};

/** A copy that is traced, or cannot be; one that is entered in several places is a copy for each
 *  of them, one after another. */
struct ic_trace_copy {
	size_t site;         /**< its number in the sites */
	size_t first;        /**< the number of the first copy of this site */
	uint64_t addr;       /**< where it is entered, in the file */
	uint64_t file_off;   /**< of that; IC_NO_ADDR if there is none */
	const char *why_not; /**< it cannot be traced, for this reason; NULL if it is */
	/** It is not traced, since its calls are those of another copy: struct ic_site_entries. */
	bool is_counted_elsewhere;
	const struct ic_trace_argument *arguments; /**< NULL if they are not known */
	size_t argument_count;
	const char *exits_why_not; /**< where it is left cannot be traced, for this reason; NULL if
				    *   it is, or was not asked for */
	/** What it returns, without a name; NULL if nothing, or exits are not traced, or it is
	 * inlined or not known by types. */
	const struct ic_trace_argument *result;
	const char *exits_doubt; /**< as ic_exits_doubt() has it; NULL if there is none */
};

/** What was counted at a copy so far. */
struct ic_trace_counts {
	uint64_t hits;       /**< calls that the filter lets through */
	uint64_t lost;       /**< calls that are not reported: there was no room */
	uint64_t undecided;  /**< calls in which an argument of the filter was not available */
	uint64_t lost_exits; /**< the same as `lost`, of exits */
};

/** The value of an argument. */
struct ic_trace_value {
	/** As GDB prints it (struct ic_backtrace_argument); NULL if it is not available. */
	const char *text;
	const char *number; /**< what a number is, without names: decimal, or hexadecimal of
			     *   pointers; NULL if it is none */
	const char *why;    /**< it is not available: why; NULL if it is */
};

/** A call, or the end of one. What is in it is the trace's until the next one is asked for. */
struct ic_trace_hit {
	uint64_t time; /**< in nanoseconds, of CLOCK_MONOTONIC */
	uint32_t pid, tid;
	const char *command; /**< the name of the thread */
	size_t copy;
	/** The copy, which is the first of its site then, is left: it, or another one of the site,
	 * was entered before in the same frame of the thread, by a hit that was reported too. */
	bool is_exit;
	enum ic_exit_kind exit_kind;
	uint64_t duration; /**< in nanoseconds: from the entry to the exit, with both probes */
	/** Of the copy's arguments, in their order; NULL of an exit. */
	const struct ic_trace_value *values;
	const struct ic_trace_value *result; /**< of an exit, if the copy has one; else NULL */
	struct ic_unwind_registers registers;
	const uint8_t *stack; /**< from the stack pointer on */
	size_t stack_size;
};

/** How many durations of a copy were between which powers of two. Zero-initialised: none. */
struct ic_trace_durations {
	uint64_t counts[65]; /**< number 0 of 0, n of 2^(n-1) to 2^n - 1 nanoseconds */
	uint64_t count, sum; /**< of all; the sum is in nanoseconds */
	uint64_t least, most;
};

/** Adds the duration of an exit. */
IC_API void ic_trace_durations_add(struct ic_trace_durations *durations, uint64_t duration);

/** How many values of an argument were between which powers of two. Zero-initialised: none. */
struct ic_trace_distribution {
	uint64_t counts[65];   /**< number 0 of 0, n of 2^(n-1) to 2^n - 1 */
	uint64_t negative[65]; /**< number n of -(2^n - 1) to -2^(n-1) */
	uint64_t count;        /**< of all of these */
	uint64_t unavailable;  /**< values that were not, or are no numbers */
};

/** Adds a value. */
IC_API void ic_trace_distribution_add(struct ic_trace_distribution *distribution,
				      const struct ic_trace_value *value);

/** Which of its arguments has the name, in which "." and "->" are the same; the first of several,
 * or SIZE_MAX if none has. */
IC_API size_t ic_trace_argument_find(const struct ic_trace_copy *copy, const char *name);

/**
 * Prepares to trace the copies of a selection: finds how each argument is fetched. Needs no rights.
 *
 * @param image       Of the index that the sites are of; must stay open as long as the trace, which
 *                    reads constants from it. For the machine that this runs on, or
 *                    there is nothing to start.
 * @param sites       Must live as long as the trace. Calls among them are left out.
 * @param parameters  Reads the arguments; NULL for none. Must live as long as the trace.
 * @param options     NULL for the defaults. Not kept.
 * @param err         [out] Set on failure; may be NULL.
 *
 * @return The trace, to be freed with ic_trace_free(). NULL if memory runs out, the file is
 *         relocatable, or a kernel's without `is_kernel` (IC_ERROR_UNSUPPORTED), or of a machine
 *         without a row of registers.
 *
 * Time: that of finding the parameters.
 */
IC_API struct ic_trace *ic_trace_new(struct ic_image *image, const struct ic_sites *sites,
				     struct ic_parameters *parameters,
				     const struct ic_trace_options *options, struct ic_error *err);

/** Frees a trace, and takes the probes away; NULL is allowed. */
IC_API void ic_trace_free(struct ic_trace *trace);

/** Copy number `number`, from 0; false if there are not so many. */
IC_API bool ic_trace_copy_get(const struct ic_trace *trace, size_t number,
			      struct ic_trace_copy *copy);

/** The sites that the copies are of. */
IC_API const struct ic_sites *ic_trace_sites(const struct ic_trace *trace);

/**
 * The program that will run at each copy, for those who load it themselves: of the type
 * BPF_PROG_TYPE_KPROBE, with the number of the copy as its cookie. The maps are descriptors. A
 * trace with exits can only be started by ic_trace_start().
 *
 * @param ring    Of a ring buffer (BPF_MAP_TYPE_RINGBUF).
 * @param copies  Of an array (BPF_MAP_TYPE_ARRAY) with the bytes of ic_trace_copy_bytes().
 * @param code    [out] Of the trace, until this is called again.
 *
 * @return How many instructions it has; 0 if memory runs out.
 */
IC_API size_t ic_trace_program(struct ic_trace *trace, int copies, int ring,
			       const struct bpf_insn **code);

/** What the array of copies has for one, of the size that all have. The trace's. */
IC_API const void *ic_trace_copy_bytes(const struct ic_trace *trace, size_t number, size_t *size);

/**
 * Starts: when this returns, calls are seen.
 *
 * @param pid  Only of this process, if it is not 0. The processes that it starts are others.
 * @param err  [out] Set on failure; may be NULL.
 *
 * @return false if there is nothing to trace, the kernel refuses it, or memory runs out.
 */
IC_API bool ic_trace_start(struct ic_trace *trace, uint32_t pid, struct ic_error *err);

/** When it was started, on CLOCK_MONOTONIC in nanoseconds; 0 if it was not. */
IC_API uint64_t ic_trace_start_time(const struct ic_trace *trace);

/** Takes the probes away. What was seen before can still be read. */
IC_API void ic_trace_stop(struct ic_trace *trace);

/**
 * The next call that was seen, in the order in which they were recorded: that of time in each
 * thread.
 *
 * @return false if there is none yet. It does not wait: ask again some milliseconds later.
 */
IC_API bool ic_trace_next(struct ic_trace *trace, struct ic_trace_hit *hit);

/**
 * The stack of the last hit, with inlined functions: unwound from what was copied of it, in the
 * files that the process has mapped. Only what the process still has mapped is known: ask soon.
 *
 * @param modules  Open the files; must live as long as the trace, and be the same each time.
 * @param hit      As ic_trace_next() has given it last, of a trace with a `stack_size`.
 * @param err      [out] Set on failure; may be NULL.
 *
 * @return To be freed with ic_backtraces_free() before the next question; of one thread. NULL if
 * the process has ended, or memory runs out.
 */
IC_API struct ic_backtraces *ic_trace_backtrace(struct ic_trace *trace, struct ic_modules *modules,
						const struct ic_trace_hit *hit,
						struct ic_error *err);

/** What was counted at a copy since the start. */
IC_API void ic_trace_counts_get(const struct ic_trace *trace, size_t number,
				struct ic_trace_counts *counts);

#ifdef __cplusplus
}
#endif

#endif
