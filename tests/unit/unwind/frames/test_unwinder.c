// Unwinding by made-up call frame information and memory.
#include "unit_test.h"

#include <stdio.h>

#include "fixtures/elf.h"
#include "fixtures/unwind.h"

#include <inlinecall/extra/unwind.h>

enum {                  // functions: where they begin
	PLAIN = 0x1000, // its return address is all that is on the stack
	FRAME = 0x1100, // it saves rbx
	OUTERMOST = 0x1200,
	SIGNAL = 0x1300, // rax and rbx are saved, and the stack pointer
	MALFORMED = 0x1400,
	BY_RAX = 0x1500, // its frame is where rax is
	BY_MEMORY = 0x1600,
	BACK = 0x1700,     // its frame is below itself
	BARE = 0x1800,     // there is no information
	SIGNED = 0x1900,   // AArch64
	SAME_RBX = 0x1a00, // it says that rbx is as it was
	LONGJMP = 0x1b00,  // it goes to rbp, with the stack pointer in rbx
};

// ---- x86-64

static const struct function *amd64_functions(size_t *count)
{
	static struct function functions[11];
	static const uint8_t frame[] = { 0x0e, 24, 0x80 | RBX, 2 };
	static const uint8_t outermost[] = { 0x07, RIP };
	static const uint8_t signal[] = { 0x0e, 0x40, 0x80 | RAX, 2, 0x80 | RBX, 3, 0x80 | RSP, 4 };
	static const uint8_t malformed[] = { 0x3f };
	static const uint8_t by_rax[] = { 0x0d, RAX };
	static const uint8_t by_memory[] = { 0x0f, 3, 0x70 + RAX, 0, 0x06 };
	static const uint8_t back[] = { 0x12, RSP, 2, 0x11, RIP, 0x7d }; // -16, and 24 above
	static const uint8_t same_rbx[] = { 0x08, RBX };
	static const uint8_t longjmp[] = { 0x0d, RAX, 0x09, RSP, RBX, 0x09, RIP, RBP };
	size_t n = 0;

	functions[n++] = (struct function){ .start = PLAIN };
	functions[n++] = (struct function){ FRAME, false, { frame, sizeof(frame) } };
	functions[n++] = (struct function){ OUTERMOST, false, { outermost, sizeof(outermost) } };
	functions[n++] = (struct function){ SIGNAL, true, { signal, sizeof(signal) } };
	functions[n++] = (struct function){ MALFORMED, false, { malformed, sizeof(malformed) } };
	functions[n++] = (struct function){ BY_RAX, false, { by_rax, sizeof(by_rax) } };
	functions[n++] = (struct function){ BY_MEMORY, false, { by_memory, sizeof(by_memory) } };
	functions[n++] = (struct function){ BACK, false, { back, sizeof(back) } };
	functions[n++] = (struct function){ SAME_RBX, false, { same_rbx, sizeof(same_rbx) } };
	functions[n++] = (struct function){ LONGJMP, false, { longjmp, sizeof(longjmp) } };
	*count = n;
	return functions;
}

static void open_amd64(struct world *world)
{
	size_t count;
	const struct function *functions = amd64_functions(&count);

	world_open(world, EM_X86_64, functions, count);
}

static uint64_t at(uint64_t function)
{
	return BIAS + function + 0x10;
}

static struct ic_unwind_registers begin_at(uint64_t function)
{
	struct ic_unwind_registers registers = { .pc = at(function) };

	ic_unwind_register_set(&registers, RSP, STACK);
	ic_unwind_register_set(&registers, RBX, 0xbb);
	return registers;
}

// Only the start of a program or of a thread is known to have no caller.
#define ZERO "the return address is 0: the stack starts here or is overwritten"

static void expect(struct world *world, uint64_t function, const char *wanted)
{
	const struct ic_unwind_registers registers = begin_at(function);

	assert_string_equal(world_unwind(world, &registers), wanted);
}

TEST(callers_follow_each_other_up_to_the_outermost)
{
	struct world world;

	open_amd64(&world);
	world.words[0] = at(FRAME);
	world.words[2] = 0x1234; // rbx
	world.words[3] = at(OUTERMOST);
	expect(&world, PLAIN, "1010! 1110 1210 outermost frame");
	world.words[3] = 0;
	expect(&world, PLAIN, "1010! 1110 " ZERO);
	world_close(&world);
}

