// Addresses, and ranges of them.
#ifndef INLINECALL_RANGE_H
#define INLINECALL_RANGE_H

#include <stdint.h>

/** What stands for an address, a size or an offset that is not known. */
#define IC_NO_ADDR UINT64_MAX

struct ic_range { // half open: [start, end)
	uint64_t start, end;
};

#endif
