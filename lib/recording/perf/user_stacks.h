// Copied stacks of programs in a recording (perf record --call-graph dwarf), unwound here.
#ifndef RECORDING_PERF_USER_STACKS_H
#define RECORDING_PERF_USER_STACKS_H

#include "recording/perf/record.h"
#include <inlinecall/unwind.h>

struct ic_user_stacks {
	struct ic_processes *processes;
	const char *machine; // of the recording, as in `uname -m`; NULL if unknown
	bool is_big_endian;
	IC_ARRAY(struct ic_user_process) list;
	struct ic_map by_pid;
	IC_ARRAY(uint64_t) addrs; // the last unwound stack, as addresses to look up
	bool is_cut;              // it does not end with an outermost frame
};

void ic_user_stacks_init(struct ic_user_stacks *stacks, struct ic_processes *processes,
			 const char *machine, bool is_big_endian);

// Unwinds the stack of a sample into `addrs`, innermost first. False if memory runs out; empty if
// there is nothing to unwind, or the machine is not supported.
bool ic_user_stacks_unwind(struct ic_user_stacks *stacks, const struct ic_perf_event *event,
			   const struct ic_perf_sample *sample, struct ic_error *err) IC_CHECKED;

void ic_user_stacks_free(struct ic_user_stacks *stacks);

#endif