TEST(a_frame_has_its_canonical_frame_address_also_if_it_is_the_last)
{
	struct world world;
	uint64_t cfa;

	open_amd64(&world);
	world.words[0] = at(FRAME);
	world.count = 1;
	const struct ic_unwind_registers registers = begin_at(PLAIN);
	struct ic_unwinder *unwinder = world_unwinder(&world, 20);
	ic_unwinder_begin(unwinder, &registers);
	assert_non_null(ic_unwinder_next(unwinder));
	assert_true(ic_unwinder_cfa(unwinder, &cfa));
	assert_int_equal(cfa, STACK + 8);
	assert_non_null(ic_unwinder_next(unwinder));
	assert_true(ic_unwinder_cfa(unwinder, &cfa));
	assert_int_equal(cfa, STACK + 8 + 24);
	assert_null(ic_unwinder_next(unwinder));
	assert_false(ic_unwinder_cfa(unwinder, &cfa));
	assert_string_equal(ic_unwinder_end_text(unwinder), "cannot read memory at 0x70018");
	const struct ic_unwind_registers unknown = begin_at(BARE);
	ic_unwinder_begin(unwinder, &unknown);
	assert_non_null(ic_unwinder_next(unwinder));
	assert_false(ic_unwinder_cfa(unwinder, &cfa));
	ic_unwinder_free(unwinder);
	world_close(&world);
}

TEST(saved_registers_are_those_of_the_caller_and_others_are_forgotten)
{
	struct world world;
	const struct ic_unwind_frame *frame;
	struct ic_unwind_registers registers = begin_at(FRAME);
	uint64_t value;

	open_amd64(&world);
	world.words[1] = 0x1234;
	world.words[2] = at(OUTERMOST);
	ic_unwind_register_set(&registers, RAX, 1);
	struct ic_unwinder *unwinder = world_unwinder(&world, 0);
	ic_unwinder_begin(unwinder, &registers);
	frame = ic_unwinder_next(unwinder);
	assert_true(ic_unwind_register_get(&frame->registers, RAX, &value) && value == 1);
	assert_int_equal(ic_unwind_lookup_addr(frame), at(FRAME));
	frame = ic_unwinder_next(unwinder);
	assert_true(ic_unwind_register_get(&frame->registers, RBX, &value) && value == 0x1234);
	assert_true(ic_unwind_register_get(&frame->registers, RSP, &value) && value == STACK + 24);
	assert_true(ic_unwind_register_get(&frame->registers, RIP, &value) &&
		    value == at(OUTERMOST));
	assert_false(ic_unwind_register_get(&frame->registers, RAX, &value));
	assert_false(ic_unwind_register_get(&frame->registers, RBP, &value));
	assert_int_equal(ic_unwind_lookup_addr(frame), at(OUTERMOST) - 1);
	ic_unwinder_free(unwinder);
	world_close(&world);
}

TEST(a_register_that_is_said_to_be_kept_and_is_not_known_is_only_forgotten)
{
	struct world world;
	struct ic_unwind_registers registers = { .pc = at(SAME_RBX) };

	open_amd64(&world);
	ic_unwind_register_set(&registers, RSP, STACK);
	world.words[0] = at(OUTERMOST);
	assert_string_equal(world_unwind(&world, &registers), "1a10! 1210 outermost frame");
	world_close(&world);
}

TEST(registers_beyond_those_of_a_frame_are_left_out)
{
	struct ic_unwind_registers registers = { .pc = 0 };
	uint64_t value = 7;

	ic_unwind_register_set(&registers, IC_UNWIND_MOST_REGISTERS, 1);
	ic_unwind_register_set(&registers, UINT32_MAX, 1);
	assert_false(ic_unwind_register_get(&registers, IC_UNWIND_MOST_REGISTERS, &value));
	assert_false(ic_unwind_register_get(&registers, 0, &value));
	ic_unwind_register_set(&registers, IC_UNWIND_MOST_REGISTERS - 1, 3);
	assert_true(ic_unwind_register_get(&registers, IC_UNWIND_MOST_REGISTERS - 1, &value));
	assert_int_equal(value, 3);
}

