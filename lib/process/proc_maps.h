// What the kernel says of the mappings of a process, in /proc/PID/maps (proc_pid_maps(5)).
#ifndef PROCESS_PROC_MAPS_H
#define PROCESS_PROC_MAPS_H

#include <stdbool.h>
#include <stdint.h>

struct ic_map_line {
	uint64_t start, end, offset;
	uint64_t device, inode; // of the file; the inode is 0 without one
	bool is_code;
	bool is_deleted; // the file is no longer where the path says
	char *name;      // in the line: the path, a name such as "[vdso]", or ""
};

// Reads a line, of which the name is changed in place: a newline is written as "\012" there. False
// if it is no such line.
bool ic_map_line_parse(struct ic_map_line *map, char *line);

#endif
