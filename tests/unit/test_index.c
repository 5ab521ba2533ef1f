#include "unit_test.h"

#include "model/index.h"

static const struct ic_symbol symbols[] = {
	{ 0x1000, 0x2000, "outer", NULL }, { 0x1000, 0x1100, "start", NULL },
	{ 0x1000, 0x1100, "alias", NULL }, { 0x1200, 0x1300, "inner", NULL },
	{ 0x3000, 0x3010, "alone", NULL },
};
static const struct ic_index index_of_symbols = { .symbols = symbols,
						  .symbol_count = COUNT_OF(symbols) };

static const char *name_of(uint64_t start, uint64_t end)
{
	const struct ic_symbol *found =
		ic_index_symbol_of(&index_of_symbols, (struct ic_range){ start, end }, NULL);

	return found ? found->name : "";
}

TEST(a_range_is_named_by_the_innermost_symbol_that_holds_all_of_it)
{
	assert_string_equal(name_of(0x1210, 0x1220), "inner");
	assert_string_equal(name_of(0x1200, 0x1300), "inner");
	assert_string_equal(name_of(0x1210, 0x1301), "outer"); // inner holds a part of it
	assert_string_equal(name_of(0x1400, 0x1500), "outer");
	assert_string_equal(name_of(0x3000, 0x3010), "alone");
	assert_string_equal(name_of(0x3000, 0x3011), "");
	assert_string_equal(name_of(0x2000, 0x2001), "");
	assert_string_equal(name_of(0x0, 0x10), "");
	assert_string_equal(name_of(0x1000, 0x1500), "outer");
}

TEST(of_symbols_at_one_address_the_first_is_the_best)
{
	const struct ic_symbol twins[] = { { 0x10, 0x20, "global", NULL },
					   { 0x10, 0x20, "local", NULL } };
	const struct ic_index index = { .symbols = twins, .symbol_count = 2 };

	assert_string_equal(ic_index_symbol_of(&index, (struct ic_range){ 0x10, 0x18 }, NULL)->name,
			    "global");
}

TEST(of_symbols_at_one_address_that_of_the_function_is_taken)
{
	const struct ic_symbol folded[] = { { 0x10, 0x20, "f", NULL },
					    { 0x10, 0x20, "g.constprop.0", NULL },
					    { 0x10, 0x20, "h", NULL },
					    { 0x30, 0x40, "h", NULL } };
	const struct ic_index index = { .symbols = folded, .symbol_count = 4 };
	const struct ic_range range = { 0x10, 0x18 };

	assert_string_equal(ic_index_symbol_of(&index, range, "h")->name, "h");
	assert_string_equal(ic_index_symbol_of(&index, range, "g")->name, "g.constprop.0");
	assert_string_equal(ic_index_symbol_of(&index, range, "f")->name, "f");
	assert_string_equal(ic_index_symbol_of(&index, range, "g.")->name, "f");
	assert_string_equal(ic_index_symbol_of(&index, range, "other")->name, "f");
}

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
		cmocka_unit_test(a_range_is_named_by_the_innermost_symbol_that_holds_all_of_it),
		cmocka_unit_test(of_symbols_at_one_address_the_first_is_the_best),
		cmocka_unit_test(of_symbols_at_one_address_that_of_the_function_is_taken),
		cmocka_unit_test(an_address_of_a_relocatable_file_is_in_a_section),
		cmocka_unit_test(counts_are_sums_over_the_units),
		cmocka_unit_test(no_index_can_be_freed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
