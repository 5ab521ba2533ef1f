// The processes of a recording while it is read in order of time: the code that each has mapped,
// and the names of its threads.
#ifndef RECORDING_PROCESSES_PROCESSES_H
#define RECORDING_PROCESSES_PROCESSES_H

#include "profile/profile.h"
#include "recording/processes/mappings.h"

struct ic_task { // a thread that starts, ends or is named
	uint32_t pid, tid, parent_pid, parent_tid;
	const char *name; // NULL if it is not named
};

struct ic_process {
	struct ic_mapping_space space;
};

struct ic_processes {
	struct ic_profile *profile;
	struct ic_mappings mappings;
	IC_ARRAY(struct ic_process) list;
	struct ic_map by_pid;
	struct ic_map thread_of; // index in the profile, by ID
};

// A process or thread starts, gets a name, or executes another program (COMM). False if memory runs
// out, as below.
bool ic_processes_name(struct ic_processes *processes, const struct ic_task *task, bool is_exec)
	IC_CHECKED;
bool ic_processes_fork(struct ic_processes *processes, const struct ic_task *task) IC_CHECKED;

// A thread ends: its ID may be reused.
void ic_processes_end(struct ic_processes *processes, const struct ic_task *task);

bool ic_processes_map(struct ic_processes *processes, uint32_t pid, const struct ic_mapped *mapped)
	IC_CHECKED;

// Gets the location of an address in a process.
bool ic_processes_location(struct ic_processes *processes, uint32_t pid, uint64_t addr,
			   uint32_t *location) IC_CHECKED;

// The current mappings of a process.
struct ic_mapping_space ic_processes_space(const struct ic_processes *processes, uint32_t pid);

// Gets the index of a thread in the profile.
bool ic_processes_thread(struct ic_processes *processes, uint32_t pid, uint32_t tid,
			 uint32_t *thread) IC_CHECKED;

void ic_processes_free(struct ic_processes *processes);

#endif
