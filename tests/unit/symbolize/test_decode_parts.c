// The symbolizer on relocatable files: it relocates the parts that it reads. (The rest of decode.c
// is tested on linked ones.)
#include "unit_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <inlinecall/extra/symbolizer.h>
#include <inlinecall/image.h>

#include "elf/image/image.h"
#include "fixtures/elf.h"
#include "fixtures/lookup.h"
#include "fixtures/scan.h"

#include "dwarf_constants.h"

enum {
	UNITS = 40,
	PADDING = 100,    // DIEs that make a unit large
	UNIT_CODE = 0x40, // bytes; the host is in the first half
	DEPTH = 100,
};

static void put_label(char *label, const char *what, unsigned unit)
{
	snprintf(label, 32, "%s%u", what, unit);
}

static void write_unit(struct dwarf_builder *dw, unsigned number)
{
	char label[32], name[32];

	put_label(label, "unit", number);
	put_label(name, "host", number);
	dw_unit_begin_with(dw, (struct dw_unit){ .type = DW_UT_compile, .label = label });
	dw_die_begin(dw, DW_TAG_compile_unit);
	dw_strp(dw, DW_AT_name, label);
	dw_low_high(dw, number * UNIT_CODE, (number + 1) * UNIT_CODE);
	dw_die_begin(dw, DW_TAG_subprogram);
	if (number % 2 == 0) // so that no unit can use the table of the one before
		dw_strp(dw, DW_AT_name, name);
	dw_low_high(dw, number * UNIT_CODE, number * UNIT_CODE + UNIT_CODE / 2);
	if (number % 2 == 1)
		dw_strp(dw, DW_AT_name, name);
	dw_die_end(dw);
	for (unsigned i = 0; i < PADDING; i++) {
		dw_die_begin(dw, DW_TAG_base_type);
		dw_strp(dw, DW_AT_name, "a type");
		dw_data8(dw, DW_AT_byte_size, i);
		dw_die_end(dw);
	}
	dw_die_end(dw);
	dw_unit_end(dw);
}

static void write_aranges(struct dwarf_builder *dw)
{
	char label[32];

	dw_section_begin(dw, ".debug_aranges");
	for (unsigned i = 0; i < UNITS; i++) {
		put_label(label, "unit", i);
		dw_initial_length_begin(dw);
		dw_u16(dw, 2);
		dw_offset_to(dw, label);
		dw_u8(dw, 8); // an address, then a segment
		dw_u8(dw, 0);
		dw_u32(dw, 0); // padding
		dw_address(dw, i * UNIT_CODE);
		dw_u64(dw, UNIT_CODE);
		dw_u64(dw, 0);
		dw_u64(dw, 0);
		dw_length_end(dw);
	}
	dw_section_end(dw);
}

struct fixture {
	struct ic_image *image;
	struct ic_symbolizer *symbolizer;
	struct ic_section *info;
	uint64_t text; // where .text was laid out
};

static const char *write_file(bool rel)
{
	struct dwarf_builder *dw = dwarf_builder_new(
		(struct dwarf_format){ .version = 4,
				       .offset_size = 4,
				       .addr_size = 8,
				       .relocs = rel ? DWARF_RELOCS_REL : DWARF_RELOCS_RELA });
	struct elf_builder *elf = elf_builder_new((struct elf_format){
		.bits = 64, .machine = EM_X86_64, .type = ET_REL, .rel = rel });

	dw_addr_target(dw, ".text");
	for (unsigned i = 0; i < UNITS; i++)
		write_unit(dw, i);
	write_aranges(dw);
	elf_add_code(elf, ".text", 0, (size_t)UNITS * UNIT_CODE);
	elf_add_dwarf(elf, dw);
	dwarf_builder_free(dw);
	return elf_end_at(elf, "units.o");
}

static void open_fixture(struct fixture *fixture, const char *path)
{
	struct ic_symbolizer_section section;
	struct ic_error err = { .message = "" };

	fixture->image = ic_image_open(path, NULL, &err);
	if (!fixture->image)
		fail_msg("%s", err.message);
	fixture->symbolizer = ic_symbolizer_new(fixture->image, NULL, &err);
	if (!fixture->symbolizer)
		fail_msg("%s", err.message);
	fixture->info = ic_elf_file_section(ic_image_dwarf_file(fixture->image), ".debug_info");
	assert_true(ic_symbolizer_section_find(fixture->symbolizer, ".text", 0, &section));
	fixture->text = section.start;
}

