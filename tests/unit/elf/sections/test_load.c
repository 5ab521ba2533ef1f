#include "unit_test.h"

#include <stdio.h>

#include "elf/sections/load.h"
#include "elf/sections/relocate.h"
#include "fixtures/elf.h"

static const struct section_reloc reloc = { .off = 0, .size = 4, .target = "value", .addend = 1 };

static struct elf_builder *file_begin(uint16_t type, enum elf_compression compression)
{
	struct elf_builder *elf = elf_begin(type);

	elf_add_section(elf, (struct elf_section){ .name = ".debug_info",
						   .bytes = { (const uint8_t *)"0123abcd", 8 },
						   .compression = compression });
	elf_add_symbol(elf, (struct elf_symbol){ .name = "value",
						 .section = "*ABS*",
						 .value = 0x64636261,
						 .bind = STB_GLOBAL });
	return elf;
}

static void check_loaded(struct elf_builder *elf, const char *wanted)
{
	struct ic_elf_file file;
	struct ic_error err = { .message = "" };

	elf_end_and_open(&file, elf);
	struct ic_section *section = ic_elf_file_debug_section(&file, ".debug_info");
	if (!ic_sections_load(&file, &section, 1, 2, &err))
		fail_msg("%s", err.message);
	assert_int_equal(section->bytes.size, 8);
	assert_memory_equal(section->bytes.data, wanted, 8);
	const uint8_t *data = section->bytes.data;
	assert_true(ic_sections_load(&file, &section, 1, 2, &err)); // a second time changes nothing
	assert_ptr_equal(section->bytes.data, data);
	assert_memory_equal(section->bytes.data, wanted, 8);
	// Decompressed bytes can be freed; those of the file stay, relocated as they are.
	bool is_buffer = section->is_buffer;
	ic_sections_hold(&file);
	ic_sections_hold(&file);
	ic_sections_release(&file, &section, 1); // there is another reader
	assert_ptr_equal(section->bytes.data, data);
	ic_sections_release(&file, &section, 1);
	assert_int_equal(section->bytes.data == NULL, is_buffer);
	assert_int_equal(section->bytes.size, is_buffer ? 0 : 8);
	assert_true(ic_sections_load(&file, &section, 1, 2, &err));
	assert_memory_equal(section->bytes.data, wanted, 8);
	ic_elf_file_close(&file);
}

TEST(a_relocatable_files_sections_are_relocated)
{
	const enum elf_compression kinds[] = { ELF_COMPRESSION_NONE, ELF_COMPRESSION_ZLIB,
					       ELF_COMPRESSION_ZSTD, ELF_COMPRESSION_GNU };

	for (size_t i = 0; i < COUNT_OF(kinds); i++) {
		struct elf_builder *elf = file_begin(ET_REL, kinds[i]);
		elf_add_relocs(elf, ".debug_info", &reloc, 1);
		check_loaded(elf, "bbcdabcd");
	}
}

TEST(a_deferred_sections_relocations_wait_until_they_are_asked_for)
{
	for (enum elf_compression kind = ELF_COMPRESSION_NONE; kind <= ELF_COMPRESSION_GNU;
	     kind++) {
		struct elf_builder *elf = file_begin(ET_REL, kind);
		struct ic_elf_file file;
		struct ic_error err;

		elf_add_relocs(elf, ".debug_info", &reloc, 1);
		elf_end_and_open(&file, elf);
		struct ic_section *section = ic_elf_file_debug_section(&file, ".debug_info");
		for (int i = 0; i < 2; i++) { // what was decompressed, twice
			assert_true(
				ic_sections_load_deferring(&file, &section, 1, section, 2, &err));
			assert_memory_equal(section->bytes.data, i ? "bbcdabcd" : "0123abcd", 8);
			assert_true(
				ic_sections_load_deferring(&file, &section, 1, section, 2, &err));
			assert_memory_equal(section->bytes.data, i ? "bbcdabcd" : "0123abcd", 8);
			assert_true(ic_section_load_part(&file, section, 0, 1, &err));
			assert_memory_equal(section->bytes.data, "bbcdabcd", 8);
			assert_true(ic_sections_load(&file, &section, 1, 2, &err));
			assert_memory_equal(section->bytes.data, "bbcdabcd", 8);
			ic_sections_hold(&file);
			ic_sections_release(&file, &section, 1);
			if (section->bytes.data)
				continue;
			assert_null(section->pending);
			assert_true(
				ic_sections_load_deferring(&file, &section, 1, section, 2, &err));
			assert_memory_equal(section->bytes.data, "0123abcd", 8);
			assert_true(ic_sections_load(&file, &section, 1, 2, &err)); // the rest
		}
		ic_elf_file_close(&file);
	}
}

