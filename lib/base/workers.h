// One shape of parallel work: n independent items, results by index, merge in order.
//
// Every worker runs the same function and takes items until there are none; what it writes goes
// to the slot of the item, so no lock is needed and the result does not depend on the clock.
#ifndef BASE_WORKERS_H
#define BASE_WORKERS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct ic_items {
	atomic_uint next;
	uint32_t count;
};

// Takes the next item that nobody has; false where there are none left.
static inline bool ic_items_take(struct ic_items *items, uint32_t *index)
{
	uint32_t next = atomic_load_explicit(&items->next, memory_order_relaxed);

	if (next >= items->count) // not added to again and again: it must not wrap
		return false;
	*index = atomic_fetch_add_explicit(&items->next, 1, memory_order_relaxed);
	return *index < items->count;
}

typedef void ic_worker_run(struct ic_items *items, uint32_t worker, void *context);

// How many workers are worth starting for `count` items: at most `jobs`, or the CPUs that this
// process may use where `jobs` is 0. At least 1.
uint32_t ic_workers_count(uint32_t jobs, uint32_t count);

// Runs `run` on `workers` threads, of which the caller is number 0, and waits for all. A thread
// that cannot be started is done without: the others take its items. The threads that are started
// take no signals but those of their own faults.
void ic_workers_run(uint32_t workers, uint32_t count, ic_worker_run *run, void *context);

#endif
