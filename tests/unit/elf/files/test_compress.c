#include "unit_test.h"

#include <stdio.h>

#include "elf/files/compress.h"
#include "fixtures/elf.h"

static const enum elf_compression kinds[] = { ELF_COMPRESSION_ZLIB, ELF_COMPRESSION_ZSTD,
					      ELF_COMPRESSION_GNU };

struct input {
	struct elf_format format;
	enum elf_compression compression;
	uint64_t bad_size;
	struct bytes bytes;
};

static struct ic_section *open_section(struct ic_elf_file *file, const struct input *input)
{
	struct elf_builder *elf = elf_builder_new(input->format);

	elf_add_section(elf, (struct elf_section){ .name = ".debug_info",
						   .bytes = input->bytes,
						   .compression = input->compression,
						   .bad_uncompressed_size = input->bad_size });
	elf_end_and_open(file, elf);
	return ic_elf_file_debug_section(file, ".debug_info");
}

static const struct elf_format x86_64 = { .bits = 64, .machine = EM_X86_64, .type = ET_EXEC };

TEST(what_was_compressed_comes_back_in_all_classes_and_byte_orders)
{
	uint8_t text[5000];

	for (size_t i = 0; i < sizeof(text); i++)
		text[i] = (uint8_t)(i * i >> 5);
	for (uint32_t i = 0; i < 4 * COUNT_OF(kinds); i++) {
		const struct input input = {
			.format = { .bits = i & 1 ? 32 : 64,
				    .big_endian = i & 2,
				    .machine = EM_S390,
				    .type = ET_EXEC },
			.compression = kinds[i / 4],
			.bytes = { text, sizeof(text) },
		};
		struct ic_elf_file file;
		struct ic_error err = { .message = "" };
		struct ic_section *section = open_section(&file, &input);
		assert_true(ic_section_is_compressed(section));
		if (!ic_section_decompress(&file, section, &err))
			fail_msg("%s", err.message);
		assert_true(section->is_buffer);
		assert_int_equal(section->bytes.size, sizeof(text));
		assert_memory_equal(section->bytes.data, text, sizeof(text));
		ic_elf_file_close(&file);
	}
}

TEST(a_plain_section_is_not_compressed)
{
	const struct input input = { .format = x86_64, .bytes = { (const uint8_t *)"abc", 3 } };
	struct ic_elf_file file;

	assert_false(ic_section_is_compressed(open_section(&file, &input)));
	ic_elf_file_close(&file);
}

static void check_damaged(const struct input *input)
{
	struct ic_elf_file file;
	struct ic_error err = { .message = "" };
	char message[1024];
	struct ic_section *section = open_section(&file, input);

	assert_false(ic_section_decompress(&file, section, &err));
	snprintf(message, sizeof(message),
		 "%s: cannot decompress %s: damaged, or not of the size in its header", file.path,
		 section->name);
	assert_error(&err, IC_ERROR_MALFORMED, message);
	assert_false(section->is_buffer);
	ic_elf_file_close(&file);
}

TEST(a_size_that_the_bytes_cannot_have_is_refused)
{
	struct input input = { .format = x86_64,
			       .bytes = { (const uint8_t *)"0123456789abcdef", 16 } };

	for (size_t i = 0; i < COUNT_OF(kinds); i++) {
		struct ic_elf_file file;
		struct ic_error err;

		input.compression = kinds[i];
		input.bad_size = 1ull << 60;
		struct ic_section *section = open_section(&file, &input);
		assert_false(ic_section_decompress(&file, section, &err));
		assert_int_equal(err.code, IC_ERROR_MALFORMED);
		assert_non_null(strstr(
			err.message,
			" claims to decompress to 1152921504606846976 bytes, impossible for its "));
		ic_elf_file_close(&file);
	}
}

TEST(data_of_another_size_than_it_claims_is_damaged)
{
	uint8_t text[300];
	struct input input = { .format = x86_64, .bytes = { text, sizeof(text) } };

	for (size_t i = 0; i < sizeof(text); i++)
		text[i] = (uint8_t)(i * 77);
	for (size_t i = 0; i < COUNT_OF(kinds); i++) {
		input.compression = kinds[i];
		input.bad_size = sizeof(text) - 1;
		check_damaged(&input);
		input.bad_size = sizeof(text) + 1;
		check_damaged(&input);
	}
}

// A section whose flags say that it is compressed, and whose bytes are these.
static void check_raw(const char *name, uint64_t flags, struct ic_bytes bytes,
		      enum ic_error_code code, const char *wanted)
{
	struct elf_builder *elf = elf_begin(ET_EXEC);
	struct ic_elf_file file;
	struct ic_error err = { .message = "" };
	char message[1024];

