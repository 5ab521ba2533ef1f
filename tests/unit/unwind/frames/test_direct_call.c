// Callers of code without call frame information that was called directly.
#include <elf.h>
#include <stdio.h>
#include <string.h>

#include "fixtures/elf.h"
#include "fixtures/unwind.h"
#include "unit_test.h"

enum {
	OUTERMOST = 0x1200,
	BARE = 0x1800,   // there is no information
	CALLER = 0x1a00, // it calls that
	OUTERMOST_ADDR = BIAS + OUTERMOST + 0x10,
};

static void open_world(struct world *world)
{
	static const uint8_t outermost[] = { 0x07, RIP };
	const struct function functions[] = {
		{ OUTERMOST, false, { outermost, sizeof(outermost) } },
		{ .start = CALLER },
	};

	world_open(world, EM_X86_64, functions, COUNT_OF(functions));
}

static struct ic_unwind_registers begin(void)
{
	struct ic_unwind_registers registers = { .pc = BIAS + BARE + 0x10 };

	ic_unwind_register_set(&registers, RSP, STACK);
	ic_unwind_register_set(&registers, RBX, 0xbb);
	ic_unwind_register_set(&registers, RAX, 0xaa);
	return registers;
}

// All frames as text: addresses in the file, "!" if guessed, "?" by the frame pointer; then why it
// ended.
static const char *unwind(struct world *world, const struct ic_unwind_registers *registers)
{
	struct ic_unwinder *unwinder = world_unwinder(world, 20);
	const struct ic_unwind_frame *frame;
	static char text[1024];
	int size = 0;

	ic_unwinder_begin(unwinder, registers);
	while ((frame = ic_unwinder_next(unwinder)))
		size += snprintf(text + size, sizeof(text) - (size_t)size, "%llx%s ",
				 (unsigned long long)(frame->registers.pc - BIAS),
				 frame->how == IC_UNWIND_FRAME_POINTER ? "?"
				 : frame->how == IC_UNWIND_CALL        ? "!"
								       : "");
	snprintf(text + size, sizeof(text) - (size_t)size, "%s", ic_unwinder_end_text(unwinder));
	ic_unwinder_free(unwinder);
	return text;
}

enum { CODE_BYTES = CALLER - BARE + 5, CALLED = CALLER + 5 };

// Code without information, and a call of it at the start of CALLER.
static void put_code(struct world *world, uint8_t bytes[CODE_BYTES], const uint8_t *code,
		     size_t size)
{
	uint32_t distance = (uint32_t)(BARE - CALLED);

	memset(bytes, 0x90, CODE_BYTES);
	memcpy(bytes, code, size);
	bytes[CALLER - BARE] = 0xe8; // call
	for (unsigned i = 0; i < 4; i++)
		bytes[CALLER - BARE + 1 + i] = (uint8_t)(distance >> 8 * i);
	world->code_addr = BIAS + BARE;
	world->code = (struct ic_bytes){ bytes, CODE_BYTES };
}

TEST(code_without_information_that_was_called_directly_has_a_certain_caller)
{
	static const uint8_t code[] = { 0x53, 0x48, 0x83, 0xec, 16 }; // push %rbx; sub $16, %rsp
	struct ic_unwind_registers registers = begin();
	uint8_t bytes[CODE_BYTES];
	struct world world;
	uint64_t value;

	open_world(&world);
	put_code(&world, bytes, code, sizeof(code));
	world.words[0] = BIAS + CALLED; // left from an earlier call
	world.words[2] = 0x5678;        // rbx
	world.words[3] = BIAS + CALLED;
	world.words[4] = OUTERMOST_ADDR;
	assert_string_equal(unwind(&world, &registers), "1810 1a05 1210 outermost frame");
	struct ic_unwinder *unwinder = world_unwinder(&world, 20);
	ic_unwinder_begin(unwinder, &registers);
	ic_unwinder_next(unwinder);
	const struct ic_unwind_frame *frame = ic_unwinder_next(unwinder);
	assert_true(ic_unwind_register_get(&frame->registers, RBX, &value) && value == 0x5678);
	assert_true(ic_unwind_register_get(&frame->registers, RSP, &value) && value == STACK + 32);
	assert_false(ic_unwind_register_get(&frame->registers, RAX, &value));
	ic_unwinder_free(unwinder);
	// What was left from an earlier call is no guess either: the code says where the address
	// is.
	world.words[3] = 0x999;
	assert_string_equal(unwind(&world, &registers),
			    "1810 no call frame information for 0x401810");
	world_close(&world);
}

