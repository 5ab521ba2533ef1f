#include "unit_test.h"

#include <stdio.h>

#include "elf/load.h"
#include "elf_fixture.h"

enum op { NOTHING, SET, PC, ADD, SUB, SET6, ADD6, SUB6 };

enum { MIPS_PC32 = 248 }; // not in <elf.h>

struct row {
	uint16_t machine;
	uint8_t bits;
	uint32_t type;
	uint8_t size;
	enum op op;
};

static const struct row rows[] = {
#define ROW(machine, bits, type, size, op) { machine, bits, type, size, op },
#include "relocate_rows.def"
#undef ROW
};

enum { FIELD_OFF = 8, SYMBOL_VALUE = 0x12345678, ADDEND = 0x21 };
#define FIELD 0x7172737475767778 // what is in the field before

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

static void add_data(struct elf_builder *elf, const void *data, size_t size)
{
	elf_add_section(elf,
			(struct elf_section){ .name = ".debug_info", .bytes = { data, size } });
	elf_add_symbol(elf, (struct elf_symbol){ .name = "symbol",
						 .section = "*ABS*",
						 .value = SYMBOL_VALUE,
						 .bind = STB_GLOBAL });
}

static bool load(struct ic_elf_file *file, uint32_t jobs, struct ic_error *err)
{
	struct ic_section *section = ic_elf_file_debug_section(file, ".debug_info");

	return ic_sections_load(file, &section, 1, jobs, err);
}

static void check_row(const struct row *row, bool big_endian, bool rel)
{
	struct elf_builder *elf = elf_builder_new((struct elf_format){ .bits = row->bits,
								       .big_endian = big_endian,
								       .machine = row->machine,
								       .type = ET_REL,
								       .rel = rel });
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
			check_row(&rows[i], j & 1, j & 2);
}

