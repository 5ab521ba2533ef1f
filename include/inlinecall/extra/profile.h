// Profiles that count inlined functions: samples of stacks, each address looked up once, and summed
// by function, inlined or not.
//
// A profile reads one or more recordings, or profiles of other tools, then finds the frames at all
// their addresses at once, and then answers any number of queries. It is for one thread at a time;
// the decoding itself uses several. Everything it returns, including strings, is valid as long as
// the profile.
#ifndef INLINECALL_EXTRA_PROFILE_H
#define INLINECALL_EXTRA_PROFILE_H

#include <stdio.h>

#include <inlinecall/space.h>

#ifdef __cplusplus
extern "C" {
#endif

struct ic_profile;

struct ic_profile_options {
	/** The root directory of the recorded files if the recording is from another machine; NULL
	 *  for `/`. Files named without a directory are searched for there, or in the working
	 *  directory. Not kept. Debug files, and files that are not at their paths, are searched
	 *  for in ic_image_options::debug_dirs, by build ID. */
	const char *sysroot;
	/** Memory limit in bytes for the samples; 0 for 4 GiB. Samples whose stacks do not fit are
	 *  counted without a stack: see ic_profile_event::without_stack. */
	uint64_t max_memory;
	/** Also keep the times of samples, for IC_PROFILE_FIREFOX: 24 bytes per sample, up to a
	 *  quarter of the memory. */
	bool keep_times;
};

/**
 * Makes a profile without samples.
 *
 * @param modules  Used to open the files; frames must have display names
 *                 (ic_symbolizer_options::display_names); must outlive the profile.
 * @param options  NULL for the defaults. Not kept.
 * @param err      [out] Set on failure; may be NULL.
 *
 * @return The profile, to be freed with ic_profile_free(); NULL if memory runs out.
 */
IC_API struct ic_profile *ic_profile_new(struct ic_modules *modules,
					 const struct ic_profile_options *options,
					 struct ic_error *err);

/** Frees a profile; NULL is allowed. */
IC_API void ic_profile_free(struct ic_profile *profile);

/**
 * Adds the samples in a file, whose format is recognised:
 *
 * - a perf recording, perf.data, from a file or a pipe, in either byte order. It is read directly,
 *   without perf: depending on its version, `perf script` prints file offsets or addresses;
 * - the output of `perf script`: its addresses are looked up if the text includes the mappings
 *   (--show-mmap-events), or if they are file offsets and the function printed next to them is
 *   found there; otherwise only its names are used, which is a problem;
 * - a pprof profile, with an event for each of its value types, its default first. Functions are
 *   found here, by address and build ID; its own names are used only if nothing is found, or if
 *   there is no address;
 * - OpenTelemetry profiles, in versions 1.10 and 1.11 of the protocol: a protobuf message, or a
 *   file written by the Collector with any number of messages, each preceded by its length. All
 *   profiles with one type of value are one event; functions are found as for pprof. For the kernel
 *   there are only names, which is a problem;
 * - folded stacks: lines such as "main;f;g_[i] 12", where "_[i]" marks inlined functions and "_[k]"
 *   those of the kernel, and "/path+0x12" is a place in a file: a return address, unless it is the
 *   last.
 *
 * All of them may be compressed with gzip, xz, zstd or lz4.
 *
 * @param path  The file, which must not change until the profile is freed.
 * @param err   [out] Set on failure; may be NULL.
 *
 * @return false if there is no such file, it is empty or in none of these formats, or memory runs
 *         out. Unreadable parts become problems (ic_profile_problem_get()).
 *
 * Time: reading the file once; for perf also sorting its records by time.
 */
IC_API bool ic_profile_read(struct ic_profile *profile, const char *path, struct ic_error *err);

/**
 * The same for data from a descriptor, such as a pipe, up to its end. The data is kept in memory.
 * The descriptor stays open.
 *
 * @param name  For messages. Not kept.
 * @param err   [out] Set on failure; may be NULL.
 *
 * @return Also false if it is longer than ic_profile_options::max_memory (IC_ERROR_LIMIT).
 */
IC_API bool ic_profile_read_fd(struct ic_profile *profile, int fd, const char *name,
			       struct ic_error *err);

/**
 * Finds the frames at all addresses in the samples: each file is opened once, each of its units
 * decoded once. Call this after reading all recordings, and before any query.
 *
 * @param err  [out] Set on failure; may be NULL.
 *
 * @return false if memory runs out, or ic_symbolizer_options::progress stops it. Files that cannot
 *         be opened or read become problems (ic_profile_problem_get()).
 */
IC_API bool ic_profile_resolve(struct ic_profile *profile, struct ic_error *err);

/**
 * Gets problem number `number`: first those of recordings, then those of files. False if there are
 * fewer.
 */
IC_API bool ic_profile_problem_get(struct ic_profile *profile, size_t number,
				   struct ic_index_problem *problem);

/** A sampled event. */
struct ic_profile_event {
	const char *name; /**< perf's name; NULL if unknown */
	uint64_t samples; /**< number of samples */
	uint64_t weight;  /**< sum of their periods: time, bytes, cycles, ... */
	/** Of the weight: "nanoseconds", "bytes" or other units of a recording; NULL if it counts
	 *  events. */
	const char *unit;
	/** The part of `weight` whose innermost address has no function; 0 until it is counted
	 *  (ic_profile_groups_event()). */
	uint64_t unknown;
	/** Likewise, the part in functions or files without debug information: it is unknown what
	 *  is inlined there. */
	uint64_t no_debug;
	uint64_t without_stack; /**< samples whose stacks exceeded the memory limit */
	/** Samples whose stacks lack outer frames, because not all of the stack was copied, or
	 *  because it could not be unwound further. */
	uint64_t cut_stacks;
};

/** Gets event number `number`, from 0; false if there are fewer. */
IC_API bool ic_profile_event_get(const struct ic_profile *profile, size_t number,
				 struct ic_profile_event *event);

/** Samples that the kernel lost because nobody read them in time. */
IC_API uint64_t ic_profile_lost(const struct ic_profile *profile);

/** What to group samples by. */
enum ic_profile_by {
	IC_PROFILE_BY_FUNCTION, /**< inlined or not */
	IC_PROFILE_BY_CALL,     /**< a function and a call of it, inlined or not: by line */
	IC_PROFILE_BY_LINE,     /**< a source line */
	/** The function that contains the code, as in tools that do not know inlined functions. */
	IC_PROFILE_BY_HOST,
	IC_PROFILE_BY_SOURCE, /**< a source file */
	IC_PROFILE_BY_FILE,   /**< a program, library, module, or kernel */
	IC_PROFILE_BY_THREAD,
	IC_PROFILE_BY_CALLER, /**< callers of a function: ic_profile_query::of */
	IC_PROFILE_BY_CALLEE  /**< callees of a function */
};

/** Zero-initialised: by function, of the first event. */
struct ic_profile_query {
	enum ic_profile_by by;
	size_t event;         /**< number of the event */
	size_t limit;         /**< only this many groups; 0 for all */
	double least_percent; /**< only groups whose total is at least this share of all samples */
	/** The function whose callers or callees are requested: its display name, or the end of
	 *  that after a "::". */
	const char *of;
};

struct ic_profile_groups;

/**
 * Groups samples.
 *
 * @param query  NULL for the defaults. Not kept.
 * @param err    [out] Set on failure; may be NULL.
 *
 * @return The groups, sorted by descending weight of their own or, for callers and callees, by
 *         descending total; to be freed with ic_profile_groups_free() before the profile. NULL if
 *         memory runs out, if there is no such event (IC_ERROR_ARGUMENT), or if no function in the
 *         samples has that name (IC_ERROR_NOT_FOUND).
 *
 * Time: O(n d) for n different stacks of d frames.
 */
IC_API struct ic_profile_groups *ic_profile_groups_find(const struct ic_profile *profile,
							const struct ic_profile_query *query,
							struct ic_error *err);

/** Frees groups; NULL is allowed. */
IC_API void ic_profile_groups_free(struct ic_profile_groups *groups);

/** A function that others were inlined into, and how much of their weight was there. */
struct ic_profile_host {
	const char *function; /**< NULL if unknown */
	uint64_t total;
};

/**
 * Samples with something in common. Unknown strings are NULL, unknown lines 0. A sample counts once
 * in `total`, however often a function is on its stack.
 */
struct ic_profile_group {
	enum ic_profile_by by;
	/** For functions, calls and hosts the function; for callers and callees the caller or
	 *  callee, or NULL if there is none: nothing is known to have called the sampled function,
	 *  or that function itself was running. */
	const char *function;
	const char *linkage_name;
	/** For functions the file that declares them, for calls and lines that of the line, for
	 *  sources its path. */
	const char *source;
	uint32_t line;
	const char *caller; /**< for calls: the calling function */
	/** Path of the program or library, or the kernel's name for it: "[kernel]", "[vdso]"; for a
	 *  function in several, the first by name. */
	const char *file;
	const char *thread; /**< name of a thread */
	uint32_t pid, tid;  /**< for a thread */
	uint64_t self;      /**< weight of the samples in it */
	uint64_t total;     /**< the same, including what it calls */
	/** The inlined part of these; for `total`, if its innermost copy was inlined. */
	uint64_t self_inlined, total_inlined;
	/** The part of `self` in code without debug information. */
	uint64_t self_no_debug;
	uint64_t self_samples, total_samples; /**< the same as sample counts */
	/** For functions: the functions that contain its inlined copies, largest total first. */
	const struct ic_profile_host *hosts;
	size_t host_count;
};

/** The number of groups. */
IC_API size_t ic_profile_groups_count(const struct ic_profile_groups *groups);

/** The number of groups beyond the query's limit. */
IC_API size_t ic_profile_groups_left_out(const struct ic_profile_groups *groups);

/** The event of the groups, with its `unknown` and `no_debug`. */
IC_API void ic_profile_groups_event(const struct ic_profile_groups *groups,
				    struct ic_profile_event *event);

/** Gets a group by its number, valid as long as the groups. False if there are not that many. */
IC_API bool ic_profile_groups_get(const struct ic_profile_groups *groups, size_t number,
				  struct ic_profile_group *group);

/** File formats for a whole profile. */
enum ic_profile_form {
	/** Folded stacks, as read by flamegraph.pl, inferno and speedscope: one line per stack,
	 *  sorted, with its weight. A stack starts with the name of the program; inlined functions
	 *  end with "_[i]", those of the kernel with "_[k]". */
	IC_PROFILE_FOLDED,
	/** pprof's format (proto/profile.proto), compressed with gzip: a location has a line for
	 *  each function inlined there, samples have the labels "thread", "pid" and "tid". */
	IC_PROFILE_PPROF,
	/** speedscope's format, as a call tree. It has no mark for inlined functions. */
	IC_PROFILE_SPEEDSCOPE,
	/** The Firefox Profiler's format (profiler.firefox.com): inlined functions have a category
	 *  of their own. Without times (ic_profile_options::keep_times) each stack of a thread is
	 *  one sample. */
	IC_PROFILE_FIREFOX,
	/** A self-contained HTML page: a flame graph, and the functions. It has the 50,000 largest
	 *  boxes, and sums up the others. */
	IC_PROFILE_PAGE
};

/**
 * Writes the samples of an event.
 *
 * @param err  [out] Set on failure; may be NULL.
 *
 * @return false if memory runs out, if it cannot be written, or if there is no such event or
 *         format, or the frames have not been found yet (IC_ERROR_ARGUMENT).
 *
 * Memory: up to a few hundred bytes per node of the call tree; for pprof, also the whole output.
 */
IC_API bool ic_profile_write(const struct ic_profile *profile, enum ic_profile_form form,
			     size_t event, FILE *out, struct ic_error *err);

#ifdef __cplusplus
}
#endif

#endif