static void close_fixture(struct fixture *fixture)
{
	ic_symbolizer_free(fixture->symbolizer);
	ic_image_free(fixture->image);
}

// The function at the start of a unit's code, "" if none is known.
static const char *function_of(struct fixture *fixture, unsigned unit)
{
	struct ic_frame frame = { .function = NULL };
	uint64_t addr = fixture->text + unit * UNIT_CODE;

	ic_symbolizer_frames_at(fixture->symbolizer, addr, &frame, 1);
	return frame.function ? frame.function : "";
}

static void check_unit(struct fixture *fixture, unsigned unit)
{
	char wanted[32];

	put_label(wanted, "host", unit);
	assert_string_equal(function_of(fixture, unit), wanted);
}

// How many bytes of a unit differ from the file's. With RELA most fields are 0 in the file.
static unsigned count_changes(const struct fixture *fixture, const uint8_t *before, unsigned unit)
{
	size_t size = fixture->info->bytes.size / UNITS;
	unsigned count = 0;

	for (size_t i = unit * size; i < (unit + 1) * size; i++)
		count += fixture->info->bytes.data[i] != before[i];
	return count;
}

TEST(an_address_has_its_unit_relocated_and_little_else)
{
	struct fixture fixture;

	open_fixture(&fixture, write_file(false));
	size_t size = fixture.info->raw.size;
	uint8_t *before = malloc(size);
	assert_non_null(before);
	memcpy(before, fixture.info->raw.data, size);
	assert_int_equal(size % UNITS, 0);
	check_unit(&fixture, 21);
	assert_in_range(count_changes(&fixture, before, 21), PADDING, size);
	for (unsigned i = 0; i < UNITS; i++)
		if (i < 20 || i > 22)
			assert_int_equal(count_changes(&fixture, before, i), 0);
	for (unsigned i = 0; i < UNITS; i++) // until all units are read
		check_unit(&fixture, i);
	for (unsigned i = 0; i < UNITS; i++)
		assert_in_range(count_changes(&fixture, before, i), PADDING, size);
	free(before);
	close_fixture(&fixture);
}

TEST(units_are_read_right_in_any_order)
{
	for (int rel = 0; rel < 2; rel++) {
		for (unsigned first = 0; first < UNITS; first += 3) {
			struct fixture fixture;

			open_fixture(&fixture, write_file(rel));
			for (unsigned i = 0; i < UNITS;
			     i++) // 7 has no divisor in common with UNITS
				check_unit(&fixture, (first + 7 * i) % UNITS);
			close_fixture(&fixture);
		}
	}
}

TEST(many_addresses_at_once_have_everything_relocated)
{
	enum { COUNT = UNITS * UNIT_CODE };
	struct fixture fixture;
	struct ic_error err;
	uint64_t addrs[COUNT];

	open_fixture(&fixture, write_file(true));
	check_unit(&fixture, 3); // whose addends in place are not added again
	for (unsigned i = 0; i < COUNT; i++)
		addrs[i] = fixture.text + i;
	struct ic_stacks *stacks = ic_stacks_find(fixture.symbolizer, addrs, COUNT, &err);
	assert_non_null(stacks);
	for (unsigned i = 0; i < COUNT; i++) {
		const struct ic_frame *frames;
		size_t count = frames_of_stack(stacks, i, &frames);
		char wanted[32];
		put_label(wanted, "host", i / UNIT_CODE);
		assert_int_equal(count, i % UNIT_CODE < UNIT_CODE / 2);
		if (count > 0)
			assert_string_equal(frames[0].function, wanted);
	}
	ic_stacks_free(stacks);
	close_fixture(&fixture);
}

