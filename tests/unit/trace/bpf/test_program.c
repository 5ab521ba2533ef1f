#include "trace/bpf/program.h"

#include "unit_test.h"

#include <string.h>
#include <unistd.h>

#include "base/machine.h"
#include "fixtures/traced.h"
#include "trace/bpf/kernel.h"

#define FILTER                                                                                     \
	"a == 1 && (b < -2 || !(c >= m)) && d & 12 && e <= 5 && @pid > 6 && s == \"a long string " \
	"here\" && "                                                                               \
	"t != \"another string\""

static uint64_t value_of(const struct traced *traced, unsigned argument)
{
	uint64_t value;

	memcpy(&value,
	       traced->machine.reported.bytes + traced->layout.values +
		       IC_TRACE_VALUE_SIZE * argument,
	       sizeof(value));
	return value;
}

static uint64_t number_in(const struct traced *traced, uint64_t addr, size_t size)
{
	uint64_t number = 0;

	memcpy(&number, traced->memory + (addr - TRACED_MEMORY), size);
	return number;
}

// The value of one argument; -1 if it is not known.
static uint64_t fetched(const struct ic_trace_fetch *fetch)
{
	struct traced *traced = traced_begin(&(struct ic_trace_shape){ .argument_count = 1 });
	uint64_t value = UINT64_MAX;

	ic_trace_fetches(&traced->shape, traced_copy(traced))[0] = *fetch;
	traced_hit(traced);
	assert_true(traced->machine.is_submitted);
	if (traced_record(traced)->known)
		value = value_of(traced, 0);
	traced_end(traced);
	return value;
}

#define FETCHED(...) fetched(&(struct ic_trace_fetch){ __VA_ARGS__ })

TEST(a_hit_says_when_and_where_it_was)
{
	struct traced *traced = traced_begin(&(struct ic_trace_shape){ .argument_count = 0 });

	traced_hit(traced);
	const struct ic_trace_record *record = traced_record(traced);
	assert_int_equal(record->time, 12345);
	assert_int_equal(record->pid, 7);
	assert_int_equal(record->tid, 8);
	assert_int_equal(record->copy, 1);
	assert_int_equal(record->known, 0);
	assert_int_equal(record->stack_size, 0);
	assert_memory_equal(traced->machine.reported.bytes + traced->layout.registers,
			    traced->registers, traced->machine.context.size);
	assert_int_equal(traced_copy(traced)->hits, 1);
	traced_end(traced);
}

TEST(arguments_are_fetched_from_where_they_are)
{
	assert_int_equal(FETCHED(.base = IC_TRACE_NUMBER, .number = 42), 42);
	assert_int_equal(FETCHED(.base = IC_TRACE_REGISTER, .word = 5), 105);
	assert_int_equal(FETCHED(.base = IC_TRACE_REGISTER, .word = 5, .offsets = { 3 }), 108);
	assert_int_equal(FETCHED(.base = IC_TRACE_IN_FILE, .number = 0x4000),
			 TRACED_PC - TRACED_FILE_ADDR + 0x4000);
	assert_int_equal(FETCHED(.base = IC_TRACE_NOTHING), UINT64_MAX);
	assert_int_equal(FETCHED(.base = IC_TRACE_REGISTER, .word = 200), UINT64_MAX);
}

TEST(values_are_cut_and_extended)
{
	assert_int_equal(FETCHED(.base = IC_TRACE_NUMBER, .number = 0xfff80, .unused_bits = 56),
			 0x80);
	assert_int_equal(FETCHED(.base = IC_TRACE_NUMBER, .number = 0xfff80, .unused_bits = 56,
				 .is_signed = 1),
			 (uint64_t)-128);
	assert_int_equal(
		FETCHED(.base = IC_TRACE_NUMBER, .number = 0xab, .unused_bits = 56, .low_bits = 5),
		5);
	assert_int_equal(FETCHED(.base = IC_TRACE_NUMBER, .number = 0xab, .unused_bits = 56,
				 .low_bits = 5, .is_signed = 1),
			 (uint64_t)-3);
}

