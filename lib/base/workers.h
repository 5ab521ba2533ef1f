// Parallel work in one form: n independent items, results by index, merged in order.
//
// Every worker runs the same function and takes items until none are left; it writes only to the
// item's slot, so no lock is needed and the result does not depend on timing.
#ifndef BASE_WORKERS_H
#define BASE_WORKERS_H

#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct ic_items {
	atomic_uint next;
	uint32_t count;
};

// Takes the next free item; false if none are left.
static inline bool ic_items_take(struct ic_items *items, uint32_t *index)
{
	uint32_t next = atomic_load_explicit(&items->next, memory_order_relaxed);

	if (next >= items->count) // checked first, so that it cannot wrap
		return false;
	*index = atomic_fetch_add_explicit(&items->next, 1, memory_order_relaxed);
	return *index < items->count;
}

typedef void ic_worker_run(struct ic_items *items, uint32_t worker, void *context);

// How many workers to start for `count` items: at most `jobs` or, if that is 0, the CPUs that this
// process may use. At least 1.
uint32_t ic_workers_count(uint32_t jobs, uint32_t count);

// Runs `run` on `workers` threads, of which the caller is number 0, and waits for all. If a thread
// cannot be started, the others take its items. The started threads block all signals except those
// of their own faults.
void ic_workers_run(uint32_t workers, uint32_t count, ic_worker_run *run, void *context);

// Blocks all signals for threads that are started next, except those of their own faults: signals
// of the process are for the caller's threads, which may wait for them. pthread_sigmask() restores
// what was blocked before.
void ic_workers_block_signals(sigset_t *before);

#endif