	elf_add_section(elf, (struct elf_section){ .name = name,
						   .flags = flags,
						   .bytes = { bytes.data, bytes.size } });
	elf_end_and_open(&file, elf);
	struct ic_section *section = ic_elf_file_section(&file, name);
	assert_false(ic_section_decompress(&file, section, &err));
	snprintf(message, sizeof(message), "%s: %s", file.path, wanted);
	assert_error(&err, code, message);
	ic_elf_file_close(&file);
}

TEST(a_header_that_is_none_is_refused)
{
	check_raw(".zdebug_info", 0, BYTES('Z', 'L', 'I', 'X', 0, 0, 0, 0, 0, 0, 0, 1, 2, 3),
		  IC_ERROR_MALFORMED, "invalid compression header of .zdebug_info");
	check_raw(".zdebug_info", 0, BYTES('Z', 'L', 'I', 'B', 0, 0, 0, 0, 0, 0, 1),
		  IC_ERROR_MALFORMED, "invalid compression header of .zdebug_info");
	check_raw(".debug_info", SHF_COMPRESSED, BYTES(1, 0, 0, 0, 0, 0, 0, 0, 4),
		  IC_ERROR_MALFORMED, "invalid compression header of .debug_info");
	check_raw(".debug_info", SHF_COMPRESSED,
		  BYTES(3, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 9),
		  IC_ERROR_UNSUPPORTED, ".debug_info has unknown compression type 3");
}

TEST(damaged_data_is_never_taken_for_good)
{
	uint8_t text[2000];

	for (size_t i = 0; i < sizeof(text); i++)
		text[i] = (uint8_t)(i / 3);
	for (size_t i = 0; i < 40; i++) {
		struct elf_builder *elf = elf_begin(ET_EXEC);
		struct ic_elf_file file;
		struct ic_error err;

		elf_add_section(elf, (struct elf_section){ .name = ".debug_info",
							   .bytes = { text, sizeof(text) },
							   .compression = kinds[i % 3] });
		elf_end_and_open(&file, elf);
		struct ic_section *section = ic_elf_file_debug_section(&file, ".debug_info");
		uint8_t copy[4000];
		size_t size = section->raw.size;
		assert_true(size < sizeof(copy));
		memcpy(copy, section->raw.data, size);
		copy[24 + i * 7 % (size - 24)] ^= (uint8_t)(1 << i % 8);
		section->raw = (struct ic_bytes){ copy, i & 1 ? size : size - 1 - i };
		// zlib has a checksum; with zstd only truncated data must be detected.
		bool ok = ic_section_decompress(&file, section, &err);
		if (kinds[i % 3] != ELF_COMPRESSION_ZSTD || !(i & 1))
			assert_false(ok);
		ic_elf_file_close(&file);
	}
}

TEST(a_section_of_nothing_stays_empty)
{
	const struct input input = { .format = x86_64, .compression = ELF_COMPRESSION_ZLIB };
	struct ic_elf_file file;
	struct ic_error err;
	struct ic_section *section = open_section(&file, &input);

	assert_true(ic_section_decompress(&file, section, &err));
	assert_int_equal(section->bytes.size, 0);
	ic_elf_file_close(&file);
}

TEST(what_would_exceed_the_limit_on_memory_is_refused)
{
	uint8_t text[5000] = { 1 };
	const struct input input = { .format = x86_64,
				     .compression = ELF_COMPRESSION_ZLIB,
				     .bytes = { text, sizeof(text) } };
	struct ic_memory memory = { .fixed = sizeof(text) };
	struct ic_elf_file file;
	struct ic_error err;
	char message[1024];
	struct ic_section *section = open_section(&file, &input);

	file.memory = &memory;
	assert_true(ic_section_reserve(&file, section, &err));
	assert_int_equal(memory.used, sizeof(text));
	assert_false(ic_section_reserve(&file, section, &err));
	snprintf(message, sizeof(message),
		 "%s: .debug_info takes 4.8 KiB of memory when decompressed, which exceeds the "
		 "memory limit of 4.8 KiB",
		 file.path);
	assert_error(&err, IC_ERROR_LIMIT, message);
	ic_elf_file_close(&file);
	assert_int_equal(memory.used, 0);
}

UNIT_TESTS(elf_files_compress)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_compressed_comes_back_in_all_classes_and_byte_orders),
		cmocka_unit_test(a_plain_section_is_not_compressed),
		cmocka_unit_test(a_size_that_the_bytes_cannot_have_is_refused),
		cmocka_unit_test(data_of_another_size_than_it_claims_is_damaged),
		cmocka_unit_test(a_header_that_is_none_is_refused),
		cmocka_unit_test(damaged_data_is_never_taken_for_good),
		cmocka_unit_test(a_section_of_nothing_stays_empty),
		cmocka_unit_test(what_would_exceed_the_limit_on_memory_is_refused),
	};

	return cmocka_run_group_tests(tests, temp_dir_make, temp_dir_remove);
}