// Gives relocation number `entry` from the end of .rela.debug_info a type that is for code.
static void spoil(const char *path, uint64_t entry)
{
	struct ic_elf_file file;
	struct ic_error err;

	assert_true(ic_elf_file_open(&file, path, &err));
	const struct ic_section *relocs = ic_elf_file_section(&file, ".rela.debug_info");
	uint64_t off = (uint64_t)(relocs->raw.data - file.data) + relocs->raw.size - entry * 24;
	uint8_t type = R_X86_64_GOT32;
	FILE *stream = fopen(path, "r+b");
	assert_non_null(stream);
	assert_int_equal(fseek(stream, (long)off + 8, SEEK_SET), 0);
	assert_int_equal(fwrite(&type, 1, 1, stream), 1);
	fclose(stream);
	ic_elf_file_close(&file);
}

TEST(what_cannot_be_relocated_costs_its_unit_and_is_said)
{
	const char *path = write_file(false);
	struct ic_index_problem problem;
	struct fixture fixture;

	spoil(path, 10); // in the last unit
	open_fixture(&fixture, path);
	for (unsigned i = 0; i < 8; i++)
		check_unit(&fixture, i);
	assert_false(ic_symbolizer_problem_get(fixture.symbolizer, 0, &problem));
	for (int i = 0; i < 2; i++) {
		assert_string_equal(function_of(&fixture, UNITS - 1), "");
		assert_true(ic_symbolizer_problem_get(fixture.symbolizer, 0, &problem));
		assert_non_null(strstr(problem.message, "units.o: .rela.debug_info, entry "));
		assert_non_null(strstr(problem.message, "relocation type not for debug sections"));
		assert_false(ic_symbolizer_problem_get(fixture.symbolizer, 1, &problem));
		check_unit(&fixture, 5);
	}
	close_fixture(&fixture);
}

// The last single lookup, which reads only one unit, may have counted the frames; the next one
// reads all units, and cannot relocate the other one.
TEST(an_answer_may_become_shorter_once_all_is_read)
{
	struct dwarf_builder *dw = dwarf_builder_new((struct dwarf_format){
		.version = 4, .offset_size = 4, .addr_size = 8, .relocs = DWARF_RELOCS_RELA });
	struct elf_builder *elf = elf_builder_new(
		(struct elf_format){ .bits = 64, .machine = EM_X86_64, .type = ET_REL });
	const struct ic_frame *frames;
	struct fixture fixture;
	struct ic_error err;

	dw_addr_target(dw, ".text");
	dw_unit_begin_with(dw, (struct dw_unit){ .type = DW_UT_compile, .label = "deep" });
	dw_die_begin(dw, DW_TAG_compile_unit);
	dw_low_high(dw, 0, UNIT_CODE);
	scan_abstract(dw, "leaf");
	scan_host(dw, "host", 0, UNIT_CODE);
	for (int i = 0; i < DEPTH; i++)
		scan_inlined(dw, "leaf", 0, UNIT_CODE);
	for (int i = 0; i < DEPTH + 2; i++)
		dw_die_end(dw);
	dw_unit_end(dw);
	write_unit(dw, 1);
	dw_aranges(dw, "deep", DW_RANGES({ 0, UNIT_CODE }));
	elf_add_code(elf, ".text", 0, 2 * UNIT_CODE);
	elf_add_dwarf(elf, dw);
	dwarf_builder_free(dw);
	const char *path = elf_end_at(elf, "deep.o");
	spoil(path, 10); // in the last unit
	for (unsigned before = 0; before < 20; before++) {
		open_fixture(&fixture, path);
		for (unsigned i = 0; i < before; i++)
			ic_symbolizer_frames_at(fixture.symbolizer, fixture.text, NULL, 0);
		struct ic_stacks *stacks =
			ic_stacks_find(fixture.symbolizer, &fixture.text, 1, &err);
		assert_non_null(stacks);
		assert_int_equal(frames_of_stack(stacks, 0, &frames), before < 15 ? DEPTH + 1 : 0);
		ic_stacks_free(stacks);
		close_fixture(&fixture);
	}
}

UNIT_TESTS(symbolize_decode_parts)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_address_has_its_unit_relocated_and_little_else),
		cmocka_unit_test(units_are_read_right_in_any_order),
		cmocka_unit_test(many_addresses_at_once_have_everything_relocated),
		cmocka_unit_test(what_cannot_be_relocated_costs_its_unit_and_is_said),
		cmocka_unit_test(an_answer_may_become_shorter_once_all_is_read),
	};

	return cmocka_run_group_tests(tests, temp_dir_make, temp_dir_remove);
}
