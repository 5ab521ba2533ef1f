#include "unit_test.h"

#include <stdio.h>

#include <lzma.h>

#include "elf/symbols/mini_debug.h"
#include "elf/symbols/symtab.h"
#include "fixtures/elf.h"

// Opens a section with these bytes with ic_mini_debug_open, in a file for x86-64.
static bool open_section(struct ic_elf_file *mini, struct ic_bytes raw, struct ic_error *err)
{
	struct ic_section section = { .name = ".gnu_debugdata", .type = SHT_PROGBITS, .raw = raw };
	const struct ic_elf_file file = { .path = (char *)"prog",
					  .machine = EM_X86_64,
					  .addr_size = 8,
					  .swap = IC_HOST_IS_BIG_ENDIAN,
					  .sections = &section,
					  .section_count = 1 };

	return ic_mini_debug_open(mini, &file, err);
}

static struct ic_bytes bytes_of(const struct byte_buffer *buf)
{
	return (struct ic_bytes){ buf->data, buf->size };
}

static struct byte_buffer compress_elf(struct elf_format format)
{
	struct elf_builder *elf = elf_builder_new(format);
	struct byte_buffer buf = { 0 };

	elf_add_nobits(elf, ".text", 0x1000, 0x1000, SHF_ALLOC | SHF_EXECINSTR);
	elf_add_symbol(elf, (struct elf_symbol){ .name = "hidden",
						 .section = ".text",
						 .value = 0x1234,
						 .size = 0x10,
						 .type = STT_FUNC });
	xz_compress(elf_build(elf), &buf);
	elf_builder_free(elf);
	return buf;
}

static const struct elf_format usual = { .bits = 64, .machine = EM_X86_64, .type = ET_EXEC };

TEST(the_file_in_the_section_is_opened_with_its_own_addresses)
{
	struct byte_buffer buf = compress_elf(usual);
	struct ic_elf_file mini;
	struct ic_arena arena = { 0 };
	struct ic_symbols symbols;
	struct ic_error err = { .message = "" };

	if (!open_section(&mini, bytes_of(&buf), &err))
		fail_msg("%s", err.message);
	byte_buffer_deinit(&buf); // nothing of it is borrowed
	assert_true(ic_symtab_read(&symbols, &mini, NULL, SYMTAB_INNERMOST, &arena, &err));
	assert_int_equal(symbols.count, 1);
	assert_string_equal(symbols.items[0].name, "hidden");
	assert_int_equal(symbols.items[0].start, 0x1234);
	ic_arena_free(&arena);
	ic_elf_file_close(&mini);
}

static void check_refused(struct byte_buffer *buf, uint64_t off, const char *what)
{
	struct ic_elf_file mini;
	struct ic_error err = { .message = "" };
	char wanted[1024];

	assert_false(open_section(&mini, bytes_of(buf), &err));
	snprintf(wanted, sizeof(wanted), ".gnu_debugdata+0x%llx: %s", (unsigned long long)off,
		 what);
	assert_fault(&err, ".gnu_debugdata", off, wanted);
	assert_null(mini.data);
	byte_buffer_deinit(buf);
}

TEST(a_file_for_another_machine_or_of_another_kind_is_refused)
{
	static const struct elf_format others[] = {
		{ .bits = 64, .machine = EM_AARCH64, .type = ET_EXEC },
		{ .bits = 32, .machine = EM_X86_64, .type = ET_EXEC },
		{ .bits = 64, .machine = EM_X86_64, .type = ET_EXEC, .big_endian = true },
		{ .bits = 64, .machine = EM_X86_64, .type = ET_REL },
	};

	for (size_t i = 0; i < COUNT_OF(others); i++) {
		struct byte_buffer buf = compress_elf(others[i]);
		check_refused(&buf, 0, "contains a file of another kind or for another machine");
	}
}

TEST(what_is_no_elf_file_inside_is_said)
{
	struct byte_buffer buf = { 0 };

	xz_compress((struct bytes){ (const uint8_t *)"text", 4 }, &buf);
	check_refused(&buf, 0, "decompressed: .gnu_debugdata: not an ELF file");
}

