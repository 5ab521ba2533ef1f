#include "unit_test.h"

#include <string.h>

#include "base/machine.h"
#include "fixtures/traced.h"

TEST(what_a_filter_rejects_needs_no_room)
{
	struct ic_trace_shape shape = { .argument_count = 1 };
	struct ic_error err;

	assert_true(ic_trace_filter_read("n == 1", &shape.filter, &err));
	struct traced *traced = traced_begin(&shape);
	ic_trace_fetches(&traced->shape, traced_copy(traced))[0] =
		(struct ic_trace_fetch){ .base = IC_TRACE_NUMBER };
	ic_trace_conditions(traced_copy(traced))[0] = (struct ic_trace_condition){
		.how = IC_TRACE_COMPARE_NUMBERS, .number = 1, .has_number = true
	};
	traced->machine.is_full = true;
	traced_hit(traced);
	assert_int_equal(traced_copy(traced)->lost, 0);
	ic_trace_fetches(&traced->shape, traced_copy(traced))[0].number = 1;
	traced_hit(traced);
	assert_int_equal(traced_copy(traced)->lost, 1);
	assert_int_equal(traced_copy(traced)->hits, 1);
	traced_end(traced);
}

// Whether a call passes whose argument 0 is a number, 1 a string at an address, and 2 is 100.
enum passage { REJECTED, PASSED, ASKED };

static enum passage passes_at(const char *text, uint64_t number, bool is_signed, const char *string,
			      uint64_t addr, bool only_counts)
{
	struct ic_trace_shape shape = {
		.argument_count = 3, .strings = 2, .string_size = 66, .only_counts = only_counts
	};
	struct ic_error err;

	if (!ic_trace_filter_read(text, &shape.filter, &err))
		fail_msg("%s", err.message);
	struct traced *traced = traced_begin(&shape);
	struct ic_trace_copy_data *copy = traced_copy(traced);
	memcpy(traced->memory, string, strlen(string) + 1);
	struct ic_trace_fetch *fetches = ic_trace_fetches(&traced->shape, copy);
	fetches[0] = (struct ic_trace_fetch){ .base = IC_TRACE_NUMBER,
					      .number = number,
					      .is_signed = is_signed };
	fetches[1] =
		(struct ic_trace_fetch){ .base = IC_TRACE_NUMBER, .number = addr, .is_string = 1 };
	for (uint32_t i = 0; i < shape.filter.count; i++) {
		const struct ic_trace_term *term = &shape.filter.terms[i];
		bool is_string = term->with == IC_TRACE_WITH_STRING;
		ic_trace_conditions(copy)[i] = (struct ic_trace_condition){
			.number = term->is_negative ? -term->number : term->number,
			.is_signed = is_signed && !term->has_mask,
			.how = is_string ? IC_TRACE_COMPARE_STRINGS : IC_TRACE_COMPARE_NUMBERS,
			.left = is_string,
			.right = 2,
			.has_number = term->with != IC_TRACE_WITH_NAME,
			.string_at = ic_trace_string_offset(&traced->shape, &traced->layout, 1),
		};
	}
	fetches[2] = (struct ic_trace_fetch){ .base = IC_TRACE_NUMBER, .number = 100 };
	traced_hit(traced);
	bool is_passed = copy->hits > 0;
	bool is_asked = traced->machine.is_submitted && traced_record(traced)->is_asked;
	assert_int_equal(traced->machine.is_submitted, is_asked || (is_passed && !only_counts));
	assert_int_equal(copy->undecided, 0);
	assert_false(is_asked && is_passed);
	traced_end(traced);
	return is_passed ? PASSED : is_asked ? ASKED : REJECTED;
}

static bool passes(const char *text, uint64_t number, bool is_signed, const char *string)
{
	return passes_at(text, number, is_signed, string, TRACED_MEMORY, false) == PASSED;
}

