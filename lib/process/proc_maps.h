// Mappings of a process, from /proc/PID/maps (proc_pid_maps(5)).
#ifndef PROCESS_PROC_MAPS_H
#define PROCESS_PROC_MAPS_H

#include <stdbool.h>
#include <stdint.h>

struct ic_map_line {
	uint64_t start, end, offset;
	uint64_t device, inode; // of the file; the inode is 0 without one
	bool is_code;
	char *name; // in the line: the path, a name such as "[vdso]", or ""
};

// Parses a line. The name is modified in place, because newlines in it are written as "\012". False
// if the line is in another format.
bool ic_map_line_parse(struct ic_map_line *map, char *line);

#endif
