// Rows of profiles: see inlinecall/extra/rows.h.
#ifndef INLINECALL_EXTRA_PROFILE_ROW_H
#define INLINECALL_EXTRA_PROFILE_ROW_H

#include <inlinecall/extra/profile.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * A row of a profile: first one for all samples of the event, then one for each group. Weights that
 * do not apply to a group are UINT64_MAX.
 */
struct ic_profile_row {
	const char *type;  /**< "profile" */
	const char *event; /**< perf's name */
	const char *unit;  /**< of weights: see ic_profile_event::unit */
	/** "all", or "function", "call", "line", "host", "source", "file", "thread", "caller" or
	 *  "callee" */
	const char *by;
	const char *function, *linkage_name;
	const char *decl_file;
	uint32_t decl_line;
	const char *caller, *call_file; /**< for a call, inlined or not */
	uint32_t call_line;
	const char *source; /**< for a source line or file */
	uint32_t line;
	const char *file; /**< the program, library, module or kernel */
	const char *thread;
	uint32_t pid, tid;
	/** In the unit of the event; the inlined weight is part of each. */
	uint64_t self, self_inlined, total, total_inlined;
	uint64_t self_samples, total_samples;
	uint64_t unknown; /**< for all samples: the part whose innermost address has no function */
	/** The part of `self` in code without debug information: it is unknown what is inlined
	 *  there. Not for callers and callees. */
	uint64_t no_debug;
	uint64_t whole; /**< weight of all samples of the event, as the base for shares */
	const struct ic_profile_host *hosts; /**< for a function */
	size_t host_count;
	enum ic_profile_by group; /**< not a key: same as `by` */
};

#ifdef __cplusplus
}
#endif

#endif
