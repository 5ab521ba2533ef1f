// Lookups by address in programs of split DWARF.
#include "unit_test.h"

#include <unistd.h>

#include "fixtures/elf.h"
#include "fixtures/lookup.h"
#include "fixtures/split.h"

TEST(a_split_unit_answers)
{
	struct split_unit units[] = {
		{ .id = 1, .name = "one", .dwo_name = "all.dwo", .start = 0x1000 },
		{ .id = 2, .name = "two", .dwo_name = "all.dwo", .start = 0x2000 },
	};
	struct lookup lookup;

	for (uint32_t i = 0; i < SPLIT_FORMAT_COUNT; i++) {
		units[0].has_high_pc = units[1].has_high_pc = true;
		lookup_open_path(&lookup,
				 split_write(split_format_number(i), units, 2, "a.out", "all.dwo"));
		assert_lookup(&lookup, 0x2010, "two.inlined ?:0 in two ?:0");
		assert_lookup(&lookup, 0x2018, "two ?:0");
		assert_lookup(&lookup, 0x1038, "one ?:0");
		assert_string_equal(lookup_problems(&lookup), "");
		lookup_close(&lookup);
	}
	unlink(temp_path("all.dwo"));
	lookup_open_path(&lookup, temp_path("a.out"));
	assert_lookup(&lookup, 0x2010, "");
	assert_non_null(strstr(lookup_problems(&lookup), "all.dwo"));
	lookup_close(&lookup);
}

// A program of two skeletons whose addresses are listed; the first one's .dwo file is there.
static const char *write_half_a_program(struct dwarf_format format)
{
	static const struct split_unit units[] = {
		{ .id = 1,
		  .name = "one",
		  .dwo_name = "one.dwo",
		  .start = 0x1000,
		  .has_high_pc = true },
		{ .id = 2,
		  .name = "two",
		  .dwo_name = "two.dwo",
		  .start = 0x2000,
		  .has_high_pc = true },
	};
	struct dwarf_builder *dw = dwarf_builder_new(format);
	struct elf_builder *program = split_elf(format, false);

	split_write(format, units, 1, "unused", "one.dwo");
	split_write_units(dw, units, 2);
	dw_aranges(dw, "one.skeleton", DW_RANGES({ 0x1000, 0x1100 }));
	dw_aranges(dw, "two.skeleton", DW_RANGES({ 0x2000, 0x2100 }));
	elf_add_dwarf_part(program, dw, false);
	dwarf_builder_free(dw);
	return elf_end_at(program, "a.out");
}

TEST(a_few_addresses_need_the_dwo_files_of_their_own_skeletons_alone)
{
	for (uint32_t i = 0; i < SPLIT_FORMAT_COUNT; i++) {
		const char *path = write_half_a_program(split_format_number(i));
		struct lookup lookup;

		for (uint32_t others = 0; others <= IC_MOST_ALONE; others += IC_MOST_ALONE) {
			lookup_open_path(&lookup, path);
			for (uint32_t j = 0; j < others; j++)
				assert_lookup(&lookup, 0x1018 + j, "one ?:0");
			assert_lookup(&lookup, 0x1010, "one.inlined ?:0 in one ?:0");
			if (others == 0)
				assert_string_equal(lookup_problems(&lookup), "");
			assert_lookup(&lookup, 0x2010, "");
			assert_non_null(strstr(lookup_problems(&lookup), "two.dwo"));
			assert_lookup(&lookup, 0x1010, "one.inlined ?:0 in one ?:0");
			lookup_close(&lookup);
		}
		unlink(temp_path("one.dwo"));
	}
}

UNIT_TESTS(symbolize_split)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_split_unit_answers),
		cmocka_unit_test(a_few_addresses_need_the_dwo_files_of_their_own_skeletons_alone),
	};

	return cmocka_run_group_tests(tests, temp_dir_make, temp_dir_remove);
}
