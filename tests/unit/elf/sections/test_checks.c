#include "elf/sections/checks.h"

#include "unit_test.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>

#include "fixtures/elf.h"

// An object with debug sections, a relocation and a symbol.
static struct elf_builder *object(uint16_t type)
{
	static const uint8_t data[64] = { 1 };
	static const char strings[48] = "the section of strings has 48 bytes with a NUL!";
	const struct section_reloc reloc = { .off = 8, .size = 8, .target = "main" };
	struct elf_builder *elf = elf_begin_native(type);

	elf_add_code(elf, ".text", 0, 0x100);
	elf_add_symbol(elf, (struct elf_symbol){ .name = "main",
						 .section = ".text",
						 .size = 0x100,
						 .type = STT_FUNC,
						 .bind = STB_GLOBAL });
	elf_add_section(elf,
			(struct elf_section){ .name = ".debug_abbrev", .bytes = { data, 64 } });
	elf_add_section(elf, (struct elf_section){ .name = ".debug_info", .bytes = { data, 64 } });
	elf_add_section(elf, (struct elf_section){ .name = ".debug_str",
						   .bytes = { (const uint8_t *)strings, 48 } });
	elf_add_relocs(elf, ".debug_info", &reloc, 1);
	return elf;
}

static Elf64_Shdr *header_of(uint8_t *bytes, const char *name)
{
	const Elf64_Ehdr *file = (const Elf64_Ehdr *)bytes;
	Elf64_Shdr *headers = (Elf64_Shdr *)(bytes + file->e_shoff);
	const char *names = (const char *)bytes + headers[file->e_shstrndx].sh_offset;

	for (uint16_t i = 0; i < file->e_shnum; i++)
		if (!strcmp(names + headers[i].sh_name, name))
			return &headers[i];
	fail_msg("no section %s", name);
	return NULL;
}

typedef void change(Elf64_Shdr *header, uint8_t *content);

// The fault of the object after a change to a section; NULL if there is none.
static char *fault_after(const char *section, change *change_it)
{
	struct elf_builder *elf = object(ET_REL);
	const char *path = temp_path("object");
	struct bytes built = elf_build(elf);
	struct ic_elf_file file;
	struct ic_error err;

	uint8_t *bytes = aligned_alloc(16, (built.size + 15) / 16 * 16);
	memcpy(bytes, built.data, built.size);
	Elf64_Shdr *header = header_of(bytes, section);
	change_it(header, bytes + header->sh_offset);
	temp_write(path, bytes, built.size);
	free(bytes);
	elf_builder_free(elf);
	assert_true(ic_elf_file_open(&file, path, &err));
	char *fault = ic_section_checks_run(&file, &err) ? NULL : strdup(err.message);
	ic_elf_file_close(&file);
	return fault;
}

// The fault names the section, and contains a text.
static void check_fault(const char *section, change *change_it, const char *wanted)
{
	char *fault = fault_after(section, change_it);

	assert_non_null(fault);
	if (!strstr(fault, section) || !strstr(fault, wanted))
		fail_msg("not about %s, '%s': '%s'", section, wanted, fault);
	free(fault);
}

static void nothing(Elf64_Shdr *header, uint8_t *content)
{
	(void)header;
	(void)content;
}

#define CHANGE(name, statement)                                \
	static void name(Elf64_Shdr *header, uint8_t *content) \
	{                                                      \
		(void)content;                                 \
		(void)header;                                  \
		statement;                                     \
	}

CHANGE(move_back, header->sh_offset -= 1)
CHANGE(move_to_start, header->sh_offset = 0)
CHANGE(shorten, header->sh_size /= 2)
CHANGE(shorten_by_one, header->sh_size -= 1)
CHANGE(make_nobits, header->sh_type = SHT_NOBITS)
CHANGE(make_progbits, header->sh_type = SHT_PROGBITS)
CHANGE(make_code, header->sh_flags = SHF_ALLOC | SHF_EXECINSTR)
CHANGE(clear_link, header->sh_link = 0)
CHANGE(clear_info, header->sh_info = 0)
CHANGE(enlarge_info, header->sh_info = 0x10000)
CHANGE(clear, memset(content, 0, header->sh_size))
CHANGE(fill, memset(content, 0xff, header->sh_size))

