#include "unit_test.h"

#include <stdlib.h>
#include <string.h>

#include "fixtures/traced.h"

// A program that groups by a number and a string at an address, and measures the number.
static struct traced *begin(bool has_buckets, bool is_signed)
{
	const struct ic_trace_shape shape = {
		.argument_count = 2,
		.strings = 2,
		.string_size = 16,
		.grouping = { .is_on = true,
			      .by_pid = true,
			      .key_count = 2,
			      .strings = 2,
			      .has_measure = true,
			      .has_buckets = has_buckets },
	};
	struct traced *traced = traced_begin(&shape);
	struct ic_trace_copy_data *copy = traced_copy(traced);
	struct ic_trace_fetch *fetches = ic_trace_fetches(&traced->shape, copy);

	copy->place = 9;
	copy->key_arguments[1] = 1;
	copy->key_strings[1] = ic_trace_string_offset(&traced->shape, &traced->layout, 1);
	copy->is_measure_signed = is_signed;
	fetches[0] = (struct ic_trace_fetch){ .base = IC_TRACE_NUMBER, .is_signed = is_signed };
	fetches[1] = (struct ic_trace_fetch){ .base = IC_TRACE_NUMBER,
					      .number = TRACED_MEMORY,
					      .is_string = 1 };
	memcpy(traced->memory, "abc", 4);
	return traced;
}

// Calls of different groups: there is room for one group in the machine.
static void hit_with(struct traced *traced, uint64_t number)
{
	ic_trace_fetches(&traced->shape, traced_copy(traced))[0].number = number;
	traced->machine.has_group = false;
	traced_hit(traced);
}

TEST(the_key_has_what_calls_have_in_common)
{
	struct traced *traced = begin(false, false);
	struct ic_trace_group_key key;
	uint64_t number;

	hit_with(traced, 5);
	assert_int_equal(traced->layout.key_size, sizeof(key) + 16 + 16);
	memcpy(&key, traced->machine.key.bytes, sizeof(key));
	assert_int_equal(key.epoch, 1);
	assert_int_equal(key.place, 9);
	assert_int_equal(key.known, 3);
	assert_int_equal(key.pid, 7);
	assert_int_equal(key.tid, 0);
	assert_int_equal(key.cpu, 0);
	memcpy(&number, traced->machine.key.bytes + sizeof(key), sizeof(number));
	assert_int_equal(number, 5);
	assert_memory_equal(traced->machine.key.bytes + sizeof(key) + 16,
			    "abc\0\0\0\0\0\0\0\0\0\0\0\0\0", 16);
	assert_int_equal(traced_sums(traced)->count, 1);
	assert_int_equal(traced_sums(traced)->copy, 1 + 1);
	assert_false(traced->machine.is_submitted);
	assert_int_equal(traced_copy(traced)->hits, 1);
	traced_hit(traced); // the same call
	assert_int_equal(traced_sums(traced)->count, 2);
	traced_end(traced);
}

TEST(sums_are_exact)
{
	static const struct {
		uint64_t number;
		bool is_signed;
		uint64_t low, high, most, not_least;
	} sums[] = {
		{ 5, false, 5, 0, 5, ~5ull },
		{ UINT64_MAX, false, UINT32_MAX, UINT32_MAX, UINT64_MAX, 0 },
		{ (uint64_t)-3, true, (uint32_t)-3, UINT64_MAX, (1ull << 63) - 3,
		  ~((1ull << 63) - 3) },
		{ 0, true, 0, 0, 1ull << 63, ~(1ull << 63) },
	};

	for (size_t i = 0; i < COUNT_OF(sums); i++) {
		struct traced *traced = begin(false, sums[i].is_signed);
		hit_with(traced, sums[i].number);
		assert_int_equal(traced_sums(traced)->measured, 1);
		assert_int_equal(traced_sums(traced)->low, sums[i].low);
		assert_int_equal(traced_sums(traced)->high, sums[i].high);
		assert_int_equal(traced_sums(traced)->most, sums[i].most);
		assert_int_equal(traced_sums(traced)->not_least, sums[i].not_least);
		assert_int_equal(traced_sums(traced)->contended, 0);
		traced_end(traced);
	}
}