TEST(a_certain_caller_may_be_where_the_frame_pointer_points)
{
	// push %rbp; mov %rsp, %rbp; sub %rax, %rsp
	static const uint8_t code[] = { 0x55, 0x48, 0x89, 0xe5, 0x48, 0x29, 0xc4 };
	struct ic_unwind_registers registers = begin();
	uint8_t bytes[CODE_BYTES];
	struct world world;

	open_world(&world);
	put_code(&world, bytes, code, sizeof(code));
	ic_unwind_register_set(&registers, RBP, STACK + 80);
	world.words[11] = BIAS + CALLED;
	world.words[12] = OUTERMOST_ADDR;
	assert_string_equal(unwind(&world, &registers), "1810 1a05 1210 outermost frame");
	ic_unwind_register_set(&registers, RSP, STACK - 8 * 600); // it is far
	assert_string_equal(unwind(&world, &registers), "1810 1a05 1210 outermost frame");
	world_close(&world);
}

TEST(a_direct_call_of_code_that_cannot_be_followed_is_a_guess)
{
	static const uint8_t code[] = { 0xc5, 0xf8, 0x77 }; // vzeroupper
	struct ic_unwind_registers registers = begin();
	uint8_t bytes[CODE_BYTES];
	struct world world;

	open_world(&world);
	put_code(&world, bytes, code, sizeof(code));
	world.words[1] = BIAS + CALLED;
	world.words[2] = OUTERMOST_ADDR;
	assert_string_equal(unwind(&world, &registers), "1810 1a05! 1210 outermost frame");
	world_close(&world);
}

enum { OTHER = BARE + 0x80 }; // another function without information

// Code of BARE and of OTHER, both with symbols, and bytes right before CALLED.
static void open_named(struct world *world, uint8_t bytes[CODE_BYTES], const uint8_t *other,
		       size_t other_size, const uint8_t *call, size_t call_size)
{
	static const uint8_t outermost[] = { 0x07, RIP };
	static const uint8_t code[] = { 0x53, 0x48, 0x83, 0xec, 16 }; // push %rbx; sub $16, %rsp
	static const struct ic_range named[] = { { BARE, OTHER }, { OTHER, OTHER + 0x20 } };
	const struct function functions[] = {
		{ OUTERMOST, false, { outermost, sizeof(outermost) } },
		{ .start = CALLER },
	};

	world_open_named(world, EM_X86_64, functions, COUNT_OF(functions), named, COUNT_OF(named));
	put_code(world, bytes, code, sizeof(code));
	if (other_size > 0)
		memcpy(bytes + OTHER - BARE, other, other_size);
	memset(bytes + CALLER - BARE, 0x90, 5);
	memcpy(bytes + CODE_BYTES - call_size, call, call_size);
	world->words[3] = BIAS + CALLED;
	world->words[4] = OUTERMOST_ADDR;
}

static void call_other(uint8_t call[5])
{
	uint32_t distance = (uint32_t)(OTHER - CALLED);

	call[0] = 0xe8;
	for (unsigned i = 0; i < 4; i++)
		call[1 + i] = (uint8_t)(distance >> 8 * i);
}

TEST(a_function_that_was_called_through_a_pointer_has_a_certain_caller_by_its_symbol)
{
	static const struct {
		uint8_t size, code[8];
		bool is_call;
	} calls[] = {
		{ 2, { 0xff, 0xd0 }, true },           // call *%rax
		{ 3, { 0x41, 0xff, 0xd4 }, true },     // call *%r12
		{ 3, { 0xff, 0x50, 8 }, true },        // call *8(%rax)
		{ 4, { 0xff, 0x54, 0x24, 8 }, true },  // call *8(%rsp)
		{ 3, { 0xff, 0x14, 0xc8 }, true },     // call *(%rax,%rcx,8)
		{ 5, { 0xff, 0x15, 1, 2, 3 }, false }, // cut
		{ 2, { 0xff, 0xe0 }, false },          // jmp *%rax
		{ 1, { 0x90 }, false },
	};
	const struct ic_unwind_registers registers = begin();
	uint8_t bytes[CODE_BYTES];
	struct world world;

	for (size_t i = 0; i < COUNT_OF(calls); i++) {
		open_named(&world, bytes, NULL, 0, calls[i].code, calls[i].size);
		assert_string_equal(unwind(&world, &registers),
				    calls[i].is_call
					    ? "1810 1a05 1210 outermost frame"
					    : "1810 no call frame information for 0x401810");
		world_close(&world);
	}
}