// ld --emit-relocs leaves the relocations that it has applied.
TEST(a_linked_files_relocations_are_left_alone)
{
	for (int dynamic = 0; dynamic <= 1; dynamic++) {
		struct elf_builder *elf =
			file_begin(dynamic ? ET_DYN : ET_EXEC,
				   dynamic ? ELF_COMPRESSION_ZLIB : ELF_COMPRESSION_NONE);
		elf_add_relocs(elf, ".debug_info", &reloc, 1);
		check_loaded(elf, "0123abcd");
	}
}

TEST(the_file_itself_is_never_changed)
{
	struct elf_builder *elf = file_begin(ET_REL, ELF_COMPRESSION_NONE);
	struct ic_elf_file file, again;
	struct ic_error err;

	elf_add_relocs(elf, ".debug_info", &reloc, 1);
	elf_end_and_open(&file, elf);
	struct ic_section *section = ic_elf_file_section(&file, ".debug_info");
	assert_true(ic_sections_load(&file, &section, 1, 1, &err));
	assert_true(ic_elf_file_open(&again, file.path, &err));
	assert_memory_equal(ic_elf_file_section(&again, ".debug_info")->raw.data, "0123abcd", 8);
	ic_elf_file_close(&again);
	ic_elf_file_close(&file);
}

TEST(what_cannot_be_decompressed_fails_the_whole_and_is_named)
{
	struct elf_builder *elf = elf_begin(ET_EXEC);
	struct ic_elf_file file;
	struct ic_section *sections[2];
	struct ic_error err;
	char wanted[1024];

	elf_add_section(elf, (struct elf_section){ .name = ".debug_info",
						   .bytes = { (const uint8_t *)"abc", 3 } });
	elf_add_section(elf, (struct elf_section){ .name = ".debug_str",
						   .bytes = { (const uint8_t *)"abc", 3 },
						   .compression = ELF_COMPRESSION_ZLIB,
						   .bad_uncompressed_size = 4 });
	elf_end_and_open(&file, elf);
	sections[0] = ic_elf_file_section(&file, ".debug_info");
	sections[1] = ic_elf_file_section(&file, ".debug_str");
	assert_false(ic_sections_load(&file, sections, 2, 4, &err));
	snprintf(wanted, sizeof(wanted),
		 "%s: cannot decompress .debug_str: damaged, or not of the size in its header",
		 file.path);
	assert_error(&err, IC_ERROR_MALFORMED, wanted);
	ic_elf_file_close(&file);
}

UNIT_TESTS(elf_sections_load)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_relocatable_files_sections_are_relocated),
		cmocka_unit_test(a_deferred_sections_relocations_wait_until_they_are_asked_for),
		cmocka_unit_test(a_linked_files_relocations_are_left_alone),
		cmocka_unit_test(the_file_itself_is_never_changed),
		cmocka_unit_test(what_cannot_be_decompressed_fails_the_whole_and_is_named),
	};

	return cmocka_run_group_tests(tests, temp_dir_make, temp_dir_remove);
}
