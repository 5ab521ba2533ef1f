#include "fuzz_input.h"

#include <stdio.h>

#include "read/unit.h"

void fuzz_promise_broken(const char *promise, const char *file, int line)
{
	fprintf(stderr, "%s:%d: broken promise: %s\n", file, line, promise);
	abort();
}

uint8_t fuzz_take_u8(struct fuzz_input *in)
{
	return in->pos < in->end ? *in->pos++ : 0;
}

uint16_t fuzz_take_u16(struct fuzz_input *in)
{
	uint8_t low = fuzz_take_u8(in);

	return (uint16_t)(low | fuzz_take_u8(in) << 8);
}

static struct ic_bytes take_copy(struct fuzz_input *in, size_t size)
{
	size_t left = (size_t)(in->end - in->pos);

	if (size > left)
		size = left;
	if (size == 0)
		return (struct ic_bytes){ NULL, 0 };
	uint8_t *copy = malloc(size);
	if (!copy)
		abort();
	memcpy(copy, in->pos, size);
	in->pos += size;
	return (struct ic_bytes){ copy, size };
}

void fuzz_take_sections(struct fuzz_input *in, struct ic_bytes *sections, size_t count)
{
	uint16_t sizes[2 * FUZZ_DWARF_SECTIONS];

	PROMISE(count <= sizeof(sizes) / sizeof(*sizes));
	for (size_t i = 0; i + 1 < count; i++)
		sizes[i] = fuzz_take_u16(in);
	for (size_t i = 0; i < count; i++)
		sections[i] = take_copy(in, i + 1 < count ? sizes[i] : SIZE_MAX);
}

void fuzz_free_sections(struct ic_bytes *sections, size_t count)
{
	for (size_t i = 0; i < count; i++)
		free((void *)sections[i].data);
}

struct ic_dwarf fuzz_dwarf_of(const struct ic_bytes *sections, bool swap)
{
	return (struct ic_dwarf){ .info = sections[FUZZ_INFO],
				  .info_name = ".debug_info",
				  .abbrev = sections[FUZZ_ABBREV],
				  .addr = sections[FUZZ_ADDR],
				  .line = sections[FUZZ_LINE],
				  .line_str = sections[FUZZ_LINE_STR],
				  .ranges = sections[FUZZ_RANGES],
				  .rnglists = sections[FUZZ_RNGLISTS],
				  .str = sections[FUZZ_STR],
				  .str_offsets = sections[FUZZ_STR_OFFSETS],
				  .swap = swap,
				  .source = &ic_unit_source_dies };
}

size_t fuzz_read_text(const char *text, const struct ic_bytes *section)
{
	size_t length = strlen(text);

	if (section) {
		const uint8_t *at = (const uint8_t *)text;
		PROMISE(at >= section->data && at < section->data + section->size);
		PROMISE(length < (size_t)(section->data + section->size - at));
	}
	return length;
}
