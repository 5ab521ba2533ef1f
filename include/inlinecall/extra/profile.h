// Where the time goes when inlined functions are counted: samples of stacks, each looked up once,
// and added up by function, inlined or not.
//
// A profile reads one or more recordings, or profiles of other tools, then finds the frames at all
// their addresses at once, and then answers any number of questions. It belongs to one thread at a
// time; the decoding itself uses several. What it gives out, strings too, lives as long as it does.
#ifndef INLINECALL_EXTRA_PROFILE_H
#define INLINECALL_EXTRA_PROFILE_H

#include <stdio.h>

#include <inlinecall/space.h>

#ifdef __cplusplus
extern "C" {
#endif

struct ic_profile;

struct ic_profile_options {
	/** A folder below which the files of a recording are, if it is of another machine; NULL for
	 *  the root. What has a name without a directory is in it, or in the working directory. Not
	 *  kept. Debug files are looked for in ic_image_options::debug_dirs, and so are
	 *  files that are not at their paths, by their build IDs. */
	const char *sysroot;
	/** How much memory the samples may take, in bytes; 0 for 4 GiB. Samples whose stacks do not
	 *  fit are counted without a stack: see ic_profile_event::without_stack. */
	uint64_t max_memory;
	/** Keep the times of samples too, for IC_PROFILE_FIREFOX: 24 bytes a sample, up to a
	 * quarter of the memory. */
	bool keep_times;
};

/**
 * Makes a profile without samples.
 *
 * @param modules  Open the files, whose frames must have display names
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
 * Adds the samples of a file, whose form is recognised:
 *
 * - a recording of perf, perf.data, in a file or a pipe, of either byte order. It is read here,
 *   without perf: the addresses that `perf script` prints are offsets in files or addresses, by its
 *   version;
 * - the text of `perf script`: addresses in it are looked up if the text says what was mapped
 *   (--show-mmap-events), or if they are offsets in files and the function beside them is there;
 *   else its names are all that is known, which is a problem;
 * - a profile of pprof, with an event for each of its types of values, its default first. Its
 *   functions are those that are found here, by addresses and build IDs; the names in it are used
 *   only where nothing is found, or where there is no address;
 * - profiles of OpenTelemetry, in versions 1.10 and 1.11 of its protocol: a message in protobuf, or
 *   a file of the Collector with any number of them, each after its length. All profiles with
 *   values of one type are an event; functions are those that are found here, as of pprof. Those of
 *   the kernel have only names, which is a problem;
 * - folded stacks: lines such as "main;f;g_[i] 12", where "_[i]" is inlined and "_[k]" of the
 *   kernel, and "/path+0x12" a place in a file: where a call returns to, if it is not the last.
 *
 * Each of them may be compressed by gzip, xz, zstd or lz4.
 *
 * @param path  Of the file, which must stay as it is until the profile is freed.
 * @param err   [out] Set on failure; may be NULL.
 *
 * @return false if there is no such file, it is empty or none of these, or memory runs out. What
 *         cannot be read in it is a problem (ic_profile_problem_get()).
 *
 * Time: that of reading the file once; of perf also of sorting its records by their times.
 */
IC_API bool ic_profile_read(struct ic_profile *profile, const char *path, struct ic_error *err);

/**
 * The same of what comes from a descriptor, as a pipe, until its end, which is kept in memory. The
 * descriptor stays open.
 *
 * @param name  For messages. Not kept.
 * @param err   [out] Set on failure; may be NULL.
 *
 * @return Also false if it is longer than ic_profile_options::max_memory (IC_ERROR_LIMIT).
 */
IC_API bool ic_profile_read_fd(struct ic_profile *profile, int fd, const char *name,
			       struct ic_error *err);

/**
 * Finds the frames at all addresses that the samples have: each file is opened once, each of its
 * units decoded once. To be called after all recordings are read, and before anything is asked.
 *
 * @param err  [out] Set on failure; may be NULL.
 *
 * @return false if memory runs out, or ic_symbolizer_options::progress stops it. What cannot be
 *         opened or read is a problem (ic_profile_problem_get()).
 */
IC_API bool ic_profile_resolve(struct ic_profile *profile, struct ic_error *err);

/** Problem number `number`: of recordings, and then of files. False if there are not so many. */
IC_API bool ic_profile_problem_get(struct ic_profile *profile, uint64_t number,
				   struct ic_index_problem *problem);

/** An event that was sampled. */
struct ic_profile_event {
	const char *name; /**< as perf calls it; NULL if that is not known */
	uint64_t samples; /**< how many */
	uint64_t weight;  /**< the sum of their periods: time, bytes, cycles, ... */
	/** Of the weight: "nanoseconds", "bytes" or what else a recording has; NULL if it counts
	 *  events. */
	const char *unit;
	/** Of `weight`, where the innermost address has no function; 0 until that is counted
	 *  (ic_profile_groups_event()). */
	uint64_t unknown;
	/** Likewise, where no debug information describes the code of a function, or nothing of the
	 *  file: what is inlined there is not known. */
	uint64_t no_debug;
	uint64_t without_stack; /**< samples whose stack did not fit into the memory */
	/** Samples whose stacks lack outer frames: less was copied of them than there was, or they
	 *  could not be unwound further. */
	uint64_t cut_stacks;
};

/** Event number `number`, from 0; false if there are not so many. */
IC_API bool ic_profile_event_get(const struct ic_profile *profile, size_t number,
				 struct ic_profile_event *event);

/** Samples that the kernel lost because nobody read them in time. */
IC_API uint64_t ic_profile_lost(const struct ic_profile *profile);

/** What samples are added up by. */
enum ic_profile_by {
	IC_PROFILE_BY_FUNCTION, /**< inlined or not */
	IC_PROFILE_BY_CALL,     /**< a function and the call of it, inlined or not: by its line */
	IC_PROFILE_BY_LINE,     /**< a source line */
	IC_PROFILE_BY_HOST,     /**< the functions that have the code, as tools count that know
				 *   nothing of inlined ones */
	IC_PROFILE_BY_SOURCE,   /**< a source file */
	IC_PROFILE_BY_FILE,     /**< a program, library, module, or kernel */
	IC_PROFILE_BY_THREAD,
	IC_PROFILE_BY_CALLER, /**< those who call a function: ic_profile_query::of */
	IC_PROFILE_BY_CALLEE  /**< those whom a function calls */
};

/** Zero-initialised: by function, of the first event. */
struct ic_profile_query {
	enum ic_profile_by by;
	size_t event;         /**< number of the event */
	size_t top;           /**< only so many groups; 0 for all */
	double least_percent; /**< only groups whose total is at least this share of all samples */
	/** The function whose callers or callees are wanted, by its name: as it is displayed, or
	 *  the end of that, behind "::". */
	const char *of;
};

struct ic_profile_groups;

/**
 * Adds samples up.
 *
 * @param query  NULL for the defaults. Not kept.
 * @param err    [out] Set on failure; may be NULL.
 *
 * @return The groups, those with the largest weight of their own first, of callers and callees
 *         those with the largest total; to be freed with ic_profile_groups_free() before the
 *         profile. NULL if memory runs out, if there is no such event (IC_ERROR_ARGUMENT), or if no
 *         function of the samples has that name (IC_ERROR_NOT_FOUND).
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
	const char *function; /**< NULL if it is not known */
	uint64_t total;
};

