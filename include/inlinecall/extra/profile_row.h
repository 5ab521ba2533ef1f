// Rows of profiles: see inlinecall/extra/rows.h.
#ifndef INLINECALL_EXTRA_PROFILE_ROW_H
#define INLINECALL_EXTRA_PROFILE_ROW_H

#include <inlinecall/extra/profile.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Of a profile: first one of all samples of the event, then one of each group. Weights that mean
 *  nothing of such a group are UINT64_MAX. */
struct ic_profile_row {
	const char *type;  /**< "profile" */
	const char *event; /**< as perf calls it */
	const char *unit;  /**< of weights: see ic_profile_event::unit */
	/** "all", or "function", "call", "line", "host", "source", "file", "thread", "caller" or
	 *  "callee" */
	const char *by;
	const char *function, *linkage_name;
	const char *decl_file;
	uint32_t decl_line;
	const char *caller, *call_file; /**< of a call, inlined or not */
	uint32_t call_line;
	const char *source; /**< of a source line or file */
	uint32_t line;
	const char *file; /**< the program, library, module or kernel */
	const char *thread;
	uint32_t pid, tid;
	/** In the unit of the event; what was inlined is a part of each. */
	uint64_t self, self_inlined, total, total_inlined;
	uint64_t self_samples, total_samples;
	uint64_t unknown; /**< of all: where the innermost address has no function */
	/** Of `self`, in code that no debug information describes: what is inlined there is not
	 *  known. Not of callers and callees. */
	uint64_t no_debug;
	uint64_t whole; /**< weight of all samples of the event, of which the others are shares */
	const struct ic_profile_host *hosts; /**< of a function */
	size_t host_count;
	enum ic_profile_by group; /**< not a key: `by` says it */
};

#ifdef __cplusplus
}
#endif

#endif
