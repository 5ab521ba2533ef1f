// bench_record PID COUNT FILE: records stacks of a process while it runs (recording.h), one every
// two milliseconds, of its first thread.
#include <elf.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <inlinecall/target.h>

#include "recording.h"

enum { MOST_STACK = 256 << 10, RED_ZONE = 128, STACK_POINTER = 7 };

static void write_words(FILE *out, const void *words, size_t count)
{
	if (fwrite(words, sizeof(uint64_t), count, out) != count)
		exit(1);
}

// Writes the mappings of code, or counts them if there is no output.
static uint64_t write_mappings(FILE *maps, FILE *out)
{
	char line[4200], permissions[5], path[4096];
	uint64_t words[4], count = 0;

	rewind(maps);
	while (fgets(line, sizeof(line), maps)) {
		path[0] = 0;
		if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s %" SCNx64 " %*s %*s %4095[^\n]",
			   &words[0], &words[1], permissions, &words[2], path) < 4 ||
		    permissions[2] != 'x' || path[0] != '/')
			continue;
		count++;
		size_t size = strlen(path) + 1;
		words[3] = (size + 7) / 8 * 8;
		memset(path + size, 0, words[3] - size);
		if (out) {
			write_words(out, words, 4);
			write_words(out, path, words[3] / 8);
		}
	}
	return count;
}

// Writes the stack of a thread, up to where its memory ends.
static void write_sample(FILE *out, struct ic_target *target, const struct ic_target_thread *thread)
{
	static uint8_t bytes[MOST_STACK];
	uint64_t head[RECORDED_REGISTERS + 2] = { 0 }, start, size = 0, sp = 0;

	for (uint32_t i = 0; i < RECORDED_PC; i++)
		ic_unwind_register_get(&thread->registers, i, &head[i]);
	head[RECORDED_PC] = thread->registers.pc;
	sp = head[STACK_POINTER];
	start = (sp - RED_ZONE) & ~(uint64_t)7;
	while (size < MOST_STACK) {
		uint64_t part = 4096 - (start + size) % 4096;

		if (part > MOST_STACK - size)
			part = MOST_STACK - size;
		if (!ic_target_read_memory(target, start + size, bytes + size, part))
			break;
		size += part;
	}
	head[RECORDED_REGISTERS] = start;
	head[RECORDED_REGISTERS + 1] = size;
	write_words(out, head, RECORDED_REGISTERS + 2);
	write_words(out, bytes, size / 8);
}

static bool record(struct ic_modules *modules, int pid, FILE *out)
{
	const struct ic_target_process_options options = { .tid = pid, .max_stack = MOST_STACK };
	struct ic_target *target = ic_target_copy_process(modules, pid, &options, NULL);
	struct ic_target_thread thread;
	bool ok = target && ic_target_thread_get(target, 0, &thread);

	if (ok)
		write_sample(out, target, &thread);
	ic_target_free(target);
	return ok;
}

int main(int argc, char **argv)
{
	const struct timespec pause = { .tv_nsec = 2000000 };
	uint64_t head[2] = { RECORDING_MAGIC, 0 };
	char path[64];

	if (argc != 4)
		return 64;
	snprintf(path, sizeof(path), "/proc/%s/maps", argv[1]);
	FILE *maps = fopen(path, "r"), *out = fopen(argv[3], "wb");
	struct ic_modules *modules = ic_modules_new(NULL, NULL);
	if (!maps || !out || !modules)
		return 1;
	head[1] = write_mappings(maps, NULL);
	write_words(out, head, 2);
	if (write_mappings(maps, out) != head[1])
		return 1;
	fclose(maps);
	int left = atoi(argv[2]);
	for (; left > 0 && record(modules, atoi(argv[1]), out); left--)
		nanosleep(&pause, NULL);
	ic_modules_free(modules);
	return fclose(out) != 0 || left > 0;
}