/** Samples that have something in common. Strings that are not known are NULL, lines 0. A sample
 *  counts once in `total`, however often a function is on its stack. */
struct ic_profile_group {
	enum ic_profile_by by;
	/** Of functions, calls and hosts the function; of callers and callees that, or NULL where
	 *  there is none: the sampled function was not called by anything that is known, or it was
	 *  itself under way. */
	const char *function;
	const char *linkage_name;
	/** Of functions where they are declared, of calls and lines the line, of sources its path.
	 */
	const char *source;
	uint32_t line;
	const char *caller; /**< of calls: the function that calls */
	/** Path of the program or library, or what the kernel calls it: "[kernel]", "[vdso]"; of a
	 *  function that several have the first by name. */
	const char *file;
	const char *thread; /**< the name of a thread */
	uint32_t pid, tid;  /**< likewise */
	uint64_t self;      /**< weight of the samples in it */
	uint64_t total;     /**< and in what it calls */
	/** Of these, the weight where it was inlined: of `total` where its innermost copy was. */
	uint64_t self_inlined, total_inlined;
	/** Of `self`, the weight in code that no debug information describes. */
	uint64_t self_no_debug;
	uint64_t self_samples, total_samples; /**< how many samples that is */
	/** Of functions: whose code its inlined copies are part of, the largest total first. */
	const struct ic_profile_host *hosts;
	size_t host_count;
};

/** How many groups there are. */
IC_API size_t ic_profile_groups_count(const struct ic_profile_groups *groups);

/** The event that they are of, with its `unknown` and `no_debug`. */
IC_API void ic_profile_groups_event(const struct ic_profile_groups *groups,
				    struct ic_profile_event *event);

/** Group number `number`, which must be below the count; as long-lived as the groups. */
IC_API void ic_profile_groups_get(const struct ic_profile_groups *groups, size_t number,
				  struct ic_profile_group *group);

/** The forms in which a profile can be written as a whole. */
enum ic_profile_form {
	/** Folded stacks, which flamegraph.pl, inferno and speedscope read: a line a stack, sorted,
	 *  with its weight. It begins with the name of the program; functions that
	 *  were inlined end with "_[i]", those of the kernel with "_[k]". */
	IC_PROFILE_FOLDED,
	/** What pprof reads (proto/profile.proto), compressed by gzip: a location has a line for
	 *  each function that was inlined there, samples have labels "thread", "pid" and "tid". */
	IC_PROFILE_PPROF,
	/** What speedscope reads, as a tree of calls. It has no mark for what was inlined. */
	IC_PROFILE_SPEEDSCOPE,
	/** What the Firefox Profiler reads (profiler.firefox.com): functions that were inlined have
	 *  a category of their own. Without times (ic_profile_options::keep_times) each stack of a
	 *  thread is one sample. */
	IC_PROFILE_FIREFOX,
	/** A page of HTML, which is one file and needs nothing else: a flame graph, and the
	 *  functions. The 50,000 largest boxes are in it, and all others added up. */
	IC_PROFILE_PAGE
};

/**
 * Writes the samples of an event.
 *
 * @param err  [out] Set on failure; may be NULL.
 *
 * @return false if memory runs out, if it cannot be written, or if there is no such event or form,
 * or the frames were not found yet (IC_ERROR_ARGUMENT).
 *
 * Memory: up to some hundred bytes a node of the tree of calls; with pprof, the whole that is
 * written.
 */
IC_API bool ic_profile_write(const struct ic_profile *profile, enum ic_profile_form form,
			     size_t event, FILE *out, struct ic_error *err);

#ifdef __cplusplus
}
#endif

#endif
