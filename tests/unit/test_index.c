#include "unit_test.h"

#include "model/index.h"

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
	const struct ic_index index = { .units = units, .unit_count = 3, .problem_count = 7 };
	struct ic_index_counts counts = ic_index_count(&index);

	assert_int_equal(counts.units, 3);
	assert_int_equal(counts.functions, 3);
	assert_int_equal(counts.hosts, 2);
	assert_int_equal(counts.inlined, 3);
	assert_int_equal(counts.ranges, 5);
	assert_int_equal(counts.calls, 4);
	assert_int_equal(counts.problems, 7);
}

TEST(no_index_can_be_freed)
{
	ic_index_free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_address_of_a_relocatable_file_is_in_a_section),
		cmocka_unit_test(counts_are_sums_over_the_units),
		cmocka_unit_test(no_index_can_be_freed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
