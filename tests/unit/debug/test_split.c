#include "unit_test.h"

#include "debug/split.h"

#include <stdlib.h>
#include <unistd.h>

#include "fixtures/elf.h"
#include "fixtures/split.h"

#include "dwarf_constants.h"

static const struct dwarf_format format_5 = { .version = 5, .offset_size = 4, .addr_size = 8 };

static const struct split_unit units[] = {
	{ .id = 0x1122334455667788, .name = "one", .dwo_name = "a.dwo", .start = 0x1000 },
	{ .id = 0x99, .name = "two", .dwo_name = "b.dwo", .start = 0x2000 },
};

// The sections of a package, in the order of its columns; the strings are all in one.
static const struct {
	const char *name;
	uint32_t column; // DW_SECT_*; 0: none, so that the offsets in it must hold as they are
} parts[] = {
	{ ".debug_info.dwo", 1 },
	{ ".debug_abbrev.dwo", 3 },
	{ ".debug_str_offsets.dwo", 6 },
	{ ".debug_rnglists.dwo", 8 },
};

// Splits the units to files of their own, and puts those into one package, the last one first. The
// strings of the first are found at the start alone, so they are made to be the same.
static struct elf_builder *begin_package(struct dwarf_format format, struct package_row rows[2])
{
	struct byte_buffer sections[COUNT_OF(parts)] = { 0 };
	struct elf_builder *elf = split_elf(format, true);

	for (uint32_t i = 2; i-- > 0;) {
		struct dwarf_builder *dw = dwarf_builder_new(format);
		for (uint32_t j = 0; j < 2; j++) {
			dw_str_off(dw, ".debug_str.dwo", units[j].name);
			dw_str_off(dw, ".debug_str.dwo", j ? "two.inlined" : "one.inlined");
		}
		split_write_units(dw, &units[i], 1);
		rows[i] = (struct package_row){ .id = units[i].id };
		for (uint32_t j = 0; j < COUNT_OF(parts); j++) {
			struct bytes part = dw_section(dw, parts[j].name);
			rows[i].offs[j] = (uint32_t)sections[j].size;
			rows[i].sizes[j] = (uint32_t)part.size;
			byte_buffer_append(&sections[j], part.data, part.size);
		}
		if (i == 0)
			elf_add_section(elf, (struct elf_section){
						     .name = ".debug_str.dwo",
						     .align = 1,
						     .bytes = dw_section(dw, ".debug_str.dwo") });
		dwarf_builder_free(dw);
	}
	for (uint32_t j = 0; j < COUNT_OF(parts); j++) {
		elf_add_section(elf,
				(struct elf_section){ .name = parts[j].name,
						      .align = 1,
						      .bytes = byte_buffer_view(&sections[j]) });
		byte_buffer_deinit(&sections[j]);
	}
	return elf;
}

static void write_package(struct dwarf_format format, struct package_index index, const char *name)
{
	struct package_row rows[2];
	struct elf_builder *elf = begin_package(format, rows);
	struct byte_buffer out = { .big_endian = format.big_endian };

	index.version = format.version < 5 ? 2 : 5;
	index.columns = COUNT_OF(parts);
	for (uint32_t i = 0; i < COUNT_OF(parts); i++)
		index.sections[i] = parts[i].column;
	index.rows = rows;
	index.row_count = index.row_count ? index.row_count : 2;
	package_index_write(&out, &index);
	elf_add_section(elf, (struct elf_section){ .name = ".debug_cu_index",
						   .align = 1,
						   .bytes = byte_buffer_view(&out) });
	byte_buffer_deinit(&out);
	elf_end_at(elf, name);
}

// Two skeletons, each with a table of addresses of its own.
static const char *write_program(struct dwarf_format format)
{
	struct dwarf_builder *dw = dwarf_builder_new(format);
	struct elf_builder *elf = split_elf(format, false);

	split_write_units(dw, &units[0], 1);
	split_write_units(dw, &units[1], 1);
	elf_add_dwarf_part(elf, dw, false);
	dwarf_builder_free(dw);
	return elf_end_at(elf, "program");
}

TEST(a_unit_of_a_package_uses_its_part_of_each_section)
{
	for (uint32_t i = 0; i < SPLIT_FORMAT_COUNT; i++) {
		struct dwarf_format format = split_format_number(i);
		struct scan scan;

		write_package(format, (struct package_index){ 0 }, "program.dwp");
		scan_open_path(&scan, write_program(format), NULL);
		assert_scan(&scan, SKELETON SKELETON UNIT_TWO UNIT_ONE);
		struct ic_error err = { .message = "" };
		unlink(temp_path("program.dwp")); // it stays open
		ic_index_free(scan.index);
		scan.index = ic_index_build(scan.image, NULL, &err);
		assert_scan(&scan, SKELETON SKELETON UNIT_TWO UNIT_ONE);
		scan_close(&scan);
	}
}

