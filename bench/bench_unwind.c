// bench_unwind PID: how long a process is stopped while its stacks are copied, and what a step of
// unwinding costs, over the copies:
//	stop_ms MS threads COUNT frames COUNT warm_ns NS cold_ns NS
// A warm step is by a row that is kept; a cold one reads the call frame information of its address.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <inlinecall/extra/target.h>
#include <inlinecall/extra/unwind.h>

enum { MOST_FRAMES = 1000 }; // of a stack

static uint64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static size_t unwind(struct ic_unwinder *unwinder, const struct ic_target *target, bool is_cold)
{
	struct ic_target_thread thread;
	size_t count = 0;

	for (size_t i = 0; ic_target_thread_get(target, i, &thread); i++) {
		if (is_cold)
			ic_unwinder_forget(unwinder);
		ic_unwinder_begin(unwinder, &thread.registers);
		while (ic_unwinder_next(unwinder))
			count++;
	}
	return count;
}

// The addresses that differ from those before in their stack.
static size_t count_distinct(struct ic_unwinder *unwinder, const struct ic_target *target)
{
	struct ic_target_thread thread;
	const struct ic_unwind_frame *frame;
	uint64_t met[MOST_FRAMES];
	size_t distinct = 0;

	for (size_t i = 0; ic_target_thread_get(target, i, &thread); i++) {
		size_t count = 0;

		ic_unwinder_begin(unwinder, &thread.registers);
		while (count < MOST_FRAMES && (frame = ic_unwinder_next(unwinder))) {
			size_t j = 0;

			while (j < count && met[j] != frame->registers.pc)
				j++;
			if (j == count)
				met[count++] = frame->registers.pc;
		}
		distinct += count;
	}
	return distinct;
}

// The least of some rounds, in nanoseconds.
static double measure(struct ic_unwinder *unwinder, const struct ic_target *target, bool is_cold)
{
	double least = 1e12;

	for (int round = 0; round < 200; round++) {
		uint64_t began = now();

		unwind(unwinder, target, is_cold);
		double took = (double)(now() - began);
		if (took < least)
			least = took;
	}
	return least;
}

int main(int argc, char **argv)
{
	struct ic_unwind_options options;
	struct ic_target_thread thread;
	struct ic_error err;
	size_t threads = 0;

	if (argc != 2)
		return 64;
	const struct ic_modules_options files = { .image.allow_no_debug = true };
	struct ic_modules *modules = ic_modules_new(&files, &err);
	struct ic_target *target =
		modules ? ic_target_copy_process(modules, atoi(argv[1]), NULL, &err) : NULL;
	if (!target) {
		fprintf(stderr, "%s\n", err.message);
		return 1;
	}
	while (ic_target_thread_get(target, threads, &thread))
		threads++;
	ic_target_unwind_options(target, &options);
	struct ic_unwinder *unwinder = ic_unwinder_new(&options, &err);
	if (!unwinder)
		return 1;
	size_t frames = unwind(unwinder, target, false);
	printf("stop_ms %.2f threads %zu frames %zu", (double)ic_target_stop_time(target) / 1e6,
	       threads, frames);
	size_t distinct = count_distinct(unwinder, target);
	double warm = measure(unwinder, target, false), cold = measure(unwinder, target, true);
	printf(" warm_ns %.1f cold_ns %.1f\n", warm / (double)frames,
	       (cold - warm) / (double)distinct + warm / (double)frames);
	ic_unwinder_free(unwinder);
	ic_target_free(target);
	ic_modules_free(modules);
	return 0;
}
