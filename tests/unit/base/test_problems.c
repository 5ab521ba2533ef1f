#include "unit_test.h"

#include <stdio.h>

#include "base/problems.h"

static struct ic_error plain(const char *message)
{
	struct ic_error err;

	ic_fail(&err, IC_ERROR_MALFORMED, "%s", message);
	return err;
}

static struct ic_error placed(const char *section, uint64_t offset, const char *message)
{
	struct ic_error err;

	ic_fail_at(&err, section, offset, "%s", message);
	return err;
}

static void check(const struct ic_problems *problems, uint32_t index, const char *section,
		  uint64_t offset, const char *message)
{
	assert_true(index < problems->list.count);
	const struct ic_problem *problem = &problems->list.items[index];
	assert_string_equal(problem->message, message);
	assert_string_equal(problem->section, section);
	assert_int_equal(problem->offset, offset);
}

TEST(a_problem_is_where_its_error_says_else_where_it_was_met)
{
	struct ic_arena arena = { 0 };
	struct ic_problems problems = { .arena = &arena };
	struct ic_error a = plain("no name"), b = placed(".debug_str", 9, "no string");
	struct ic_error c = placed(".debug_info", 0x40, "bad");

	ic_problems_add(&problems, &a, ".debug_info", 0x30);
	ic_problems_add(&problems, &b, ".debug_info", 0x31);
	ic_problems_add(&problems, &c, ".debug_info", 0x40);
	ic_problems_add(&problems, &c, ".debug_info", 0x32);
	ic_problems_add(&problems, &c, NULL, 0);
	check(&problems, 0, ".debug_info", 0x30, ".debug_info+0x30: no name");
	check(&problems, 1, ".debug_str", 9, ".debug_str+0x9: no string (for .debug_info+0x31)");
	check(&problems, 2, ".debug_info", 0x40, ".debug_info+0x40: bad");
	check(&problems, 3, ".debug_info", 0x40, ".debug_info+0x40: bad (for .debug_info+0x32)");
	check(&problems, 4, ".debug_info", 0x40, ".debug_info+0x40: bad");
	assert_int_equal(problems.list.count, 5);
	IC_ARRAY_FREE(&problems.list);
	ic_arena_free(&arena);
}

TEST(of_many_problems_the_first_are_kept_and_the_rest_counted)
{
	struct ic_arena arena = { 0 };
	struct ic_problems problems = { .arena = &arena };
	char wanted[64];

	for (uint64_t i = 0; i < 1000; i++) {
		struct ic_error err = plain("bad");
		ic_problems_add(&problems, &err, ".debug_info", i);
	}
	ic_problems_finish(&problems, ".debug_info", 0x77);
	assert_int_equal(problems.list.count, 9);
	for (uint32_t i = 0; i < 8; i++) {
		snprintf(wanted, sizeof(wanted), ".debug_info+0x%x: bad", i);
		check(&problems, i, ".debug_info", i, wanted);
	}
	check(&problems, 8, ".debug_info", 0x77, ".debug_info+0x77: 992 more similar problems");
	IC_ARRAY_FREE(&problems.list);
	ic_arena_free(&arena);
}

TEST(the_last_line_has_no_section_if_there_is_none)
{
	struct ic_arena arena = { 0 };
	struct ic_problems problems = { .arena = &arena };
	struct ic_error err = plain("bad");

	for (int i = 0; i < 9; i++)
		ic_problems_add(&problems, &err, NULL, 0);
	ic_problems_finish(&problems, NULL, 0);
	assert_null(problems.list.items[8].section);
	assert_string_equal(problems.list.items[8].message, "1 more similar problems");
	IC_ARRAY_FREE(&problems.list);
	ic_arena_free(&arena);
}

TEST(as_many_as_are_kept_need_no_last_line)
{
	struct ic_arena arena = { 0 };
	struct ic_problems problems = { .arena = &arena };
	struct ic_error err = plain("bad");

	for (int i = 0; i < 8; i++)
		ic_problems_add(&problems, &err, ".debug_info", 0);
	ic_problems_finish(&problems, ".debug_info", 0);
	assert_int_equal(problems.list.count, 8);
	IC_ARRAY_FREE(&problems.list);
	ic_arena_free(&arena);
}

