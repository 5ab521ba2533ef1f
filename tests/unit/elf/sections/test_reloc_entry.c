#include "unit_test.h"

#include <stdio.h>

#include "elf/sections/reloc_entry.h"
#include "fixtures/relocate.h"

enum op { NOTHING, SET, PC, ADD, SUB, SET6, ADD6, SUB6 };

struct row {
	uint16_t machine;
	uint8_t bits;
	uint32_t type;
	uint8_t size;
	enum op op;
};

static const struct row rows[] = {
#define ROW(machine, bits, type, size, op) { machine, bits, type, size, op },
#include "fixtures/relocate_rows.def"
#undef ROW
};

enum { FIELD_OFF = 8, ADDEND = 0x21 };
#define FIELD 0x7172737475767778 // the field's bytes before

static uint64_t wanted_value(const struct row *row, bool rel)
{
	uint64_t mask = row->size == 8 ? UINT64_MAX : (1ull << row->size * 8) - 1;
	uint64_t old = FIELD & mask, value = SYMBOL_VALUE + (rel ? 0 : ADDEND);
	bool in_place = rel || row->machine == EM_SH; // of SH: beside an addend that is 0

	switch (row->op) {
	case NOTHING: return old;
	case SET: return (value + (in_place ? old : 0)) & mask;
	case PC: return (value + (in_place ? old : 0) - FIELD_OFF) & mask;
	case ADD: return (old + value) & mask;
	case SUB: return (old - value) & mask;
	case SET6: return (old & 0xc0) | (value & 0x3f);
	case ADD6: return (old & 0xc0) | ((old + value) & 0x3f);
	case SUB6: return (old & 0xc0) | ((old - value) & 0x3f);
	}
	return 0;
}

static void check_row(const struct row *row, bool big_endian, bool rel, bool crel)
{
	struct elf_builder *elf = elf_builder_new((struct elf_format){ .bits = row->bits,
								       .big_endian = big_endian,
								       .machine = row->machine,
								       .type = ET_REL,
								       .rel = rel,
								       .crel = crel });
	struct byte_buffer data = { .big_endian = big_endian };
	const struct section_reloc reloc = { .off = FIELD_OFF,
					     .size = row->size,
					     .type = row->type,
					     .target = "symbol",
					     .addend = ADDEND };
	struct ic_elf_file file;
	struct ic_error err = { .message = "" };

	byte_buffer_fill(&data, 0xee, FIELD_OFF);
	byte_buffer_put(&data, FIELD, row->size);
	byte_buffer_fill(&data, 0xee, 8);
	add_data(elf, data.data, data.size);
	elf_add_relocs(elf, ".debug_info", &reloc, 1);
	elf_end_and_open(&file, elf);
	if (!load(&file, 1, &err))
		fail_msg("%s", err.message);
	const struct ic_bytes bytes = ic_elf_file_section(&file, ".debug_info")->bytes;
	struct ic_cursor cur = ic_cursor_at(bytes, "", FIELD_OFF, row->size, file.swap);
	uint64_t value = ic_cursor_uint(&cur, row->size);
	if (value != wanted_value(row, rel))
		fail_msg("machine %u, type %u: 0x%llx", row->machine, row->type,
			 (unsigned long long)value);
	for (size_t i = 0; i < 8; i++) { // nothing beside the field was touched
		assert_int_equal(bytes.data[i], 0xee);
		assert_int_equal(bytes.data[FIELD_OFF + row->size + i], 0xee);
	}
	byte_buffer_deinit(&data);
	ic_elf_file_close(&file);
}

TEST(every_kind_of_every_machine_does_what_its_supplement_says)
{
	for (size_t i = 0; i < COUNT_OF(rows); i++)
		for (int j = 0; j < 4; j++)
			check_row(&rows[i], j & 1, j & 2, false);
}

TEST(compact_relocations_do_the_same)
{
	for (size_t i = 0; i < COUNT_OF(rows); i++)
		for (int j = 0; j < 4 && !(rows[i].machine == EM_MIPS && rows[i].bits == 64); j++)
			check_row(&rows[i], j & 1, j & 2, true);
}

TEST(a_difference_of_riscv_is_an_addition_and_a_subtraction)
{
	const struct section_reloc relocs[] = {
		{ .off = 0, .type = R_RISCV_ADD32, .target = "symbol", .addend = 5 },
		{ .off = 0, .type = R_RISCV_SUB32, .target = "symbol", .addend = 2 },
		{ .off = 4, .type = 60, .target = "symbol", .addend = 300 }, // SET_ULEB128
		{ .off = 4, .type = 61, .target = "symbol", .addend = 0 },   // SUB_ULEB128
		{ .off = 7, .type = R_RISCV_SET6, .target = "symbol", .addend = 9 },
		{ .off = 7, .type = R_RISCV_SUB6, .target = "symbol", .addend = 4 },
	};
	struct ic_elf_file file;
	struct ic_error err;

	assert_true(apply(&file, EM_RISCV, BYTES(0, 0, 0, 0, 0x80, 0x80, 0, 0x40), relocs,
			  COUNT_OF(relocs), &err));
	// The ULEB128 keeps its three bytes: the bytes after it must not move.
	const struct ic_bytes wanted = BYTES(3, 0, 0, 0, 0xac, 0x82, 0, 0x45);
	assert_memory_equal(ic_elf_file_section(&file, ".debug_info")->bytes.data, wanted.data, 8);
	ic_elf_file_close(&file);
}

