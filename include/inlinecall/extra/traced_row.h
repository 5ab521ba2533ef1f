// Rows of traced calls: see row.h.
#ifndef INLINECALL_EXTRA_TRACED_ROW_H
#define INLINECALL_EXTRA_TRACED_ROW_H

#include <inlinecall/extra/row.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The copy that was called. */
struct ic_row_copy {
	uint64_t entry; /**< address in the file */
	bool inlined;
	const char *call_file;
	uint32_t call_line, call_column;
	const char *host;
	const struct ic_site_caller *chain; /**< see struct ic_site_row */
	size_t chain_count;
	const char *symbol; /**< the symbol that contains the entry */
	/** Not for a single call; see struct ic_site_row, also for the next three. */
	bool counted_elsewhere;
	const struct ic_row_doubt *doubts;
	size_t doubt_count;
	const char *doubts_why_not;
};

/** An argument of a traced call. */
struct ic_row_traced {
	const char *name, *type;
	const char *value;      /**< a number, without names */
	const char *text, *why; /**< see struct ic_trace_value */
};

/** A traced call. */
struct ic_hit_row {
	const char *type; /**< "hit", or "exit" for the end of a call */
	uint64_t time;    /**< in nanoseconds, from CLOCK_MONOTONIC */
	uint64_t pid, tid;
	const char *command;
	const char *function, *linkage_name;
	struct ic_row_copy copy;
	const struct ic_row_traced *arguments; /**< NULL if unknown */
	size_t argument_count;
	const struct ic_row_thread_frame *stack; /**< NULL if it was not requested, or not copied */
	size_t stack_count;
	const char *stack_end; /**< why there are no more frames, or none */
	bool has_stack;        /**< not a key: a stack was requested */
	bool is_whole;         /**< not a key: the last frame is the outermost */
	uint64_t since;        /**< not a key: nanoseconds since the start of the trace */
	/** For an exit, which has neither arguments nor a stack: as from ic_exit_kind_name();
	 *  otherwise NULL. */
	const char *exit;
	uint64_t duration;           /**< for an exit: nanoseconds since the entry */
	struct ic_row_traced result; /**< for an exit: the function's result */
	bool has_result;             /**< not a key: there is a result */
};

/** The number of traced calls at a copy. */
struct ic_hit_count_row {
	const char *type; /**< "hits" */
	const char *function, *linkage_name;
	struct ic_row_copy copy;
	uint64_t hits, lost;
	const char *why_not; /**< why it is not traced; NULL if it is */
};

/** The number of calls with durations in a range. */
struct ic_latency_bucket {
	uint64_t from, to; /**< nanoseconds, inclusive */
	uint64_t count;
};

/** The durations of a traced copy. */
struct ic_latency_row {
	const char *type; /**< "latency" */
	const char *function, *linkage_name;
	struct ic_row_copy copy;
	uint64_t count;             /**< number of calls whose exit was seen */
	uint64_t least, most, mean; /**< of the durations, in nanoseconds; 0 if there are none */
	const struct ic_latency_bucket *buckets; /**< non-empty buckets, in order */
	size_t bucket_count;
	const char *why_not; /**< why its durations are unknown; NULL if they are known */
	const char *doubt;   /**< what is uncertain about its exits; NULL if nothing is */
};

/** The number of calls with an argument in a range of values. */
struct ic_histogram_bucket {
	const char *from, *to; /**< inclusive, in decimal */
	uint64_t count;
};

/** The distribution of an argument's values at a traced copy. */
struct ic_histogram_row {
	const char *type; /**< "histogram" */
	const char *function, *linkage_name;
	struct ic_row_copy copy;
	const char *argument;
	uint64_t count;       /**< number of values */
	uint64_t unavailable; /**< calls in which it was unavailable, or not a number */
	const struct ic_histogram_bucket *buckets; /**< non-empty buckets, in order */
	size_t bucket_count;
	const char *why_not; /**< why it is unavailable there; NULL if it is available */
};

#ifdef __cplusplus
}
#endif

#endif
