#include "base/memory.h"

#include <inttypes.h>
#include <stdio.h>

void ic_memory_add_file(struct ic_memory *memory, uint64_t size)
{
	if (memory)
		atomic_fetch_add_explicit(&memory->file_size, size, memory_order_relaxed);
}

void ic_memory_remove_file(struct ic_memory *memory, uint64_t size)
{
	if (memory)
		atomic_fetch_sub_explicit(&memory->file_size, size, memory_order_relaxed);
}

uint64_t ic_memory_limit(struct ic_memory *memory)
{
	uint64_t size = atomic_load_explicit(&memory->file_size, memory_order_relaxed), limit;

	if (memory->fixed > 0)
		return memory->fixed;
	if (__builtin_mul_overflow(size, IC_MEMORY_PER_BYTE, &limit))
		return UINT64_MAX;
	return limit > IC_MEMORY_LEAST ? limit : IC_MEMORY_LEAST;
}

static bool is_within(struct ic_memory *memory, uint64_t used, uint64_t size)
{
	uint64_t limit = ic_memory_limit(memory);

	return size <= limit && used <= limit - size;
}

bool ic_memory_take(struct ic_memory *memory, uint64_t size)
{
	if (!memory ||
	    is_within(memory, atomic_fetch_add_explicit(&memory->used, size, memory_order_relaxed),
		      size))
		return true;
	ic_memory_release(memory, size);
	atomic_store_explicit(&memory->is_exceeded, true, memory_order_relaxed);
	return false;
}

bool ic_memory_has(struct ic_memory *memory, uint64_t size)
{
	return !memory ||
	       is_within(memory, atomic_load_explicit(&memory->used, memory_order_relaxed), size);
}

bool ic_memory_take_unpacked(struct ic_memory *memory, uint64_t size, char why[IC_MEMORY_WHY_SIZE])
{
	char needed[IC_MEMORY_TEXT_SIZE], limit[IC_MEMORY_TEXT_SIZE];

	if (ic_memory_has(memory, size) && ic_memory_take(memory, size))
		return true;
	snprintf(why, IC_MEMORY_WHY_SIZE,
		 "takes %s of memory when decompressed, which exceeds the memory limit of %s",
		 ic_memory_text(size, needed), ic_memory_text(ic_memory_limit(memory), limit));
	return false;
}

void ic_memory_release(struct ic_memory *memory, uint64_t size)
{
	if (memory)
		atomic_fetch_sub_explicit(&memory->used, size, memory_order_relaxed);
}

const char *ic_memory_text(uint64_t size, char *text)
{
	static const char *const units[] = { "bytes", "KiB", "MiB", "GiB", "TiB" };
	uint64_t tenths = size > UINT64_MAX / 10 ? UINT64_MAX : size * 10;
	size_t unit = 0;

	for (; tenths >= 10240 && unit + 1 < sizeof(units) / sizeof(*units); unit++)
		tenths /= 1024;
	if (tenths % 10 == 0)
		snprintf(text, IC_MEMORY_TEXT_SIZE, "%" PRIu64 " %s", tenths / 10, units[unit]);
	else
		snprintf(text, IC_MEMORY_TEXT_SIZE, "%" PRIu64 ".%" PRIu64 " %s", tenths / 10,
			 tenths % 10, units[unit]);
	return text;
}
