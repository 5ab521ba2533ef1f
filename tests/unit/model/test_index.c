#include "unit_test.h"

#include "model/index.h"

#include <inlinecall/extra/index.h>

TEST(an_address_of_a_relocatable_file_is_in_a_section)
{
	const struct ic_code_section sections[] = { { 0x1000, 0x1100, ".text.a" },
						    { 0x1120, 0x1120, ".text.b" },
						    { 0x1140, 0x1150, ".text.c" } };
	const struct ic_index index = { .sections = sections, .section_count = 3 };
	struct ic_index_section section;

	assert_true(ic_index_section_find(&index, 0x1010, &section));
	assert_string_equal(section.name, ".text.a");
	assert_int_equal(section.start, 0x1000);
	assert_true(
		ic_index_section_find(&index, 0x1100, &section)); // the end of a range is its own
	assert_string_equal(section.name, ".text.a");
	assert_true(ic_index_section_find(&index, 0x1120, &section));
	assert_string_equal(section.name, ".text.b");
	assert_true(ic_index_section_find(&index, 0x114f, &section));
	assert_string_equal(section.name, ".text.c");
	assert_false(ic_index_section_find(&index, 0xfff, &section));
	assert_false(ic_index_section_find(&index, 0x1101, &section));
	assert_false(ic_index_section_find(&index, UINT64_MAX, &section));
	assert_false(ic_index_section_find(&(struct ic_index){ 0 }, 0, &section));
}

TEST(counts_are_sums_over_the_units)
{
	struct ic_instance instances[] = { { .kind = IC_INSTANCE_HOST },
					   { .kind = IC_INSTANCE_INLINED },
					   { .kind = IC_INSTANCE_INLINED } };
	struct ic_unit_model units[] = {
		{ .instances = instances,
		  .instance_count = 3,
		  .function_count = 2,
		  .range_count = 5 },
		{ .instances = instances,
		  .instance_count = 2,
		  .function_count = 1,
		  .call_count = 4 },
		{ .name = "empty" },
	};
	struct ic_problem problems[] = { { .message = "a" },
					 { .is_note = true },
					 { .message = "b" } };
	const struct ic_index index = {
		.units = units, .unit_count = 3, .problems = problems, .problem_count = 3
	};
	struct ic_index_counts counts = ic_index_count(&index);

	assert_int_equal(counts.units, 3);
	assert_int_equal(counts.functions, 3);
	assert_int_equal(counts.hosts, 2);
	assert_int_equal(counts.inlined, 3);
	assert_int_equal(counts.ranges, 5);
	assert_int_equal(counts.calls, 4);
	assert_int_equal(counts.problems, 2);
}

// A function of line 3, declared in column 5: in itself, as GCC writes a part of it, or as a call.
TEST(a_part_of_a_function_is_inlined_back_into_it)
{
	static struct ic_function functions[] = {
		{ .die_off = 0x10, .decl_line = 3, .decl_column = 5 },
		{ .die_off = 0x20, .decl_line = 3, .decl_column = 5 },
		{ .die_off = 0x10, .decl_line = 3, .decl_column = 5 },
		{ .die_off = 0x30 },
		{ .die_off = 0x40, .decl_line = 9, .decl_column = 5 },
		{ .die_off = 0x50, .decl_line = 3, .decl_column = 5, .decl_file = "a.c" },
	};
	static const char *const files[] = { "b.c", "a.c" };
	static struct ic_instance instances[] = {
		{ .function = 0, .parent = IC_NONE, .range_count = 1, .kind = IC_INSTANCE_HOST },
		{ .function = 0, .call_line = 3, .call_column = 5, .range_count = 1 },
		{ .function = 2, .call_line = 3, .call_column = 5, .parent = 1 },
		{ .function = 0, .call_line = 3, .call_column = 5, .parent = 2 },
		{ .function = 0, .call_line = 3, .call_column = 9 }, // a call in that line
		{ .function = 0, .call_line = 4, .call_column = 5 },
		{ .function = 1, .call_line = 3, .call_column = 5, .range_count = 1 },
		{ .function = 0, .call_line = 3, .call_column = 5, .parent = 6 },
		{ .function = 0, .call_line = 3, .call_column = 5, .parent = IC_NONE },
		{ .function = IC_NONE, .call_line = 3, .call_column = 5 },
		{ .function = 3, .range_count = 1 },
		{ .function = 3, .parent = 10 }, // nothing is known of its position
		{ .function = 4, .range_count = 1 },
		// A part that was folded with one of another function.
		{ .function = 5, .parent = 12, .call_file = 1, .call_line = 3, .call_column = 5 },
		{ .function = 5, .parent = 12, .call_file = 0, .call_line = 3, .call_column = 5 },
		// A macro that defines both.
		{ .function = 5, .parent = 1, .call_file = 1, .call_line = 3, .call_column = 5 },
	};
	static const bool wanted[COUNT_OF(instances)] = { [1] = true, [2] = true, [13] = true };
	const struct ic_unit_model unit = { .functions = functions,
					    .instances = instances,
					    .files = (const char **)(uintptr_t)files };

	for (uint32_t i = 0; i < COUNT_OF(instances); i++)
		assert_int_equal(ic_instance_is_part(&unit, &instances[i]), wanted[i]);
}

TEST(no_index_can_be_freed)
{
	ic_index_free(NULL);
}

UNIT_TESTS(model_index)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_address_of_a_relocatable_file_is_in_a_section),
		cmocka_unit_test(counts_are_sums_over_the_units),
		cmocka_unit_test(a_part_of_a_function_is_inlined_back_into_it),
		cmocka_unit_test(no_index_can_be_freed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