TEST(memory_is_read_through_pointers)
{
	if (IC_HOST_IS_BIG_ENDIAN)
		skip(); // no trace is made for such machines: prepare.c refuses them
	struct traced *any = traced_begin(&(struct ic_trace_shape){ .argument_count = 0 });

	assert_int_equal(FETCHED(.base = IC_TRACE_NUMBER, .number = TRACED_MEMORY,
				 .offsets = { 16 }, .memory_size = 4, .unused_bits = 32),
			 number_in(any, TRACED_MEMORY + 16, 4));
	// A byte is loaded as a pointer: not where it leads to, but what it is with an offset.
	assert_int_equal(FETCHED(.base = IC_TRACE_NUMBER, .number = TRACED_MEMORY, .load_count = 1,
				 .load_sizes = { 1 }, .offsets = { 3, 5 }),
			 number_in(any, TRACED_MEMORY + 3, 1) + 5);
	assert_int_equal(FETCHED(.base = IC_TRACE_NUMBER, .number = TRACED_MEMORY, .load_count = 2,
				 .load_sizes = { 1, 2 }, .offsets = { 3, TRACED_MEMORY, 1 }),
			 number_in(any, TRACED_MEMORY + number_in(any, TRACED_MEMORY + 3, 1), 2) +
				 1);
	assert_int_equal(FETCHED(.base = IC_TRACE_NUMBER, .number = 0x10, .memory_size = 4),
			 UINT64_MAX);
	assert_int_equal(
		FETCHED(.base = IC_TRACE_NUMBER, .number = TRACED_MEMORY, .memory_size = 17),
		UINT64_MAX);
	assert_int_equal(FETCHED(.base = IC_TRACE_NUMBER, .number = TRACED_MEMORY, .load_count = 1,
				 .load_sizes = { 9 }),
			 UINT64_MAX);
	traced_end(any);
}

TEST(strings_are_copied_up_to_their_end)
{
	struct traced *traced = traced_begin(
		&(struct ic_trace_shape){ .argument_count = 2, .strings = 2, .string_size = 8 });
	uint32_t at = ic_trace_string_offset(&traced->shape, &traced->layout, 1);
	int64_t size;

	memcpy(traced->memory, "abc", 4);
	ic_trace_fetches(&traced->shape, traced_copy(traced))[1] = (struct ic_trace_fetch){
		.base = IC_TRACE_NUMBER, .number = TRACED_MEMORY, .is_string = 1
	};
	traced_hit(traced);
	assert_int_equal(traced_record(traced)->known, 2);
	memcpy(&size, traced->machine.reported.bytes + at, sizeof(size));
	assert_int_equal(size, 4);
	assert_string_equal((const char *)traced->machine.reported.bytes + at + 8, "abc");
	ic_trace_fetches(&traced->shape, traced_copy(traced))[1].string_size =
		3; // of an array, with a NUL
	traced_hit(traced);
	memcpy(&size, traced->machine.reported.bytes + at, sizeof(size));
	assert_int_equal(size, 3);
	assert_string_equal((const char *)traced->machine.reported.bytes + at + 8, "ab");
	ic_trace_fetches(&traced->shape, traced_copy(traced))[1].string_size =
		9; // more than are copied of any
	memcpy(traced->memory, "abcdefghijk", 12);
	traced_hit(traced);
	assert_string_equal((const char *)traced->machine.reported.bytes + at + 8, "abcdefg");
	traced_end(traced);
}

TEST(who_may_sleep_waits_for_memory)
{
	for (int can_sleep = 0; can_sleep < 2; can_sleep++) {
		struct traced *traced =
			traced_begin(&(struct ic_trace_shape){ .argument_count = 2,
							       .strings = 2,
							       .string_size = 8,
							       .can_sleep = can_sleep });
		struct ic_trace_fetch *fetches =
			ic_trace_fetches(&traced->shape, traced_copy(traced));
		uint32_t at = ic_trace_string_offset(&traced->shape, &traced->layout, 1);
		int64_t size;

		memcpy(traced->memory, "abc", 4);
		fetches[0] = (struct ic_trace_fetch){ .base = IC_TRACE_NUMBER,
						      .number = TRACED_MEMORY + 16,
						      .memory_size = 8 };
		fetches[1] = (struct ic_trace_fetch){ .base = IC_TRACE_NUMBER,
						      .number = TRACED_MEMORY,
						      .is_string = 1 };
		traced->machine.is_absent = true;
		traced_hit(traced);
		assert_int_equal(traced_record(traced)->known, can_sleep ? 3 : 2);
		memcpy(&size, traced->machine.reported.bytes + at, sizeof(size));
		assert_int_equal(size, can_sleep ? 4 : -14);
		fetches[0].base = IC_TRACE_NOTHING; // only the string
		traced->machine.is_absent = true;
		traced_hit(traced);
		memcpy(&size, traced->machine.reported.bytes + at, sizeof(size));
		assert_int_equal(size, can_sleep ? 4 : -14);
		traced_end(traced);
	}
}

