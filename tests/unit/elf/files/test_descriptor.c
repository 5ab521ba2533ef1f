#include "unit_test.h"

#include "elf/files/descriptor.h"
#include "elf/image/image.h"
#include "elf/symbols/symtab.h"
#include "fixtures/elf.h"

static struct elf_builder *begin(uint16_t machine, uint8_t bits, uint16_t type)
{
	struct elf_builder *elf = elf_builder_new((struct elf_format){
		.bits = bits, .big_endian = true, .machine = machine, .type = type });

	elf_add_code(elf, ".text", type == ET_REL ? 0 : 0x1000, 0x100);
	return elf;
}

// Three words: the addresses of the code and of the data, and 0.
static void add_descriptors(struct elf_builder *elf, uint64_t addr, struct bytes bytes)
{
	elf_add_section(elf, (struct elf_section){ .name = ".opd",
						   .flags = SHF_ALLOC | SHF_WRITE,
						   .addr = addr,
						   .bytes = bytes });
}

static void add_function(struct elf_builder *elf, const char *name, uint64_t value)
{
	elf_add_symbol(elf, (struct elf_symbol){ .name = name,
						 .section = ".opd",
						 .value = value,
						 .size = 0x10,
						 .type = STT_FUNC,
						 .bind = STB_GLOBAL });
}

static void add_info(struct elf_builder *elf)
{
	elf_add_section(elf, (struct elf_section){ .name = ".debug_info",
						   .bytes = { (const uint8_t *)"info", 4 } });
}

static void check_image(struct ic_image *image, const char *const *names, const uint64_t *starts)
{
	struct ic_symbol_files files;
	struct ic_arena arena = { 0 };
	struct ic_symbols symbols;
	struct ic_error err = { .message = "" };
	uint32_t count = 0;

	assert_non_null(image);
	if (!ic_image_load_descriptors(image, 1, &err))
		fail_msg("%s", err.message);
	assert_true(ic_image_symbol_files(image, false, &files, &err));
	assert_true(
		ic_symtab_read(&symbols, files.file, files.mini, SYMTAB_INNERMOST, &arena, &err));
	for (; names[count]; count++) {
		assert_true(count < symbols.count);
		assert_string_equal(symbols.items[count].name, names[count]);
		assert_int_equal(symbols.items[count].start, starts[count]);
		assert_int_equal(symbols.items[count].end, starts[count] + 0x10);
	}
	assert_int_equal(symbols.count, count);
	ic_arena_free(&arena);
	ic_image_free(image);
}

static const uint8_t two[] = {
	// clang-format off
	0, 0, 0, 0, 0, 0, 0x10, 0x80,  0, 0, 0, 0, 0, 0, 0x90, 0,  0, 0, 0, 0, 0, 0, 0, 0,
	0, 0, 0, 0, 0, 0, 0x10, 0x20,  0, 0, 0, 0, 0, 0, 0x90, 0,  0, 0, 0, 0, 0, 0, 0, 0,
	// clang-format on
};

static struct ic_image *open_program(uint16_t machine, uint8_t bits)
{
	struct elf_builder *elf = begin(machine, bits, ET_EXEC);

	add_descriptors(elf, 0x2000, (struct bytes){ two, sizeof(two) });
	add_function(elf, "late", 0x2000);
	add_function(elf, "early", 0x2018);
	add_function(elf, "beyond", 0x2030);
	add_info(elf);
	return ic_image_open(elf_end_at(elf, "program"), NULL, NULL);
}

TEST(symbols_of_descriptors_are_taken_to_the_code_and_sorted_by_it)
{
	check_image(open_program(EM_PPC64, 64),
		    (const char *const[]){ "early", "late", "beyond", NULL },
		    (const uint64_t[]){ 0x1020, 0x1080, 0x2030 });
}

TEST(what_is_called_opd_on_other_machines_says_nothing)
{
	check_image(open_program(EM_S390, 64),
		    (const char *const[]){ "late", "early", "beyond", NULL },
		    (const uint64_t[]){ 0x2000, 0x2018, 0x2030 });
	check_image(open_program(EM_PARISC, 32),
		    (const char *const[]){ "late", "early", "beyond", NULL },
		    (const uint64_t[]){ 0x2000, 0x2018, 0x2030 });
}

