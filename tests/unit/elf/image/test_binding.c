#include "elf/image/binding.h"

#include <string.h>

#include <inlinecall/image.h>

#include "fixtures/elf.h"
#include "unit_test.h"

enum { CODE = 0x1000, OWN = 0x1010, EXPORTED = 0x1020, RESOLVER = 0x1030, HIDDEN = 0x1040 };

// A .dynsym by hand, and a .dynamic with one tag, for a file of 64 bits.
struct tables {
	char names[64];
	size_t name_size;
	Elf64_Sym symbols[8];
	size_t count;
	Elf64_Dyn dynamic[2];
};

static void add(struct tables *tables, const char *name, uint64_t value, uint8_t type,
		uint8_t other)
{
	tables->symbols[tables->count++] = (Elf64_Sym){ .st_name = (Elf64_Word)tables->name_size,
							.st_info = ELF64_ST_INFO(STB_GLOBAL, type),
							.st_other = other,
							.st_shndx = value ? 1 : SHN_UNDEF,
							.st_value = value };
	strcpy(tables->names + tables->name_size, name);
	tables->name_size += strlen(name) + 1;
}

// Opens a file of a type that has the tag and the value in its dynamic section.
static struct ic_image *open_file(uint16_t type, int64_t tag, uint64_t value,
				  struct ic_binding *binding)
{
	struct elf_builder *elf = elf_begin_native(type);
	struct tables tables = { .name_size = 1, .count = 1 };
	const struct ic_image_options options = { .allow_no_debug = true };
	struct ic_error err;

	add(&tables, "exported", EXPORTED, STT_FUNC, STV_DEFAULT);
	add(&tables, "resolver", RESOLVER, STT_GNU_IFUNC, STV_DEFAULT);
	add(&tables, "protected", HIDDEN, STT_FUNC, STV_PROTECTED);
	add(&tables, "other", 0, STT_FUNC, STV_DEFAULT);
	tables.dynamic[0] = (Elf64_Dyn){ .d_tag = tag, .d_un.d_val = value };
	elf_add_code(elf, ".text", CODE, 0x100);
	uint32_t names = elf_add_section(
		elf,
		(struct elf_section){ .name = ".dynstr",
				      .type = SHT_STRTAB,
				      .bytes = { (uint8_t *)tables.names, tables.name_size } });
	elf_add_section(elf, (struct elf_section){ .name = ".dynsym",
						   .type = SHT_DYNSYM,
						   .link = names,
						   .entry_size = sizeof(Elf64_Sym),
						   .bytes = { (uint8_t *)tables.symbols,
							      tables.count * sizeof(Elf64_Sym) } });
	if (tag != 0)
		elf_add_section(elf, (struct elf_section){
					     .name = ".dynamic",
					     .type = SHT_DYNAMIC,
					     .bytes = { (uint8_t *)tables.dynamic,
							tag < 0 ? 0 : sizeof(tables.dynamic) } });
	elf_add_symbol(elf, (struct elf_symbol){ .name = "far@V1", .bind = STB_GLOBAL });
	struct ic_image *image = ic_image_open(elf_end_at(elf, "a.so"), &options, &err);
	assert_non_null(image);
	*binding = (struct ic_binding){ .is_unknown = false };
	assert_true(ic_binding_read(binding, image, &err));
	return image;
}

static void check(uint16_t type, int64_t tag, uint64_t value, bool is_exported_certain)
{
	struct ic_binding binding;
	struct ic_image *image = open_file(type, tag, value, &binding);

	assert_int_equal(ic_binding_is_certain(&binding, EXPORTED), is_exported_certain);
	assert_int_equal(ic_binding_is_certain(&binding, OWN), tag >= 0);
	assert_int_equal(ic_binding_is_certain(&binding, HIDDEN), tag >= 0);
	assert_false(ic_binding_is_certain(&binding, RESOLVER));
	assert_true(ic_binding_is_undefined(&binding, "other"));
	assert_true(ic_binding_is_undefined(&binding, "far"));
	assert_false(ic_binding_is_undefined(&binding, "exported"));
	ic_binding_free(&binding);
	ic_image_free(image);
}

TEST(what_a_shared_library_exports_may_be_another_files)
{
	check(ET_DYN, DT_FLAGS, 0, false);
	check(ET_DYN, DT_FLAGS_1, DF_1_NOW, false);
}

TEST(a_program_and_a_symbolic_library_use_their_own_functions)
{
	check(ET_EXEC, DT_FLAGS, 0, true);
	check(ET_DYN, DT_FLAGS_1, DF_1_PIE, true);
	check(ET_DYN, DT_FLAGS, DF_SYMBOLIC, true);
	check(ET_DYN, DT_SYMBOLIC, 0, true);
	check(ET_DYN, 0, 0, true); // nothing links it when it runs
}

TEST(without_the_contents_of_the_dynamic_section_nothing_is_certain)
{
	check(ET_DYN, -1, 0, false);
}

