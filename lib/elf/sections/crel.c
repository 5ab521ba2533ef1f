#include "elf/sections/crel.h"

#include <elf.h>
#include <inttypes.h>

#include "base/cursor.h"

enum { // of the header
	ADDENDS = 4,
	SHIFT = 3, // mask of its bits
	COUNT = 8, // the other bits
};

struct entry {
	uint64_t off; // before it is shifted
	uint64_t addend;
	uint64_t symbol, type;
};

// Reads the difference to the entry before: the first byte has flags for the other members, and the
// low bits of the offset's difference, which may continue as a LEB128.
static void read_entry(struct ic_cursor *cur, struct entry *entry, bool has_addends)
{
	unsigned flag_bits = has_addends ? 3 : 2;
	uint8_t first = ic_cursor_u8(cur);

	entry->off += (first & 0x7f) >> flag_bits;
	if (first & 0x80)
		entry->off += ic_cursor_uleb(cur) << (7 - flag_bits);
	if (first & 1)
		entry->symbol += (uint64_t)ic_cursor_sleb(cur);
	if (first & 2)
		entry->type += (uint64_t)ic_cursor_sleb(cur);
	if (has_addends && first & 4)
		entry->addend += (uint64_t)ic_cursor_sleb(cur);
}

static void put_u32(uint8_t *at, uint64_t value, bool swap)
{
	uint32_t word = swap ? __builtin_bswap32((uint32_t)value) : (uint32_t)value;

	memcpy(at, &word, sizeof(word));
}

static void put_u64(uint8_t *at, uint64_t value, bool swap)
{
	uint64_t word = swap ? __builtin_bswap64(value) : value;

	memcpy(at, &word, sizeof(word));
}

// Offsets and addends have the file's word size, and wrap. False if the plain format has no room
// for the symbol or the type.
static bool put_entry(uint8_t *at, const struct entry *entry, unsigned shift, bool has_addends,
		      const struct ic_elf_file *file)
{
	bool is_wide = file->addr_size == 8;
	uint64_t off = entry->off << shift;

	if (entry->symbol > (is_wide ? UINT32_MAX : 0xffffff) ||
	    entry->type > (is_wide ? UINT32_MAX : 0xff))
		return false;
	if (is_wide) {
		put_u64(at, off, file->swap);
		put_u64(at + 8, entry->symbol << 32 | entry->type, file->swap);
		if (has_addends)
			put_u64(at + 16, entry->addend, file->swap);
	} else {
		put_u32(at, off, file->swap);
		put_u32(at + 4, entry->symbol << 8 | entry->type, file->swap);
		if (has_addends)
			put_u32(at + 8, entry->addend, file->swap);
	}
	return true;
}

static bool fail_crel(const struct ic_elf_file *file, const struct ic_section *crel,
		      const char *what, struct ic_error *err)
{
	return ic_fail(err, IC_ERROR_MALFORMED, "%s: %s: %s", file->path, crel->name, what);
}

static bool expand_entries(uint8_t *at, struct ic_cursor *cur, uint64_t header,
			   const struct ic_elf_file *file, const struct ic_section *crel,
			   struct ic_error *err)
{
	bool has_addends = header & ADDENDS;
	uint64_t size = (has_addends ? 3u : 2u) * file->addr_size;
	struct entry entry = { .off = 0 };

	for (uint64_t i = 0; i < header / COUNT; i++, at += size) {
		read_entry(cur, &entry, has_addends);
		if (!cur->fault && !put_entry(at, &entry, header & SHIFT, has_addends, file))
			return fail_crel(file, crel, "a relocation with too large a number", err);
	}
	if (cur->fault)
		return fail_crel(file, crel, "ends before its last relocation", err);
	return !ic_cursor_more(cur) || fail_crel(file, crel, "data after its last relocation", err);
}

const struct ic_section *ic_crel_expand(const struct ic_elf_file *file,
					const struct ic_section *crel, struct ic_arena *arena,
					struct ic_error *err)
{
	struct ic_cursor cur = ic_cursor_at(crel->raw, crel->name, 0, crel->raw.size, file->swap);
	uint64_t header = ic_cursor_uleb(&cur), count = header / COUNT;
	size_t size = (header & ADDENDS ? 3u : 2u) * file->addr_size;

	if (file->machine == EM_MIPS && file->addr_size == 8) {
		ic_fail(err, IC_ERROR_UNSUPPORTED,
			"%s: %s: compact relocations of 64-bit MIPS are not supported", file->path,
			crel->name);
		return NULL;
	}
	if (cur.fault || count > (uint64_t)(cur.end - cur.pos)) { // each takes at least a byte
		fail_crel(file, crel, "invalid header", err);
		return NULL;
	}
	struct ic_section *plain = ic_arena_alloc(arena, sizeof(*plain));
	uint8_t *bytes = ic_arena_items(arena, count, size);
	if (!plain || !bytes) {
		ic_fail_memory(err);
		return NULL;
	}
	if (!expand_entries(bytes, &cur, header, file, crel, err))
		return NULL;
	*plain = *crel;
	plain->type = header & ADDENDS ? SHT_RELA : SHT_REL;
	plain->raw = plain->bytes = (struct ic_bytes){ bytes, (size_t)count * size };
	return plain;
}
