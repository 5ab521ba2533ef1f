// Where a part of a file is to whoever gives addresses: in memory, mostly.
#ifndef INLINECALL_EXTRA_WINDOW_H
#define INLINECALL_EXTRA_WINDOW_H

#include <stdint.h>

struct ic_window { // addresses from `given` on are those of the file from `start` on
	uint64_t given, start, size;
};

#endif
