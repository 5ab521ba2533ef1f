#include "trace/bpf/program.h"

#include "unit_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/machine.h"
#include "bpf_machine.h"
#include "trace/bpf/kernel.h"

enum { COPIES = 3, SLOTS = 3, MEMORY = 0x5000, MEMORY_SIZE = 0x1000, FILE_ADDR = 0x1010 };

#define PC 0x560000001010ull
#define FILTER                                                                               \
	"a == 1 && b < -2 && c >= 3 && d != 'x' && e <= 5 && f > 6 && s == \"a long string " \
	"here\" && "                                                                         \
	"t != \"another string\""

struct traced { // a hit of copy 1
	struct ic_trace_shape shape;
	struct ic_trace_layout layout;
	struct ic_bpf_code code;
	struct bpf_machine machine;
	uint64_t registers[64];
	uint8_t memory[MEMORY_SIZE];
};

static bool read_memory(void *context, uint64_t addr, void *bytes, size_t size)
{
	struct traced *traced = context;

	if (addr < MEMORY || addr - MEMORY > MEMORY_SIZE || size > MEMORY_SIZE - (addr - MEMORY))
		return false;
	memcpy(bytes, traced->memory + (addr - MEMORY), size);
	return true;
}

static struct traced *begin(const struct ic_trace_shape *shape)
{
	struct traced *traced = calloc(1, sizeof(*traced));

	traced->shape = *shape;
	traced->shape.registers = ic_thread_layout(IC_MACHINE_X86_64, false);
	traced->shape.stack_reg = 7;
	traced->shape.maps = (struct ic_trace_maps){ .copies = 1, .ring = 2, .slots = 3 };
	traced->shape.slot_count = SLOTS;
	ic_trace_layout_find(&traced->shape, &traced->layout);
	ic_trace_program_write(&traced->shape, &traced->code);
	size_t copy_size = ic_trace_copy_size(&traced->shape);
	for (unsigned i = 0; i < traced->shape.registers->count; i++)
		traced->registers[i] = 100 + i;
	traced->registers[16] = PC; // of struct pt_regs, as is 19, the stack pointer
	traced->registers[19] = MEMORY + 64;
	for (size_t i = 0; i < MEMORY_SIZE; i++)
		traced->memory[i] = (uint8_t)(i * 7);
	traced->machine = (struct bpf_machine){
		.context = { (uint8_t *)traced->registers, 8u * traced->shape.registers->count,
			     true },
		.copies = { calloc(COPIES, copy_size), COPIES * copy_size, false },
		.slots = { calloc(SLOTS, traced->layout.size), SLOTS * traced->layout.size, false },
		.slot_count = SLOTS,
		.reported = { malloc(traced->layout.size), traced->layout.size, false },
		.cookie = 1,
		.copy_size = copy_size,
		.is_kernel = shape->is_kernel,
		.read_user = read_memory,
		.user = traced,
	};
	for (size_t i = 0; i < SLOTS; i++) // what an earlier hit left
		memset(traced->machine.slots.bytes + i * traced->layout.size + sizeof(uint64_t),
		       0xa5, traced->layout.size - sizeof(uint64_t));
	return traced;
}

static struct ic_trace_copy_data *copy_of(struct traced *traced)
{
	struct ic_trace_copy_data *copy =
		(void *)(traced->machine.copies.bytes + traced->machine.copy_size);

	copy->addr = FILE_ADDR;
	return copy;
}

static void hit(struct traced *traced)
{
	if (!bpf_machine_run(&traced->machine, traced->code.items.items, traced->code.items.count))
		fail_msg("%s", traced->machine.fault);
}

static void end(struct traced *traced)
{
	free(traced->machine.copies.bytes);
	free(traced->machine.slots.bytes);
	free(traced->machine.reported.bytes);
	IC_ARRAY_FREE(&traced->code.items);
	free(traced);
}

