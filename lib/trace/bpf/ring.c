#include "trace/bpf/ring.h"

#include <linux/bpf.h>
#include <sys/mman.h>
#include <unistd.h>

bool ic_ring_map(struct ic_ring *ring, int descriptor, size_t size, struct ic_error *err)
{
	ring->page_size = (size_t)sysconf(_SC_PAGESIZE);
	ring->size = size;
	ring->consumer =
		mmap(NULL, ring->page_size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
	ring->producer = mmap(NULL, ring->page_size + 2 * size, PROT_READ, MAP_SHARED, descriptor,
			      (off_t)ring->page_size);
	if (ring->consumer == MAP_FAILED || ring->producer == MAP_FAILED)
		return ic_fail_system(err, "mmap", "the BPF ring buffer");
	return true;
}

void ic_ring_unmap(struct ic_ring *ring)
{
	if (ring->consumer && ring->consumer != MAP_FAILED)
		munmap(ring->consumer, ring->page_size);
	if (ring->producer && ring->producer != MAP_FAILED)
		munmap(ring->producer, ring->page_size + 2 * ring->size);
	ring->consumer = ring->producer = NULL;
}

// Begins a turn, or ends it if it has no more records. Returns whether there are more.
static bool has_more(struct ic_ring *ring)
{
	if (!ring->has_turn)
		ring->end = __atomic_load_n((uint64_t *)ring->producer, __ATOMIC_ACQUIRE);
	ring->has_turn = ring->position < ring->end;
	return ring->has_turn;
}

const void *ic_ring_next(struct ic_ring *ring, size_t *size)
{
	const uint8_t *bytes = (const uint8_t *)ring->producer + ring->page_size;

	// The last record returned is no longer needed.
	__atomic_store_n((uint64_t *)ring->consumer, ring->position, __ATOMIC_RELEASE);
	while (has_more(ring)) {
		const uint8_t *record = bytes + (ring->position & (ring->size - 1));
		uint32_t length =
			__atomic_load_n((const uint32_t *)(const void *)record, __ATOMIC_ACQUIRE);
		if (length & BPF_RINGBUF_BUSY_BIT) { // still being written
			ring->has_turn = false;
			return NULL;
		}
		*size = length & ~BPF_RINGBUF_DISCARD_BIT;
		ring->position += (BPF_RINGBUF_HDR_SZ + *size + 7) & ~7ull;
		if (!(length & BPF_RINGBUF_DISCARD_BIT))
			return record + BPF_RINGBUF_HDR_SZ;
		__atomic_store_n((uint64_t *)ring->consumer, ring->position, __ATOMIC_RELEASE);
	}
	return NULL;
}
