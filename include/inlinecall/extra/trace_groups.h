// Adding calls up in a trace, in groups that have something in common: an argument, the caller, the
// process. The kernel does it, so that no call has to be reported.
#ifndef INLINECALL_EXTRA_TRACE_GROUPS_H
#define INLINECALL_EXTRA_TRACE_GROUPS_H

#include <inlinecall/extra/trace.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The number of buckets for values of one sign. */
#define IC_TRACE_BUCKETS 65

/** What the calls of a group have in common. */
enum ic_trace_key_kind {
	IC_TRACE_KEY_ARGUMENT, /**< the value of an argument, or of a member */
	IC_TRACE_KEY_FUNCTION,
	IC_TRACE_KEY_HOST, /**< the function with the code */
	IC_TRACE_KEY_CALL, /**< the place of the call in the source */
	IC_TRACE_KEY_COPY,
	IC_TRACE_KEY_PID,
	IC_TRACE_KEY_TID,
	IC_TRACE_KEY_CPU,
	IC_TRACE_KEY_COMMAND, /**< the name of the thread */
	IC_TRACE_KEY_STACK
};

/** A key of groups. */
struct ic_trace_key {
	const char *name; /**< as in ic_trace_options::by, without `@` */
	enum ic_trace_key_kind kind;
};

/**
 * A group of calls. Numbers of measured values are texts, since they may need more than 64 bits;
 * NULL if there are no values.
 */
struct ic_trace_group {
	/** One of its copies; the place of the code that all calls have in common is that of this
	 *  copy. */
	size_t copy;
	/** For each key; kinds from FUNCTION to COPY have no value: see `copy`. For a stack, the
	 * text has the functions, outermost first, separated by semicolons. */
	const struct ic_trace_value *keys;
	uint64_t count;    /**< calls; those that ended, if durations are measured */
	uint64_t measured; /**< calls in which the measured argument was available, a number */
	const char *sum, *mean, *least, *most;
	/** With ic_trace_options::has_buckets, otherwise NULL: item 0 for 0, item n for 2^(n-1) to
	 * 2^n
	 *  - 1; and item n for -(2^n - 1) to -2^(n-1). */
	const uint64_t *buckets, *negative_buckets;
};

/** What all groups have. */
struct ic_trace_totals {
	size_t groups;
	bool are_durations;        /**< durations, in nanoseconds, are measured */
	const char *measure;       /**< otherwise the argument that is; NULL for none */
	enum ic_trace_order order; /**< of the groups */
	struct ic_trace_group all; /**< without keys */
	/** Calls that are in no group, because there were too many groups; in `all` neither. */
	uint64_t left_out;
	/** Values that `least` and `most` may lack, because other processors changed these at the
	 * same time. */
	uint64_t contended;
};

/** The keys of a trace; `count` is set to their number. */
IC_API const struct ic_trace_key *ic_trace_keys(const struct ic_trace *trace, size_t *count);

/**
 * Adds up the calls since the start of the trace, or since the last call of this function with
 * `restart`.
 *
 * @param restart  Begin anew: the next groups are those of later calls.
 * @param modules  As for ic_trace_backtrace(), if the keys include stacks; otherwise NULL.
 * @param err      [out] Set on failure; may be NULL.
 *
 * @return false if the kernel's table cannot be read, memory runs out, or the trace has no keys
 *         (IC_ERROR_ARGUMENT).
 */
IC_API bool ic_trace_groups_read(struct ic_trace *trace, bool restart, struct ic_modules *modules,
				 struct ic_error *err);

/**
 * Adds recorded calls to the groups that the kernel could not: of stacks, durations, and arguments
 * that are computed. Call this often, as ic_trace_next(), which then is not for the caller.
 * Adds those that are there when it is called; more may come meanwhile.
 *
 * @return false if memory runs out.
 */
IC_API bool ic_trace_groups_follow(struct ic_trace *trace, struct ic_modules *modules,
				   struct ic_error *err);

/**
 * Gets group number `number`, from 0, of those that were read last; the largest first, as
 * ic_trace_options::order says. Its contents are valid until the next call of a function for
 * groups. False if there are fewer.
 */
IC_API bool ic_trace_group_get(struct ic_trace *trace, size_t number, struct ic_trace_group *group);

/** The totals of the groups that were read last. */
IC_API struct ic_trace_totals ic_trace_groups_totals(struct ic_trace *trace);

#ifdef __cplusplus
}
#endif

#endif