static const struct ic_trace_record *record_of(const struct traced *traced)
{
	return (const void *)traced->machine.reported.bytes;
}

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

	memcpy(&number, traced->memory + (addr - MEMORY), size);
	return number;
}

// The value of one argument; -1 if it is not known.
static uint64_t fetched(const struct ic_trace_fetch *fetch)
{
	struct traced *traced = begin(&(struct ic_trace_shape){ .argument_count = 1 });
	uint64_t value = UINT64_MAX;

	copy_of(traced)->fetches[0] = *fetch;
	hit(traced);
	assert_true(traced->machine.is_submitted);
	if (record_of(traced)->known)
		value = value_of(traced, 0);
	end(traced);
	return value;
}

#define FETCHED(...) fetched(&(struct ic_trace_fetch){ __VA_ARGS__ })

TEST(a_hit_says_when_and_where_it_was)
{
	struct traced *traced = begin(&(struct ic_trace_shape){ .argument_count = 0 });

	hit(traced);
	const struct ic_trace_record *record = record_of(traced);
	assert_int_equal(record->time, 12345);
	assert_int_equal(record->pid, 7);
	assert_int_equal(record->tid, 8);
	assert_int_equal(record->copy, 1);
	assert_int_equal(record->known, 0);
	assert_int_equal(record->stack_size, 0);
	assert_memory_equal(traced->machine.reported.bytes + traced->layout.registers,
			    traced->registers, traced->machine.context.size);
	assert_int_equal(copy_of(traced)->hits, 1);
	end(traced);
}

TEST(arguments_are_fetched_from_where_they_are)
{
	assert_int_equal(FETCHED(.base = IC_TRACE_NUMBER, .number = 42), 42);
	assert_int_equal(FETCHED(.base = IC_TRACE_REGISTER, .word = 5), 105);
	assert_int_equal(FETCHED(.base = IC_TRACE_REGISTER, .word = 5, .offsets = { 3 }), 108);
	assert_int_equal(FETCHED(.base = IC_TRACE_IN_FILE, .number = 0x4000),
			 PC - FILE_ADDR + 0x4000);
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
	struct traced *any = begin(&(struct ic_trace_shape){ .argument_count = 0 });

	assert_int_equal(FETCHED(.base = IC_TRACE_NUMBER, .number = MEMORY, .offsets = { 16 },
				 .memory_size = 4, .unused_bits = 32),
			 number_in(any, MEMORY + 16, 4));
	// A byte is loaded as a pointer: not where it leads to, but what it is with an offset.
	assert_int_equal(FETCHED(.base = IC_TRACE_NUMBER, .number = MEMORY, .load_count = 1,
				 .load_sizes = { 1 }, .offsets = { 3, 5 }),
			 number_in(any, MEMORY + 3, 1) + 5);
	assert_int_equal(FETCHED(.base = IC_TRACE_NUMBER, .number = MEMORY, .load_count = 2,
				 .load_sizes = { 1, 2 }, .offsets = { 3, MEMORY, 1 }),
			 number_in(any, MEMORY + number_in(any, MEMORY + 3, 1), 2) + 1);
	assert_int_equal(FETCHED(.base = IC_TRACE_NUMBER, .number = 0x10, .memory_size = 4),
			 UINT64_MAX);
	assert_int_equal(FETCHED(.base = IC_TRACE_NUMBER, .number = MEMORY, .memory_size = 17),
			 UINT64_MAX);
	assert_int_equal(FETCHED(.base = IC_TRACE_NUMBER, .number = MEMORY, .load_count = 1,
				 .load_sizes = { 9 }),
			 UINT64_MAX);
	end(any);
}

