// Times lookups that are spread over many files, as a profiler of a whole machine has them:
//
//	bench_space list COUNT FILE...               writes COUNT random places in the files' code,
// as 	                                             lines "PATH OFFSET ADDRESS", the same in every
// run 	bench_space ask THREADS BATCH [MEMORY] <PLACES  finds the frames there: each thread its
// part, 	                                             BATCH at a time, in one space; files
// that together 	                                             take more than MEMORY MiB are
// closed
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <inlinecall/extra.h>

#include "common.h"

static _Noreturn void fail(const char *message)
{
	fprintf(stderr, "bench_space: %s\n", message);
	exit(2);
}

static void *check(void *memory)
{
	if (!memory)
		fail("out of memory");
	return memory;
}

// ---- Places

struct code { // of one file
	const char *path;
	uint64_t off, addr, size;
};

static struct code find_code(const char *path)
{
	struct ic_error err = { .message = "no such code" };
	const struct ic_image_options options = { .allow_no_debug = true };
	struct ic_image *image = ic_image_open(path, &options, &err);
	struct ic_symbolizer *symbolizer = image ? ic_symbolizer_new(image, NULL, &err) : NULL;
	struct ic_symbolizer_section text;
	uint64_t off;

	if (!symbolizer || !ic_symbolizer_section_find(symbolizer, ".text", 0, &text) ||
	    text.size == 0 || !ic_image_offset_of_addr(image, text.start, &off))
		fail(err.message);
	ic_symbolizer_free(symbolizer);
	ic_image_free(image);
	return (struct code){ path, off, text.start, text.size };
}

static void list(size_t count, char **paths, size_t path_count)
{
	struct code *codes = check(calloc(path_count, sizeof(*codes)));
	uint64_t state = 50;

	for (size_t i = 0; i < path_count; i++)
		codes[i] = find_code(paths[i]);
	for (size_t i = 0; i < count; i++) {
		const struct code *code = &codes[next_random(&state) % path_count];
		uint64_t at = next_random(&state) % code->size;
		printf("%s %" PRIu64 " %" PRIu64 "\n", code->path, code->off + at, code->addr + at);
	}
	free(codes);
}

// ---- Lookups

#define SLOT (1ull << 40) // bytes of addresses that each file has

struct input {
	char **paths;
	size_t path_count;
	uint64_t *addrs; // in the space
	size_t count;
};

static size_t number_of(struct input *input, const char *path)
{
	for (size_t i = 0; i < input->path_count; i++)
		if (strcmp(input->paths[i], path) == 0)
			return i;
	input->paths = check(realloc(input->paths, (input->path_count + 1) * sizeof(char *)));
	input->paths[input->path_count] = check(strdup(path));
	return input->path_count++;
}

static struct input read_places(void)
{
	struct input input = { NULL, 0, NULL, 0 };
	char path[4096];
	uint64_t off;

	while (scanf("%4095s %" SCNu64 " %*u", path, &off) == 2) {
		if ((input.count & (input.count - 1)) == 0)
			input.addrs = check(
				realloc(input.addrs, (input.count * 2 + 1) * sizeof(*input.addrs)));
		input.addrs[input.count++] = SLOT * (1 + number_of(&input, path)) + off;
	}
	return input;
}

struct worker {
	struct ic_space *space;
	const uint64_t *addrs;
	size_t count, batch, frames, known;
};

static void *work(void *argument)
{
	struct worker *worker = argument;
	struct ic_space_answer answer;
	struct ic_error err;

	for (size_t i = 0; i < worker->count; i += worker->batch) {
		size_t left = worker->count - i,
		       count = left < worker->batch ? left : worker->batch;
		struct ic_space_answers *answers =
			ic_space_find(worker->space, worker->addrs + i, count, &err);
		if (!answers)
			fail(err.message);
		for (size_t j = 0; j < count; j++) {
			ic_space_answers_get(answers, j, &answer);
			worker->frames += answer.frame_count;
			worker->known += answer.status == IC_SPACE_FILE &&
					 answer.lookup == IC_LOOKUP_FOUND;
		}
		ic_space_answers_free(answers);
	}
	return NULL;
}

static double seconds(clockid_t clock)
{
	struct timespec time;

	clock_gettime(clock, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

// All places once, by some threads.
static void ask_all(const char *what, struct ic_space *space, const struct input *input,
		    size_t threads, size_t batch)
{
	struct worker *workers = check(calloc(threads, sizeof(*workers)));
	pthread_t *ids = check(calloc(threads, sizeof(*ids)));
	double cpu = seconds(CLOCK_PROCESS_CPUTIME_ID), wall = seconds(CLOCK_MONOTONIC);
	size_t frames = 0, known = 0;

	for (size_t i = 0; i < threads; i++) {
		size_t first = input->count * i / threads;
		workers[i] = (struct worker){ space,
					      input->addrs + first,
					      input->count * (i + 1) / threads - first,
					      batch,
					      0,
					      0 };
		if (pthread_create(&ids[i], NULL, work, &workers[i]) != 0)
			fail("no more threads");
	}
	for (size_t i = 0; i < threads; i++) {
		pthread_join(ids[i], NULL);
		frames += workers[i].frames;
		known += workers[i].known;
	}
	cpu = seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu;
	wall = seconds(CLOCK_MONOTONIC) - wall;
	printf("%-8s %8.2f us CPU, %8.2f us wall a lookup; %zu of %zu known, %zu frames; %ld "
	       "MiB\n",
	       what, cpu * 1e6 / (double)input->count, wall * 1e6 / (double)input->count, known,
	       input->count, frames, anonymous_memory() >> 10);
	free(workers);
	free(ids);
}

static void ask(size_t threads, size_t batch, uint64_t memory)
{
	const struct ic_modules_options options = { .image.allow_no_debug = true,
						    .symbolizer.jobs = 1,
						    .max_memory = memory << 20 };
	struct input input = read_places();
	struct ic_error err = { .message = "" };
	struct ic_modules *modules = ic_modules_new(&options, &err);
	struct ic_space *space = modules ? ic_space_new(modules, &err) : NULL;
	bool ok = space != NULL;

	for (size_t i = 0; ok && i < input.path_count; i++)
		ok = ic_space_add(space,
				  &(struct ic_space_mapping){ .start = SLOT * (1 + i),
							      .end = SLOT * (2 + i),
							      .path = input.paths[i] },
				  &err);
	if (!ok)
		fail(err.message);
	ask_all("first", space, &input, threads, batch);
	ask_all("again", space, &input, threads, batch);
	ic_space_free(space);
	ic_modules_free(modules);
	for (size_t i = 0; i < input.path_count; i++)
		free(input.paths[i]);
	free(input.paths);
	free(input.addrs);
}

int main(int argc, char **argv)
{
	if (argc > 3 && strcmp(argv[1], "list") == 0)
		list(strtoul(argv[2], NULL, 10), argv + 3, (size_t)argc - 3);
	else if ((argc == 4 || argc == 5) && strcmp(argv[1], "ask") == 0 && atoi(argv[2]) > 0 &&
		 atoi(argv[3]) > 0)
		ask(strtoul(argv[2], NULL, 10), strtoul(argv[3], NULL, 10),
		    argc == 5 ? strtoul(argv[4], NULL, 10) : 0);
	else
		fail("usage: bench_space list COUNT FILE... | bench_space ask THREADS BATCH "
		     "[MEMORY]");
	return 0;
}