TEST(a_call_of_another_function_returns_here_only_if_that_may_leave_by_a_jump)
{
	static const uint8_t returns[] = { 0x53, 0x5b, 0xc3 }; // push %rbx; pop %rbx; ret
	static const uint8_t leaves[] = { 0xe9, 0x7b, 0xff, 0xff, 0xff };
	const struct ic_unwind_registers registers = begin();
	uint8_t bytes[CODE_BYTES], call[5];
	struct world world;

	call_other(call);
	open_named(&world, bytes, returns, sizeof(returns), call, sizeof(call));
	assert_string_equal(unwind(&world, &registers),
			    "1810 no call frame information for 0x401810");
	world_close(&world);
	open_named(&world, bytes, leaves, sizeof(leaves), call, sizeof(call));
	assert_string_equal(unwind(&world, &registers), "1810 1a05 1210 outermost frame");
	world_close(&world);
}

TEST(a_frame_pointer_that_leads_to_a_call_of_another_function_is_no_guess)
{
	static const uint8_t returns[] = { 0xc3 };
	static const uint8_t leaves[] = { 0xff, 0xe0 }; // jmp *%rax
	struct ic_unwind_registers registers = begin();
	uint8_t bytes[CODE_BYTES], call[5];
	struct world world;

	ic_unwind_register_set(&registers, RBP, STACK + 16);
	call_other(call);
	open_named(&world, bytes, returns, sizeof(returns), call, sizeof(call));
	bytes[0] = 0xc5; // the code cannot be followed
	assert_string_equal(unwind(&world, &registers),
			    "1810 no call frame information for 0x401810");
	world_close(&world);
	open_named(&world, bytes, leaves, sizeof(leaves), call, sizeof(call));
	bytes[0] = 0xc5;
	assert_string_equal(unwind(&world, &registers), "1810 1a05? 1210 outermost frame");
	world_close(&world);
}

TEST(nothing_has_called_the_entry_of_the_program)
{
	static const struct ic_range named[] = { { ENTRY, ENTRY + 0x20 } };
	struct ic_unwind_registers registers = begin();
	struct world world;

	world_open_named(&world, EM_X86_64, NULL, 0, named, COUNT_OF(named));
	ic_unwind_register_set(&registers, RBP, STACK + 16);
	world.words[3] = BIAS + CALLED;
	registers.pc = BIAS + ENTRY + 0x10;
	assert_string_equal(unwind(&world, &registers), "1f10 outermost frame");
	registers.pc = BIAS + ENTRY + 0x20;
	assert_string_equal(unwind(&world, &registers),
			    "1f20 1a05? no call frame information for 0x401a04");
	world_close(&world);
}

UNIT_TESTS(unwind_frames_direct_call)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			code_without_information_that_was_called_directly_has_a_certain_caller),
		cmocka_unit_test(a_certain_caller_may_be_where_the_frame_pointer_points),
		cmocka_unit_test(a_direct_call_of_code_that_cannot_be_followed_is_a_guess),
		cmocka_unit_test(
			a_function_that_was_called_through_a_pointer_has_a_certain_caller_by_its_symbol),
		cmocka_unit_test(
			a_call_of_another_function_returns_here_only_if_that_may_leave_by_a_jump),
		cmocka_unit_test(
			a_frame_pointer_that_leads_to_a_call_of_another_function_is_no_guess),
		cmocka_unit_test(nothing_has_called_the_entry_of_the_program),
	};

	return cmocka_run_group_tests(tests, temp_dir_make, temp_dir_remove);
}
