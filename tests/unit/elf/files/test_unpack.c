#include "unit_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "elf/files/unpack.h"
#include "fixtures/elf.h"

static const char *const names[] = { "xz", "zstd", "gzip", "lz4" };

#define DAMAGED "cannot be decompressed: damaged, or followed by other data"

// Appends the bytes to what is there.
static void compress(size_t format, struct bytes bytes, struct byte_buffer *out)
{
	static void (*const all[])(struct bytes,
				   struct byte_buffer *) = { xz_compress, zstd_compress,
							     gzip_compress, lz4_compress };
	struct byte_buffer part = { 0 };

	all[format](bytes, &part);
	byte_buffer_append(out, part.data, part.size);
	byte_buffer_deinit(&part);
}

// Maps a file with these bytes.
static void open_mapping(struct ic_mapping *mapping, const struct byte_buffer *buf)
{
	const char *path = temp_path("packed");
	const struct ic_place place = { .name = path, .path = path, .size = IC_PLACE_TO_END };
	struct ic_error err;

	temp_write(path, buf->data, buf->size);
	assert_true(ic_mapping_open(mapping, &place, &err));
}

TEST(what_a_compressed_file_holds_is_mapped_in_its_place)
{
	static const size_t sizes[] = { 1, 4095, 4096, 4097, 300000 };
	uint8_t *text = malloc(300000);

	for (size_t i = 0; i < 300000; i++)
		text[i] = (uint8_t)(i * i >> 7);
	for (size_t format = 0; format < COUNT_OF(names); format++) {
		for (size_t i = 0; i < COUNT_OF(sizes); i++) {
			struct byte_buffer buf = { 0 };
			struct ic_mapping mapping;
			struct ic_error err = { .message = "" };
			compress(format, (struct bytes){ text, sizes[i] }, &buf);
			open_mapping(&mapping, &buf);
			if (!ic_mapping_unpack(&mapping, "packed", &err))
				fail_msg("%s", err.message);
			assert_int_equal(mapping.size, sizes[i]);
			assert_memory_equal(mapping.data, text, sizes[i]);
			assert_true(mapping.pages_size - mapping.size < 4096u << 4);
			ic_mapping_close(&mapping);
			byte_buffer_deinit(&buf);
		}
	}
	free(text);
}

static void check_refused(struct byte_buffer *buf, enum ic_error_code code, const char *name,
			  const char *why)
{
	struct ic_mapping mapping;
	struct ic_error err = { .message = "" };
	char wanted[256];

	open_mapping(&mapping, buf);
	assert_false(ic_mapping_unpack(&mapping, "packed", &err));
	snprintf(wanted, sizeof(wanted), "packed: compressed with %s, and %s", name, why);
	assert_error(&err, code, wanted);
	assert_int_equal(mapping.size, buf->size); // still there
	ic_mapping_close(&mapping);
	byte_buffer_deinit(buf);
}

static void check_unpacked(struct byte_buffer *buf, struct bytes wanted)
{
	struct ic_mapping mapping;
	struct ic_error err = { .message = "" };

	open_mapping(&mapping, buf);
	if (!ic_mapping_unpack(&mapping, "packed", &err))
		fail_msg("%s", err.message);
	assert_int_equal(mapping.size, wanted.size);
	assert_memory_equal(mapping.data, wanted.data, wanted.size);
	ic_mapping_close(&mapping);
	byte_buffer_deinit(buf);
}

static void compress_in_parts(size_t format, struct bytes bytes, struct byte_buffer *out)
{
	*out = (struct byte_buffer){ 0 };
	compress(format, (struct bytes){ bytes.data, 10 }, out);
	compress(format, (struct bytes){ bytes.data, 0 }, out);
	compress(format, (struct bytes){ bytes.data + 10, bytes.size - 10 }, out);
}

TEST(what_was_compressed_in_parts_is_one_file)
{
	static const uint8_t text[] = "one part and another";
	const struct bytes bytes = { text, sizeof(text) };
	struct byte_buffer buf;

	for (size_t format = 0; format < COUNT_OF(names); format++) {
		compress_in_parts(format, bytes, &buf);
		check_unpacked(&buf, bytes);
	}
}

