#include "recording.h"

#include <elf.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { MOST_FRAMES = 1024, ROUNDS = 21, BATCH = 8 };

static void fail(const char *what, const char *path)
{
	fprintf(stderr, "%s: %s\n", path, what);
	exit(1);
}

static void *allocate(size_t count, size_t size)
{
	void *items = calloc(count + 1, size);

	if (!items)
		fail("out of memory", "recording");
	return items;
}

// NULL if it cannot be mapped.
static const uint8_t *map_file(const char *path, size_t *size)
{
	struct stat st;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	void *bytes = MAP_FAILED;

	if (fd >= 0 && fstat(fd, &st) == 0) {
		*size = (size_t)st.st_size;
		bytes = mmap(NULL, *size, PROT_READ, MAP_PRIVATE, fd, 0);
	}
	if (fd >= 0)
		close(fd);
	return bytes == MAP_FAILED ? NULL : bytes;
}

static void open_segment(struct mapping *mapping, const Elf64_Phdr *segment)
{
	uint64_t start = mapping->bias + segment->p_vaddr;

	if (segment->p_type == PT_LOAD) {
		if (!mapping->image_start)
			mapping->image_start = start;
		mapping->image_end = start + segment->p_memsz;
		if (mapping->eh_header >= start && mapping->eh_header < mapping->image_end) {
			mapping->eh_start = start;
			mapping->eh_end = start + segment->p_filesz;
			mapping->eh_bytes = mapping->file + segment->p_offset;
		}
	}
}

// Maps the file of a mapping, and finds where its segments are in memory.
static void open_mapping(struct mapping *mapping)
{
	size_t size;
	mapping->file = map_file(mapping->path, &size);
	const Elf64_Ehdr *header = (const Elf64_Ehdr *)mapping->file;
	if (!header || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0)
		return;
	const Elf64_Phdr *segments = (const Elf64_Phdr *)(mapping->file + header->e_phoff);
	for (int i = 0; i < header->e_phnum; i++) {
		uint64_t off = segments[i].p_offset & ~(uint64_t)4095;

		if (segments[i].p_type == PT_LOAD && segments[i].p_flags & PF_X &&
		    off <= mapping->offset && mapping->offset - off < segments[i].p_filesz)
			mapping->bias = mapping->start - mapping->offset - segments[i].p_vaddr +
					segments[i].p_offset;
	}
	for (int i = 0; i < header->e_phnum; i++)
		if (segments[i].p_type == PT_GNU_EH_FRAME)
			mapping->eh_header = mapping->bias + segments[i].p_vaddr;
	for (int i = 0; i < header->e_phnum; i++)
		open_segment(mapping, &segments[i]);
}

static const uint64_t *read_mappings(struct recording *recording, const uint64_t *word)
{
	recording->mapping_count = *word++;
	recording->mappings = allocate(recording->mapping_count, sizeof(struct mapping));
	for (size_t i = 0; i < recording->mapping_count; i++) {
		struct mapping *mapping = &recording->mappings[i];

		*mapping = (struct mapping){ .start = word[0],
					     .end = word[1],
					     .offset = word[2],
					     .path = (const char *)&word[4] };
		word += 4 + word[3] / sizeof(*word);
		open_mapping(mapping);
	}
	return word;
}

void recording_open(struct recording *recording, const char *path)
{
	size_t size = 0, room = 0;
	const uint64_t *word = (const uint64_t *)map_file(path, &size), *end;

	if (!word || size < 2 * sizeof(*word) || *word != RECORDING_MAGIC)
		fail("is no recording", path);
	end = word + size / sizeof(*word);
	*recording = (struct recording){ .mappings = NULL };
	word = read_mappings(recording, word + 1);
	while (word < end) {
		if (recording->sample_count == room) {
			room += room + 1024;
			recording->samples =
				realloc(recording->samples, room * sizeof(*recording->samples));
			if (!recording->samples)
				fail("out of memory", path);
		}
		struct sample *sample = &recording->samples[recording->sample_count++];
		*sample = (struct sample){ word, word[RECORDED_REGISTERS],
					   word[RECORDED_REGISTERS + 1],
					   (const uint8_t *)&word[RECORDED_REGISTERS + 2] };
		word += RECORDED_REGISTERS + 2 + sample->size / sizeof(*word);
	}
}

