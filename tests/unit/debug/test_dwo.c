#include "unit_test.h"

#include "debug/dwo.h"

#include <stdio.h>
#include <unistd.h>

#include "fixtures/elf.h"
#include "fixtures/split.h"

#include "dwarf_constants.h"

static const struct dwarf_format format_5 = { .version = 5, .offset_size = 4, .addr_size = 8 };

// Two units of one file, as link-time optimisation leaves them.
static const struct split_unit units[] = {
	{ .id = 0x1122334455667788, .name = "one", .dwo_name = "a.dwo", .start = 0x1000 },
	{ .id = 0x99, .name = "two", .dwo_name = "a.dwo", .start = 0x2000 },
};

TEST(units_of_every_format_are_read_with_what_their_skeletons_have)
{
	for (uint32_t i = 0; i < SPLIT_FORMAT_COUNT; i++) {
		struct scan scan;

		scan_open_path(&scan,
			       split_write(split_format_number(i), units, 2, "program", "a.dwo"),
			       NULL);
		assert_scan(&scan, SKELETON SKELETON UNIT_ONE UNIT_TWO);
		scan_close(&scan);
	}
	unlink(temp_path("a.dwo"));
}

TEST(a_section_that_is_left_for_later_is_read_though_the_file_has_moved)
{
	enum { SIZE = 4 << 20 }; // out of proportion to its compressed size
	struct elf_builder *program = split_elf(format_5, false), *dwo = split_elf(format_5, true);
	struct dwarf_builder *dw = dwarf_builder_new(format_5);
	const char *name;
	struct scan scan;

	split_write_units(dw, units, 2);
	dw_section_begin(dw, ".debug_str.dwo");
	dw_fill(dw, 0, SIZE);
	dw_section_end(dw);
	elf_add_dwarf_part(program, dw, false);
	for (size_t i = 0; (name = dw_section_name(dw, i)) != NULL; i++)
		if (strstr(name, ".dwo"))
			elf_add_section(
				dwo, (struct elf_section){ .name = name,
							   .align = 1,
							   .bytes = dw_section(dw, name),
							   .compression = ELF_COMPRESSION_ZSTD });
	dwarf_builder_free(dw);
	elf_end_at(dwo, "a.dwo");
	scan_open_path(&scan, elf_end_at(program, "program"), NULL);
	assert_scan(&scan, SKELETON SKELETON UNIT_ONE UNIT_TWO);
	scan_close(&scan);
	unlink(temp_path("a.dwo"));
}

TEST(any_number_of_threads_finds_the_same)
{
	enum { COUNT = 40 };
	struct split_unit many[COUNT];
	char names[COUNT][2][16];
	struct scan scans[2];

	for (uint32_t i = 0; i < COUNT; i++) {
		snprintf(names[i][0], sizeof(names[i][0]), "unit%u", i);
		snprintf(names[i][1], sizeof(names[i][1]), "many%u.dwo", i * 7 % COUNT);
		many[i] = (struct split_unit){ .id = i + 1,
					       .name = names[i][0],
					       .dwo_name = names[i][1],
					       .start = 0x1000 + 0x100 * i };
		if (i % 8 != 3) // some are missing
			split_write(format_5, &many[i], 1, "unused", names[i][1]);
	}
	struct dwarf_builder *dw = dwarf_builder_new(format_5);
	for (uint32_t i = 0; i < COUNT; i++)
		split_write_units(dw, &many[i], 1);
	struct elf_builder *elf = split_elf(format_5, false);
	elf_add_dwarf_part(elf, dw, false);
	dwarf_builder_free(dw);
	const char *path = elf_end_at(elf, "program");
	for (uint32_t i = 0; i < 2; i++) {
		const struct ic_index_options options = { .jobs = i ? 4 : 1 };
		scan_open_path(&scans[i], path, &options);
	}
	assert_string_equal(scan_everything(&scans[0]), scan_everything(&scans[1]));
	assert_int_equal(scans[0].index->problem_count, 5);
	assert_non_null(strstr(scan_text(&scans[0]), "inlined unit39.inlined 0x3710-0x3718"));
	scan_close(&scans[0]);
	scan_close(&scans[1]);
}