TEST(memory_of_a_kernel_is_read_as_such)
{
	struct traced *traced = traced_begin(&(struct ic_trace_shape){
		.argument_count = 1, .strings = 1, .string_size = 8, .is_kernel = true });
	uint32_t at = ic_trace_string_offset(&traced->shape, &traced->layout, 0);
	const uint64_t addr = TRACED_MEMORY;

	memcpy(traced->memory, "abc", 4);
	memcpy(traced->memory + 16, &addr, sizeof(addr));
	ic_trace_fetches(&traced->shape, traced_copy(traced))[0] =
		(struct ic_trace_fetch){ .base = IC_TRACE_NUMBER,
					 .number = TRACED_MEMORY + 16,
					 .memory_size = 8,
					 .is_string = 1 };
	traced_hit(traced);
	assert_int_equal(traced_record(traced)->known, 1);
	assert_string_equal((const char *)traced->machine.reported.bytes + at + 8, "abc");
	traced_end(traced);
}

TEST(a_stack_is_copied_up_to_what_is_not_mapped)
{
	struct traced *traced =
		traced_begin(&(struct ic_trace_shape){ .stack_size = 16 * IC_TRACE_STACK_STEP });

	// The stack pointer is TRACED_MEMORY + 64.
	assert_int_equal(TRACED_MEMORY % IC_TRACE_STACK_STEP, 0);
	traced_hit(traced);
	assert_int_equal(traced_record(traced)->stack_size, TRACED_MEMORY_SIZE);
	assert_memory_equal(traced->machine.reported.bytes + traced->layout.stack, traced->memory,
			    TRACED_MEMORY_SIZE);
	traced_end(traced);
}

// bpf_machine.c says that the process is number 7.
TEST(nothing_is_counted_before_all_probes_are_set_nor_of_ones_own)
{
	const struct ic_trace_shape shape = { .without_pid = 8 }, own = { .without_pid = 7 };
	struct traced *traced = traced_begin(&shape);

	traced_copy(traced)->epoch = 0;
	traced_hit(traced);
	assert_int_equal(traced_copy(traced)->hits, 0);
	assert_false(traced->machine.is_submitted);
	traced_copy(traced)->epoch = 1;
	traced_hit(traced);
	assert_int_equal(traced_copy(traced)->hits, 1);
	assert_true(traced->machine.is_submitted);
	traced_end(traced);
	traced = traced_begin(&own);
	traced_hit(traced);
	assert_int_equal(traced_copy(traced)->hits, 0);
	traced_end(traced);
}

TEST(hits_are_counted_though_they_are_not_told)
{
	struct traced *traced = traced_begin(&(struct ic_trace_shape){ .sample = 3 });
	unsigned told = 0;

	for (int i = 0; i < 10; i++) {
		traced->machine.is_submitted = false;
		traced_hit(traced);
		told += traced->machine.is_submitted;
	}
	assert_int_equal(told, 4);
	assert_int_equal(traced_copy(traced)->hits, 10);
	assert_int_equal(traced_copy(traced)->lost, 0);
	traced_end(traced);
	traced = traced_begin(&(struct ic_trace_shape){ .argument_count = 1 });
	traced->machine.is_full = true;
	traced_hit(traced);
	assert_int_equal(traced_copy(traced)->hits, 1);
	assert_int_equal(traced_copy(traced)->lost, 1);
	traced->machine.cookie = TRACED_COPIES; // of no copy
	traced_hit(traced);
	traced_end(traced);
}

static uint64_t *busy_of(struct traced *traced, size_t slot)
{
	return (void *)(traced->machine.slots.bytes + slot * traced->layout.size);
}

// bpf_machine.c says that the processor is number 1.
TEST(a_hit_while_another_is_handled_takes_the_next_slot)
{
	struct traced *traced = traced_begin(&(struct ic_trace_shape){ .argument_count = 1 });

	for (int i = 0; i < 2; i++) {
		*busy_of(traced, 1) = i > 0;
		traced->machine.is_submitted = false;
		traced_hit(traced);
		assert_true(traced->machine.is_submitted);
		assert_int_equal(*busy_of(traced, 1), i);
		assert_int_equal(*busy_of(traced, 2), 0);
	}
	*busy_of(traced, 0) = *busy_of(traced, 2) = 1;
	traced->machine.is_submitted = false;
	traced_hit(traced);
	assert_false(traced->machine.is_submitted);
	assert_int_equal(traced_copy(traced)->lost, 1);
	traced_end(traced);
}

