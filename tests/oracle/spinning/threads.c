// Threads that share inlined functions unequally.
#include "spin.h"

#include <pthread.h>

struct worker {
	const char *name;
	unsigned long weight;
	double light, heavy;
};

INLINE void light(struct worker *worker)
{
	SPIN(worker->light, +, 10000);
}

INLINE void heavy(struct worker *worker)
{
	SPIN(worker->heavy, ^, 10000 * worker->weight);
}

NOINLINE static void serve(struct worker *worker)
{
	light(worker);
	heavy(worker);
	__asm__ volatile("");
}

static void *run(void *argument)
{
	for (double began = now(); now() - began < SECONDS / 2;)
		serve(argument);
	return NULL;
}

int main(void)
{
	struct worker workers[2] = { { "first", 1, 0, 0 }, { "second", 4, 0, 0 } };
	pthread_t threads[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, run, &workers[i]);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	PRINT("serve;light", workers[0].light + workers[1].light);
	PRINT("serve;heavy", workers[0].heavy + workers[1].heavy);
	return 0;
}