TEST(zeros_may_follow_what_xz_and_gzip_have_compressed)
{
	static const uint8_t text[] = "one part and another";
	const struct bytes bytes = { text, sizeof(text) };
	struct byte_buffer buf;

	for (size_t format = 0; format < COUNT_OF(names); format++) {
		bool is_xz = strcmp(names[format], "xz") == 0;
		bool is_gzip = strcmp(names[format], "gzip") == 0;
		for (size_t count = 3; count <= 4; count++) { // xz: a multiple of four
			compress_in_parts(format, bytes, &buf);
			byte_buffer_fill(&buf, 0, count);
			if (is_gzip || (is_xz && count == 4))
				check_unpacked(&buf, bytes);
			else
				check_refused(&buf, IC_ERROR_MALFORMED, names[format], DAMAGED);
		}
		compress_in_parts(format, bytes, &buf);
		byte_buffer_fill(&buf, 0, 4);
		byte_buffer_fill(&buf, 'x', 1);
		check_refused(&buf, IC_ERROR_MALFORMED, names[format], DAMAGED);
	}
}

TEST(the_last_of_many_parts_may_not_be_damaged)
{
	static const uint8_t text[] = "one part and another";
	struct byte_buffer buf;

	for (size_t format = 0; format < COUNT_OF(names); format++) {
		compress_in_parts(format, (struct bytes){ text, sizeof(text) }, &buf);
		buf.size -= 3;
		check_refused(&buf, IC_ERROR_MALFORMED, names[format], DAMAGED);
	}
}

TEST(any_other_file_is_left_as_it_is)
{
	struct byte_buffer buf = { 0 };
	struct ic_mapping mapping;
	struct ic_error err;

	byte_buffer_fill(&buf, 'x', 100);
	open_mapping(&mapping, &buf);
	const uint8_t *data = mapping.data;
	assert_true(ic_mapping_unpack(&mapping, "packed", &err));
	assert_ptr_equal(mapping.data, data);
	assert_int_equal(mapping.size, 100);
	ic_mapping_close(&mapping);
	byte_buffer_deinit(&buf);
}

TEST(a_file_that_is_damaged_or_cut_short_is_refused)
{
	static uint8_t text[40000];

	for (size_t i = 0; i < sizeof(text); i++)
		text[i] = (uint8_t)(rand() >> 4);
	for (size_t format = 0; format < COUNT_OF(names); format++) {
		struct byte_buffer buf = { 0 };
		compress(format, (struct bytes){ text, sizeof(text) }, &buf);
		buf.size -= 9;
		check_refused(&buf, IC_ERROR_MALFORMED, names[format], DAMAGED);
		compress(format, (struct bytes){ text, sizeof(text) }, &buf);
		byte_buffer_fill(&buf, 'x', 1);
		check_refused(&buf, IC_ERROR_MALFORMED, names[format], DAMAGED);
	}
}

TEST(no_byte_of_an_lz4_file_can_change_unnoticed)
{
	static uint8_t text[3000];

	for (size_t i = 0; i < sizeof(text); i++)
		text[i] = (uint8_t)(i * i >> 7);
	for (size_t at = 4;; at++) { // after the magic number
		struct byte_buffer buf = { 0 };
		lz4_compress((struct bytes){ text, sizeof(text) }, &buf);
		if (at == buf.size) {
			byte_buffer_deinit(&buf);
			break;
		}
		buf.data[at] ^= 0x10;
		check_refused(&buf, IC_ERROR_MALFORMED, "lz4", DAMAGED);
	}
}

TEST(a_file_that_would_grow_out_of_proportion_is_refused)
{
	const size_t size = 48 << 20;
	uint8_t *zeros = calloc(size, 1);

	for (size_t format = 0; format < COUNT_OF(names); format++) {
		for (size_t parts = 1; parts <= 16; parts *= 16) {
			struct byte_buffer buf = { 0 };
			for (size_t i = 0; i < parts; i++)
				compress(format, (struct bytes){ zeros, size / parts }, &buf);
			check_refused(&buf, IC_ERROR_UNSUPPORTED, names[format],
				      "more than 64 times as large when decompressed; decompress "
				      "it first");
		}
	}
	free(zeros);
}

UNIT_TESTS(elf_files_unpack)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_a_compressed_file_holds_is_mapped_in_its_place),
		cmocka_unit_test(what_was_compressed_in_parts_is_one_file),
		cmocka_unit_test(zeros_may_follow_what_xz_and_gzip_have_compressed),
		cmocka_unit_test(the_last_of_many_parts_may_not_be_damaged),
		cmocka_unit_test(any_other_file_is_left_as_it_is),
		cmocka_unit_test(a_file_that_is_damaged_or_cut_short_is_refused),
		cmocka_unit_test(no_byte_of_an_lz4_file_can_change_unnoticed),
		cmocka_unit_test(a_file_that_would_grow_out_of_proportion_is_refused),
	};

	return cmocka_run_group_tests(tests, temp_dir_make, temp_dir_remove);
}