TEST(a_sound_file_has_no_fault)
{
	assert_null(fault_after(".debug_info", nothing));
}

TEST(sections_that_overlap_are_a_fault)
{
	check_fault(".debug_info", move_back, "overlap");
	check_fault(".debug_info", move_to_start, "the file's headers");
}

TEST(a_section_that_was_shortened_leaves_a_gap)
{
	check_fault(".debug_info", shorten, "ends 32 bytes before .debug_str begins");
	check_fault(".symtab", shorten, "ends ");
}

TEST(a_debug_section_without_content_is_a_fault)
{
	check_fault(".debug_str", make_nobits, "no content");
}

TEST(a_debug_section_that_is_marked_as_code_is_a_fault)
{
	check_fault(".debug_info", make_code, "marked as code (sh_flags 0x6)");
}

TEST(a_descriptor_of_code_beyond_its_section_is_a_fault)
{
	static const uint8_t descriptor[24];

	for (int is_beyond = 0; is_beyond < 2; is_beyond++) {
		const struct section_reloc reloc = { .size = 8,
						     .target = ".text",
						     .addend = is_beyond ? 0x21 : 0x20 };
		struct elf_builder *elf = elf_begin_native(ET_REL);
		struct ic_elf_file file;
		struct ic_error err;
		elf_add_code(elf, ".text", 0, 0x20);
		elf_add_section(
			elf, (struct elf_section){ .name = ".opd", .bytes = { descriptor, 24 } });
		elf_add_relocs(elf, ".opd", &reloc, 1);
		elf_end_and_open(&file, elf);
		assert_int_equal(ic_section_checks_run(&file, &err), !is_beyond);
		if (is_beyond)
			assert_error(&err, IC_ERROR_MALFORMED,
				     ".rela.opd: the code of a function descriptor, at 0x21, is "
				     "beyond the end of .text");
		ic_elf_file_close(&file);
	}
}

TEST(a_symbol_table_that_contradicts_itself_is_a_fault)
{
	check_fault(".symtab", clear_link, "section 0 () has no symbol names");
	check_fault(".symtab", enlarge_info, "sh_info 65536");
	check_fault(".symtab", shorten_by_one, "not a whole number of symbols");
	check_fault(".symtab", clear, "second symbol is empty");
	check_fault(".symtab", fill, "first symbol");
	check_fault(".symtab", make_progbits, "not a symbol table");
	check_fault(".strtab", clear, "not a string table");
	check_fault(".strtab", fill, "not a string table");
	check_fault(".strtab", make_progbits, "has no symbol names");
}

TEST(relocations_that_would_not_be_applied_are_a_fault)
{
	check_fault(".rela.debug_info", clear_link, "sh_link");
	check_fault(".rela.debug_info", clear_info, "sh_info");
	check_fault(".rela.debug_info", enlarge_info, "sh_info");
	check_fault(".rela.debug_info", make_progbits, "not a relocation section");
	check_fault(".rela.debug_info", shorten_by_one, "not a whole number");
}

TEST(an_object_that_says_to_be_linked_is_a_fault)
{
	struct ic_elf_file file;
	struct ic_error err;

	elf_end_and_open(&file, object(ET_EXEC));
	assert_false(ic_section_checks_run(&file, &err));
	assert_non_null(strstr(err.message, "e_type"));
	ic_elf_file_close(&file);
}

UNIT_TESTS(elf_sections_checks)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_sound_file_has_no_fault),
		cmocka_unit_test(sections_that_overlap_are_a_fault),
		cmocka_unit_test(a_section_that_was_shortened_leaves_a_gap),
		cmocka_unit_test(a_debug_section_without_content_is_a_fault),
		cmocka_unit_test(a_debug_section_that_is_marked_as_code_is_a_fault),
		cmocka_unit_test(a_descriptor_of_code_beyond_its_section_is_a_fault),
		cmocka_unit_test(a_symbol_table_that_contradicts_itself_is_a_fault),
		cmocka_unit_test(relocations_that_would_not_be_applied_are_a_fault),
		cmocka_unit_test(an_object_that_says_to_be_linked_is_a_fault),
	};

	return cmocka_run_group_tests(tests, temp_dir_make, temp_dir_remove);
}