// The bucket of a number; those of negative numbers follow the others.
static unsigned bucket_of(uint64_t number, bool is_signed)
{
	struct traced *traced = begin(true, is_signed);
	unsigned found = UINT32_MAX;

	hit_with(traced, number);
	const uint64_t *buckets = (const void *)(traced_sums(traced) + 1);
	for (unsigned i = 0; i < 2 * IC_TRACE_POWERS; i++) {
		if (buckets[i] == 1 && found == UINT32_MAX)
			found = i;
		else
			assert_int_equal(buckets[i], 0);
	}
	traced_end(traced);
	return found;
}

TEST(buckets_are_powers_of_two)
{
	assert_int_equal(bucket_of(0, false), 0);
	assert_int_equal(bucket_of(1, false), 1);
	for (unsigned bits = 2; bits <= 64; bits++) {
		assert_int_equal(bucket_of(1ull << (bits - 1), false), bits);
		assert_int_equal(bucket_of(UINT64_MAX >> (64 - bits), false), bits);
	}
	assert_int_equal(bucket_of((uint64_t)-1, true), IC_TRACE_POWERS + 1);
	assert_int_equal(bucket_of((uint64_t)-5, true), IC_TRACE_POWERS + 3);
	assert_int_equal(bucket_of(1ull << 63, true), IC_TRACE_POWERS + 64);
	assert_int_equal(bucket_of(5, true), 3);
}

TEST(what_only_the_reader_knows_is_left_to_it)
{
	struct traced *traced = begin(false, false);

	traced_copy(traced)->leaves_groups = true;
	hit_with(traced, 1);
	assert_null(traced_sums(traced));
	assert_true(traced->machine.is_submitted);
	assert_int_equal(traced_record(traced)->is_asked, 0);
	traced_copy(traced)->leaves_groups = false;
	ic_trace_fetches(&traced->shape, traced_copy(traced))[1].number = 2 * TRACED_MEMORY;
	traced->machine.is_submitted = false;
	hit_with(traced, 1); // the string is not in memory
	assert_null(traced_sums(traced));
	assert_true(traced->machine.is_submitted);
	traced_end(traced);
}

TEST(what_is_unavailable_is_not_in_the_key)
{
	struct traced *traced = begin(false, false);
	struct ic_trace_group_key key;

	traced_copy(traced)->key_arguments[0] = IC_TRACE_NO_ARGUMENT;
	traced_copy(traced)->measure = IC_TRACE_NO_ARGUMENT;
	hit_with(traced, 1);
	memcpy(&key, traced->machine.key.bytes, sizeof(key));
	assert_int_equal(key.known, 2);
	assert_int_equal(traced_sums(traced)->count, 1);
	assert_int_equal(traced_sums(traced)->measured, 0);
	traced_end(traced);
}

TEST(calls_without_room_for_their_group_are_counted)
{
	struct traced *traced = begin(false, false);

	hit_with(traced, 1);
	ic_trace_fetches(&traced->shape, traced_copy(traced))[0].number = 2;
	traced_hit(traced);
	assert_int_equal(traced_copy(traced)->ungrouped, 1);
	assert_int_equal(traced_copy(traced)->hits, 2);
	assert_int_equal(traced_sums(traced)->count, 1);
	traced_end(traced);
}

UNIT_TESTS(trace_bpf_groups)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_key_has_what_calls_have_in_common),
		cmocka_unit_test(sums_are_exact),
		cmocka_unit_test(buckets_are_powers_of_two),
		cmocka_unit_test(what_only_the_reader_knows_is_left_to_it),
		cmocka_unit_test(what_is_unavailable_is_not_in_the_key),
		cmocka_unit_test(calls_without_room_for_their_group_are_counted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
