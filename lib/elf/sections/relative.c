#include "elf/sections/relative.h"

#include <elf.h>

#ifndef EM_LOONGARCH
#define EM_LOONGARCH 258
#endif

struct ic_bytes ic_loaded_at(const struct ic_elf_file *file, uint64_t addr)
{
	for (uint32_t i = 0; i < file->layout.loaded_count; i++) {
		const struct ic_loaded *loaded = &file->layout.loaded[i];
		uint64_t off = addr - loaded->addr;
		if (addr >= loaded->addr && off < loaded->bytes.size)
			return (struct ic_bytes){ loaded->bytes.data + off,
						  loaded->bytes.size - (size_t)off };
	}
	return (struct ic_bytes){ NULL, 0 };
}

static bool relative_type(uint16_t machine, uint32_t *type)
{
	// Machines whose dynamic relocations have addends.
	static const struct {
		uint16_t machine;
		uint16_t type;
	} types[] = {
		{ EM_X86_64, 8 }, { EM_AARCH64, 1027 }, { EM_RISCV, 3 },    { EM_S390, 12 },
		{ EM_PPC64, 22 }, { EM_PPC, 22 },       { EM_SPARCV9, 22 }, { EM_LOONGARCH, 3 },
	};

	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++) {
		if (types[i].machine != machine)
			continue;
		*type = types[i].type;
		return true;
	}
	return false;
}

static uint64_t read_word(const struct ic_relatives *relatives, const uint8_t *at)
{
	return relatives->addr_size == 8 ? ic_load64(at, relatives->swap)
					 : ic_load32(at, relatives->swap);
}

struct ic_relatives ic_relatives_of(const struct ic_elf_file *file)
{
	struct ic_relatives relatives = { .addr_size = file->addr_size, .swap = file->swap };
	struct ic_bytes dynamic = ic_loaded_at(file, file->layout.dynamic.start);
	uint64_t table = 0, size = 0, step = 2ull * file->addr_size;

	if (!relative_type(file->machine, &relatives.type))
		return relatives;
	if (dynamic.size > file->layout.dynamic.end - file->layout.dynamic.start)
		dynamic.size = (size_t)(file->layout.dynamic.end - file->layout.dynamic.start);
	for (; dynamic.size >= step; dynamic.data += step, dynamic.size -= step) {
		uint64_t tag = read_word(&relatives, dynamic.data);
		uint64_t value = read_word(&relatives, dynamic.data + step / 2);
		if (tag == DT_NULL)
			break;
		table = tag == DT_RELA ? value : table;
		size = tag == DT_RELASZ ? value : size;
	}
	struct ic_bytes entries = ic_loaded_at(file, table);
	if (table != 0 && entries.size >= size)
		relatives.entries = (struct ic_bytes){ entries.data, (size_t)size };
	return relatives;
}

struct entry {
	uint64_t addr, value;
};

// Gets the next of the relative relocations. False after the last.
static bool next_entry(struct ic_relatives *left, struct entry *entry)
{
	unsigned size = left->addr_size;

	while (left->entries.size >= 3 * size) {
		const uint8_t *at = left->entries.data;
		uint64_t info = read_word(left, at + size);
		left->entries.data += 3 * size;
		left->entries.size -= 3 * size;
		if ((size == 8 ? (uint32_t)info : (uint8_t)info) != left->type)
			continue;
		*entry = (struct entry){ read_word(left, at), read_word(left, at + 2 * size) };
		return true;
	}
	return false;
}

static void store_word(const struct ic_relatives *relatives, uint8_t *at, uint64_t value)
{
	uint64_t wide = relatives->swap ? __builtin_bswap64(value) : value;
	uint32_t narrow = relatives->swap ? __builtin_bswap32((uint32_t)value) : (uint32_t)value;

	memcpy(at, relatives->addr_size == 8 ? (void *)&wide : (void *)&narrow,
	       relatives->addr_size);
}

void ic_relatives_apply(const struct ic_relatives *relatives, uint64_t addr, uint8_t *copy,
			uint64_t size)
{
	struct ic_relatives left = *relatives;
	struct entry entry;

	while (next_entry(&left, &entry))
		if (entry.addr >= addr && entry.addr - addr < size &&
		    size - (entry.addr - addr) >= relatives->addr_size)
			store_word(relatives, copy + (entry.addr - addr), entry.value);
}

void ic_relatives_of_value(const struct ic_relatives *relatives, uint64_t value,
			   bool (*visit)(void *context, uint64_t addr), void *context)
{
	struct ic_relatives left = *relatives;
	struct entry entry;

	while (next_entry(&left, &entry))
		if (entry.value == value && !visit(context, entry.addr))
			return;
}