static struct ic_image *open_code(uint16_t machine, const uint8_t *code, size_t size)
{
	struct elf_builder *elf =
		elf_builder_new((struct elf_format){ .bits = machine == EM_386 ? 32 : 64,
						     .machine = machine,
						     .type = ET_EXEC,
						     .segments = true });
	const struct ic_image_options options = { .allow_no_debug = true };
	struct ic_error err;

	elf_add_section(elf, (struct elf_section){ .name = ".text",
						   .flags = SHF_ALLOC | SHF_EXECINSTR,
						   .addr = CODE,
						   .bytes = { code, size } });
	struct ic_image *image = ic_image_open(elf_end_at(elf, "a.out"), &options, &err);
	assert_non_null(image);
	return image;
}

static bool branches(uint16_t machine, const uint8_t *code, size_t size, uint64_t addr,
		     bool is_after, uint64_t target)
{
	struct ic_image *image = open_code(machine, code, size);
	bool found = ic_image_branches_to(image, addr, is_after, target);

	ic_image_free(image);
	return found;
}

TEST(direct_branches_of_x86_are_known)
{
	static const uint8_t code[] = { 0xe8, 0xfb, 0x0f, 0,    0,    0xe9,
					0xf6, 0xff, 0xff, 0xff, 0xeb, 2 };

	for (int is_32 = 0; is_32 < 2; is_32++) {
		uint16_t machine = is_32 ? EM_386 : EM_X86_64;

		assert_true(branches(machine, code, 12, CODE + 5, true, 0x2000));
		assert_true(branches(machine, code, 12, CODE, false, 0x2000));
		assert_false(branches(machine, code, 12, CODE, false, 0x2001));
		assert_true(branches(machine, code, 12, CODE + 10, true, CODE));
		assert_true(branches(machine, code, 12, CODE + 12, true, CODE + 14));
		assert_true(branches(machine, code, 12, CODE + 10, false, CODE + 14));
		assert_false(branches(machine, code, 12, CODE + 12, false, 0));
		assert_false(branches(machine, code, 12, CODE - 1, true, 0));
		assert_false(branches(machine, code, 12, 0, true, 0));
	}
	assert_false(branches(EM_RISCV, code, 12, CODE + 5, true, 0x2000));
	static const uint8_t conditional[] = { 0x75, 0x04, 0x0f, 0x84, 0xf8, 0xff, 0xff, 0xff };
	assert_true(branches(EM_X86_64, conditional, 8, CODE, false, CODE + 6)); // jne
	assert_true(branches(EM_X86_64, conditional, 8, CODE + 2, true, CODE + 6));
	assert_true(branches(EM_X86_64, conditional, 8, CODE + 2, false, CODE)); // je
	assert_true(branches(EM_X86_64, conditional, 8, CODE + 8, true, CODE));
}

TEST(direct_branches_of_aarch64_are_known)
{
	static const uint8_t code[] = { 0x00, 0x04, 0x00, 0x94, 0xff, 0xff, 0xff, 0x17 };

	assert_true(branches(EM_AARCH64, code, 8, CODE + 4, true, 0x2000)); // bl
	assert_true(branches(EM_AARCH64, code, 8, CODE, false, 0x2000));
	assert_true(branches(EM_AARCH64, code, 8, CODE + 4, false, CODE)); // b
	assert_false(branches(EM_AARCH64, code, 8, CODE + 8, true, CODE + 4));
	static const uint8_t conditional[] = { 0x41, 0x00, 0x00, 0x54, 0xe0, 0xff, 0xff, 0xb4 };
	assert_true(branches(EM_AARCH64, conditional, 8, CODE, false, CODE + 8)); // b.ne
	assert_true(branches(EM_AARCH64, conditional, 8, CODE + 8, true, CODE));  // cbz
	assert_false(branches(EM_AARCH64, code, 8, CODE + 8, false, CODE + 4));
}

// By which word the call before an address calls, if a range is protected; 0 if none is known.
static uint64_t called_by(uint16_t machine, const uint8_t *code, size_t size, uint64_t return_addr,
			  struct ic_range protected)
{
	struct ic_image *image = open_code(machine, code, size);
	uint64_t slot = 0;

	image->file.layout.relocated = protected;
	bool found = ic_image_called_by(image, return_addr, true, &slot);
	ic_image_free(image);
	return found ? slot : 0;
}