TEST(what_a_signal_interrupted_is_exact_and_has_all_registers)
{
	struct world world;
	const struct ic_unwind_frame *frame;
	struct ic_unwind_registers registers = begin_at(PLAIN);
	uint64_t value;

	open_amd64(&world);
	world.words[0] = at(SIGNAL) - 0x10; // its first instruction: nothing has called it
	world.words[8] = at(PLAIN);         // 0x40 - 8 above the next word
	world.words[7] = 0xaa;
	world.words[6] = 0xbbb;
	world.words[5] = STACK + 0x80;
	world.words[16] = at(OUTERMOST);
	struct ic_unwinder *unwinder = world_unwinder(&world, 0);
	ic_unwinder_begin(unwinder, &registers);
	ic_unwinder_next(unwinder);
	frame = ic_unwinder_next(unwinder);
	// The code that returns from a signal is where it begins: the address before it is looked
	// up.
	assert_false(frame->is_exact);
	ic_unwinder_free(unwinder);

	world.words[0] = at(SIGNAL);
	unwinder = world_unwinder(&world, 0);
	ic_unwinder_begin(unwinder, &registers);
	ic_unwinder_next(unwinder);
	frame = ic_unwinder_next(unwinder);
	assert_true(frame->is_signal && !frame->is_exact);
	frame = ic_unwinder_next(unwinder);
	assert_true(!frame->is_signal && frame->is_exact);
	assert_int_equal(frame->registers.pc, at(PLAIN));
	assert_int_equal(ic_unwind_lookup_addr(frame), at(PLAIN));
	assert_true(ic_unwind_register_get(&frame->registers, RAX, &value) && value == 0xaa);
	assert_true(ic_unwind_register_get(&frame->registers, RSP, &value) &&
		    value == STACK + 0x80);
	frame = ic_unwinder_next(unwinder);
	assert_int_equal(frame->registers.pc, at(OUTERMOST));
	ic_unwinder_free(unwinder);
	world_close(&world);
}

TEST(each_end_has_its_reason)
{
	struct world world;
	struct ic_unwind_registers registers;

	open_amd64(&world);
	world.words[0] = 0x10;
	expect(&world, PLAIN, "1010! ffffffffffc00010 no code at 0xf");
	world.count = 0;
	expect(&world, PLAIN, "1010! cannot read memory at 0x70000");
	world.count = WORDS;
	expect(&world, BY_RAX, "1510! register rax is unknown at 0x401510");
	registers = begin_at(MALFORMED);
	assert_non_null(strstr(world_unwind(&world, &registers),
			       "1410! call frame information for 0x401410: .eh_frame+0x"));
	world.words[1] = at(PLAIN);
	expect(&world, BACK, "1710! the stack pointer does not advance: 0x6fff0");
	expect(&world, BARE, "1810! no call frame information for 0x401810");
	registers = begin_at(BY_MEMORY);
	ic_unwind_register_set(&registers, RAX, 8);
	assert_string_equal(world_unwind(&world, &registers), "1610! cannot read memory at 0x8");
	world_close(&world);
}

// The code before has no information: what is at an address that something returns to is called by
// nothing, unless there is a call before it.
TEST(a_stack_starts_at_the_start_of_a_function_that_nothing_has_called)
{
	static const uint8_t jump[] = { 0x90, 0x90, 0x90, 0xe9, 0, 0, 0, 0 },
			     call[] = { 0x90, 0x90, 0x90, 0xe8, 0, 0, 0, 0 };
	struct world world;

	open_amd64(&world);
	world.words[0] = BIAS + SAME_RBX;
	world.words[1] = at(OUTERMOST);
	expect(&world, PLAIN, "1010! 1a00! outermost frame");
	world.code_addr = BIAS + SAME_RBX - sizeof(call);
	world.code = (struct ic_bytes){ jump, sizeof(jump) };
	expect(&world, PLAIN, "1010! 1a00! outermost frame");
	world.code = (struct ic_bytes){ call, sizeof(call) };
	expect(&world, PLAIN, "1010! 1a00 no call frame information for 0x4019ff");
	world_close(&world);
}

TEST(a_jump_to_null_is_found_as_a_call)
{
	struct world world;
	struct ic_unwind_registers registers = begin_at(0);

	open_amd64(&world);
	registers.pc = 0;
	world.words[0] = at(PLAIN);
	world.words[1] = at(OUTERMOST);
	assert_string_equal(world_unwind(&world, &registers),
			    "ffffffffffc00000! 1010c 1210 outermost frame");
	world.words[0] = 0x999; // what is there is no return address
	assert_string_equal(world_unwind(&world, &registers), "ffffffffffc00000! no code at 0x0");
	world_close(&world);
}