TEST(exits_are_neither_sampled_nor_filtered)
{
	struct ic_trace_shape shape = { .sample = 100, .has_exits = true };
	struct ic_error err;
	unsigned told = 0;

	assert_true(ic_trace_filter_read("n == 5", &shape.filter, &err));
	struct traced *traced = traced_begin(&shape);
	traced_copy(traced)->is_exit = true;
	for (int i = 0; i < 10; i++) {
		traced->machine.is_submitted = false;
		traced_hit(traced);
		told += traced->machine.is_submitted;
	}
	assert_int_equal(told, 10);
	assert_int_equal(traced_copy(traced)->undecided, 0);
	traced_end(traced);
}

// Whatever it is made for, the kernel's verifier takes it.
TEST(the_kernel_takes_every_program)
{
	struct ic_error err = { .message = "" };
	int ring = ic_bpf_ring_new((uint32_t)sysconf(_SC_PAGESIZE), &err);

	if (ring < 0) {
		print_message("skipped: %s\n", err.message);
		skip();
	}
	for (uint32_t i = 0; i <= IC_TRACE_MOST_ARGUMENTS / 4; i++) {
		const uint32_t arguments = i / 2 * 8;
		const bool is_kernel = i & 1;
		struct ic_trace_shape shape = {
			.registers = ic_thread_layout(IC_MACHINE_X86_64, false),
			.stack_reg = 7,
			.argument_count = arguments,
			.strings = arguments & 8 ? (1ull << arguments) - 1 : 0,
			.string_size = IC_TRACE_MOST_STRING + IC_TRACE_STRING_MORE,
			.stack_size = arguments & 16 ? IC_TRACE_MOST_STACK + IC_TRACE_STACK_STEP
						     : 0,
			.sample = arguments & 1,
			.is_kernel = is_kernel,
			.can_sleep = !is_kernel && arguments != 16, // needs Linux 6.0
			.only_counts = arguments == 24,
			.grouping = { .is_on = arguments != 24 && is_kernel,
				      .by_cpu = true,
				      .by_command = arguments > 0,
				      .key_count = (uint8_t)(arguments / 4),
				      .strings = arguments & 8 ? 5 : 0,
				      .has_measure = arguments > 0,
				      .has_buckets = arguments >= 16 },
			.slot_count = TRACED_SLOTS,
			.maps.ring = ring,
		};
		struct ic_trace_layout layout;
		if (arguments >= 16)
			assert_true(ic_trace_filter_read(FILTER, &shape.filter, &err));
		struct ic_bpf_code code = { .is_too_long = false };
		ic_trace_layout_find(&shape, &layout);
		shape.maps.copies =
			ic_bpf_array_new(ic_trace_copy_size(&shape), TRACED_COPIES, &err);
		shape.maps.slots = ic_bpf_slots_new(layout.size, TRACED_SLOTS, &err);
		shape.maps.zeros = ic_bpf_slots_new(layout.sums_size, 1, &err);
		shape.maps.groups = ic_bpf_table_new(layout.key_size, layout.sums_size, 100, &err);
		ic_trace_program_write(&shape, &code);
		assert_false(code.is_too_long);
		const struct ic_bpf_program written = { .code = code.items.items,
							.count = code.items.count,
							.can_sleep = shape.can_sleep };
		int program = ic_bpf_program_load(&written, &err);
		if (program < 0)
			fail_msg("%u arguments: %s", arguments, err.message);
		close(program);
		close(shape.maps.copies);
		close(shape.maps.slots);
		close(shape.maps.zeros);
		close(shape.maps.groups);
		IC_ARRAY_FREE(&code.items);
	}
	close(ring);
}

UNIT_TESTS(trace_bpf_program)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_hit_says_when_and_where_it_was),
		cmocka_unit_test(arguments_are_fetched_from_where_they_are),
		cmocka_unit_test(values_are_cut_and_extended),
		cmocka_unit_test(memory_is_read_through_pointers),
		cmocka_unit_test(strings_are_copied_up_to_their_end),
		cmocka_unit_test(who_may_sleep_waits_for_memory),
		cmocka_unit_test(memory_of_a_kernel_is_read_as_such),
		cmocka_unit_test(a_stack_is_copied_up_to_what_is_not_mapped),
		cmocka_unit_test(nothing_is_counted_before_all_probes_are_set_nor_of_ones_own),
		cmocka_unit_test(hits_are_counted_though_they_are_not_told),
		cmocka_unit_test(a_hit_while_another_is_handled_takes_the_next_slot),
		cmocka_unit_test(exits_are_neither_sampled_nor_filtered),
		cmocka_unit_test(the_kernel_takes_every_program),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