TEST(a_file_that_is_missing_is_a_problem_that_says_where_it_was_sought)
{
	struct scan scan;
	char text[4096];

	scan_open_path(&scan, split_write(format_5, units, 2, "program", NULL), NULL);
	snprintf(text, sizeof(text),
		 SKELETON SKELETON
		 "problem .debug_info+0x0: the DIEs of this unit and others are in a.dwo (split "
		 "DWARF), which was not found, not even in a package: a.dwo: No such file or "
		 "directory; %s/a.dwo: No such file or directory\n",
		 temp_dir);
	assert_scan(&scan, text);
	scan_close(&scan);
}

TEST(a_file_that_is_not_the_one_is_refused_with_the_reason)
{
	const struct split_unit other = {
		.id = 5, .name = "other", .dwo_name = "a.dwo", .start = 0x1000
	};
	struct scan scan;

	split_write(format_5, &other, 1, "unused", "a.dwo");
	const char *path = split_write(format_5, units, 1, "program", NULL);
	scan_open_path(&scan, path, NULL);
	assert_non_null(split_problem(&scan, "/a.dwo: contains units with another dwo_id"));
	scan_close(&scan);
	temp_write(temp_path("a.dwo"), "no ELF", 6);
	scan_open_path(&scan, path, NULL);
	assert_non_null(split_problem(&scan, "/a.dwo: not an ELF file"));
	scan_close(&scan);
	elf_end_at(elf_begin(ET_EXEC), "a.dwo");
	scan_open_path(&scan, path, NULL);
	assert_non_null(split_problem(&scan, "/a.dwo: contains no split units"));
	scan_close(&scan);
	unlink(temp_path("a.dwo"));
}

TEST(one_unit_of_several_that_its_file_lacks_is_missed)
{
	struct split_unit changed[] = { units[0], units[1] };
	struct scan scan;

	for (uint32_t i = 0; i < 2; i++) { // either of them
		changed[i].split_id = 0x77;
		scan_open_path(&scan, split_write(format_5, changed, 2, "program", "a.dwo"), NULL);
		const struct ic_problem *problem =
			split_problem(&scan, "the DIEs of this unit are in a.dwo");
		assert_non_null(problem);
		assert_non_null(
			strstr(problem->message, "/a.dwo: contains units with another dwo_id"));
		assert_int_equal(scan.index->problem_count, 1);
		assert_non_null(strstr(scan_text(&scan), i ? UNIT_ONE : UNIT_TWO));
		assert_null(strstr(scan_text(&scan), i ? "host two" : "host one"));
		scan_close(&scan);
		changed[i] = units[i];
	}
	unlink(temp_path("a.dwo"));
}

TEST(a_file_with_many_names_is_read_once)
{
	struct split_unit named[] = { units[0], units[1] };
	struct scan scan;

	named[0].dwo_name = "sub/../a.dwo";
	split_write(format_5, named, 2, "program", "a.dwo");
	temp_path("sub/x");
	scan_open_path(&scan, temp_path("program"), NULL);
	assert_scan(&scan, SKELETON SKELETON UNIT_ONE UNIT_TWO);
	assert_int_equal(scan.image->companions.files.count, 1);
	scan_close(&scan);
	unlink(temp_path("a.dwo"));
}

TEST(files_are_in_the_order_of_the_program_and_not_of_their_names)
{
	struct split_unit named[] = { units[0], units[1] };
	struct dwarf_builder *dw = dwarf_builder_new(format_5);
	struct elf_builder *elf = split_elf(format_5, false);
	struct scan scan;

	named[0].dwo_name = "z.dwo";
	for (uint32_t i = 0; i < 2; i++) {
		split_write(format_5, &named[i], 1, "unused", named[i].dwo_name);
		split_write_units(dw, &named[i], 1);
	}
	elf_add_dwarf_part(elf, dw, false);
	dwarf_builder_free(dw);
	scan_open_path(&scan, elf_end_at(elf, "program"), NULL);
	assert_scan(&scan, SKELETON SKELETON UNIT_ONE UNIT_TWO);
	scan_close(&scan);
	unlink(temp_path("a.dwo"));
	unlink(temp_path("z.dwo"));
}