TEST(a_difference_of_loongarch_is_an_addition_and_a_subtraction)
{
	const struct section_reloc relocs[] = {
		{ .off = 0, .type = R_LARCH_ADD32, .target = "symbol", .addend = 5 },
		{ .off = 0, .type = R_LARCH_SUB32, .target = "symbol", .addend = 2 },
		{ .off = 4, .type = 107, .target = "symbol", .addend = 300 }, // ADD_ULEB128
		{ .off = 4, .type = 108, .target = "symbol", .addend = 1 },   // SUB_ULEB128
		{ .off = 7, .type = 105, .target = "symbol", .addend = 9 },   // ADD6
		{ .off = 7, .type = 106, .target = "symbol", .addend = 4 },   // SUB6
	};
	struct ic_elf_file file;
	struct ic_error err;

	assert_true(apply(&file, EM_LOONGARCH, BYTES(0, 0, 0, 0, 0x81, 0x80, 0, 0x41), relocs,
			  COUNT_OF(relocs), &err));
	// Unlike RISC-V's, the first adds to what is there.
	const struct ic_bytes wanted = BYTES(3, 0, 0, 0, 0xac, 0x82, 0, 0x46);
	assert_memory_equal(ic_elf_file_section(&file, ".debug_info")->bytes.data, wanted.data, 8);
	ic_elf_file_close(&file);
}

// The types in the order in which they apply, and the special symbol.
#define MIPS_TYPES(first, second, third, special) \
	((first) | (second) << 8 | (third) << 16 | (uint32_t)(special) << 24)

TEST(a_relocation_of_mips64_may_be_composed_of_three)
{
	const struct section_reloc relocs[] = {
		{ .off = 0, .type = MIPS_TYPES(R_MIPS_32, R_MIPS_64, 0, 0), .target = "high" },
		{ .off = 8,
		  .type = MIPS_TYPES(MIPS_PC32, R_MIPS_16, R_MIPS_64, 0),
		  .target = "high",
		  .addend = 0x10010 },
		// The last type gives the size of the field.
		{ .off = 16, .type = MIPS_TYPES(R_MIPS_64, R_MIPS_32, 0, 0), .target = "high" },
		// Nothing follows, so no symbol is needed.
		{ .off = 20, .type = MIPS_TYPES(R_MIPS_32, 0, 0, 1), .target = "high" },
	};
	static const uint64_t wanted[] = { 0xffffffff80001234, 0x123c };

	for (int big_endian = 0; big_endian < 2; big_endian++) {
		struct elf_builder *elf = elf_builder_new((struct elf_format){
			.bits = 64, .big_endian = big_endian, .machine = EM_MIPS, .type = ET_REL });
		struct ic_elf_file file;
		struct ic_error err;
		uint8_t data[24] = { 0 };

		add_data(elf, data, sizeof(data));
		elf_add_symbol(elf, (struct elf_symbol){ .name = "high",
							 .section = "*ABS*",
							 .value = 0x180001234,
							 .bind = STB_GLOBAL });
		elf_add_relocs(elf, ".debug_info", relocs, COUNT_OF(relocs));
		elf_end_and_open(&file, elf);
		if (!load(&file, 1, &err))
			fail_msg("%s", err.message);
		const uint8_t *bytes = ic_elf_file_section(&file, ".debug_info")->bytes.data;
		assert_int_equal(ic_load64(bytes, file.swap), wanted[0]);
		assert_int_equal(ic_load64(bytes + 8, file.swap), wanted[1]);
		assert_int_equal(ic_load32(bytes + 16, file.swap), 0x80001234);
		assert_int_equal(ic_load32(bytes + 20, file.swap), 0x80001234);
		ic_elf_file_close(&file);
	}
}

TEST(the_type_of_a_relocation_of_sparc64_has_data_above_its_low_byte)
{
	const struct section_reloc reloc = {
		.off = 0, .type = 0x12345600 | R_SPARC_UA64, .target = "symbol", .addend = 1
	};
	struct ic_elf_file file;
	struct ic_error err;

	assert_true(apply(&file, EM_SPARCV9, BYTES(0, 0, 0, 0, 0, 0, 0, 0), &reloc, 1, &err));
	assert_int_equal(
		ic_load64(ic_elf_file_section(&file, ".debug_info")->bytes.data, file.swap),
		SYMBOL_VALUE + 1);
	ic_elf_file_close(&file);
}

