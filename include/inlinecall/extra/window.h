// Where a part of a file is in the address space of the caller: usually memory.
#ifndef INLINECALL_EXTRA_WINDOW_H
#define INLINECALL_EXTRA_WINDOW_H

#include <stdint.h>

struct ic_window { // `size` addresses from `given` correspond to those of the file from `start`
	uint64_t given, start, size;
};

#endif
