#include "alloc_meter.h"

#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void *__real_aligned_alloc(size_t align, size_t size);
void __real_free(void *memory);
char *__real_strdup(const char *text);
char *__real_strndup(const char *text, size_t most);
char *__real_realpath(const char *path, char *buffer);
ssize_t __real_getline(char **line, size_t *capacity, FILE *file);
int __real_pthread_create(pthread_t *id, const pthread_attr_t *attr, void *(*run)(void *),
			  void *argument);

void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);
void *__wrap_aligned_alloc(size_t align, size_t size);
void __wrap_free(void *memory);
char *__wrap_strdup(const char *text);
char *__wrap_strndup(const char *text, size_t most);
char *__wrap_realpath(const char *path, char *buffer);
ssize_t __wrap_getline(char **line, size_t *capacity, FILE *file);
int __wrap_pthread_create(pthread_t *id, const pthread_attr_t *attr, void *(*run)(void *),
			  void *argument);

static atomic_ullong calls, fail_at;
static atomic_bool all_after;
static atomic_size_t live, peak;

void alloc_meter_start(uint64_t at, bool all)
{
	calls = 0;
	fail_at = at;
	all_after = all;
	peak = live;
}

void alloc_meter_stop(void)
{
	fail_at = 0;
}

uint64_t alloc_meter_calls(void)
{
	return calls;
}

size_t alloc_meter_live(void)
{
	return live;
}

size_t alloc_meter_peak(void)
{
	return peak;
}

static bool must_fail(void)
{
	uint64_t call = atomic_fetch_add(&calls, 1) + 1;

	return fail_at != 0 && (all_after ? call >= fail_at : call == fail_at);
}

static void *grown(void *memory)
{
	size_t now =
		atomic_fetch_add(&live, malloc_usable_size(memory)) + malloc_usable_size(memory);

	for (size_t old = peak; old < now && !atomic_compare_exchange_weak(&peak, &old, now);) {}
	return memory;
}

// Fills unset memory, so that reading it shows.
static void *junk(void *memory, size_t start, size_t end)
{
	if (memory && start < end)
		memset((char *)memory + start, 0xbe, end - start);
	return memory;
}

void *__wrap_malloc(size_t size)
{
	return must_fail() ? NULL : grown(junk(__real_malloc(size), 0, size));
}

void *__wrap_calloc(size_t count, size_t size)
{
	return must_fail() ? NULL : grown(__real_calloc(count, size));
}

void *__wrap_realloc(void *old, size_t size)
{
	if (must_fail())
		return NULL;
	size_t old_size = malloc_usable_size(old);
	live -= old_size;
	return grown(junk(__real_realloc(old, size), old_size, size));
}

void *__wrap_aligned_alloc(size_t align, size_t size)
{
	return must_fail() ? NULL : grown(junk(__real_aligned_alloc(align, size), 0, size));
}

void __wrap_free(void *memory)
{
	live -= malloc_usable_size(memory);
	__real_free(memory);
}

char *__wrap_strdup(const char *text)
{
	return must_fail() ? NULL : grown(__real_strdup(text));
}

char *__wrap_strndup(const char *text, size_t most)
{
	return must_fail() ? NULL : grown(__real_strndup(text, most));
}

char *__wrap_realpath(const char *path, char *buffer)
{
	if (buffer) // which is the caller's
		return __real_realpath(path, buffer);
	return must_fail() ? NULL : grown(__real_realpath(path, buffer));
}

ssize_t __wrap_getline(char **line, size_t *capacity, FILE *file)
{
	if (must_fail()) { // at any line, which may be too long for what there is
		errno = ENOMEM;
		return -1;
	}
	live -= malloc_usable_size(*line);
	ssize_t size = __real_getline(line, capacity, file);
	grown(*line);
	return size;
}

// The library must do without a thread that cannot be started.
int __wrap_pthread_create(pthread_t *id, const pthread_attr_t *attr, void *(*run)(void *),
			  void *argument)
{
	return must_fail() ? EAGAIN : __real_pthread_create(id, attr, run, argument);
}