TEST(strings_are_copied_up_to_their_end)
{
	struct traced *traced = begin(
		&(struct ic_trace_shape){ .argument_count = 2, .strings = 2, .string_size = 8 });
	uint32_t at = ic_trace_string_offset(&traced->shape, &traced->layout, 1);
	int64_t size;

	memcpy(traced->memory, "abc", 4);
	copy_of(traced)->fetches[1] = (struct ic_trace_fetch){ .base = IC_TRACE_NUMBER,
							       .number = MEMORY,
							       .is_string = 1 };
	hit(traced);
	assert_int_equal(record_of(traced)->known, 2);
	memcpy(&size, traced->machine.reported.bytes + at, sizeof(size));
	assert_int_equal(size, 4);
	assert_string_equal((const char *)traced->machine.reported.bytes + at + 8, "abc");
	copy_of(traced)->fetches[1].string_size = 3; // of an array, with a NUL
	hit(traced);
	memcpy(&size, traced->machine.reported.bytes + at, sizeof(size));
	assert_int_equal(size, 3);
	assert_string_equal((const char *)traced->machine.reported.bytes + at + 8, "ab");
	copy_of(traced)->fetches[1].string_size = 9; // more than are copied of any
	memcpy(traced->memory, "abcdefghijk", 12);
	hit(traced);
	assert_string_equal((const char *)traced->machine.reported.bytes + at + 8, "abcdefg");
	end(traced);
}

TEST(memory_of_a_kernel_is_read_as_such)
{
	struct traced *traced = begin(&(struct ic_trace_shape){
		.argument_count = 1, .strings = 1, .string_size = 8, .is_kernel = true });
	uint32_t at = ic_trace_string_offset(&traced->shape, &traced->layout, 0);
	const uint64_t addr = MEMORY;

	memcpy(traced->memory, "abc", 4);
	memcpy(traced->memory + 16, &addr, sizeof(addr));
	copy_of(traced)->fetches[0] = (struct ic_trace_fetch){
		.base = IC_TRACE_NUMBER, .number = MEMORY + 16, .memory_size = 8, .is_string = 1
	};
	hit(traced);
	assert_int_equal(record_of(traced)->known, 1);
	assert_string_equal((const char *)traced->machine.reported.bytes + at + 8, "abc");
	end(traced);
}

TEST(a_stack_is_copied_up_to_what_is_not_mapped)
{
	struct traced *traced =
		begin(&(struct ic_trace_shape){ .stack_size = 16 * IC_TRACE_STACK_STEP });

	// The stack pointer is MEMORY + 64.
	assert_int_equal(MEMORY % IC_TRACE_STACK_STEP, 0);
	hit(traced);
	assert_int_equal(record_of(traced)->stack_size, MEMORY_SIZE);
	assert_memory_equal(traced->machine.reported.bytes + traced->layout.stack, traced->memory,
			    MEMORY_SIZE);
	end(traced);
}

// bpf_machine.c says that the process is number 7.
TEST(nothing_is_counted_before_all_probes_are_set_nor_of_ones_own)
{
	const struct ic_trace_shape shape = { .without_pid = 8 }, own = { .without_pid = 7 };
	struct traced *traced = begin(&shape);

	copy_of(traced)->is_off = 1;
	hit(traced);
	assert_int_equal(copy_of(traced)->hits, 0);
	assert_false(traced->machine.is_submitted);
	copy_of(traced)->is_off = 0;
	hit(traced);
	assert_int_equal(copy_of(traced)->hits, 1);
	assert_true(traced->machine.is_submitted);
	end(traced);
	traced = begin(&own);
	hit(traced);
	assert_int_equal(copy_of(traced)->hits, 0);
	end(traced);
}

TEST(hits_are_counted_though_they_are_not_told)
{
	struct traced *traced = begin(&(struct ic_trace_shape){ .sample = 3 });
	unsigned told = 0;

	for (int i = 0; i < 10; i++) {
		traced->machine.is_submitted = false;
		hit(traced);
		told += traced->machine.is_submitted;
	}
	assert_int_equal(told, 4);
	assert_int_equal(copy_of(traced)->hits, 10);
	assert_int_equal(copy_of(traced)->lost, 0);
	end(traced);
	traced = begin(&(struct ic_trace_shape){ .argument_count = 1 });
	traced->machine.is_full = true;
	hit(traced);
	assert_int_equal(copy_of(traced)->hits, 1);
	assert_int_equal(copy_of(traced)->lost, 1);
	traced->machine.cookie = COPIES; // of no copy
	hit(traced);
	end(traced);
}