// A file whose .debug_info has these bytes and these relocations, loaded.
static bool apply(struct ic_elf_file *file, uint16_t machine, struct ic_bytes data,
		  const struct section_reloc *relocs, size_t count, struct ic_error *err)
{
	struct elf_builder *elf = elf_builder_new(
		(struct elf_format){ .bits = 64, .machine = machine, .type = ET_REL });

	err->message[0] = 0;
	add_data(elf, data.data, data.size);
	elf_add_symbol(elf,
		       (struct elf_symbol){
			       .name = "one", .section = "*ABS*", .value = 1, .bind = STB_GLOBAL });
	elf_add_relocs(elf, ".debug_info", relocs, count);
	elf_end_and_open(file, elf);
	return load(file, 1, err);
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
	// The ULEB128 keeps its three bytes: what is behind it has been laid out.
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
		// The last says how wide the field is.
		{ .off = 16, .type = MIPS_TYPES(R_MIPS_64, R_MIPS_32, 0, 0), .target = "high" },
		// Nothing follows, so that no symbol is asked for.
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

TEST(a_symbol_of_a_section_has_the_address_that_the_section_was_given)
{
	struct elf_builder *elf = elf_begin(ET_REL);
	const struct section_reloc relocs[] = {
		{ .off = 0, .size = 8, .target = ".text.b", .addend = 0x10 },
		{ .off = 8, .size = 8, .target = "undefined", .addend = 3 },
		{ .off = 16, .size = 4, .target = ".debug_str", .addend = 7 },
	};
	struct ic_elf_file file;
	struct ic_error err;
	uint8_t data[20] = { 0 };

	elf_add_code(elf, ".text.a", 0, 0x100);
	elf_add_code(elf, ".text.b", 0, 0x100);
	elf_add_section(elf, (struct elf_section){ .name = ".debug_str" });
	add_data(elf, data, sizeof(data));
	elf_add_symbol(elf, (struct elf_symbol){ .name = "undefined", .bind = STB_GLOBAL });
	elf_add_relocs(elf, ".debug_info", relocs, COUNT_OF(relocs));
	elf_end_and_open(&file, elf);
	assert_true(load(&file, 1, &err));
	const uint8_t *bytes = ic_elf_file_section(&file, ".debug_info")->bytes.data;
	assert_int_equal(ic_load64(bytes, file.swap),
			 ic_elf_file_section(&file, ".text.b")->addr + 0x10);
	assert_int_equal(ic_load64(bytes + 8, file.swap), 3);
	assert_int_equal(ic_load32(bytes + 16, file.swap), 7);
	ic_elf_file_close(&file);
}

static void check_refused(uint16_t machine, struct ic_bytes data,
			  const struct section_reloc *relocs, size_t count, enum ic_error_code code,
			  const char *wanted)
{
	struct ic_elf_file file;
	struct ic_error err;
	char message[1024];

	assert_false(apply(&file, machine, data, relocs, count, &err));
	snprintf(message, sizeof(message), "%s: %s", file.path, wanted);
	assert_error(&err, code, message);
	ic_elf_file_close(&file);
}

TEST(a_relocation_that_cannot_be_applied_says_which_and_why)
{
	struct section_reloc relocs[] = {
		{ .off = 0, .type = R_X86_64_32, .target = "symbol" },
		{ .off = 4, .type = R_X86_64_64, .target = "symbol" },
	};
	const struct ic_bytes data = BYTES(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

	check_refused(EM_X86_64, data, relocs, 2, IC_ERROR_MALFORMED,
		      ".rela.debug_info, entry 1: a relocation beyond the end of its section "
		      "(type 1)");
	relocs[1].off = UINT64_MAX;
	check_refused(EM_X86_64, data, relocs, 2, IC_ERROR_MALFORMED,
		      ".rela.debug_info, entry 1: a relocation beyond the end of its section "
		      "(type 1)");
	relocs[1] = (struct section_reloc){ .off = 4, .type = R_X86_64_GOT32, .target = "symbol" };
	check_refused(EM_X86_64, data, relocs, 2, IC_ERROR_MALFORMED,
		      ".rela.debug_info, entry 1: a relocation of a type that does not belong in "
		      "debugging sections (type 3)");
	relocs[1].type = 100000;
	check_refused(EM_X86_64, data, relocs, 2, IC_ERROR_MALFORMED,
		      ".rela.debug_info, entry 1: a relocation of a type that does not belong in "
		      "debugging sections (type 100000)");
	relocs[1] = (struct section_reloc){ .off = 9, .type = 60, .target = "symbol" };
	relocs[0].type = R_RISCV_SET32;
	check_refused(EM_RISCV, BYTES(0, 0, 0, 0, 0, 0, 0, 0, 0, 0x80, 0x80), relocs, 2,
		      IC_ERROR_MALFORMED,
		      ".rela.debug_info, entry 1: a relocation of a number without an end "
		      "(type 60)");
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
			 ".rela.debug_info, entry 0: a relocation of a type that does not belong "
			 "in debugging sections (type %u)",
			 types[i] & 0xff);
		check_refused(EM_MIPS, BYTES(0, 0, 0, 0, 0, 0, 0, 0), &reloc, 1, IC_ERROR_MALFORMED,
			      wanted);
	}
	// The field of the last is what must fit.
	const struct section_reloc reloc = { .type = MIPS_TYPES(R_MIPS_32, R_MIPS_64, 0, 0),
					     .target = "symbol" };
	check_refused(EM_MIPS, BYTES(0, 0, 0, 0), &reloc, 1, IC_ERROR_MALFORMED,
		      ".rela.debug_info, entry 0: a relocation beyond the end of its section "
		      "(type 2)");
}

TEST(relocations_out_of_order_are_applied_too)
{
	const struct section_reloc relocs[] = {
		{ .off = 6, .type = R_X86_64_16, .target = "symbol" },
		{ .off = 0, .type = R_X86_64_32, .target = "symbol" },
		{ .off = 2, .type = R_X86_64_16, .target = "one" }, // over a part of the last
		{ .off = 4, .type = R_X86_64_8, .target = "one", .addend = 1 },
	};
	const struct ic_bytes wanted = BYTES(0x78, 0x56, 1, 0, 2, 0, 0x78, 0x56);
	struct ic_elf_file file;
	struct ic_error err;

	assert_true(apply(&file, EM_X86_64, BYTES(0, 0, 0, 0, 0, 0, 0, 0), relocs, 4, &err));
	assert_memory_equal(ic_elf_file_section(&file, ".debug_info")->bytes.data, wanted.data, 8);
	ic_elf_file_close(&file);
}