TEST(a_relocation_that_cannot_be_applied_says_which_and_why)
{
	struct section_reloc relocs[] = {
		{ .off = 0, .type = R_X86_64_32, .target = "symbol" },
		{ .off = 4, .type = R_X86_64_64, .target = "symbol" },
	};
	const struct ic_bytes data = BYTES(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

	check_refused(
		EM_X86_64, data, relocs, 2, IC_ERROR_MALFORMED,
		".rela.debug_info, entry 1: relocation beyond the end of its section (type 1)");
	relocs[1].off = UINT64_MAX;
	check_refused(
		EM_X86_64, data, relocs, 2, IC_ERROR_MALFORMED,
		".rela.debug_info, entry 1: relocation beyond the end of its section (type 1)");
	relocs[1] = (struct section_reloc){ .off = 4, .type = R_X86_64_GOT32, .target = "symbol" };
	check_refused(EM_X86_64, data, relocs, 2, IC_ERROR_MALFORMED,
		      ".rela.debug_info, entry 1: relocation type not for debug sections (type 3)");
	relocs[1].type = 100000;
	check_refused(
		EM_X86_64, data, relocs, 2, IC_ERROR_MALFORMED,
		".rela.debug_info, entry 1: relocation type not for debug sections (type 100000)");
	relocs[1] = (struct section_reloc){ .off = 9, .type = 60, .target = "symbol" };
	relocs[0].type = R_RISCV_SET32;
	check_refused(
		EM_RISCV, BYTES(0, 0, 0, 0, 0, 0, 0, 0, 0, 0x80, 0x80), relocs, 2,
		IC_ERROR_MALFORMED,
		".rela.debug_info, entry 1: relocation of an unterminated LEB128 number (type 60)");
}

TEST(a_composed_relocation_that_is_for_code_is_refused)
{
	static const uint32_t types[] = { MIPS_TYPES(R_MIPS_32, R_MIPS_SUB, 0, 0),
					  MIPS_TYPES(R_MIPS_32, R_MIPS_64, 0, 1),
					  MIPS_TYPES(R_MIPS_32, R_MIPS_64, R_MIPS_HI16, 0),
					  MIPS_TYPES(R_MIPS_GPREL32, R_MIPS_64, 0, 0) };

	for (size_t i = 0; i < COUNT_OF(types); i++) {
		const struct section_reloc reloc = { .type = types[i], .target = "symbol" };
		char wanted[160];

		snprintf(wanted, sizeof(wanted),
			 ".rela.debug_info, entry 0: relocation type not for debug sections (type "
			 "%u)",
			 types[i] & 0xff);
		check_refused(EM_MIPS, BYTES(0, 0, 0, 0, 0, 0, 0, 0), &reloc, 1, IC_ERROR_MALFORMED,
			      wanted);
	}
	// Only the field of the last type must fit.
	const struct section_reloc reloc = { .type = MIPS_TYPES(R_MIPS_32, R_MIPS_64, 0, 0),
					     .target = "symbol" };
	check_refused(
		EM_MIPS, BYTES(0, 0, 0, 0), &reloc, 1, IC_ERROR_MALFORMED,
		".rela.debug_info, entry 0: relocation beyond the end of its section (type 2)");
}

// A symbol number that no symbol has, in a relocation section written by hand.
TEST(a_symbol_that_does_not_exist_is_refused)
{
	struct elf_builder *elf = elf_begin(ET_REL);
	struct byte_buffer relocs = { 0 };
	struct ic_elf_file file;
	struct ic_error err;
	uint8_t data[8] = { 0 };
	char message[1024];

	byte_buffer_put(&relocs, 0, 8);
	byte_buffer_put(&relocs, 77ull << 32 | R_X86_64_64, 8);
	byte_buffer_put(&relocs, 0, 8);
	add_data(elf, data, sizeof(data));
	elf_add_section(elf, (struct elf_section){ .name = ".rela.debug_info",
						   .type = SHT_RELA,
						   .link = 3, // .symtab, which comes next
						   .info = 1,
						   .bytes = byte_buffer_view(&relocs) });
	elf_end_and_open(&file, elf);
	assert_false(load(&file, 1, &err));
	snprintf(message, sizeof(message),
		 "%s: .rela.debug_info, entry 0: relocation with a symbol that does not exist "
		 "(type 1)",
		 file.path);
	assert_error(&err, IC_ERROR_MALFORMED, message);
	byte_buffer_deinit(&relocs);
	ic_elf_file_close(&file);
}

UNIT_TESTS(elf_sections_reloc_entry)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(compact_relocations_do_the_same),
		cmocka_unit_test(every_kind_of_every_machine_does_what_its_supplement_says),
		cmocka_unit_test(a_difference_of_riscv_is_an_addition_and_a_subtraction),
		cmocka_unit_test(a_difference_of_loongarch_is_an_addition_and_a_subtraction),
		cmocka_unit_test(a_relocation_of_mips64_may_be_composed_of_three),
		cmocka_unit_test(the_type_of_a_relocation_of_sparc64_has_data_above_its_low_byte),
		cmocka_unit_test(a_composed_relocation_that_is_for_code_is_refused),
		cmocka_unit_test(a_relocation_that_cannot_be_applied_says_which_and_why),
		cmocka_unit_test(a_symbol_that_does_not_exist_is_refused),
	};

	return cmocka_run_group_tests(tests, temp_dir_make, temp_dir_remove);
}