TEST(an_overwritten_stack_ends_and_a_long_one_at_the_limit)
{
	struct world world;
	struct ic_unwind_registers registers = begin_at(PLAIN);
	const struct ic_unwind_frame *frame;
	size_t count = 0;

	open_amd64(&world);
	for (size_t i = 0; i < WORDS; i++)
		world.words[i] = at(PLAIN); // each is a frame of 8 bytes
	struct ic_unwinder *unwinder = world_unwinder(&world, 100);
	ic_unwinder_begin(unwinder, &registers);
	while ((frame = ic_unwinder_next(unwinder)))
		count++;
	assert_int_equal(count, 100);
	assert_int_equal(ic_unwinder_end(unwinder), IC_UNWIND_TOO_MANY);
	assert_string_equal(ic_unwinder_end_text(unwinder), "more than 100 frames");
	ic_unwinder_free(unwinder);
	unwinder = world_unwinder(&world, 0);
	ic_unwinder_begin(unwinder, &registers);
	for (count = 0; ic_unwinder_next(unwinder);)
		count++;
	assert_int_equal(count, WORDS + 1);
	assert_int_equal(ic_unwinder_end(unwinder), IC_UNWIND_NO_MEMORY);
	ic_unwinder_free(unwinder);
	world_close(&world);
}

TEST(a_stack_pointer_in_another_register_may_be_of_any_stack)
{
	static const uint64_t stacks[] = { STACK, STACK + 8, STACK - 0x100 };
	struct world world;

	open_amd64(&world);
	world.words[0] = world.words[1] = at(OUTERMOST);
	for (size_t i = 0; i < COUNT_OF(stacks); i++) {
		struct ic_unwind_registers registers = begin_at(LONGJMP);

		ic_unwind_register_set(&registers, RAX, 0x5000); // where they were saved
		ic_unwind_register_set(&registers, RBX, stacks[i]);
		ic_unwind_register_set(&registers, RBP, at(PLAIN));
		assert_string_equal(world_unwind(&world, &registers),
				    stacks[i] >= STACK
					    ? "1b10! 1010 1210 outermost frame"
					    : "1b10! 1010 cannot read memory at 0x6ff00");
		ic_unwind_register_set(&registers, RBX, STACK);
		ic_unwind_register_set(&registers, RBP, at(LONGJMP)); // to itself
		assert_string_equal(world_unwind(&world, &registers),
				    "1b10! the stack pointer does not advance: 0x70000");
	}
	world_close(&world);
}

TEST(a_signal_frame_that_leads_to_itself_ends)
{
	struct world world;
	struct ic_unwind_registers registers = begin_at(SIGNAL);
	size_t count = 0;

	open_amd64(&world);
	world.words[7] = at(SIGNAL);
	world.words[4] = STACK; // its stack pointer is what it was
	struct ic_unwinder *unwinder = world_unwinder(&world, 0);
	ic_unwinder_begin(unwinder, &registers);
	while (ic_unwinder_next(unwinder))
		count++;
	assert_int_equal(count, 1);
	assert_int_equal(ic_unwinder_end(unwinder), IC_UNWIND_NO_ADVANCE);
	ic_unwinder_free(unwinder);
	world_close(&world);
}

TEST(rows_are_kept_until_they_are_forgotten)
{
	struct world world;
	const struct ic_unwind_registers registers = begin_at(PLAIN);

	open_amd64(&world);
	world.words[0] = at(OUTERMOST);
	struct ic_unwinder *unwinder = world_unwinder(&world, 0);
	for (int round = 0; round < 3; round++) {
		ic_unwinder_begin(unwinder, &registers);
		while (ic_unwinder_next(unwinder)) {}
		assert_int_equal(world.finds, 2);
	}
	ic_unwinder_forget(unwinder);
	assert_null(ic_unwinder_next(unwinder)); // a new stack must be begun
	ic_unwinder_begin(unwinder, &registers);
	while (ic_unwinder_next(unwinder)) {}
	assert_int_equal(world.finds, 4);
	ic_unwinder_free(unwinder);
	world_close(&world);
}

TEST(before_a_stack_is_begun_there_are_no_frames)
{
	struct world world;

	open_amd64(&world);
	struct ic_unwinder *unwinder = world_unwinder(&world, 0);
	assert_null(ic_unwinder_next(unwinder));
	ic_unwinder_free(unwinder);
	ic_unwinder_free(NULL);
	world_close(&world);
}