TEST(what_the_package_lacks_is_in_dwo_files)
{
	struct scan scan;
	// The row of the second unit is not in the index, so its ID is known only from the header;
	// and that is of another unit.
	struct dwarf_builder *dw = dwarf_builder_new(format_5);
	struct elf_builder *elf = split_elf(format_5, true);

	split_write_units(dw, &units[1], 1);
	elf_add_dwarf_part(elf, dw, true);
	dwarf_builder_free(dw);
	const char *dwp = elf_end_at(elf, "program.dwp"); // without an index
	split_write(format_5, &units[0], 1, "unused", "a.dwo");
	scan_open_path(&scan, write_program(format_5), NULL);
	assert_scan(&scan, SKELETON SKELETON UNIT_TWO UNIT_ONE);
	scan_close(&scan);
	unlink(dwp);
	unlink(temp_path("a.dwo"));
}

TEST(a_damaged_package_is_a_problem_that_names_it)
{
	struct scan scan;

	write_package(format_5, (struct package_index){ .bad_columns = DW_BAD(99) }, "program.dwp");
	split_write(format_5, &units[0], 1, "unused", "a.dwo");
	split_write(format_5, &units[1], 1, "unused", "b.dwo");
	scan_open_path(&scan, write_program(format_5), NULL);
	assert_scan(&scan, SKELETON SKELETON UNIT_ONE UNIT_TWO
		    "problem .debug_cu_index+0x10: package index has too many columns\n");
	assert_string_equal(scan.index->problems[0].file, temp_path("program.dwp"));
	assert_string_equal(scan.index->problems[0].section, ".debug_cu_index");
	scan_close(&scan);
	temp_write(temp_path("program.dwp"), "no ELF", 6);
	scan_open_path(&scan, temp_path("program"), NULL);
	assert_non_null(split_problem(&scan, "program.dwp: not an ELF file"));
	scan_close(&scan);
	unlink(temp_path("program.dwp"));
	unlink(temp_path("a.dwo"));
	unlink(temp_path("b.dwo"));
}

TEST(a_row_of_several_units_names_the_first_alone)
{
	// The ID of a DWARF 5 unit is in the unit and in the row.
	struct dwarf_builder *dw = dwarf_builder_new(format_5);
	struct elf_builder *elf = split_elf(format_5, false), *dwp = split_elf(format_5, true);
	struct byte_buffer out = { .data = NULL };
	struct scan scan;

	split_write_units(dw, units, 2);
	const struct package_row row = {
		.id = units[0].id, .sizes = { (uint32_t)dw_section(dw, ".debug_info.dwo").size }
	};
	package_index_write(&out, &(struct package_index){ .version = 5,
							   .columns = 1,
							   .sections = { 1 },
							   .rows = &row,
							   .row_count = 1 });
	elf_add_dwarf_part(elf, dw, false);
	elf_add_dwarf_part(dwp, dw, true);
	elf_add_section(dwp, (struct elf_section){ .name = ".debug_cu_index",
						   .align = 1,
						   .bytes = byte_buffer_view(&out) });
	byte_buffer_deinit(&out);
	dwarf_builder_free(dw);
	const char *path = elf_end_at(dwp, "program.dwp");
	scan_open_path(&scan, elf_end_at(elf, "program"), NULL);
	assert_scan(&scan, SKELETON SKELETON UNIT_ONE UNIT_TWO);
	scan_close(&scan);
	unlink(path);
}

TEST(the_second_skeleton_with_an_id_is_a_problem)
{
	struct split_unit same[] = { units[0], units[1] };
	struct scan scan;

	same[0].dwo_name = "z.dwo"; // the order of the names makes no difference
	same[1].dwo_name = "a.dwo";
	same[1].id = same[0].id;
	split_write(format_5, same, 1, "unused", "z.dwo");
	split_write(format_5, same, 1, "unused", "a.dwo");
	struct dwarf_builder *dw = dwarf_builder_new(format_5);
	struct elf_builder *elf = split_elf(format_5, false);
	split_write_units(dw, &same[0], 1);
	split_write_units(dw, &same[1], 1);
	elf_add_dwarf_part(elf, dw, false);
	dwarf_builder_free(dw);
	scan_open_path(&scan, elf_end_at(elf, "program"), NULL);
	const char *text = scan_text(&scan);
	assert_non_null(strstr(text, UNIT_ONE));
	assert_null(strstr(strstr(text, UNIT_ONE) + strlen(UNIT_ONE), "host"));
	const struct ic_problem *problem =
		split_problem(&scan, "the unit at 0x0 has the same dwo_id, 0x1122334455667788");
	assert_non_null(problem);
	assert_true(problem->offset > 0);
	scan_close(&scan);
	unlink(temp_path("a.dwo"));
	unlink(temp_path("z.dwo"));
}

