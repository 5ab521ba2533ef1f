// Tracing: reports each call of a function in running programs, at every copy, inlined or not, with
// the arguments. A small BPF program runs at the entries of the copies. This library writes nothing
// into the processes: the kernel places its breakpoints there, and removes them when the trace is
// freed, or its process ends in any way.
//
// Needs Linux 5.15, preferably 6.6; and root, or the capabilities CAP_BPF, CAP_PERFMON and, on some
// systems, CAP_SYS_ADMIN. A trace is for one thread at a time.
#ifndef INLINECALL_EXTRA_TRACE_H
#define INLINECALL_EXTRA_TRACE_H

#include <inlinecall/backtrace.h>
#include <inlinecall/extra/exits.h>
#include <inlinecall/extra/placement.h>
#include <inlinecall/image.h>
#include <inlinecall/parameters.h>
#include <inlinecall/sites.h>
#include <inlinecall/unwind.h>

#ifdef __cplusplus
extern "C" {
#endif

struct bpf_insn; // <linux/bpf.h>
struct ic_trace;

/** What groups of calls are sorted by. */
enum ic_trace_order {
	IC_TRACE_ORDER_COUNT,
	IC_TRACE_ORDER_SUM,
	IC_TRACE_ORDER_MEAN,
	IC_TRACE_ORDER_LEAST, /**< the least first */
	IC_TRACE_ORDER_MOST
};

/** A place in the code of a site, such as where a source line begins. */
struct ic_trace_point {
	size_t site; /**< its index in the sites */
	uint64_t addr;
	const char *file; /**< path of its source; NULL if unknown */
	uint32_t line, column;
};

/** What to trace, and how. Zero-initialised: every call, with strings of up to 128 bytes. */
struct ic_trace_options {
	/** The file that processes execute; NULL for the path that the image was opened by. */
	const char *path;
	uint32_t string_size; /**< bytes of each string to copy, at most 512; 0 for 128 */
	/** Bytes of the stack to copy, from the stack pointer up, at most 32 KiB; 0 for none. */
	uint32_t stack_size;
	uint32_t ring_size; /**< bytes that can wait to be read; 0 for 16 MiB */
	uint64_t sample;    /**< report only every n-th call at a copy; 0 for all */
	/** Only calls that meet a condition such as `n > 10 && (s ~ "x*" || flags & 4)`, as
	 *  inlinecall-trace(1) describes. The kernel evaluates it, or ic_trace_next() if the kernel
	 *  cannot. NULL for all. Calls for which it depends on an unavailable argument are not
	 *  reported, but counted. */
	const char *filter;
	/** Arguments or members that point to a buffer, each with the one that is its length in
	 *  bytes: "buf,len", "p->data,p->size". Their values have as many of its bytes as
	 *  `string_size` allows. At most 16, terminated by NULL; NULL for none. Used only by
	 * ic_trace_new(). */
	const char *const *buffers;
	/** Where the copies are entered: all entries are traced; NULL for only ic_site::entry. Must
	 *  be of the sites. Used only by ic_trace_new(). */
	const struct ic_entries *entries;
	/** Trace these places instead of the entries of copies: each counts as a copy. Their
	 * strings must outlive the trace. Not with `exits`. NULL to trace calls. The reader of
	 * parameters should have `variables`, and must be for places other than entries. Used only
	 * by ic_trace_new(). */
	const struct ic_trace_point *points;
	size_t point_count;
	bool only_counts; /**< only count calls, in the kernel */
	/** Add calls up instead of reporting them, in groups that have these in common, separated
	 * by commas: `function`, `host`, `call`, `copy`, `pid`, `tid`, `cpu`, `comm`, `stack`, or
	 *  arguments and their members. An argument is meant rather than one of these words, unless
	 *  that follows an `@`. See trace_groups.h. NULL for a trace that reports calls. With
	 * `exits` durations are added up. */
	const char *by;
	const char *measure;       /**< an argument or member to add up, with `by`; or NULL */
	bool has_buckets;          /**< also find its distribution */
	enum ic_trace_order order; /**< of groups */
	uint32_t most_groups;      /**< 0 for 16,384 */
	/** Finds where copies are left, to trace that too; NULL if not. Used only by
	 *  ic_trace_new(). Not for a trace that only counts. */
	struct ic_exits *exits;
	/** Where the file is loaded if it is the vmlinux of the running kernel or one of its
	 *  modules; NULL for programs. Its copies are traced with kprobes, one by one, in all
	 *  processes. Must outlive the trace. */
	const struct ic_placement *placement;
	/** With a process: also those that it has started, or starts, and theirs. This needs the
	 *  kernel's types (/sys/kernel/btf/vmlinux). */
	bool has_children;
	bool with_own; /**< for a kernel: also the calls that this process makes there */
	/** Called while probes are being set, with the number already set; return false to make
	 *  ic_trace_start() fail (IC_ERROR_STOPPED). In a kernel each takes some milliseconds. May
	 *  be NULL. */
	bool (*progress)(void *context, unsigned long long done, unsigned long long total);
	void *progress_context;
};

/**
 * The ic_parameters_options::members that a trace needs: the requested ones, and those in its
 * filter, its keys, of what is measured and of buffers ("a.b,c,[2]" for "p->a.b > 1 && q.c != 3"
 * and "p[2]").
 *
 * @param members  The requested ones; may be NULL.
 * @param options  `filter`, `by`, `measure` and `buffers` are used.
 * @param err      [out] Set on failure; may be NULL.
 *
 * @return The members, to be released with free(), "" if there are none. NULL if the filter, `by`
 * or a buffer is invalid (IC_ERROR_ARGUMENT), or memory runs out.
 */
IC_API char *ic_trace_members(const char *members, const struct ic_trace_options *options,
			      struct ic_error *err);

/** An argument of a copy. */
struct ic_trace_argument {
	const char *name, *type; /**< NULL if unknown */
	bool is_variable;        /**< no argument, but a variable: these come last */
	/** Why it is unavailable: "optimised out" and the like; NULL if it is available. */
	const char *why;
};

/**
 * A copy that is traced, or cannot be. If it has several entries, each counts as a copy, one after
 * another.
 */
struct ic_trace_copy {
	size_t site;         /**< its index in the sites */
	size_t first;        /**< the index of the first copy of this site */
	uint64_t addr;       /**< entry address in the file, or that of the point */
	uint64_t file_off;   /**< its file offset; IC_NO_ADDR if there is none */
	const char *why_not; /**< why it cannot be traced; NULL if it is */
	/** Not traced, because its calls are those of another copy: struct ic_site_entries. */
	bool is_counted_elsewhere;
	const struct ic_trace_argument *arguments; /**< NULL if unknown */
	size_t argument_count;
	/** Why its exits cannot be traced; NULL if they are, or were not requested. */
	const char *exits_why_not;
	/** Its result, without a name; NULL if it has none, exits are not traced, or the copy is
	 *  inlined or without known types. */
	const struct ic_trace_argument *result;
	const char *exits_doubt; /**< see ic_exits_doubt(); NULL if there is none */
	const char *file;        /**< of the source, if this is a point; otherwise NULL */
	uint32_t line, column;
};

/** Counts at a copy so far. */
struct ic_trace_counts {
	uint64_t hits;       /**< calls that pass the filter */
	uint64_t lost;       /**< calls not reported because there was no room */
	uint64_t undecided;  /**< calls in which an argument of the filter was unavailable */
	uint64_t lost_exits; /**< the same as `lost`, for exits */
};

/** The value of an argument. */
struct ic_trace_value {
	/** As GDB prints it (struct ic_backtrace_argument); NULL if unavailable. */
	const char *text;
	/** The plain number, without names: decimal, or hexadecimal for pointers; NULL if it is not
	 *  a number. */
	const char *number;
	const char *why; /**< why it is unavailable; NULL if it is available */
};

/** A call, or the end of one. Its contents belong to the trace and are valid until the next one. */
struct ic_trace_hit {
	uint64_t time; /**< in nanoseconds, from CLOCK_MONOTONIC */
	uint32_t pid, tid, cpu;
	const char *command; /**< name of the thread */
	size_t copy;
	/** The copy is left; `copy` is then the first of its site. It, or another copy of the site,
	 *  was entered before in the same frame of the thread, by a hit that was also reported. */
	bool is_exit;
	enum ic_exit_kind exit_kind;
	uint64_t duration; /**< in nanoseconds: from the entry to the exit, including both probes */
	/** Of the copy's arguments, in order; NULL for an exit. */
	const struct ic_trace_value *values;
	/** For an exit, if the copy has a result; otherwise NULL. */
	const struct ic_trace_value *result;
	/** Where the function returns to, if it was not inlined and this is known; otherwise 0. */
	uint64_t return_address;
	/** The same as an address in the file; IC_NO_ADDR if the caller is in another one. */
	uint64_t return_addr_in_file;
	struct ic_unwind_registers registers;
	const uint8_t *stack; /**< from the stack pointer up */
	size_t stack_size;
};

/**
 * The index of the copy's argument with the given name, in which "." and "->" are equivalent; the
 * first of several, or SIZE_MAX if there is none.
 */
IC_API size_t ic_trace_argument_find(const struct ic_trace_copy *copy, const char *name);

/**
 * Prepares to trace the copies of a selection: determines how to fetch each argument. Needs no
 * privileges.
 *
 * @param image       The one that the index of the sites was built from; must stay open as long as
 *                    the trace, which reads constants from it. Must be for this machine, or there
 *                    is nothing to start.
 * @param sites       Must outlive the trace. Calls among them are left out.
 * @param parameters  Reads the arguments; NULL for none. Must outlive the trace.
 * @param options     NULL for the defaults. Not kept.
 * @param err         [out] Set on failure; may be NULL.
 *
 * @return The trace, to be freed with ic_trace_free(). NULL on failure:
 *         - IC_ERROR_MEMORY: memory ran out;
 *         - IC_ERROR_UNSUPPORTED: the file is relocatable or a kernel, and there is no
 *           `placement`; or it is for a machine whose registers are not known;
 *         - IC_ERROR_ARGUMENT: the filter is invalid, or names an argument or member that no copy
 *           has, or cannot be compared with the value; a size exceeds its maximum; or exits are
 *           requested from a trace that only counts or that has points.
 *
 * Time: finding the parameters.
 */
IC_API struct ic_trace *ic_trace_new(struct ic_image *image, const struct ic_sites *sites,
				     struct ic_parameters *parameters,
				     const struct ic_trace_options *options, struct ic_error *err);

/** Frees a trace, and removes the probes; NULL is allowed. */
IC_API void ic_trace_free(struct ic_trace *trace);

/** Gets copy number `number`, from 0; false if there are fewer. */
IC_API bool ic_trace_copy_get(const struct ic_trace *trace, size_t number,
			      struct ic_trace_copy *copy);

/** The sites of the copies. */
IC_API const struct ic_sites *ic_trace_sites(const struct ic_trace *trace);

/** The image with the copies. */
IC_API struct ic_image *ic_trace_image(const struct ic_trace *trace);

/** Descriptors of the maps of a trace's program. */
struct ic_trace_maps {
	int copies; /**< an array (BPF_MAP_TYPE_ARRAY) with the bytes from ic_trace_copy_bytes() */
	int slots;  /**< an array of zeros, as large as ic_trace_slots_get() says */
	int ring;   /**< a ring buffer (BPF_MAP_TYPE_RINGBUF) */
	/** For a trace that adds calls up, otherwise unused: a hash table (BPF_MAP_TYPE_HASH), and
	 * an array with one item of zeros, as large as the values of the table. */
	int groups, zeros;
	/** For a trace of a process with its children, otherwise unused: a hash table
	 *  (BPF_MAP_TYPE_HASH) by process ID, of 4 bytes, of those that are traced. */
	int processes;
};

/**
 * The program that will run at each copy, for callers who load it themselves: of type
 * BPF_PROG_TYPE_KPROBE, with the copy's number as its cookie. A trace with exits can only be
 * started by ic_trace_start().
 *
 * @param maps  Not kept.
 * @param code  [out] Owned by the trace, valid until the next call.
 *
 * @return The number of instructions; 0 if memory runs out.
 */
IC_API size_t ic_trace_program(struct ic_trace *trace, const struct ic_trace_maps *maps,
			       const struct bpf_insn **code);

/** The size of a slot in bytes, and how many the program needs: some more than processors. */
IC_API void ic_trace_slots_get(const struct ic_trace *trace, uint32_t *size, uint32_t *count);

/** A copy's value for the array; all have the same size. Owned by the trace. */
IC_API const void *ic_trace_copy_bytes(const struct ic_trace *trace, size_t number, size_t *size);

/**
 * Starts a trace: once this returns, calls are recorded.
 *
 * @param pid  Only this process, if not 0, and with `has_children` those that it starts.
 * @param err  [out] Set on failure; may be NULL.
 *
 * @return false if there is nothing to trace (IC_ERROR_NOT_FOUND), the kernel rejects it, or memory
 *         runs out. Also if the file is for another machine (IC_ERROR_UNSUPPORTED), the trace was
 *         already started, or one of a kernel has a `pid` (IC_ERROR_ARGUMENT), or `progress`
 *         returned false (IC_ERROR_STOPPED).
 */
IC_API bool ic_trace_start(struct ic_trace *trace, uint32_t pid, struct ic_error *err);

/**
 * Starts several traces at once, like ic_trace_start(): calls are recorded by all or none.
 *
 * @return false if one cannot be started; then none is.
 */
IC_API bool ic_trace_start_all(struct ic_trace *const *traces, size_t count, uint32_t pid,
			       struct ic_error *err);

/**
 * The number of processes that were started by traced ones, but are not traced: there are too many
 * at once (65,535).
 */
IC_API uint64_t ic_trace_unfollowed(const struct ic_trace *trace);

/** The start time, from CLOCK_MONOTONIC in nanoseconds; 0 if it was not started. */
IC_API uint64_t ic_trace_start_time(const struct ic_trace *trace);

/** Removes the probes. Calls recorded before can still be read. */
IC_API void ic_trace_stop(struct ic_trace *trace);

/**
 * Gets the next recorded call, in the order of recording: in each thread, by time.
 *
 * @return false if there is none yet. Since calls may come faster than they can be read, it also
 *         returns false once in between, after those that were recorded before it last returned
 *         false. Does not wait: try again some milliseconds later.
 */
IC_API bool ic_trace_next(struct ic_trace *trace, struct ic_trace_hit *hit);

/**
 * The stack of the last hit, including inlined functions: unwound from the copied part of the
 * stack, with the files that the process has mapped. Uses the current mappings of the process: call
 * this soon.
 *
 * @param modules  Used to open the files; must outlive the trace, and be the same each time.
 * @param hit      The latest from ic_trace_next(), of a trace with a `stack_size`.
 * @param err      [out] Set on failure; may be NULL.
 *
 * @return The backtraces, of one thread, to be freed with ic_backtraces_free() before the next call
 *         of this function. NULL if the process has ended, or memory runs out.
 */
IC_API struct ic_backtraces *ic_trace_backtrace(struct ic_trace *trace, struct ic_modules *modules,
						const struct ic_trace_hit *hit,
						struct ic_error *err);

/**
 * Gets the counts of a copy since the start, by the number of ic_trace_copy_get(). False if there
 * are not that many copies.
 */
IC_API bool ic_trace_counts_get(const struct ic_trace *trace, size_t number,
				struct ic_trace_counts *counts);

#ifdef __cplusplus
}
#endif

#endif