TEST(a_machine_that_nobody_knows_is_refused)
{
	const struct section_reloc reloc = { .off = 0, .type = 1, .target = "symbol" };

	check_refused(EM_VAX, BYTES(0, 0, 0, 0, 0, 0, 0, 0), &reloc, 1, IC_ERROR_UNSUPPORTED,
		      "a relocatable file for a machine (e_machine 75) whose relocations are not "
		      "known");
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
		 "%s: .rela.debug_info, entry 0: a relocation with a symbol that does not exist "
		 "(type 1)",
		 file.path);
	assert_error(&err, IC_ERROR_MALFORMED, message);
	byte_buffer_deinit(&relocs);
	ic_elf_file_close(&file);
}

TEST(many_relocations_are_applied_alike_by_any_number_of_threads)
{
	enum { COUNT = 150000 }; // more than two threads' shares
	static struct section_reloc relocs[COUNT];
	struct byte_buffer data = { 0 };

	byte_buffer_fill(&data, 0, COUNT * 4);
	for (uint32_t i = 0; i < COUNT; i++)
		relocs[i] = (struct section_reloc){ .off = i * 4ull,
						    .type = R_X86_64_32,
						    .target = "symbol",
						    .addend = i - (int64_t)SYMBOL_VALUE };
	struct elf_builder *elf = elf_begin(ET_REL);
	struct ic_elf_file file;
	struct ic_error err;
	add_data(elf, data.data, data.size);
	elf_add_relocs(elf, ".debug_info", relocs, COUNT);
	elf_end_and_open(&file, elf);
	assert_true(load(&file, 4, &err));
	const uint8_t *bytes = ic_elf_file_section(&file, ".debug_info")->bytes.data;
	for (uint32_t i = 0; i < COUNT; i++)
		assert_true(ic_load32(bytes + i * 4ull, file.swap) == i);
	byte_buffer_deinit(&data);
	ic_elf_file_close(&file);
}

// Loads a section that is relocated after another has been moved by some bytes against its start.
static bool load_beside(int64_t distance, size_t size)
{
	static const uint8_t data[16];
	const struct section_reloc reloc = { .off = 8, .type = R_X86_64_64, .target = "symbol" };
	struct elf_builder *elf = elf_begin(ET_REL);
	struct ic_elf_file file;
	struct ic_error err;

	add_data(elf, data, sizeof(data));
	elf_add_relocs(elf, ".debug_info", &reloc, 1);
	elf_add_section(elf, (struct elf_section){ .name = ".other", .bytes = { data, 1 } });
	elf_end_and_open(&file, elf);
	const struct ic_bytes info = ic_elf_file_section(&file, ".debug_info")->raw;
	ic_elf_file_section(&file, ".other")->raw = (struct ic_bytes){ info.data + distance, size };
	bool ok = load(&file, 1, &err);
	if (!ok) {
		char message[1024];
		snprintf(message, sizeof(message),
			 "%s: sections .debug_info and .other lie on one another", file.path);
		assert_error(&err, IC_ERROR_MALFORMED, message);
	}
	ic_elf_file_close(&file);
	return ok;
}

TEST(what_is_relocated_lies_on_nothing_else)
{
	assert_true(load_beside(-4, 4));
	assert_false(load_beside(-4, 5));
	assert_false(load_beside(-4, 24)); // all around it
	assert_false(load_beside(0, 16));
	assert_false(load_beside(4, 4)); // inside of it
	assert_false(load_beside(15, 1));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_kind_of_every_machine_does_what_its_supplement_says),
		cmocka_unit_test(a_difference_of_riscv_is_an_addition_and_a_subtraction),
		cmocka_unit_test(a_difference_of_loongarch_is_an_addition_and_a_subtraction),
		cmocka_unit_test(a_relocation_of_mips64_may_be_composed_of_three),
		cmocka_unit_test(the_type_of_a_relocation_of_sparc64_has_data_above_its_low_byte),
		cmocka_unit_test(a_composed_relocation_that_is_for_code_is_refused),
		cmocka_unit_test(a_symbol_of_a_section_has_the_address_that_the_section_was_given),
		cmocka_unit_test(a_relocation_that_cannot_be_applied_says_which_and_why),
		cmocka_unit_test(relocations_out_of_order_are_applied_too),
		cmocka_unit_test(a_machine_that_nobody_knows_is_refused),
		cmocka_unit_test(a_symbol_that_does_not_exist_is_refused),
		cmocka_unit_test(many_relocations_are_applied_alike_by_any_number_of_threads),
		cmocka_unit_test(what_is_relocated_lies_on_nothing_else),
	};

	return cmocka_run_group_tests(tests, temp_dir_make, temp_dir_remove);
}