TEST(the_code_of_parisc_is_behind_two_words_and_a_descriptor_may_be_cut_off)
{
	struct elf_builder *elf = begin(EM_PARISC, 64, ET_EXEC);

	add_descriptors(elf, 0x2000, (struct bytes){ two, sizeof(two) });
	add_function(elf, "first", 0x2008); // two words on is 0x1020
	add_function(elf, "cut", 0x2020);   // two words on is the end
	add_info(elf);
	check_image(ic_image_open(elf_end_at(elf, "parisc"), NULL, NULL),
		    (const char *const[]){ "first", "cut", NULL },
		    (const uint64_t[]){ 0x1020, 0x2020 });
}

TEST(descriptors_of_an_object_are_relocated)
{
	const struct section_reloc relocs[] = {
		{ .off = 0, .type = R_PPC64_ADDR64, .target = ".text", .addend = 0x40 },
		{ .off = 8, .type = R_PPC64_TOC, .target = ".text" },
	};
	struct elf_builder *elf = begin(EM_PPC64, 64, ET_REL);
	static const uint8_t zeros[24];

	add_descriptors(elf, 0, (struct bytes){ zeros, sizeof(zeros) });
	add_function(elf, "f", 0);
	elf_add_relocs(elf, ".opd", relocs, COUNT_OF(relocs));
	add_info(elf);
	struct ic_image *image = ic_image_open(elf_end_at(elf, "object"), NULL, NULL);
	uint64_t text = ic_elf_file_section(&image->file, ".text")->addr;
	check_image(image, (const char *const[]){ "f", NULL }, (const uint64_t[]){ text + 0x40 });
}

// A program whose debug file has no bytes of its .opd, but a header for it with this address.
static struct ic_image *open_stripped(uint64_t addr)
{
	struct elf_builder *debug = begin(EM_PPC64, 64, ET_EXEC);
	struct elf_builder *program = begin(EM_PPC64, 64, ET_EXEC);

	elf_add_nobits(debug, ".opd", addr, sizeof(two), SHF_ALLOC | SHF_WRITE);
	add_function(debug, "f", addr + 0x18);
	add_info(debug);
	elf_add_debug_link(program, "stripped.debug", elf_crc(elf_build(debug)));
	elf_end_at(debug, "stripped.debug");
	add_descriptors(program, 0x2000, (struct bytes){ two, sizeof(two) });
	return ic_image_open(elf_end_at(program, "stripped"), NULL, NULL);
}

TEST(a_debug_file_has_the_symbols_and_the_program_the_descriptors)
{
	check_image(open_stripped(0x2000), (const char *const[]){ "f", NULL },
		    (const uint64_t[]){ 0x1020 });
	// Descriptors at another address are not used.
	check_image(open_stripped(0x2100), (const char *const[]){ "f", NULL },
		    (const uint64_t[]){ 0x2118 });
}

TEST(a_debug_file_that_is_the_whole_program_has_both)
{
	struct elf_builder *debug = begin(EM_PPC64, 64, ET_EXEC);
	struct elf_builder *program = begin(EM_PPC64, 64, ET_EXEC);

	add_descriptors(debug, 0x2000, (struct bytes){ two, sizeof(two) });
	add_function(debug, "f", 0x2018);
	add_info(debug);
	elf_add_debug_link(program, "whole.debug", elf_crc(elf_build(debug)));
	elf_end_at(debug, "whole.debug");
	add_descriptors(program, 0x2000, (struct bytes){ two, sizeof(two) });
	check_image(ic_image_open(elf_end_at(program, "part"), NULL, NULL),
		    (const char *const[]){ "f", NULL }, (const uint64_t[]){ 0x1020 });
}

UNIT_TESTS(elf_files_descriptor)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(symbols_of_descriptors_are_taken_to_the_code_and_sorted_by_it),
		cmocka_unit_test(what_is_called_opd_on_other_machines_says_nothing),
		cmocka_unit_test(
			the_code_of_parisc_is_behind_two_words_and_a_descriptor_may_be_cut_off),
		cmocka_unit_test(descriptors_of_an_object_are_relocated),
		cmocka_unit_test(a_debug_file_has_the_symbols_and_the_program_the_descriptors),
		cmocka_unit_test(a_debug_file_that_is_the_whole_program_has_both),
	};

	return cmocka_run_group_tests(tests, temp_dir_make, temp_dir_remove);
}