static uint64_t *busy_of(struct traced *traced, size_t slot)
{
	return (void *)(traced->machine.slots.bytes + slot * traced->layout.size);
}

// bpf_machine.c says that the processor is number 1.
TEST(a_hit_while_another_is_handled_takes_the_next_slot)
{
	struct traced *traced = begin(&(struct ic_trace_shape){ .argument_count = 1 });

	for (int i = 0; i < 2; i++) {
		*busy_of(traced, 1) = i > 0;
		traced->machine.is_submitted = false;
		hit(traced);
		assert_true(traced->machine.is_submitted);
		assert_int_equal(*busy_of(traced, 1), i);
		assert_int_equal(*busy_of(traced, 2), 0);
	}
	*busy_of(traced, 0) = *busy_of(traced, 2) = 1;
	traced->machine.is_submitted = false;
	hit(traced);
	assert_false(traced->machine.is_submitted);
	assert_int_equal(copy_of(traced)->lost, 1);
	end(traced);
}

TEST(what_a_filter_rejects_needs_no_room)
{
	struct ic_trace_shape shape = { .argument_count = 1 };
	struct ic_error err;

	assert_true(ic_trace_filter_read("n == 1", &shape.filter, &err));
	struct traced *traced = begin(&shape);
	copy_of(traced)->fetches[0] = (struct ic_trace_fetch){ .base = IC_TRACE_NUMBER };
	copy_of(traced)->conditions[0].number = 1;
	traced->machine.is_full = true;
	hit(traced);
	assert_int_equal(copy_of(traced)->lost, 0);
	copy_of(traced)->fetches[0].number = 1;
	hit(traced);
	assert_int_equal(copy_of(traced)->lost, 1);
	assert_int_equal(copy_of(traced)->hits, 1);
	end(traced);
}

TEST(exits_are_neither_sampled_nor_filtered)
{
	struct ic_trace_shape shape = { .sample = 100, .has_exits = true };
	struct ic_error err;
	unsigned told = 0;

	assert_true(ic_trace_filter_read("n == 5", &shape.filter, &err));
	struct traced *traced = begin(&shape);
	copy_of(traced)->is_exit = true;
	for (int i = 0; i < 10; i++) {
		traced->machine.is_submitted = false;
		hit(traced);
		told += traced->machine.is_submitted;
	}
	assert_int_equal(told, 10);
	assert_int_equal(copy_of(traced)->undecided, 0);
	end(traced);
}

// Whether a call passes whose argument 0 is a number, and 1 a string at an address.
static bool passes_at(const char *text, uint64_t number, bool is_signed, const char *string,
		      uint64_t addr, bool only_counts)
{
	struct ic_trace_shape shape = {
		.argument_count = 2, .strings = 2, .string_size = 16, .only_counts = only_counts
	};
	struct ic_error err;

	if (!ic_trace_filter_read(text, &shape.filter, &err))
		fail_msg("%s", err.message);
	struct traced *traced = begin(&shape);
	struct ic_trace_copy_data *copy = copy_of(traced);
	memcpy(traced->memory, string, strlen(string) + 1);
	copy->fetches[0] = (struct ic_trace_fetch){ .base = IC_TRACE_NUMBER,
						    .number = number,
						    .is_signed = is_signed };
	copy->fetches[1] =
		(struct ic_trace_fetch){ .base = IC_TRACE_NUMBER, .number = addr, .is_string = 1 };
	for (uint32_t i = 0; i < shape.filter.count; i++) {
		const struct ic_trace_term *term = &shape.filter.terms[i];
		copy->conditions[i] = (struct ic_trace_condition){
			.number = term->number,
			.is_signed = is_signed,
			.argument = term->is_string,
			.string_at = ic_trace_string_offset(&traced->shape, &traced->layout, 1),
		};
	}
	hit(traced);
	bool is_passed = copy->hits > 0;
	assert_int_equal(traced->machine.is_submitted, is_passed && !only_counts);
	assert_int_equal(copy->undecided, only_counts && !is_passed);
	end(traced);
	return is_passed;
}