// The last mapping that begins at an address or before it; NULL if none does.
static struct mapping *last_before(const struct recording *recording, uint64_t addr, bool is_image)
{
	struct mapping *mappings = recording->mappings;
	size_t low = 0, high = recording->mapping_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct mapping *mapping = &mappings[middle];

		if ((is_image ? mapping->image_start : mapping->start) <= addr)
			low = middle + 1;
		else
			high = middle;
	}
	return low > 0 ? &mappings[low - 1] : NULL;
}

struct mapping *recording_mapping(const struct recording *recording, uint64_t addr)
{
	struct mapping *mapping = last_before(recording, addr, false);

	return mapping && addr < mapping->end ? mapping : NULL;
}

struct mapping *recording_image(const struct recording *recording, uint64_t addr)
{
	struct mapping *mapping = last_before(recording, addr, true);

	return mapping && addr < mapping->image_end ? mapping : NULL;
}

bool sample_read(const struct sample *sample, uint64_t addr, void *bytes, size_t size)
{
	uint64_t off = addr - sample->start;

	if (off >= sample->size || size > sample->size - off)
		return false;
	if (size == 8) // known to the compiler, it is a move rather than a call
		memcpy(bytes, sample->bytes + off, 8);
	else
		memcpy(bytes, sample->bytes + off, size);
	return true;
}

// ---- Runs

static void list(const struct recording *recording, unwind_sample *unwind, void *context)
{
	uint64_t pcs[MOST_FRAMES];

	for (size_t i = 0; i < recording->sample_count; i++) {
		size_t count = unwind(context, &recording->samples[i], pcs, MOST_FRAMES);

		for (size_t j = 0; j < count; j++)
			printf("%s%" PRIx64, j > 0 ? " " : "", pcs[j]);
		putchar('\n');
	}
}

static double cpu_time(void) // nanoseconds
{
	struct timespec time;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
	return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static int compare_times(const void *left, const void *right)
{
	const double *a = left, *b = right;

	return (*a > *b) - (*a < *b);
}

// Brings stacks into the cache, as they are there when they have just been copied.
static void touch(const struct sample *samples, size_t count)
{
	for (size_t i = 0; i < count; i++)
		for (uint64_t off = 0; off < samples[i].size; off += 64)
			(void)*(const volatile uint8_t *)&samples[i].bytes[off];
}

// The time that a step of all stacks takes, in nanoseconds.
static double time_step(const struct recording *recording, unwind_sample *unwind,
			forget_found *forget, void *context)
{
	uint64_t pcs[MOST_FRAMES];
	size_t count = 0, batch;
	double time = 0;

	for (size_t i = 0; i < recording->sample_count; i += batch) {
		const struct sample *samples = &recording->samples[i];
		size_t left = recording->sample_count - i;
		batch = left < BATCH ? left : BATCH;
		touch(samples, batch);
		double began = cpu_time();
		for (size_t j = 0; j < batch; j++) {
			if (forget)
				forget(context);
			count += unwind(context, &samples[j], pcs, MOST_FRAMES);
		}
		time += cpu_time() - began;
	}
	return time / (double)(count > 0 ? count : 1);
}

static double median_step(const struct recording *recording, unwind_sample *unwind,
			  forget_found *forget, void *context)
{
	double times[ROUNDS];

	for (int i = 0; i < ROUNDS; i++)
		times[i] = time_step(recording, unwind, forget, context);
	qsort(times, ROUNDS, sizeof(*times), compare_times);
	return times[ROUNDS / 2];
}

void recording_run(const struct recording *recording, bool is_listing, unwind_sample *unwind,
		   forget_found *forget, void *context)
{
	if (is_listing) {
		list(recording, unwind, context);
		return;
	}
	double first = time_step(recording, unwind, NULL, context);
	double warm = median_step(recording, unwind, NULL, context);
	double cold = median_step(recording, unwind, forget, context);
	printf("first_ns %.1f warm_ns %.1f cold_ns %.1f process_ms %.2f\n", first, warm, cold,
	       cpu_time() / 1e6);
}