TEST(what_is_no_xz_file_is_refused_at_the_place_that_is_wrong)
{
	struct byte_buffer buf = { 0 };

	byte_buffer_fill(&buf, 'x', 23);
	check_refused(&buf, 0, "too short for an xz file");
	byte_buffer_fill(&buf, 'x', 40);
	check_refused(&buf, 28, "invalid end of an xz file");
	buf = compress_elf(usual);
	size_t footer = buf.size - 12;
	buf.size -= 4;
	check_refused(&buf, footer - 4, "invalid end of an xz file");
	buf = compress_elf(usual);
	size_t index = buf.size - 12 -
		       4 * (1 + (buf.data[buf.size - 8] | (size_t)buf.data[buf.size - 7] << 8));
	buf.data[index + 1] ^= 1;
	check_refused(&buf, index, "invalid index of an xz file");
}

TEST(an_index_that_would_be_before_the_section_is_refused)
{
	const lzma_stream_flags flags = { .backward_size = 1 << 20, .check = LZMA_CHECK_CRC32 };
	struct byte_buffer buf = compress_elf(usual);
	size_t footer = buf.size - 12;

	assert_int_equal(lzma_stream_footer_encode(&flags, buf.data + footer), LZMA_OK);
	check_refused(&buf, footer, "invalid end of an xz file");
}

TEST(damage_inside_is_found)
{
	struct byte_buffer buf = compress_elf(usual);
	struct ic_elf_file mini;
	struct ic_error err = { .message = "" };

	buf.data[buf.size / 2] ^= 0x10;
	assert_false(open_section(&mini, bytes_of(&buf), &err));
	assert_int_equal(err.code, IC_ERROR_MALFORMED);
	assert_non_null(strstr(err.message, "cannot be decompressed: damaged"));
	byte_buffer_deinit(&buf);
}

TEST(what_is_far_too_large_for_symbols_costs_nothing)
{
	static uint8_t zeros[16 << 20];
	struct byte_buffer buf = { 0 };
	char wanted[128];

	xz_compress((struct bytes){ zeros, sizeof(zeros) }, &buf);
	assert_true(sizeof(zeros) / 256 > buf.size);
	snprintf(wanted, sizeof(wanted),
		 "claims to decompress to %zu bytes from %zu, which is too much for symbols",
		 sizeof(zeros), buf.size);
	check_refused(&buf, 0, wanted);
	xz_compress((struct bytes){ zeros, 0 }, &buf);
	check_refused(&buf, 0,
		      "claims to decompress to 0 bytes from 32, which is too much for symbols");
}

TEST(a_dictionary_that_is_far_too_large_is_refused)
{
	static uint8_t text[4096];
	struct byte_buffer buf = { 0 };
	lzma_options_lzma options;
	const lzma_filter filters[] = { { LZMA_FILTER_LZMA2, &options },
					{ LZMA_VLI_UNKNOWN, NULL } };
	size_t used = 0, size = lzma_stream_buffer_bound(sizeof(text));

	assert_false(lzma_lzma_preset(&options, 0));
	options.dict_size = 256u << 20;
	byte_buffer_fill(&buf, 0, size);
	assert_int_equal(lzma_stream_buffer_encode((lzma_filter *)filters, LZMA_CHECK_CRC32, NULL,
						   text, sizeof(text), buf.data, &used, size),
			 LZMA_OK);
	buf.size = used;
	struct ic_elf_file mini;
	struct ic_error err = { .message = "" };
	assert_false(open_section(&mini, bytes_of(&buf), &err));
	assert_non_null(strstr(err.message, "takes more than 96 MiB to decompress"));
	byte_buffer_deinit(&buf);
}

UNIT_TESTS(elf_symbols_mini_debug)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_file_in_the_section_is_opened_with_its_own_addresses),
		cmocka_unit_test(a_file_for_another_machine_or_of_another_kind_is_refused),
		cmocka_unit_test(what_is_no_elf_file_inside_is_said),
		cmocka_unit_test(what_is_no_xz_file_is_refused_at_the_place_that_is_wrong),
		cmocka_unit_test(an_index_that_would_be_before_the_section_is_refused),
		cmocka_unit_test(damage_inside_is_found),
		cmocka_unit_test(what_is_far_too_large_for_symbols_costs_nothing),
		cmocka_unit_test(a_dictionary_that_is_far_too_large_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
