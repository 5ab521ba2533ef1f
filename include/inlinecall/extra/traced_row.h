// Rows of traced calls: see row.h.
#ifndef INLINECALL_EXTRA_TRACED_ROW_H
#define INLINECALL_EXTRA_TRACED_ROW_H

#include <inlinecall/extra/row.h>
#include <inlinecall/extra/trace_groups.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The copy that was called. */
struct ic_row_copy {
	uint64_t entry; /**< address in the file */
	/** The position of a line that is traced; NULL for a call. */
	const char *source;
	uint32_t line, column;
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
	const char *file; /**< path of the traced file, from the options */
	uint64_t time;    /**< in nanoseconds, from CLOCK_MONOTONIC */
	uint64_t wall;    /**< the same from CLOCK_REALTIME, as that was some milliseconds before */
	uint64_t pid, tid, cpu;
	const char *command;
	const char *function, *linkage_name;
	struct ic_row_copy copy;
	const struct ic_row_traced *arguments; /**< NULL if unknown */
	size_t argument_count;
	const struct ic_row_traced *variables; /**< at a line; NULL for a call, or if unknown */
	size_t variable_count;
	/** The frames at the call of a function that was not inlined, innermost first. NULL if it
	 *  was inlined, or they are unknown. */
	const struct ic_row_thread_frame *callers;
	size_t caller_count;
	const struct ic_row_thread_frame *stack; /**< NULL if it was not requested, or not copied */
	size_t stack_count;
	const char *stack_end; /**< why there are no more frames, or none */
	bool has_stack;        /**< not a key: a stack was requested */
	bool is_whole;         /**< not a key: the last frame is the outermost */
	bool shows_clock;      /**< not a key: text has the time of the clock */
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
	const char *file; /**< as in a hit */
	const char *function, *linkage_name;
	struct ic_row_copy copy;
	uint64_t hits, lost;
	const char *why_not; /**< why it is not traced; NULL if it is */
};

/** A key of a group of traced calls. */
struct ic_row_group_key {
	const char *name;
	const char *value;           /**< a number, without names */
	const char *text;            /**< the value, the function, PATH:LINE:COLUMN and so on */
	const char *why;             /**< why there is none */
	enum ic_trace_key_kind kind; /**< not a key of a row */
};

/** The number of values in a range. */
struct ic_row_bucket {
	const char *from, *to; /**< inclusive, in decimal */
	uint64_t count;
};

/** A group of traced calls, or all groups. */
struct ic_group_row {
	const char *type; /**< "group", or "total" for all */
	const char *file; /**< as in a hit */
	uint64_t time; /**< in nanoseconds, from CLOCK_MONOTONIC: until when calls were added up */
	const struct ic_row_group_key *keys;
	size_t key_count;
	uint64_t count;      /**< calls; those that ended, if durations are measured */
	const char *measure; /**< "duration", in nanoseconds, or the argument; NULL if none is */
	uint64_t measured;   /**< calls in which it was available, a number */
	const char *sum, *mean, *least, *most; /**< NULL if it never was */
	const struct ic_row_bucket *buckets;   /**< non-empty buckets, in order */
	size_t bucket_count;
	uint64_t groups;   /**< for all: their number */
	uint64_t left_out; /**< for all: calls in no group, because there were too many */
	const struct ic_row_copy *copy; /**< not a key of a row: the place of a group by copy */
	const char *function, *linkage_name; /**< not a key of a row: of that copy */
	bool is_duration, has_buckets;       /**< not keys of a row */
	enum ic_trace_order order;           /**< not a key of a row */
};

#ifdef __cplusplus
}
#endif

#endif
