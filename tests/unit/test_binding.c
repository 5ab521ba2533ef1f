#include "elf/binding.h"

#include <string.h>

#include <inlinecall/image.h>

#include "elf_fixture.h"
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
	ic_image_close(image);
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

static bool branches(uint16_t machine, const uint8_t *code, size_t size, uint64_t addr,
		     bool is_after, uint64_t target)
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
	bool found = ic_image_branches_to(image, addr, is_after, target);
	ic_image_close(image);
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
}

TEST(direct_branches_of_aarch64_are_known)
{
	static const uint8_t code[] = { 0x00, 0x04, 0x00, 0x94, 0xff, 0xff, 0xff, 0x17 };

	assert_true(branches(EM_AARCH64, code, 8, CODE + 4, true, 0x2000)); // bl
	assert_true(branches(EM_AARCH64, code, 8, CODE, false, 0x2000));
	assert_true(branches(EM_AARCH64, code, 8, CODE + 4, false, CODE)); // b
	assert_false(branches(EM_AARCH64, code, 8, CODE + 8, true, CODE + 4));
	assert_false(branches(EM_AARCH64, code, 8, CODE + 8, false, CODE + 4));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_a_shared_library_exports_may_be_another_files),
		cmocka_unit_test(a_program_and_a_symbolic_library_use_their_own_functions),
		cmocka_unit_test(without_the_contents_of_the_dynamic_section_nothing_is_certain),
		cmocka_unit_test(direct_branches_of_x86_are_known),
		cmocka_unit_test(direct_branches_of_aarch64_are_known),
	};

	return cmocka_run_group_tests(tests, temp_dir_make, temp_dir_remove);
}
