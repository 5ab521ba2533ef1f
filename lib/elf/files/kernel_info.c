#include "elf/files/kernel_info.h"

#include <stdlib.h>

#include "text/text.h"

enum { NUMBER_SIZE = 24 }; // of a text: 64 bits in decimal, with a sign

static bool read_decimal(struct ic_span text, int64_t *value)
{
	char copy[NUMBER_SIZE];
	char *end;

	if (text.size == 0 || text.size >= sizeof(copy))
		return false;
	memcpy(copy, text.text, text.size);
	copy[text.size] = 0;
	*value = strtoll(copy, &end, 10);
	return *end == 0;
}

static void read_build_id(struct ic_span text, struct ic_kernel_info *info)
{
	uint8_t id[IC_KERNEL_LONGEST_ID];

	if (text.size % 2 != 0 || text.size > 2 * sizeof(id))
		return;
	for (size_t i = 0; i < text.size; i += 2) {
		int high = ic_text_hex_digit(text.text[i]);
		int low = ic_text_hex_digit(text.text[i + 1]);

		if (high < 0 || low < 0)
			return;
		id[i / 2] = (uint8_t)(high << 4 | low);
	}
	info->build_id_size = text.size / 2;
	memcpy(info->build_id, id, info->build_id_size);
}

static void read_value(struct ic_span name, struct ic_span value, struct ic_kernel_info *info)
{
	int64_t number;

	if (ic_span_is(name, "OSRELEASE")) {
		info->release = value;
	} else if (ic_span_is(name, "BUILD-ID")) {
		read_build_id(value, info);
	} else if (ic_span_is(name, "KERNELOFFSET")) {
		info->has_offset = ic_span_hex(value, &info->offset);
	} else if (ic_span_is(name, "SYMBOL(swapper_pg_dir)")) {
		info->has_page_table = ic_span_hex(value, &info->page_table);
	} else if (ic_span_is(name, "NUMBER(phys_base)")) {
		info->has_phys_base = read_decimal(value, &info->phys_base);
	} else if (ic_span_is(name, "NUMBER(pgtable_l5_enabled)")) {
		info->has_5_levels = read_decimal(value, &number) && number != 0;
	} else if (ic_span_is(name, "NUMBER(sme_mask)") && read_decimal(value, &number)) {
		info->sme_mask = (uint64_t)number;
	}
}

void ic_kernel_info_read(struct ic_bytes text, struct ic_kernel_info *info)
{
	*info = (struct ic_kernel_info){ .build_id_size = 0 };
	if (text.size == 0)
		return;
	const char *pos = (const char *)text.data, *end = pos + text.size;
	while (pos < end) {
		const char *line_end = memchr(pos, '\n', (size_t)(end - pos));
		const char *next = line_end ? line_end + 1 : end;

		if (!line_end)
			line_end = end;
		const char *equals = memchr(pos, '=', (size_t)(line_end - pos));
		if (equals)
			read_value((struct ic_span){ pos, (size_t)(equals - pos) },
				   (struct ic_span){ equals + 1, (size_t)(line_end - equals - 1) },
				   info);
		pos = next;
	}
}