TEST(appended_problems_are_all_kept_in_order)
{
	struct ic_arena arena = { 0 };
	struct ic_problems all = { .arena = &arena };

	for (uint32_t i = 0; i < 20; i++) {
		struct ic_problems some = { .arena = &arena };
		struct ic_error err = plain("bad");
		ic_problems_add(&some, &err, ".debug_info", i);
		ic_problems_append(&all, &some);
		assert_null(some.list.items);
	}
	assert_int_equal(all.list.count, 20);
	for (uint32_t i = 0; i < 20; i++)
		assert_int_equal(all.list.items[i].offset, i);
	IC_ARRAY_FREE(&all.list);
	ic_arena_free(&arena);
}

TEST(a_long_message_keeps_the_place_it_is_for)
{
	struct ic_arena arena = { 0 };
	struct ic_problems problems = { .arena = &arena };
	char text[1000];

	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = 0;
	struct ic_error err = placed(".debug_str", 1, text);
	ic_problems_add(&problems, &err, ".debug_info", 0xabc);
	assert_non_null(strstr(problems.list.items[0].message, "x (for .debug_info+0xabc)"));
	IC_ARRAY_FREE(&problems.list);
	ic_arena_free(&arena);
}

TEST(problems_know_the_file_that_they_are_in)
{
	struct ic_arena arena = { 0 };
	struct ic_problems problems = { .arena = &arena };
	struct ic_error a = plain("one"), b = placed(".debug_info.dwo", 9, "two");

	ic_problems_add(&problems, &a, NULL, 0);
	problems.file = "a.dwo";
	ic_problems_add(&problems, &b, NULL, 0);
	problems.unlisted = 1;
	ic_problems_finish(&problems, ".debug_info.dwo", 0);
	problems.file = NULL;
	ic_problems_add(&problems, &a, NULL, 0);
	assert_null(problems.list.items[0].section); // of the whole file
	assert_null(problems.list.items[0].file);
	assert_string_equal(problems.list.items[1].file, "a.dwo");
	assert_string_equal(problems.list.items[2].file, "a.dwo");
	assert_null(problems.list.items[3].file);
	IC_ARRAY_FREE(&problems.list);
	ic_arena_free(&arena);
}

// A symbolizer has one list, for the file and for one unit after the other.
TEST(those_that_were_copied_take_no_place_of_others)
{
	struct ic_arena arena = { 0 };
	struct ic_problems all = { .arena = &arena };
	struct ic_problem items[8] = { { .message = "copied" } };
	struct ic_error a = plain("one");

	ic_problems_copy(&all, items, COUNT_OF(items));
	ic_problems_add(&all, &a, NULL, 0);
	assert_int_equal(all.list.count, 9);
	for (int i = 0; i < 9; i++)
		ic_problems_add(&all, &a, NULL, 0);
	assert_int_equal(all.list.count, 8 + 8);
	ic_problems_finish(&all, NULL, 0);
	assert_int_equal(all.list.count, 8 + 8 + 1);
	ic_problems_add(&all, &a, NULL, 0); // of something else
	assert_int_equal(all.list.count, 8 + 8 + 1 + 1);
	IC_ARRAY_FREE(&all.list);
	ic_arena_free(&arena);
}

UNIT_TESTS(base_problems)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_problem_is_where_its_error_says_else_where_it_was_met),
		cmocka_unit_test(of_many_problems_the_first_are_kept_and_the_rest_counted),
		cmocka_unit_test(the_last_line_has_no_section_if_there_is_none),
		cmocka_unit_test(as_many_as_are_kept_need_no_last_line),
		cmocka_unit_test(appended_problems_are_all_kept_in_order),
		cmocka_unit_test(a_long_message_keeps_the_place_it_is_for),
		cmocka_unit_test(those_that_were_copied_take_no_place_of_others),
		cmocka_unit_test(problems_know_the_file_that_they_are_in),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
