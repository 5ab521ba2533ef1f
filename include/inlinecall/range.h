// A range of addresses.
#ifndef INLINECALL_RANGE_H
#define INLINECALL_RANGE_H

#include <stdint.h>

struct ic_range { // half open: [start, end)
	uint64_t start, end;
};

#endif
