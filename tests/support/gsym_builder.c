#include "gsym_builder.h"

static const char strings[] = "\0main\0leaf\0inner\0merged\0dir\0a.c"; // a multiple of 4

struct gsym { // a file being built
	struct byte_buffer buf;
	unsigned version;
};

static void put(struct gsym *gsym, uint64_t number, unsigned size)
{
	byte_buffer_put(&gsym->buf, number, size);
}

static void put_offset(struct gsym *gsym, uint64_t number)
{
	put(gsym, number, gsym->version == 1 ? 4 : 8);
}

// "main" at 0x1000, with `leaf` and in that `inner`, their lines, a function that was merged into
// it, and a call site.
static void put_function(struct gsym *gsym)
{
	static const uint8_t lines[] = { 0x7f, 0x0d, 5, 1, 2, 5, 0x20, 3, 0x7e, 2, 8, 0x34, 0 };
	static const uint8_t around[] = { 1, 0, 0x40, 1 }, leaf[] = { 2, 0x10, 0x10, 0x28, 4, 1 };
	static const uint8_t inner[] = { 1, 4, 8, 0 };
	size_t offset = gsym->version == 1 ? 4 : 8;

	put(gsym, 0x40, 4);
	put_offset(gsym, 1);
	put(gsym, 1, 4);
	put(gsym, sizeof(lines), 4);
	byte_buffer_append(&gsym->buf, lines, sizeof(lines));
	put(gsym, 2, 4);
	put(gsym, sizeof(around) + sizeof(leaf) + sizeof(inner) + 3 * (offset + 2) + 2, 4);
	byte_buffer_append(&gsym->buf, around, sizeof(around));
	put_offset(gsym, 0);
	put(gsym, 0, 2);
	byte_buffer_append(&gsym->buf, leaf, sizeof(leaf));
	put_offset(gsym, 6);
	put(gsym, 1, 1); // called in file 1, line 12
	put(gsym, 12, 1);
	byte_buffer_append(&gsym->buf, inner, sizeof(inner));
	put_offset(gsym, 11);
	put(gsym, 2, 1);
	put(gsym, 13, 1);
	put(gsym, 0, 2); // the ends of both lists
	put(gsym, 3, 4);
	put(gsym, 16 + 4 + offset, 4);
	put(gsym, 1, 4);
	put(gsym, 12 + offset, 4);
	put(gsym, 0x40, 4);
	put_offset(gsym, 17);
	put(gsym, 0, 8);
	put(gsym, 4, 4);
	put(gsym, 4 + 13, 4);
	put(gsym, 1, 4);
	put(gsym, 0x10, 8);
	put(gsym, 1, 1);
	put(gsym, 0, 4);
	put(gsym, 0, 8);
}

static void put_tables(struct gsym *gsym)
{
	put(gsym, 0, 1);
	put(gsym, GSYM_SECOND, 1);
	put(gsym, 0, 2);
	put_offset(gsym, gsym->version == 1 ? 48 + 4 + 8 + 4 + 24 + sizeof(strings) : 0);
	put_offset(gsym, gsym->version == 1 ? 48 + 4 + 8 + 4 + 24 + sizeof(strings) : 0);
	put(gsym, 3, 4);
	for (int i = 0; i < 3; i++) {
		put_offset(gsym, i > 0 ? 24 : 0);
		put_offset(gsym, i > 0 ? 28 : 0);
	}
	byte_buffer_append(&gsym->buf, strings, sizeof(strings));
}

struct byte_buffer gsym_build(unsigned version, bool big_endian)
{
	struct gsym gsym = { .buf = { .big_endian = big_endian }, .version = version };
	uint64_t first = 20 + 6 * 20; // of the tables of version 2

	put(&gsym, 0x4753594d, 4);
	put(&gsym, version, 2);
	put(&gsym, 1, 1);
	put(&gsym, version == 1 ? 4 : 0, 1);
	put(&gsym, GSYM_BASE, 8);
	put(&gsym, 2, 4);
	if (version == 1) {
		put(&gsym, 48 + 4 + 8 + 4 + 24, 4);
		put(&gsym, sizeof(strings), 4);
		put(&gsym, 0x04030201, 4);
		put(&gsym, 0, 8);
		put(&gsym, 0, 8);
	} else {
		const uint64_t tables[][3] = {
			{ 1, first, 2 },
			{ 2, first + 4, 16 },
			{ 4, first + 20, 52 },
			{ 3, first + 72, sizeof(strings) },
			{ 5, first + 72 + sizeof(strings), 200 },
			{ 0, 0, 0 },
		};
		for (size_t i = 0; i < 6; i++)
			for (size_t j = 0; j < 3; j++)
				put(&gsym, tables[i][j], j == 0 ? 4 : 8);
	}
	put_tables(&gsym);
	put_function(&gsym);
	while (gsym.buf.size < first + 72 + sizeof(strings) + 200)
		put(&gsym, 0, 1);
	return gsym.buf;
}