static bool passes(const char *text, uint64_t number, bool is_signed, const char *string)
{
	return passes_at(text, number, is_signed, string, MEMORY, false);
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

// Who reads the call may find it elsewhere; if it is only counted, nobody does.
TEST(a_filter_lets_strings_through_that_cannot_be_read)
{
	assert_true(passes_at("s == \"a\"", 0, false, "b", 2 * MEMORY, false));
	assert_true(passes_at("n == 1 && s != \"a\"", 1, false, "b", 2 * MEMORY, false));
	assert_false(passes_at("s == \"a\" && n == 1", 2, false, "b", 2 * MEMORY, false));
	assert_false(passes_at("s == \"a\"", 0, false, "b", 2 * MEMORY, true));
}

TEST(what_a_filter_cannot_decide_is_counted)
{
	static const struct ic_trace_condition conditions[] = {
		{ .argument = IC_TRACE_NO_ARGUMENT },
		{ .argument = 7 },
		{ .argument = 0 }, // it is not fetched
	};

	for (size_t i = 0; i < COUNT_OF(conditions); i++) {
		struct ic_trace_shape shape = { .argument_count = 1 };
		struct ic_error err;
		assert_true(ic_trace_filter_read("n == 1", &shape.filter, &err));
		struct traced *traced = begin(&shape);
		copy_of(traced)->conditions[0] = conditions[i];
		hit(traced);
		assert_false(traced->machine.is_submitted);
		assert_int_equal(copy_of(traced)->undecided, 1);
		assert_int_equal(copy_of(traced)->hits, 0);
		copy_of(traced)->conditions[0].argument = IC_TRACE_LATER;
		hit(traced);
		assert_true(traced->machine.is_submitted);
		end(traced);
	}
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
			.only_counts = arguments == 24,
			.slot_count = SLOTS,
			.maps.ring = ring,
		};
		struct ic_trace_layout layout;
		if (arguments >= 16)
			assert_true(ic_trace_filter_read(FILTER, &shape.filter, &err));
		struct ic_bpf_code code = { .is_too_long = false };
		ic_trace_layout_find(&shape, &layout);
		shape.maps.copies = ic_bpf_array_new(ic_trace_copy_size(&shape), COPIES, &err);
		shape.maps.slots = ic_bpf_slots_new(layout.size, SLOTS, &err);
		ic_trace_program_write(&shape, &code);
		assert_false(code.is_too_long);
		int program = ic_bpf_program_load(code.items.items, code.items.count, false, &err);
		if (program < 0)
			fail_msg("%u arguments: %s", arguments, err.message);
		close(program);
		close(shape.maps.copies);
		close(shape.maps.slots);
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
		cmocka_unit_test(memory_of_a_kernel_is_read_as_such),
		cmocka_unit_test(a_stack_is_copied_up_to_what_is_not_mapped),
		cmocka_unit_test(nothing_is_counted_before_all_probes_are_set_nor_of_ones_own),
		cmocka_unit_test(hits_are_counted_though_they_are_not_told),
		cmocka_unit_test(a_hit_while_another_is_handled_takes_the_next_slot),
		cmocka_unit_test(what_a_filter_rejects_needs_no_room),
		cmocka_unit_test(exits_are_neither_sampled_nor_filtered),
		cmocka_unit_test(a_filter_compares_numbers),
		cmocka_unit_test(a_filter_compares_strings),
		cmocka_unit_test(a_filter_lets_strings_through_that_cannot_be_read),
		cmocka_unit_test(what_a_filter_cannot_decide_is_counted),
		cmocka_unit_test(the_kernel_takes_every_program),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