TEST(a_filter_compares_numbers)
{
	assert_true(passes("n == 5", 5, true, ""));
	assert_false(passes("n == 5", 6, true, ""));
	assert_true(passes("n != 5", 6, true, ""));
	assert_false(passes("n != 5", 5, true, ""));
	assert_true(passes("n < 5", (uint64_t)-1, true, ""));
	assert_false(passes("n < 5", (uint64_t)-1, false, ""));
	assert_true(passes("n > -2", (uint64_t)-1, true, ""));
	assert_false(passes("n > -1", (uint64_t)-1, true, ""));
	assert_true(passes("n >= -1", (uint64_t)-1, true, ""));
	assert_true(passes("n <= 5", 5, false, ""));
	assert_false(passes("n <= 5", 6, false, ""));
	assert_true(passes("n > 1 && n < 3", 2, true, ""));
	assert_false(passes("n > 1 && n < 3", 3, true, ""));
}

TEST(a_filter_compares_strings)
{
	assert_true(passes("s == \"\"", 0, false, ""));
	assert_true(passes("s == \"abcdefg\"", 0, false, "abcdefg"));
	assert_true(passes("s == \"abcdefgh\"", 0, false, "abcdefgh"));
	assert_false(passes("s == \"abcdefgh\"", 0, false, "abcdefghi"));
	assert_false(passes("s == \"abcdefgh\"", 0, false, "abcdefg"));
	assert_false(passes("s == \"abc\"", 0, false, "xbc"));
	assert_true(passes("s != \"abc\"", 0, false, "xbc"));
	assert_false(passes("s != \"abcdefghij\"", 0, false, "abcdefghij"));
	assert_true(passes("s != \"abcdefghij\"", 0, false, "abcdefghik"));
	assert_true(passes("s == \"a\" && n == 1", 1, false, "a"));
	assert_false(passes("s == \"a\" && n == 1", 2, false, "a"));
}

// Who reads the call may find it elsewhere.
TEST(a_filter_asks_about_strings_that_cannot_be_read)
{
	assert_int_equal(passes_at("s == \"a\"", 0, false, "b", 2 * TRACED_MEMORY, false), ASKED);
	assert_int_equal(passes_at("s == \"a\"", 0, false, "b", 2 * TRACED_MEMORY, true), ASKED);
	assert_int_equal(passes_at("n == 1 && s != \"a\"", 1, false, "b", 2 * TRACED_MEMORY, false),
			 ASKED);
	assert_int_equal(passes_at("s == \"a\" && n == 1", 2, false, "b", 2 * TRACED_MEMORY, false),
			 REJECTED);
	assert_int_equal(passes_at("s == \"a\" || n == 1", 1, false, "b", 2 * TRACED_MEMORY, false),
			 PASSED);
}

TEST(a_filter_joins_conditions)
{
	assert_true(passes("n == 1 || n == 2", 2, true, ""));
	assert_true(passes("n == 1 || n == 2", 1, true, ""));
	assert_false(passes("n == 1 || n == 2", 3, true, ""));
	assert_true(passes("n == 1 || n > 2 && n < 4", 3, true, ""));
	assert_false(passes("(n == 1 || n > 2) && n < 3", 3, true, ""));
	assert_true(passes("!(n == 1 || n > 2) && !!n", 2, true, ""));
	assert_false(passes("!n", 2, true, ""));
	assert_true(passes("!n", 0, true, ""));
}

TEST(a_filter_masks_bits)
{
	assert_true(passes("n & 4", 6, false, ""));
	assert_false(passes("n & 1", 6, false, ""));
	assert_true(passes("(n & 6) == 2", 0xf2, false, ""));
	assert_true(passes("n & 0xff == 255", (uint64_t)-1, true, ""));
	assert_true(passes("n & 0x8000000000000000 > 1", (uint64_t)-1, true, ""));
}

TEST(a_filter_compares_arguments_with_each_other)
{
	assert_true(passes("n == m", 100, false, ""));
	assert_true(passes("n < m", (uint64_t)-5, true, ""));
	assert_false(passes("n > m", (uint64_t)-5, true, ""));
	assert_true(passes("n > m", (uint64_t)-5, false, ""));
}

