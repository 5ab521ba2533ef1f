// Addresses and address ranges.
#ifndef INLINECALL_RANGE_H
#define INLINECALL_RANGE_H

#include <stdint.h>

/** Stands for an unknown address, size or offset. */
#define IC_NO_ADDR UINT64_MAX

struct ic_range { // half open: [start, end)
	uint64_t start, end;
};

#endif
