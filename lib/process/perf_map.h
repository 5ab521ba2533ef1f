// The functions that a live process compiled at run time, as it writes them into files: a jitdump
// that it has mapped, jit-PID.dump, or the list /tmp/perf-PID.map. The files are those of its own
// mount namespace, and have its process ID in its own PID namespace.
#ifndef PROCESS_PERF_MAP_H
#define PROCESS_PERF_MAP_H

#include "process/jit_code.h"

struct ic_perf_map { // zero-initialised is empty
	struct ic_jit_code code;
	uint8_t *text;
};

enum ic_perf_map_kind { IC_PERF_MAP_DUMP, IC_PERF_MAP_LIST, IC_PERF_MAP_KINDS };

// Reads the jitdump or the list of a process; `pid` may be one of its threads. Empty if there is no
// such file. False if it cannot be read, is not believed, or only in part, for the reason in *err;
// what was read is in *map. It is not believed if another user than that of the process or root
// owns it. Must be freed in any case.
bool ic_perf_map_read(struct ic_perf_map *map, int pid, enum ic_perf_map_kind kind,
		      struct ic_error *err);

// Whose file it is.
struct ic_perf_map_owner {
	int pid;          // in its PID namespace
	uint32_t uid;     // effective
	const char *dump; // path of the jitdump that it has mapped; NULL for the list
};

// The same, below a directory, which is closed.
bool ic_perf_map_read_below(struct ic_perf_map *map, int root,
			    const struct ic_perf_map_owner *owner, struct ic_error *err);

void ic_perf_map_free(struct ic_perf_map *map);

#endif