TEST(another_index_of_the_image_uses_what_is_open)
{
	struct scan scan;
	struct ic_error err = { .message = "" };

	scan_open_path(&scan, split_write(format_5, units, 2, "program", "a.dwo"), NULL);
	unlink(temp_path("a.dwo"));
	for (uint32_t i = 0; i < 2; i++) {
		ic_index_free(scan.index);
		scan.index = ic_index_build(scan.image, NULL, &err);
		assert_non_null(scan.index);
		assert_scan(&scan, SKELETON SKELETON UNIT_ONE UNIT_TWO);
		assert_int_equal(scan.image->companions.files.count, 1);
	}
	scan_close(&scan);
}

TEST(a_problem_in_a_dwo_file_names_that_file)
{
	struct dwarf_builder *dw = scan_builder(5);
	struct elf_builder *elf = split_elf(format_5, true);
	struct scan scan;

	dw_unit_begin_with(
		dw,
		(struct dw_unit){ .type = DW_UT_split_compile, .id = units[0].id, .dwo = true });
	dw_die_begin(dw, DW_TAG_compile_unit);
	scan_host(dw, "host", 0x1000, 0x1100);
	dw_die_begin(dw, DW_TAG_inlined_subroutine);
	dw_value(dw, DW_AT_abstract_origin, DW_FORM_ref4, 0x7777);
	dw_low_high(dw, 0x1010, 0x1020);
	dw_die_end(dw);
	dw_die_end(dw);
	scan_unit_done(dw);
	elf_add_dwarf_part(elf, dw, true);
	dwarf_builder_free(dw);
	const char *dwo = elf_end_at(elf, "a.dwo");
	scan_open_path(&scan, split_write(format_5, units, 1, "program", NULL), NULL);
	const struct ic_problem *problem = split_problem(&scan, "0x7777 points outside its unit");
	assert_non_null(problem);
	assert_string_equal(problem->file, dwo);
	assert_string_equal(problem->section, ".debug_info.dwo");
	scan_close(&scan);
	unlink(dwo);
}

TEST(a_name_that_no_system_could_open_is_not_sought)
{
	static char name[5000];
	struct split_unit named = units[0];
	struct scan scan;

	memset(name, 'a', sizeof(name) - 1);
	named.dwo_name = name;
	scan_open_path(&scan, split_write(format_5, &named, 1, "program", NULL), NULL);
	assert_scan(&scan, SKELETON
		    "problem .debug_info+0x0: the DIEs of this unit are in a file with too long a "
		    "name (split DWARF), which was not found, not even in a package: no search\n");
	scan_close(&scan);
}

TEST(a_directory_in_place_of_a_file_is_passed_over)
{
	struct scan scan;

	temp_path("a.dwo/x"); // makes it
	scan_open_path(&scan, split_write(format_5, units, 2, "sub/program", "sub/a.dwo"), NULL);
	assert_scan(&scan, SKELETON SKELETON UNIT_ONE UNIT_TWO);
	scan_close(&scan);
	struct split_unit named[] = { units[0], units[1] };
	named[0].comp_dir = named[1].comp_dir = temp_dir;
	scan_open_path(&scan, split_write(format_5, named, 2, "sub/program", "sub/a.dwo"), NULL);
	assert_scan(&scan, SKELETON SKELETON UNIT_ONE UNIT_TWO);
	scan_close(&scan);
}

UNIT_TESTS(debug_dwo)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(units_of_every_format_are_read_with_what_their_skeletons_have),
		cmocka_unit_test(
			a_section_that_is_left_for_later_is_read_though_the_file_has_moved),
		cmocka_unit_test(any_number_of_threads_finds_the_same),
		cmocka_unit_test(a_file_that_is_missing_is_a_problem_that_says_where_it_was_sought),
		cmocka_unit_test(a_file_that_is_not_the_one_is_refused_with_the_reason),
		cmocka_unit_test(one_unit_of_several_that_its_file_lacks_is_missed),
		cmocka_unit_test(a_file_with_many_names_is_read_once),
		cmocka_unit_test(files_are_in_the_order_of_the_program_and_not_of_their_names),
		cmocka_unit_test(another_index_of_the_image_uses_what_is_open),
		cmocka_unit_test(a_problem_in_a_dwo_file_names_that_file),
		cmocka_unit_test(a_name_that_no_system_could_open_is_not_sought),
		cmocka_unit_test(a_directory_in_place_of_a_file_is_passed_over),
	};

	return cmocka_run_group_tests(tests, temp_dir_make, temp_dir_remove);
}
