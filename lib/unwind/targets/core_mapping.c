#include "unwind/targets/core_mapping.h"

#include <stdlib.h>
#include <string.h>

#include "elf/files/build_id.h"

enum {
	MOST_HEADER = 1 << 16, // bytes of a file's headers in memory
	MOST_NOTES = 1 << 16,
	// Bytes of a file to compare: a page, which includes its headers and notes.
	START_SIZE = 4096,
};

// Copies a part of memory; empty if it is not in the core.
static struct ic_bytes copy_memory(const struct ic_core_file *core, uint64_t addr, uint64_t size)
{
	uint8_t *copy = malloc(size + 1);

	if (copy && ic_core_read(core, addr, copy, size))
		return (struct ic_bytes){ copy, size };
	free(copy);
	return (struct ic_bytes){ NULL, 0 };
}

struct program_header {
	uint32_t type;
	uint64_t offset, addr, file_size;
};

static struct program_header read_program_header(struct ic_cursor *cur, bool is_32_bit)
{
	struct program_header header = { .type = ic_cursor_u32(cur) };
	unsigned word = is_32_bit ? 4 : 8;

	if (!is_32_bit)
		ic_cursor_u32(cur); // flags
	header.offset = ic_cursor_uint(cur, word);
	header.addr = ic_cursor_uint(cur, word);
	ic_cursor_uint(cur, word);
	header.file_size = ic_cursor_uint(cur, word);
	return header;
}

// The build ID of a file whose first page is in memory at `addr`; a copy, empty if that is not in
// the core. Kernels dump that page (core_pattern(5), coredump_filter bit 4).
static struct ic_bytes find_build_id(const struct ic_target *target, uint64_t addr)
{
	enum { NOTE = 4 }; // PT_NOTE
	const struct ic_core_file *core = &target->core;
	bool is_32_bit = target->layout->is_32_bit;
	uint8_t bytes[64 + 56 * 64];
	size_t size = is_32_bit ? 52 : 64;
	struct ic_bytes none = { NULL, 0 };

	if (!ic_core_read(core, addr, bytes, size) || memcmp(bytes, "\177ELF", 4) != 0)
		return none;
	uint64_t table = is_32_bit ? ic_load32(bytes + 28, core->swap)
				   : ic_load64(bytes + 32, core->swap);
	unsigned count = ic_load16(bytes + (is_32_bit ? 44 : 56), core->swap);
	size_t entry = is_32_bit ? 32 : 56;
	if (table > MOST_HEADER || count * entry > sizeof(bytes) ||
	    !ic_core_read(core, addr + table, bytes, count * entry))
		return none;
	struct ic_cursor cur = ic_cursor_at((struct ic_bytes){ bytes, count * entry }, "headers", 0,
					    count * entry, core->swap);
	for (unsigned i = 0; i < count; i++) {
		struct ic_cursor at = cur;
		struct program_header header = read_program_header(&at, is_32_bit);

		ic_cursor_take(&cur, entry);
		if (header.type != NOTE || header.file_size > MOST_NOTES)
			continue;
		// Notes are near the start of the file, which is mapped there.
		struct ic_bytes notes = copy_memory(core, addr + header.offset, header.file_size);
		struct ic_bytes id = ic_build_id_in_notes(notes, core->swap);
		struct ic_bytes copy = { NULL, 0 };
		if (id.size > 0 && (copy.data = malloc(id.size))) {
			memcpy((uint8_t *)copy.data, id.data, id.size);
			copy.size = id.size;
		}
		free((uint8_t *)notes.data);
		if (copy.size > 0)
			return copy;
	}
	return none;
}

bool ic_core_mapping_add(struct ic_target *target, const struct ic_space_mapping *mapping,
			 uint64_t first, struct ic_error *err)
{
	struct ic_bytes id = first ? find_build_id(target, first) : (struct ic_bytes){ NULL, 0 };
	struct ic_space_mapping new = *mapping;
	uint8_t start[START_SIZE];
	bool has_start = first && ic_core_read(&target->core, first, start, sizeof(start)) &&
			 memcmp(start, "\177ELF", 4) == 0;

	new.build_id = id.data;
	new.build_id_size = id.size;
	bool ok = ic_space_add_start(target->space, &new,
				     (struct ic_bytes){ start, has_start ? sizeof(start) : 0 },
				     err);
	free((uint8_t *)id.data);
	if (ok || err->code != IC_ERROR_ARGUMENT)
		return ok;
	ic_problems_add(&target->problems, err, NULL, 0);
	return true;
}