TEST(calls_by_words_that_only_the_dynamic_linker_writes_are_known)
{
	static const uint8_t code[] = {
		0xff, 0x15, 0xfa, 0x0f, 0,    0,                            // call *0x2000(abs)
		0x90, 0xe8, 3,    0,    0,    0,                            // call of the stub
		0x90, 0x90, 0x90, 0xf3, 0x0f, 0x1e, 0xfa, 0xf2, 0xff, 0x25, // stub
		0xf0, 0x0f, 0,    0,    0x90, 0xe8, 0xf3, 0xff, 0xff, 0xff, // call of its jump
		0x90, 0xff, 0x25, 0x80, 0x10, 0,    0,    0xe8, 0xf5, 0xff,
		0xff, 0xff, 0xe8, 0,    0,    0,    0,
	};
	static const struct ic_range all = { 0x2000, 0x4000 };
	const uint64_t size = sizeof(code);

	assert_int_equal(called_by(EM_X86_64, code, size, CODE + 6, all), 0x2000);
	assert_int_equal(called_by(EM_X86_64, code, size, CODE + 12, all), CODE + 26 + 0xff0);
	assert_int_equal(called_by(EM_X86_64, code, size, CODE + 32, all), CODE + 26 + 0xff0);
	assert_int_equal(called_by(EM_X86_64, code, size, CODE + 44, all), CODE + 39 + 0x1080);
	assert_int_equal(called_by(EM_X86_64, code, size, CODE + 49, all), 0); // of no stub
	assert_int_equal(called_by(EM_X86_64, code, size, CODE + 20, all), 0);
	assert_int_equal(called_by(EM_X86_64, code, size, CODE + 3, all), 0);
	assert_int_equal(called_by(EM_X86_64, code, size, 0, all), 0);
	assert_int_equal(called_by(EM_386, code, size, CODE + 6, all), 0);
	assert_int_equal(called_by(EM_AARCH64, code, size, CODE + 6, all), 0);
}

TEST(words_that_can_be_written_later_say_nothing)
{
	static const uint8_t code[] = { 0xff, 0x15, 0xfa, 0x0f, 0, 0 };
	static const struct {
		struct ic_range range;
		uint64_t slot;
	} cases[] = {
		{ { 0, 0 }, 0 },
		{ { 0x2000, 0x3000 }, 0x2000 },
		{ { 0x1ff0, 0x3fff }, 0x2000 },
		{ { 0x2000, 0x2fff }, 0 }, // its end is in a page that is not protected
		{ { 0x2001, 0x3000 }, 0 },
		{ { 0x1000, 0x2000 }, 0 },
		{ { 0x3000, 0x1000 }, 0 },
		{ { 0, UINT64_MAX }, 0x2000 },
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++)
		assert_int_equal(called_by(EM_X86_64, code, 6, CODE + 6, cases[i].range),
				 cases[i].slot);
}

static uint64_t relaxed_to(uint16_t machine, const uint8_t *code, uint64_t addr, bool is_after)
{
	struct ic_image *image = open_code(machine, code, 12);
	uint64_t target = 0;
	bool found = ic_image_relaxed_to(image, addr, is_after, &target);

	ic_image_free(image);
	return found ? target : 0;
}

TEST(what_linkers_write_in_place_of_calls_by_the_got_is_known)
{
	static const uint8_t code[] = {
		0x67, 0xe8, 0xfa, 0x0f, 0, 0, // addr32 call
		0xe9, 0x75, 0,    0,    0, 0x90,
	};
	static const uint8_t others[] = { 0x66, 0xe8, 0, 0, 0, 0, 0xe9, 0, 0, 0, 0, 0x91 };

	assert_int_equal(relaxed_to(EM_X86_64, code, CODE + 6, true), CODE + 0x1000);
	assert_int_equal(relaxed_to(EM_X86_64, code, CODE, false), CODE + 0x1000);
	assert_int_equal(relaxed_to(EM_X86_64, code, CODE + 6, false), CODE + 0x80);
	assert_int_equal(relaxed_to(EM_X86_64, code, CODE + 12, true), CODE + 0x80);
	assert_int_equal(relaxed_to(EM_X86_64, code, CODE + 5, true), 0);
	assert_int_equal(relaxed_to(EM_X86_64, code, CODE + 7, false), 0); // beyond the end
	assert_int_equal(relaxed_to(EM_386, code, CODE + 6, true), 0);
	assert_int_equal(relaxed_to(EM_X86_64, others, CODE + 6, true), 0);
	assert_int_equal(relaxed_to(EM_X86_64, others, CODE + 6, false), 0);
}

UNIT_TESTS(elf_image_binding)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_a_shared_library_exports_may_be_another_files),
		cmocka_unit_test(a_program_and_a_symbolic_library_use_their_own_functions),
		cmocka_unit_test(without_the_contents_of_the_dynamic_section_nothing_is_certain),
		cmocka_unit_test(direct_branches_of_x86_are_known),
		cmocka_unit_test(direct_branches_of_aarch64_are_known),
		cmocka_unit_test(what_linkers_write_in_place_of_calls_by_the_got_is_known),
		cmocka_unit_test(calls_by_words_that_only_the_dynamic_linker_writes_are_known),
		cmocka_unit_test(words_that_can_be_written_later_say_nothing),
	};

	return cmocka_run_group_tests(tests, temp_dir_make, temp_dir_remove);
}
