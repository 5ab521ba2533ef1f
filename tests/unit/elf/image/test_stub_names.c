#include "elf/image/stub_names.h"

#include <string.h>

#include <inlinecall/image.h>

#include "fixtures/elf.h"
#include "little_endian.h"
#include "unit_test.h"

enum { PLT = 0x1000, GOT = 0x3000 };

// The names of imported functions, as in a .dynstr: the first symbol is "puts", the second "exit".
static const char names[] = "\0puts\0exit";
static const Elf64_Sym symbols[] = {
	{ 0 }, { .st_name = LITTLE32(1) }, { .st_name = LITTLE32(6) }, { .st_name = LITTLE32(100) }
};
static const Elf32_Sym small_symbols[] = { { 0 },
					   { .st_name = LITTLE32(1) },
					   { .st_name = LITTLE32(6) } };

static void add_symbols(struct elf_builder *elf, bool is_32_bit)
{
	uint32_t strings = elf_add_section(
		elf, (struct elf_section){ .name = ".dynstr",
					   .type = SHT_STRTAB,
					   .bytes = { (const uint8_t *)names, sizeof(names) } });
	elf_add_section(elf,
			(struct elf_section){
				.name = ".dynsym",
				.type = SHT_DYNSYM,
				.link = strings,
				.entry_size = is_32_bit ? sizeof(Elf32_Sym) : sizeof(Elf64_Sym),
				.bytes = { is_32_bit ? (const uint8_t *)small_symbols
						     : (const uint8_t *)symbols,
					   is_32_bit ? sizeof(small_symbols) : sizeof(symbols) } });
}

static struct ic_image *open_stubs(uint16_t machine, const char *section, struct ic_bytes code,
				   struct ic_bytes relocations)
{
	const struct ic_image_options options = { .allow_no_debug = true };
	bool is_32_bit = machine == EM_386;
	struct elf_builder *elf = elf_builder_new((struct elf_format){ .bits = is_32_bit ? 32 : 64,
								       .machine = machine,
								       .type = ET_DYN,
								       .segments = true });

	elf_add_section(elf, (struct elf_section){ .name = section,
						   .flags = SHF_ALLOC | SHF_EXECINSTR,
						   .addr = PLT,
						   .bytes = { code.data, code.size } });
	add_symbols(elf, is_32_bit);
	elf_add_section(elf,
			(struct elf_section){ .name = ".rela.plt",
					      .type = is_32_bit ? SHT_REL : SHT_RELA,
					      .flags = SHF_ALLOC,
					      .bytes = { relocations.data, relocations.size } });
	elf_add_section(elf, (struct elf_section){ .name = ".got.plt",
						   .flags = SHF_ALLOC | SHF_WRITE,
						   .addr = GOT,
						   .bytes = { (const uint8_t *)"\0\0\0", 4 } });
	struct ic_image *image = ic_image_open(elf_end_at(elf, "stubs"), &options, NULL);
	assert_non_null(image);
	return image;
}

static void expect(const struct ic_image *image, uint64_t off, const char *name, uint64_t start)
{
	struct ic_stub stub;
	bool found = ic_image_stub_find(image, PLT + off, &stub);

	assert_int_equal(found, name != NULL);
	if (!found)
		return;
	assert_string_equal(stub.name, name);
	assert_int_equal(stub.start, PLT + start);
}

#define RELA(place, symbol, type, addend)                                                        \
	{                                                                                        \
		LITTLE64(place), LITTLE64(ELF64_R_INFO(symbol, type)), (int64_t)LITTLE64(addend) \
	}
#define REL(place, symbol, type)                                      \
	{                                                             \
		LITTLE32(place), LITTLE32(ELF32_R_INFO(symbol, type)) \
	}
#define ENTRIES(array) ((struct ic_bytes){ (const uint8_t *)(array), sizeof(array) })

