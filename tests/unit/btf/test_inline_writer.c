#include "unit_test.h"

#include <stdlib.h>

#include "btf/inline_writer.h"

#include "btf_builder.h"

static struct ic_location at(enum ic_location_kind kind, uint32_t reg, int64_t offset)
{
	return (struct ic_location){ .kind = kind, .reg = reg, .offset = offset };
}

static void add(struct ic_btf_writer *writer, uint32_t callee, uint32_t offset,
		const struct ic_location *locations, uint32_t count)
{
	const struct ic_btf_writer_call call = { .callee = callee, .caller = 9, .offset = offset };

	ic_btf_writer_add_call(writer, &call);
	for (uint32_t i = 0; i < count; i++)
		ic_btf_writer_add_parameter(writer, &locations[i], 4, true);
}

// The three calls of btf_example_write().
static void add_example(struct ic_btf_writer *writer)
{
	const struct ic_location locations[] = {
		at(IC_LOCATION_REGISTER, 5, 0), { .kind = IC_LOCATION_CONSTANT, .constant = 3 },
		at(IC_LOCATION_REGISTER, 5, 0), { .kind = IC_LOCATION_UNAVAILABLE },
		at(IC_LOCATION_MEMORY, 5, 12),
	};

	add(writer, 7, 0x30, locations, 2);
	add(writer, 7, 0x12, locations + 2, 2);
	add(writer, 8, 0x41, locations + 4, 1);
}

TEST(the_example_is_written_byte_for_byte_in_both_byte_orders)
{
	for (int big_endian = 0; big_endian < 2; big_endian++) {
		const struct ic_btf_writer_options options = { .is_big_endian = big_endian,
							       .keep_order = true };
		struct byte_buffer wanted = { .data = NULL };
		struct ic_error err = { .message = "" };
		size_t size = 0;

		btf_example_write(&wanted, big_endian);
		struct ic_btf_writer *writer = ic_btf_writer_new(&options, &err);
		add_example(writer);
		const void *bytes = ic_btf_writer_finish(writer, &size, &err);
		assert_string_equal(err.message, "");
		assert_int_equal(size, 106);
		assert_memory_equal(bytes, wanted.data, size);
		ic_btf_writer_free(writer);
		byte_buffer_deinit(&wanted);
	}
}

TEST(calls_are_sorted_by_caller_offset_depth_and_callee)
{
	// In the order that is wanted: the callee is their number.
	static const struct ic_btf_writer_call calls[] = {
		{ .callee = 1, .caller_addr = 0x1000, .offset = 0x20, .depth = 2 },
		{ .callee = 2, .caller_addr = 0x1000, .offset = 0x30, .depth = 1 },
		{ .callee = 3, .caller_addr = 0x1000, .offset = 0x30, .depth = 1 },
		{ .callee = 4, .caller_addr = 0x1000, .offset = 0x30, .depth = 2 },
		{ .callee = 5, .caller_addr = 0x2000, .offset = 0x10, .depth = 0 },
	};
	struct ic_btf_writer *writer = ic_btf_writer_new(NULL, NULL);
	size_t size = 0;

	for (size_t i = COUNT_OF(calls); i-- > 0;)
		ic_btf_writer_add_call(writer, &calls[i]);
	const void *bytes = ic_btf_writer_finish(writer, &size, NULL);
	struct ic_btf_inline *table = ic_btf_inline_parse(bytes, size, NULL, NULL);
	assert_int_equal(ic_btf_inline_count(table), COUNT_OF(calls));
	for (size_t i = 0; i < COUNT_OF(calls); i++) {
		struct ic_btf_inline_site site;
		ic_btf_inline_get(table, i, &site);
		assert_int_equal(site.callee, i + 1);
		assert_int_equal(site.offset, calls[i].offset);
	}
	ic_btf_inline_free(table);
	ic_btf_writer_free(writer);
}

// ---- Random tables

enum { MOST = 8 };

struct random_call {
	struct ic_btf_writer_call call;
	struct ic_location locations[MOST];
	uint32_t sizes[MOST], count;
};

static uint64_t next_random(uint64_t *state)
{
	*state = *state * 6364136223846793005ull + 1442695040888963407ull;
	return *state >> 24;
}

static struct ic_location random_location(uint64_t *state)
{
	struct ic_location location = { .reg = (uint32_t)next_random(state) % 40,
					.constant = next_random(state) >> next_random(state) % 40 };

	switch (next_random(state) % 5) {
	case 0:
		location.kind = IC_LOCATION_CONSTANT;
		location.reg = 0;
		return location;
	case 1: location.kind = IC_LOCATION_REGISTER; break;
	case 2: location.kind = IC_LOCATION_MEMORY; break;
	case 3:
		location.kind = IC_LOCATION_MEMORY;
		location.load_count = 1;
		location.loads[0].size = 8;
		break;
	default: return (struct ic_location){ .kind = IC_LOCATION_UNAVAILABLE };
	}
	location.constant = 0;
	location.offset = (int64_t)(next_random(state) % 3) * -8;
	return location;
}

