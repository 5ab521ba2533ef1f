// What rows of traced calls have: see row.h.
#ifndef INLINECALL_EXTRA_TRACED_ROW_H
#define INLINECALL_EXTRA_TRACED_ROW_H

#include <inlinecall/extra/row.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The copy of a function that was called. */
struct ic_row_copy {
	uint64_t entry; /**< in the file */
	bool inlined;
	const char *call_file;
	uint32_t call_line, call_column;
	const char *host;
	const struct ic_site_caller *chain; /**< as in struct ic_site_row */
	size_t chain_count;
	const char *symbol;     /**< that holds the entry */
	bool counted_elsewhere; /**< not of a single call; as in struct ic_site_row, as are these */
	const struct ic_row_doubt *doubts;
	size_t doubt_count;
	const char *doubts_why_not;
};

/** Of a call that was traced: an argument. */
struct ic_row_traced {
	const char *name, *type;
	const char *value;      /**< a number, without names */
	const char *text, *why; /**< as in struct ic_trace_value */
};

/** A call that was traced. */
struct ic_hit_row {
	const char *type; /**< "hit", or "exit" of the end of a call */
	uint64_t time;    /**< in nanoseconds, of CLOCK_MONOTONIC */
	uint64_t pid, tid;
	const char *command;
	const char *function, *linkage_name;
	struct ic_row_copy copy;
	const struct ic_row_traced *arguments; /**< NULL if they are not known */
	size_t argument_count;
	const struct ic_row_thread_frame *stack; /**< NULL if it was not asked for, or not copied */
	size_t stack_count;
	const char *stack_end; /**< why there are no more frames, or none */
	bool has_stack;        /**< not a key: it was asked for */
	bool is_whole;         /**< not a key: the last frame is the outermost */
	uint64_t since;        /**< not a key: nanoseconds since the trace was started */
	/** Of an exit, which has neither arguments nor a stack: as ic_exit_kind_name() has it; else
	 *  NULL. */
	const char *exit;
	uint64_t duration;           /**< of an exit: nanoseconds since the entry */
	struct ic_row_traced result; /**< of an exit: what the function returned */
	bool has_result;             /**< not a key: it returns something */
};

/** How many calls were traced at a copy. */
struct ic_hit_count_row {
	const char *type; /**< "hits" */
	const char *function, *linkage_name;
	struct ic_row_copy copy;
	uint64_t hits, lost;
	const char *why_not; /**< it is not traced, for this reason; NULL if it is */
};

/** How many calls took how long. */
struct ic_latency_bucket {
	uint64_t from, to; /**< nanoseconds, both included */
	uint64_t count;
};

/** How long a copy that was traced was under way. */
struct ic_latency_row {
	const char *type; /**< "latency" */
	const char *function, *linkage_name;
	struct ic_row_copy copy;
	uint64_t count;             /**< of calls whose exit was seen */
	uint64_t least, most, mean; /**< of the durations, in nanoseconds; 0 without any */
	const struct ic_latency_bucket *buckets; /**< without those that are empty, in order */
	size_t bucket_count;
	const char *why_not; /**< its durations are not known, for this reason; NULL if they are */
	const char *doubt;   /**< what is not certain of its exits; NULL if there is nothing */
};

/** How many calls had an argument between two values. */
struct ic_histogram_bucket {
	const char *from, *to; /**< both included: decimal */
	uint64_t count;
};

/** How the values of an argument of a copy that was traced are distributed. */
struct ic_histogram_row {
	const char *type; /**< "histogram" */
	const char *function, *linkage_name;
	struct ic_row_copy copy;
	const char *argument;
	uint64_t count;       /**< of values */
	uint64_t unavailable; /**< calls in which it was not, or was no number */
	const struct ic_histogram_bucket *buckets; /**< without those that are empty, in order */
	size_t bucket_count;
	const char *why_not; /**< it cannot be had there, for this reason; NULL if it can */
};

#ifdef __cplusplus
}
#endif

#endif