// A skeleton that has the inlined functions itself, as with -fsplit-dwarf-inlining.
static const char *write_full_skeleton(void)
{
	struct dwarf_builder *dw = dwarf_builder_new(format_5);
	struct elf_builder *elf = split_elf(format_5, false);

	dw_unit_begin_with(dw, (struct dw_unit){ .type = DW_UT_skeleton, .id = units[0].id });
	dw_die_begin(dw, DW_TAG_skeleton_unit);
	dw_string(dw, DW_AT_dwo_name, "a.dwo");
	dw_sec_offset(dw, DW_AT_addr_base, "addrs");
	scan_abstract(dw, "brief");
	scan_host(dw, "one", 0x1000, 0x1100);
	scan_inlined(dw, "brief", 0x1010, 0x1018);
	dw_die_end(dw);
	dw_die_end(dw);
	scan_unit_done(dw);
	dw_section_begin(dw, ".debug_addr");
	dw_u32(dw, 12);
	dw_u32(dw, 5 | 8 << 16);
	dw_label(dw, "addrs");
	dw_u64(dw, 0x1000);
	dw_section_end(dw);
	elf_add_dwarf(elf, dw);
	dwarf_builder_free(dw);
	return elf_end_at(elf, "program");
}

TEST(what_a_skeleton_holds_counts_where_its_unit_is_missing_alone)
{
	struct scan scan;
	const char *path = write_full_skeleton();

	scan_open_path(&scan, path, NULL);
	assert_non_null(strstr(scan_text(&scan), SKELETON "host one 0x1000-0x1100 at 0x1000\n"
							  " inlined brief 0x1010-0x1018 at "
							  "0x1010\n"));
	assert_int_equal(scan.index->problem_count, 1);
	scan_close(&scan);
	split_write(format_5, &units[0], 1, "unused", "a.dwo");
	scan_open_path(&scan, path, NULL);
	assert_scan(&scan, SKELETON UNIT_ONE);
	scan_close(&scan);
	unlink(temp_path("a.dwo"));
}

TEST(files_are_those_of_the_skeletons_line_table)
{
	const char *const dirs[] = { "/src", NULL };
	const struct dw_line_file files[] = { { .path = "a.c" }, { .path = "b.h" }, { 0 } };
	struct split_unit unit = units[0];
	struct dwarf_builder *dw = dwarf_builder_new(format_5);
	struct elf_builder *program = split_elf(format_5, false), *dwo = split_elf(format_5, true);
	struct dw_line_header header = dw_line_header_default(dw);
	struct scan scan;

	unit.lines = "lines";
	header.dirs = dirs;
	header.files = files;
	dw_line_begin(dw, "lines", &header);
	dw_line_end_sequence(dw, 1);
	dw_line_end(dw);
	split_write_units(dw, &unit, 1);
	elf_add_dwarf_part(program, dw, false);
	elf_add_dwarf_part(dwo, dw, true);
	dwarf_builder_free(dw);
	const char *path = elf_end_at(dwo, "a.dwo");
	scan_open_path(&scan, elf_end_at(program, "program"), NULL);
	assert_string_equal(scan_function(&scan, 1)->decl_file, "/src/b.h");
	assert_int_equal(scan_function(&scan, 1)->decl_line, 7);
	scan_close(&scan);
	unlink(path);
}

TEST(split_units_without_a_skeleton_are_nobodys)
{
	struct scan scan;
	struct split_unit both[] = { units[0], units[1] };

	both[1].dwo_name = "a.dwo";
	split_write(format_5, both, 2, "unused", "a.dwo");
	scan_open_path(&scan, split_write(format_5, both, 1, "program", NULL), NULL);
	assert_scan(&scan, SKELETON UNIT_ONE SKELETON); // it is listed, and not read
	scan_close(&scan);
	unlink(temp_path("a.dwo"));
}

UNIT_TESTS(debug_split)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_unit_of_a_package_uses_its_part_of_each_section),
		cmocka_unit_test(what_the_package_lacks_is_in_dwo_files),
		cmocka_unit_test(a_damaged_package_is_a_problem_that_names_it),
		cmocka_unit_test(a_row_of_several_units_names_the_first_alone),
		cmocka_unit_test(the_second_skeleton_with_an_id_is_a_problem),
		cmocka_unit_test(what_a_skeleton_holds_counts_where_its_unit_is_missing_alone),
		cmocka_unit_test(files_are_those_of_the_skeletons_line_table),
		cmocka_unit_test(split_units_without_a_skeleton_are_nobodys),
	};

	return cmocka_run_group_tests(tests, temp_dir_make, temp_dir_remove);
}
