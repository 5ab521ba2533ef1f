// Parallel work in a single form: n independent items, results by index, merged in order.
//
// Every worker runs the same function, which takes items until none are left and writes only to the
// slots of its items, so no lock is needed and the result does not depend on timing.
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

// Takes the next item; false if none are left.
static inline bool ic_items_take(struct ic_items *items, uint32_t *index)
{
	uint32_t next = atomic_load_explicit(&items->next, memory_order_relaxed);

	if (next >= items->count) // checked first, so that it cannot overflow
		return false;
	*index = atomic_fetch_add_explicit(&items->next, 1, memory_order_relaxed);
	return *index < items->count;
}

typedef void ic_worker_run(struct ic_items *items, uint32_t worker, void *context);

// The number of workers to start for `count` items: at most `jobs` or, if that is 0, the number of
// CPUs that this process may use. At least 1.
uint32_t ic_workers_count(uint32_t jobs, uint32_t count);

// Runs `run` on `workers` threads, including the caller as number 0, and waits for all of them. If
// a thread cannot be started, the others take its items. The started threads block all signals
// except those caused by their own faults.
void ic_workers_run(uint32_t workers, uint32_t count, ic_worker_run *run, void *context);

// Blocks all signals for threads that are started next, except those caused by their own faults:
// the process's signals are for the caller's threads, which may wait for them. pthread_sigmask()
// with `before` undoes this.
void ic_workers_block_signals(sigset_t *before);

#endif
