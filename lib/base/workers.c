#include "base/workers.h"

#include <pthread.h>
#include <sched.h>
#include <unistd.h>

enum { MOST_WORKERS = 64 };

struct worker {
	struct ic_items *items;
	ic_worker_run *run;
	void *context;
	uint32_t number;
};

static uint32_t usable_cpus(void)
{
#ifdef CPU_COUNT // containers and taskset may exclude some CPUs
	cpu_set_t cpus;
	if (sched_getaffinity(0, sizeof(cpus), &cpus) == 0)
		return (uint32_t)CPU_COUNT(&cpus);
#endif
	long online = sysconf(_SC_NPROCESSORS_ONLN);
	return online > 0 ? (uint32_t)online : 1;
}

uint32_t ic_workers_count(uint32_t jobs, uint32_t count)
{
	uint32_t workers = jobs ? jobs : usable_cpus();

	if (workers > count)
		workers = count;
	if (workers > MOST_WORKERS)
		workers = MOST_WORKERS;
	return workers ? workers : 1;
}

static void *run_worker(void *argument)
{
	struct worker *worker = argument;

	worker->run(worker->items, worker->number, worker->context);
	return NULL;
}

void ic_workers_block_signals(sigset_t *before)
{
	static const int own[] = { SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGSYS, SIGTRAP };
	sigset_t signals;

	sigfillset(&signals);
	for (size_t i = 0; i < sizeof(own) / sizeof(*own); i++)
		sigdelset(&signals, own[i]);
	pthread_sigmask(SIG_BLOCK, &signals, before);
}

void ic_workers_run(uint32_t workers, uint32_t count, ic_worker_run *run, void *context)
{
	struct ic_items items = { .count = count };
	struct worker threads[MOST_WORKERS] = { { &items, run, context, 0 } };
	pthread_t ids[MOST_WORKERS];
	uint32_t started = 1;
	sigset_t before;

	for (uint32_t i = 1; i < workers && i < MOST_WORKERS; i++)
		threads[i] = (struct worker){ &items, run, context, i };
	if (workers > 1)
		ic_workers_block_signals(&before); // inherited by the threads
	while (started < workers && started < MOST_WORKERS &&
	       pthread_create(&ids[started], NULL, run_worker, &threads[started]) == 0)
		started++;
	if (workers > 1)
		pthread_sigmask(SIG_SETMASK, &before, NULL);
	run_worker(&threads[0]);
	for (uint32_t i = 1; i < started; i++)
		pthread_join(ids[i], NULL);
}