TEST(a_filter_compares_beginnings)
{
	assert_true(passes("s ~ \"ab*\"", 0, false, "abc"));
	assert_true(passes("s ~ \"*\"", 0, false, ""));
	assert_false(passes("s ~ \"ab*\"", 0, false, "acb"));
	assert_true(passes("s !~ \"a string of more*\"", 0, false, "a string of mere"));
	assert_false(passes("s !~ \"a string of*\"", 0, false, "a string of mere"));
}

// bpf_machine.c says which these are.
TEST(a_filter_knows_whose_the_call_is)
{
	struct ic_trace_shape shape = { .argument_count = 0 };
	const enum ic_trace_builtin builtins[] = { IC_TRACE_PID, IC_TRACE_TID, IC_TRACE_CPU };
	struct ic_error err;

	assert_true(
		ic_trace_filter_read("@pid == 7 && @tid == 8 && @cpu == 1", &shape.filter, &err));
	for (uint32_t i = 0; i < COUNT_OF(builtins); i++)
		shape.filter.terms[i].left.builtin = builtins[i];
	struct traced *traced = traced_begin(&shape);
	for (uint32_t i = 0; i < COUNT_OF(builtins); i++)
		ic_trace_conditions(traced_copy(traced))[i] =
			(struct ic_trace_condition){ .number = shape.filter.terms[i].number,
						     .how = IC_TRACE_COMPARE_NUMBERS,
						     .has_number = true };
	traced_hit(traced);
	assert_int_equal(traced_copy(traced)->hits, 1);
	ic_trace_conditions(traced_copy(traced))[2].number = 0;
	traced_hit(traced);
	assert_int_equal(traced_copy(traced)->hits, 1);
	traced_end(traced);
}

TEST(what_a_filter_cannot_decide_is_counted)
{
	static const struct ic_trace_condition conditions[] = {
		{ .how = IC_TRACE_COMPARE_NUMBERS, .left = IC_TRACE_NO_ARGUMENT },
		{ .how = IC_TRACE_COMPARE_NUMBERS, .left = 7 },
		{ .how = IC_TRACE_COMPARE_NUMBERS, .left = 0 }, // it is not fetched
		{ .how = IC_TRACE_UNKNOWN },
	};

	for (size_t i = 0; i < COUNT_OF(conditions); i++) {
		struct ic_trace_shape shape = { .argument_count = 1 };
		struct ic_error err;
		assert_true(ic_trace_filter_read("n == 1", &shape.filter, &err));
		struct traced *traced = traced_begin(&shape);
		ic_trace_conditions(traced_copy(traced))[0] = conditions[i];
		traced_hit(traced);
		assert_false(traced->machine.is_submitted);
		assert_int_equal(traced_copy(traced)->undecided, 1);
		assert_int_equal(traced_copy(traced)->hits, 0);
		traced_copy(traced)->asks = true;
		traced_hit(traced);
		assert_true(traced->machine.is_submitted);
		assert_int_equal(traced_record(traced)->is_asked, 1);
		assert_int_equal(traced_copy(traced)->hits, 0);
		traced_end(traced);
	}
}

UNIT_TESTS(trace_bpf_conditions)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_a_filter_rejects_needs_no_room),
		cmocka_unit_test(a_filter_compares_numbers),
		cmocka_unit_test(a_filter_compares_strings),
		cmocka_unit_test(a_filter_asks_about_strings_that_cannot_be_read),
		cmocka_unit_test(a_filter_joins_conditions),
		cmocka_unit_test(a_filter_masks_bits),
		cmocka_unit_test(a_filter_compares_arguments_with_each_other),
		cmocka_unit_test(a_filter_compares_beginnings),
		cmocka_unit_test(a_filter_knows_whose_the_call_is),
		cmocka_unit_test(what_a_filter_cannot_decide_is_counted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
