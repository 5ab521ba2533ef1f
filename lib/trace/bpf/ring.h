// The reader's side of a BPF ring buffer, in the kernel's layout: a page with the reader's
// position, one with the writers', and the data, mapped twice in a row.
#ifndef TRACE_BPF_RING_H
#define TRACE_BPF_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct ic_ring {
	void *consumer, *producer;
	size_t page_size, size;
	uint64_t position; // of the next record
	uint64_t end;      // of the records that were there when this turn began
	bool has_turn;
};

// Maps the ring buffer of a descriptor, of `size` bytes. Must be unmapped even if this fails.
bool ic_ring_map(struct ic_ring *ring, int descriptor, size_t size, struct ic_error *err)
	IC_CHECKED;

void ic_ring_unmap(struct ic_ring *ring);

// The next record, owned by the ring until the next call. NULL if there is none yet, and once after
// those that were there when the last NULL was returned: so a reader who is slower than the writers
// can do something else.
const void *ic_ring_next(struct ic_ring *ring, size_t *size);

#endif
