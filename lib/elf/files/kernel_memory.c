#include "elf/files/kernel_memory.h"

enum {
	PAGE_BITS = 12,
	INDEX_BITS = 9, // bits of the index into each table
	PRESENT = 1 << 0,
	LARGE = 1 << 7, // at levels 2 and 3: the entry maps a page
};

static const uint64_t address_bits = 0x000ffffffffff000; // of an entry

// Whether all bits above the translated ones are equal.
static bool is_canonical(uint64_t addr, unsigned bits)
{
	uint64_t high = addr >> (bits - 1);

	return high == 0 || high == UINT64_MAX >> (bits - 1);
}

static bool read_entry(const struct ic_core_file *core, uint64_t addr, uint64_t *entry)
{
	uint8_t bytes[8];

	if (!ic_core_read_physical(core, addr, bytes, sizeof(bytes)))
		return false;
	*entry = ic_load64(bytes, core->swap);
	return true;
}

bool ic_kernel_memory_translate(const struct ic_core_file *core,
				const struct ic_kernel_memory *memory, uint64_t addr,
				uint64_t *physical, uint64_t *size)
{
	uint64_t table = memory->root & address_bits, entry;

	if (memory->levels == 0 || !is_canonical(addr, PAGE_BITS + INDEX_BITS * memory->levels))
		return false;
	for (unsigned level = memory->levels; level > 0; level--) {
		unsigned shift = PAGE_BITS + INDEX_BITS * (level - 1);
		uint64_t index = addr >> shift & ((1 << INDEX_BITS) - 1);

		if (!read_entry(core, table + index * sizeof(entry), &entry) || !(entry & PRESENT))
			return false;
		table = entry & address_bits & ~memory->ignored;
		bool is_large = level > 1 && (entry & LARGE);
		if (is_large && level > 3) // reserved
			return false;
		if (level > 1 && !is_large)
			continue;
		uint64_t page = 1ull << shift, off = addr & (page - 1);
		*physical = (table & ~(page - 1)) + off; // some lower bits have other meanings
		*size = page - off;
		return true;
	}
	return false;
}

bool ic_kernel_memory_read(const struct ic_core_file *core, const struct ic_kernel_memory *memory,
			   uint64_t addr, void *bytes, size_t size)
{
	uint8_t *to = bytes;
	uint64_t physical, left;

	while (size > 0) {
		if (!ic_kernel_memory_translate(core, memory, addr, &physical, &left))
			return addr >> 63 && ic_core_read(core, addr, to, size);
		size_t part = left < size ? left : size;
		if (!ic_core_read_physical(core, physical, to, part))
			return false;
		to += part;
		addr += part;
		size -= part;
	}
	return true;
}
