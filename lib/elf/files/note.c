#include "elf/files/note.h"

#include <elf.h>
#include <string.h>

#include "base/cursor.h"

struct ic_bytes ic_note_in(struct ic_bytes notes, bool swap, const char *owner, uint32_t type)
{
	struct ic_cursor cur = ic_cursor_at(notes, ".note", 0, notes.size, swap);
	size_t owner_size = strlen(owner) + 1;

	while (ic_cursor_more(&cur)) {
		uint32_t name_size = ic_cursor_u32(&cur);
		uint32_t desc_size = ic_cursor_u32(&cur);
		uint32_t found = ic_cursor_u32(&cur);
		const uint8_t *name = ic_cursor_take(&cur, (name_size + 3ull) & ~3ull);
		const uint8_t *desc = ic_cursor_take(&cur, desc_size);

		if (!cur.fault && found == type && name_size == owner_size &&
		    memcmp(name, owner, owner_size) == 0 && desc_size > 0)
			return (struct ic_bytes){ desc, desc_size };
		uint64_t padding = -(uint64_t)desc_size & 3;
		if (padding < (uint64_t)(cur.end - cur.pos))
			ic_cursor_take(&cur, padding);
		else
			break;
	}
	return (struct ic_bytes){ NULL, 0 };
}

struct ic_bytes ic_note_find(const struct ic_elf_file *file, const char *owner, uint32_t type)
{
	struct ic_bytes found = { NULL, 0 };

	for (uint32_t i = 0; i < file->section_count && found.size == 0; i++)
		if (file->sections[i].type == SHT_NOTE)
			found = ic_note_in(file->sections[i].raw, file->swap, owner, type);
	return found;
}