// ---- Others

TEST(addresses_of_32_bits_wrap)
{
	static const uint8_t frame[] = { 0x0e, 8 };
	static const uint8_t outermost[] = { 0x07, 8 };
	const struct function functions[] = {
		{ FRAME, false, { frame, sizeof(frame) } },
		{ OUTERMOST, false, { outermost, sizeof(outermost) } },
	};
	struct ic_unwind_registers registers = { .pc = at(FRAME) };
	struct world world;

	world_open(&world, EM_386, functions, COUNT_OF(functions));
	ic_unwind_register_set(&registers, 4, STACK);
	world.words[1] = at(OUTERMOST);
	assert_string_equal(world_unwind(&world, &registers), "1110! 1210 outermost frame");
	ic_unwind_register_set(&registers, 4, 0xfffffffc);
	assert_string_equal(world_unwind(&world, &registers), "1110! cannot read memory at 0x0");
	world_close(&world);
}

static const uint8_t arm_frame[] = { 0x0e, 16, 0x80 | LR, 1, 0x80 | 29, 2 };
static const uint8_t arm_outermost[] = { 0x07, LR };
static const uint8_t arm_signed[] = { 0x2d, 0x0e, 16, 0x80 | LR, 1 };
static const struct function arm_functions[] = {
	{ .start = PLAIN },
	{ FRAME, false, { arm_frame, sizeof(arm_frame) } },
	{ OUTERMOST, false, { arm_outermost, sizeof(arm_outermost) } },
	{ SIGNED, false, { arm_signed, sizeof(arm_signed) } },
};

static struct ic_unwind_registers begin_arm(uint64_t function, uint64_t link)
{
	struct ic_unwind_registers registers = { .pc = at(function) };

	ic_unwind_register_set(&registers, SP_AARCH64, STACK);
	ic_unwind_register_set(&registers, LR, link);
	ic_unwind_register_set(&registers, X19, 0x19);
	return registers;
}

TEST(a_leaf_has_its_return_address_in_a_register_and_no_frame)
{
	struct world world;
	struct ic_unwind_registers registers = begin_arm(PLAIN, at(FRAME));

	world_open(&world, EM_AARCH64, arm_functions, COUNT_OF(arm_functions));
	world.words[1] = at(OUTERMOST);
	assert_string_equal(world_unwind(&world, &registers), "1010! 1110 1210 outermost frame");
	// Only the first frame can be such a leaf: others have made a call.
	world.words[1] = at(PLAIN);
	assert_string_equal(world_unwind(&world, &registers),
			    "1010! 1110 1010 the stack pointer does not advance: 0x70010");
	registers = begin_arm(PLAIN, at(PLAIN)); // it did not call itself
	assert_string_equal(world_unwind(&world, &registers),
			    "1010! the stack pointer does not advance: 0x70000");
	world_close(&world);
}

TEST(signatures_are_removed_from_return_addresses)
{
	struct world world;
	struct ic_unwind_registers registers = begin_arm(SIGNED, 0);

	world_open(&world, EM_AARCH64, arm_functions, COUNT_OF(arm_functions));
	world.words[1] = at(OUTERMOST) | 0x2a5ull << 48;
	world.words[1] &= ~(1ull << 55);
	assert_string_equal(world_unwind(&world, &registers), "1910! 1210 outermost frame");
	registers = begin_arm(FRAME, 0); // it has signed nothing
	assert_int_equal(strncmp(world_unwind(&world, &registers), "1110! 1210 ", 11) != 0, true);
	world_close(&world);
}

// Its canonical frame address is 160 bytes above the stack pointer that a function is called with.
TEST(a_leaf_of_s390x_leaves_the_stack_pointer_where_it_was)
{
	static const struct function functions[] = { { .start = PLAIN } };
	struct ic_unwind_registers registers = { .pc = at(PLAIN) };
	const struct ic_unwind_frame *frame;
	struct world world;
	uint64_t value;

	world_open(&world, EM_S390, functions, COUNT_OF(functions));
	ic_unwind_register_set(&registers, 15, STACK);
	ic_unwind_register_set(&registers, 14, at(FRAME));
	struct ic_unwinder *unwinder = world_unwinder(&world, 0);
	ic_unwinder_begin(unwinder, &registers);
	ic_unwinder_next(unwinder);
	frame = ic_unwinder_next(unwinder);
	assert_non_null(frame);
	assert_int_equal(frame->registers.pc, at(FRAME));
	assert_true(ic_unwind_register_get(&frame->registers, 15, &value) && value == STACK);
	ic_unwinder_free(unwinder);
	world_close(&world);
}