TEST(each_part_of_a_stub_has_the_function_that_it_jumps_to)
{
	static const uint8_t code[] = {
		0xff, 0x35, 0x02, 0x20, 0,    0,    0xff, 0x25, 0x04, 0x20, 0,
		0,    0x90, 0x90, 0x90, 0x90, 0xff, 0x25, 0xea, 0x1f, 0,    0,
		0x68, 0,    0,    0,    0,    0xe9, 0,    0,    0,    0,       // 0x3000
		0xf3, 0x0f, 0x1e, 0xfa, 0xf2, 0xff, 0x25, 0xdd, 0x1f, 0,    0, // 0x3008
		0xff, 0x25, 0xdf, 0x1f, 0,    0,                               // 0x3010
	};
	static const Elf64_Rela relocations[] = { RELA(GOT, 1, 7, 0), RELA(GOT + 8, 2, 7, 0),
						  RELA(GOT + 16, 0, 37, 0x1234) };
	struct ic_image *image = open_stubs(EM_X86_64, ".plt", ENTRIES(code), ENTRIES(relocations));
	struct ic_stub stub;

	expect(image, 0, NULL, 0);
	expect(image, 16, "puts", 16);
	expect(image, 22, "puts", 16);
	expect(image, 27, "puts", 16);
	expect(image, 32, "exit", 32);
	expect(image, 36, "exit", 36);
	expect(image, 37, "exit", 37);
	expect(image, sizeof(code), NULL, 0);
	assert_true(ic_image_stub_find(image, PLT + 43, &stub));
	assert_null(stub.name);
	assert_int_equal(stub.resolver, 0x1234);
	assert_non_null(ic_image_stub_section(image, PLT));
	assert_null(ic_image_stub_section(image, GOT));
	ic_image_free(image);
}

TEST(a_symbol_or_a_name_that_does_not_exist_is_no_name)
{
	static const uint8_t code[] = {
		0xff, 0x25, 0xfa, 0x1f, 0, 0, 0xff, 0x25, 0xfc, 0x1f, 0, 0
	};
	static const Elf64_Rela relocations[] = { RELA(GOT, 3, 7, 0), RELA(GOT + 8, 99, 7, 0) };
	struct ic_image *image =
		open_stubs(EM_X86_64, ".iplt", ENTRIES(code), ENTRIES(relocations));

	expect(image, 0, NULL, 0);
	expect(image, 6, NULL, 0);
	ic_image_free(image);
	image = open_stubs(EM_X86_64, ".text", ENTRIES(code), ENTRIES(relocations));
	expect(image, 0, NULL, 0);
	ic_image_free(image);
}

TEST(stubs_of_i386_have_an_address_or_a_distance_from_the_table)
{
	static const uint8_t code[] = { 0xff, 0x25, 0x00, 0x30, 0, 0, 0xff, 0xa3, 4, 0, 0, 0 };
	static const Elf32_Rel relocations[] = { REL(GOT, 1, 7), REL(GOT + 4, 2, 7) };
	struct ic_image *image = open_stubs(EM_386, ".plt", ENTRIES(code), ENTRIES(relocations));

	expect(image, 0, "puts", 0);
	expect(image, 6, "exit", 6);
	ic_image_free(image);
}

TEST(stubs_of_aarch64_have_a_page_and_an_offset)
{
	uint32_t code[] = { 0xd503245f, 0xd0000010, 0xf9400611, 0x91002210, 0xd61f0220 }; // 0x3008
	static const Elf64_Rela relocations[] = { RELA(GOT + 8, 2, 1026, 0) };
	little_words(code, COUNT_OF(code));
	struct ic_image *image =
		open_stubs(EM_AARCH64, ".plt", ENTRIES(code), ENTRIES(relocations));

	expect(image, 0, "exit", 0);
	expect(image, 4, "exit", 4);
	expect(image, 16, "exit", 4);
	ic_image_free(image);
}

UNIT_TESTS(elf_image_stub_names)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_part_of_a_stub_has_the_function_that_it_jumps_to),
		cmocka_unit_test(a_symbol_or_a_name_that_does_not_exist_is_no_name),
		cmocka_unit_test(stubs_of_i386_have_an_address_or_a_distance_from_the_table),
		cmocka_unit_test(stubs_of_aarch64_have_a_page_and_an_offset),
	};

	return cmocka_run_group_tests(tests, temp_dir_make, temp_dir_remove);
}