static void check_read(const struct ic_btf_inline *table, uint32_t number,
		       const struct random_call *call)
{
	struct ic_btf_inline_site site;
	struct ic_btf_inline_parameter read;

	ic_btf_inline_get(table, number, &site);
	assert_int_equal(site.callee, call->call.callee);
	assert_int_equal(site.caller, call->call.caller);
	assert_int_equal(site.offset, call->call.offset);
	assert_int_equal(site.parameter_count, call->count);
	for (uint32_t i = 0; i < call->count; i++) {
		const struct ic_location *wanted = &call->locations[i];
		ic_btf_inline_parameter(table, number, i, &read);
		assert_int_equal(read.location.kind, wanted->kind);
		assert_int_equal(read.location.reg, wanted->reg);
		assert_int_equal(read.location.offset, wanted->offset);
		assert_int_equal(read.location.constant, wanted->constant);
		assert_int_equal(read.location.load_count, wanted->load_count);
		if (wanted->kind == IC_LOCATION_MEMORY)
			assert_int_equal(read.size, call->sizes[i]);
	}
}

TEST(what_was_written_is_read)
{
	enum { COUNT = 500 };
	uint64_t seed = 1;

	for (int round = 0; round < 20; round++) {
		const struct ic_btf_writer_options options = { .is_big_endian = round % 2,
							       .keep_order = true };
		struct random_call *calls = calloc(COUNT, sizeof(*calls));
		struct ic_btf_writer *writer = ic_btf_writer_new(&options, NULL);
		struct ic_error err = { .message = "" };
		size_t size = 0;

		for (size_t i = 0; i < COUNT; i++) {
			struct random_call *call = &calls[i];
			call->call.callee = (uint32_t)next_random(&seed) & 0xfffff;
			call->call.caller = (uint32_t)next_random(&seed) & 0xfffff;
			call->call.offset = (uint32_t)next_random(&seed);
			call->count = (uint32_t)next_random(&seed) % MOST;
			ic_btf_writer_add_call(writer, &call->call);
			for (uint32_t j = 0; j < call->count; j++) {
				call->locations[j] = random_location(&seed);
				call->sizes[j] = 1u << next_random(&seed) % 4;
				uint64_t size_of = call->locations[j].kind == IC_LOCATION_CONSTANT
							   ? 8
							   : call->sizes[j];
				ic_btf_writer_add_parameter(writer, &call->locations[j], size_of,
							    false);
			}
		}
		const void *bytes = ic_btf_writer_finish(writer, &size, &err);
		assert_string_equal(err.message, "");
		struct ic_btf_inline *table = ic_btf_inline_parse(bytes, size, NULL, &err);
		assert_string_equal(err.message, "");
		assert_int_equal(ic_btf_inline_count(table), COUNT);
		for (uint32_t i = 0; i < COUNT; i++)
			check_read(table, i, &calls[i]);
		ic_btf_inline_free(table);
		ic_btf_writer_free(writer);
		free(calls);
	}
}

TEST(what_the_form_cannot_count_is_an_error)
{
	const struct ic_btf_writer_call large = { .callee = 1 << 20 }, small = { .callee = 1 };
	const struct ic_location location = at(IC_LOCATION_REGISTER, 5, 0);
	struct ic_btf_writer *writer = ic_btf_writer_new(NULL, NULL);
	struct ic_error err;
	size_t size;

	ic_btf_writer_add_call(writer, &large);
	assert_null(ic_btf_writer_finish(writer, &size, &err));
	assert_error(&err, IC_ERROR_LIMIT, "a type ID is greater than 1048575");
	ic_btf_writer_free(writer);

	writer = ic_btf_writer_new(NULL, NULL);
	ic_btf_writer_add_call(writer, &small);
	for (unsigned i = 0; i < 65535; i++)
		ic_btf_writer_add_parameter(writer, &location, 8, false);
	assert_non_null(ic_btf_writer_finish(writer, &size, &err));
	ic_btf_writer_add_parameter(writer, &location, 8, false);
	assert_null(ic_btf_writer_finish(writer, &size, &err));
	assert_error(&err, IC_ERROR_LIMIT, "a call has more than 65535 parameters");
	ic_btf_writer_free(writer);
}

TEST(kinds_need_types_that_they_are_split_on)
{
	const struct ic_btf_writer_options options = { .format = IC_BTF_INLINE_LOC };
	struct ic_error err;

	assert_null(ic_btf_writer_new(&options, &err));
	assert_error(&err, IC_ERROR_ARGUMENT, "split BTF needs base types");
}

UNIT_TESTS(btf_inline_writer)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_example_is_written_byte_for_byte_in_both_byte_orders),
		cmocka_unit_test(calls_are_sorted_by_caller_offset_depth_and_callee),
		cmocka_unit_test(what_was_written_is_read),
		cmocka_unit_test(what_the_form_cannot_count_is_an_error),
		cmocka_unit_test(kinds_need_types_that_they_are_split_on),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