// On a 31-bit machine the bit above the address says so.
TEST(addresses_of_31_bits_have_a_bit_more)
{
	static const struct function functions[] = { { .start = PLAIN }, { .start = FRAME } };
	struct ic_unwind_registers registers = { .pc = at(PLAIN) | 1u << 31 };
	struct world world;

	world_open(&world, EM_S390, functions, COUNT_OF(functions));
	world.is_32_bit = true;
	ic_unwind_register_set(&registers, 15, STACK);
	ic_unwind_register_set(&registers, 14, at(FRAME) | 1u << 31);
	assert_string_equal(world_unwind(&world, &registers),
			    "1010! 1110 register r14 is unknown at 0x401110");
	world_close(&world);
}

TEST(x32_has_words_of_64_bits)
{
	struct ic_unwind_registers registers = begin_at(FRAME);
	const struct ic_unwind_frame *frame;
	struct world world;
	uint64_t rbx;

	open_amd64(&world);
	world.is_32_bit = true;
	world.words[1] = 0xbbbbbbbbbbbbbbbb;
	world.words[2] = at(OUTERMOST);
	assert_string_equal(world_unwind(&world, &registers), "1110! 1210 outermost frame");
	struct ic_unwinder *unwinder = world_unwinder(&world, 0);
	ic_unwinder_begin(unwinder, &registers);
	ic_unwinder_next(unwinder);
	frame = ic_unwinder_next(unwinder);
	assert_non_null(frame);
	assert_true(ic_unwind_register_get(&frame->registers, RBX, &rbx));
	assert_int_equal(rbx, 0xbbbbbbbbbbbbbbbb);
	ic_unwinder_free(unwinder);
	world_close(&world);
}

TEST(machines_that_are_not_known_are_refused)
{
	const struct ic_unwind_options options = { .machine = EM_VAX, .is_32_bit = true };
	struct ic_error err;

	assert_null(ic_unwinder_new(&options, &err));
	assert_error(&err, IC_ERROR_UNSUPPORTED, "stacks of machine 75 (32-bit) are not supported");
	assert_null(ic_unwinder_new(&options, NULL));
}

UNIT_TESTS(unwind_frames_unwinder)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(callers_follow_each_other_up_to_the_outermost),
		cmocka_unit_test(a_frame_has_its_canonical_frame_address_also_if_it_is_the_last),
		cmocka_unit_test(saved_registers_are_those_of_the_caller_and_others_are_forgotten),
		cmocka_unit_test(
			a_register_that_is_said_to_be_kept_and_is_not_known_is_only_forgotten),
		cmocka_unit_test(registers_beyond_those_of_a_frame_are_left_out),
		cmocka_unit_test(what_a_signal_interrupted_is_exact_and_has_all_registers),
		cmocka_unit_test(each_end_has_its_reason),
		cmocka_unit_test(a_stack_starts_at_the_start_of_a_function_that_nothing_has_called),
		cmocka_unit_test(a_jump_to_null_is_found_as_a_call),
		cmocka_unit_test(an_overwritten_stack_ends_and_a_long_one_at_the_limit),
		cmocka_unit_test(a_stack_pointer_in_another_register_may_be_of_any_stack),
		cmocka_unit_test(a_signal_frame_that_leads_to_itself_ends),
		cmocka_unit_test(rows_are_kept_until_they_are_forgotten),
		cmocka_unit_test(before_a_stack_is_begun_there_are_no_frames),
		cmocka_unit_test(addresses_of_32_bits_wrap),
		cmocka_unit_test(a_leaf_has_its_return_address_in_a_register_and_no_frame),
		cmocka_unit_test(signatures_are_removed_from_return_addresses),
		cmocka_unit_test(a_leaf_of_s390x_leaves_the_stack_pointer_where_it_was),
		cmocka_unit_test(addresses_of_31_bits_have_a_bit_more),
		cmocka_unit_test(x32_has_words_of_64_bits),
		cmocka_unit_test(machines_that_are_not_known_are_refused),
	};

	return cmocka_run_group_tests(tests, temp_dir_make, temp_dir_remove);
}
