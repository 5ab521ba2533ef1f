#include "elf/files/build_id.h"

#include <elf.h>
#include <stdio.h>

#include "elf/files/note.h"
#include "text/text.h"

enum { LONGEST_ID = 64 };

struct ic_bytes ic_build_id_in_notes(struct ic_bytes notes, bool swap)
{
	return ic_note_in(notes, swap, "GNU", NT_GNU_BUILD_ID);
}

struct ic_bytes ic_build_id_find(const struct ic_elf_file *file)
{
	return ic_note_find(file, "GNU", NT_GNU_BUILD_ID);
}

const char *ic_build_id_text(struct ic_bytes id, char text[IC_BUILD_ID_TEXT_SIZE])
{
	snprintf(text, IC_BUILD_ID_TEXT_SIZE, "none");
	for (size_t i = 0; i < id.size && 2 * i + 2 < IC_BUILD_ID_TEXT_SIZE; i++)
		snprintf(text + 2 * i, 3, "%02x", id.data[i]);
	return text;
}

uint8_t ic_build_id_read(const char *text, uint8_t id[20])
{
	size_t size = strlen(text) / 2;

	if (size > 20 || strlen(text) % 2 != 0)
		return 0;
	for (size_t i = 0; i < size; i++) {
		int high = ic_text_hex_digit(text[2 * i]), low = ic_text_hex_digit(text[2 * i + 1]);
		if (high < 0 || low < 0)
			return 0;
		id[i] = (uint8_t)(high << 4 | low);
	}
	return (uint8_t)size;
}

bool ic_build_id_path(struct ic_bytes id, const char *debug_dir, const char *end, char *path,
		      size_t size)
{
	char digits[2 * LONGEST_ID + 1];

	if (id.size < 2 || id.size > LONGEST_ID)
		return false;
	for (size_t i = 0; i < id.size; i++)
		snprintf(digits + 2 * i, 3, "%02x", id.data[i]);
	int length =
		snprintf(path, size, "%s/.build-id/%.2s/%s%s", debug_dir, digits, digits + 2, end);
	return length > 0 && (size_t)length < size;
}
