#include "unit_test.h"

#include <stdio.h>

#include "query/counts/own_ranges.h"

static struct ic_range ranges[] = {
	{ 0x100, 0x200 },                                     // 0: the host
	{ 0x110, 0x140 }, { 0x180, 0x190 }, { 0x150, 0x160 }, // 1: in two parts and a third
	{ 0x120, 0x128 }, { 0x150, 0x160 },                   // 3
	{ 0x124, 0x126 },                                     // 4
	{ 0x13c, 0x148 },                                     // 5: beyond its parent
	{ 0x184, 0x186 },                                     // 7
};

#define INSTANCE(around, first, count, instance_kind)                                 \
	{                                                                             \
		.function = IC_NONE, .parent = (around), .first_range = (first),      \
		.range_count = (count), .kind = (instance_kind), .call_file = IC_NONE \
	}
static struct ic_instance instances[] = {
	INSTANCE(IC_NONE, 0, 1, IC_INSTANCE_HOST), // 0
	INSTANCE(0, 1, 3, IC_INSTANCE_INLINED),    // 1
	INSTANCE(1, 0, 0, IC_INSTANCE_INLINED),    // 2: no code, but 3 is in it
	INSTANCE(2, 4, 2, IC_INSTANCE_INLINED),    // 3
	INSTANCE(3, 6, 1, IC_INSTANCE_INLINED),    // 4
	INSTANCE(1, 7, 1, IC_INSTANCE_INLINED),    // 5
	INSTANCE(1, 0, 0, IC_INSTANCE_HOST),       // 6: a nested function, thrown away
	INSTANCE(6, 8, 1, IC_INSTANCE_INLINED),    // 7: in that, and so not in 1
};
static const struct ic_unit_model unit = {
	.instances = instances,
	.ranges = ranges,
	.instance_count = COUNT_OF(instances),
	.range_count = COUNT_OF(ranges),
};

// "0x10-0x20 0x30-0x38"
static const char *own_in(const struct ic_unit_model *of, uint32_t number)
{
	static char text[256];
	struct ic_own_ranges own = { .around = { .items = NULL } };
	size_t length = 0;

	text[0] = 0;
	assert_true(ic_own_ranges_begin(&own, of));
	assert_true(ic_own_ranges_find(&own, of, number));
	for (uint32_t i = 0; i < own.own.count; i++)
		length += (size_t)snprintf(text + length, sizeof(text) - length, "%s%#llx-%#llx",
					   i > 0 ? " " : "",
					   (unsigned long long)own.own.items[i].start,
					   (unsigned long long)own.own.items[i].end);
	ic_own_ranges_free(&own);
	return text;
}

static const char *own(uint32_t number)
{
	return own_in(&unit, number);
}

TEST(what_is_inlined_into_an_instance_is_not_its_own)
{
	assert_string_equal(own(0), "0x100-0x110 0x140-0x150 0x160-0x180 0x190-0x200");
	assert_string_equal(own(4), "0x124-0x126");
	assert_string_equal(own(3), "0x120-0x124 0x126-0x128 0x150-0x160");
}

TEST(what_is_inside_an_instance_without_code_is_inside_the_one_around_that)
{
	assert_string_equal(own(1), "0x110-0x120 0x128-0x13c 0x180-0x190");
}

// f() with a part of it, in which something is inlined.
TEST(a_part_of_a_function_is_its_own)
{
	static struct ic_range parts[] = { { 0x100, 0x200 }, { 0x140, 0x180 }, { 0x150, 0x160 } };
	static struct ic_function functions[] = { { .die_off = 1, .decl_line = 3 } };
	static struct ic_instance split[] = {
		INSTANCE(IC_NONE, 0, 1, IC_INSTANCE_HOST),
		INSTANCE(0, 1, 1, IC_INSTANCE_INLINED),
		INSTANCE(1, 2, 1, IC_INSTANCE_INLINED),
	};
	const struct ic_unit_model of_parts = { .functions = functions,
						.instances = split,
						.ranges = parts,
						.instance_count = COUNT_OF(split) };

	split[0].function = split[1].function = 0;
	assert_string_equal(own_in(&of_parts, 0), "0x100-0x140 0x180-0x200"); // called elsewhere
	split[1].call_line = 3;
	assert_string_equal(own_in(&of_parts, 0), "0x100-0x150 0x160-0x200");
}

TEST(instances_may_be_asked_for_one_after_the_other)
{
	struct ic_own_ranges own = { .around = { .items = NULL } };

	assert_true(ic_own_ranges_begin(&own, &unit));
	for (uint32_t i = 0; i < COUNT_OF(instances); i++)
		if (instances[i].range_count > 0)
			assert_true(ic_own_ranges_find(&own, &unit, i));
	assert_int_equal(own.own.count, 1); // of the last one
	assert_int_equal(own.own.items[0].start, 0x184);
	ic_own_ranges_free(&own);
}

UNIT_TESTS(query_counts_own_ranges)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_inlined_into_an_instance_is_not_its_own),
		cmocka_unit_test(
			what_is_inside_an_instance_without_code_is_inside_the_one_around_that),
		cmocka_unit_test(a_part_of_a_function_is_its_own),
		cmocka_unit_test(instances_may_be_asked_for_one_after_the_other),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
