#include "unwind/code/x86_stack.h"

#include <stdio.h>
#include <string.h>

#include "unit_test.h"

enum { RBX = 3, RBP = 6, R12 = 12 };

#define CODE(...) (const uint8_t[]){ __VA_ARGS__ }, sizeof((const uint8_t[]){ __VA_ARGS__ })

static struct ic_x86_stack begun(void)
{
	struct ic_x86_stack stack;

	ic_x86_stack_begin(&stack, true);
	return stack;
}

static void apply(struct ic_x86_stack *stack, const uint8_t *code, size_t size)
{
	ic_x86_stack_apply(stack, code, size, true);
}

// How far the stack pointer is below the canonical frame address after an instruction.
static void expect_sp(int wanted, const uint8_t *code, size_t size)
{
	struct ic_x86_stack stack = begun();

	apply(&stack, code, size);
	assert_int_equal(stack.knows_sp, wanted != 0);
	if (wanted != 0)
		assert_int_equal(stack.sp, wanted);
}

TEST(pushes_and_sums_move_the_stack_pointer)
{
	expect_sp(16, CODE(0x53));                          // push %rbx
	expect_sp(16, CODE(0x41, 0x54));                    // push %r12
	expect_sp(16, CODE(0x68, 1, 0, 0, 0));              // push $1
	expect_sp(16, CODE(0x6a, 1));                       // push $1
	expect_sp(16, CODE(0xff, 0x30));                    // push (%rax)
	expect_sp(16, CODE(0x9c));                          // pushf
	expect_sp(32, CODE(0x48, 0x83, 0xec, 24));          // sub $24, %rsp
	expect_sp(264, CODE(0x48, 0x81, 0xec, 0, 1, 0, 0)); // sub $256, %rsp
	expect_sp(136, CODE(0x48, 0x83, 0xc4, 0x80));       // add $-128, %rsp
	expect_sp(136, CODE(0x48, 0x8d, 0x64, 0x24, 0x80)); // lea -128(%rsp), %rsp
	expect_sp(8, CODE(0x48, 0x83, 0xfc, 24));           // cmp $24, %rsp
	expect_sp(8, CODE(0x48, 0x89, 0x44, 0x24, 8));      // mov %rax, 8(%rsp)
	expect_sp(8, CODE(0x4c, 0x89, 0xe0));               // mov %r12, %rax
	expect_sp(8, CODE(0x0f, 0x28, 0xe0));               // movaps %xmm0, %xmm4
	expect_sp(8, CODE(0x0f, 0x05));                     // syscall
	expect_sp(8, CODE(0xf3, 0x0f, 0x1e, 0xfa));         // endbr64
	expect_sp(8, CODE(0x84, 0xe4));                     // test %ah, %ah
}

TEST(what_is_not_understood_is_unknown)
{
	expect_sp(0, CODE(0x48, 0x83, 0xe4, 0xf0));    // and $-16, %rsp
	expect_sp(0, CODE(0x48, 0x29, 0xc4));          // sub %rax, %rsp
	expect_sp(0, CODE(0x48, 0x2b, 0x20));          // sub (%rax), %rsp
	expect_sp(0, CODE(0x48, 0x89, 0xc4));          // mov %rax, %rsp
	expect_sp(0, CODE(0x48, 0x8b, 0x60, 8));       // mov 8(%rax), %rsp
	expect_sp(0, CODE(0x48, 0x8d, 0x64, 0x04, 8)); // lea 8(%rsp,%rax), %rsp
	expect_sp(0, CODE(0x83, 0xec, 24));            // sub $24, %esp
	expect_sp(0, CODE(0x48, 0x0f, 0x44, 0xe0));    // cmove %rax, %rsp
	expect_sp(0, CODE(0x48, 0x87, 0xe0));          // xchg %rsp, %rax
	expect_sp(0, CODE(0xc8, 16, 0, 0));            // enter $16, $0
	expect_sp(0, CODE(0x66, 0x50));                // push %ax
	expect_sp(0, CODE(0x5c));                      // pop %rsp
	expect_sp(0, CODE(0xbc, 0, 0, 0, 0));          // mov $0, %esp
}

TEST(a_frame_pointer_outlives_an_unknown_stack_pointer)
{
	struct ic_x86_stack stack = begun();

	apply(&stack, CODE(0x55));             // push %rbp
	apply(&stack, CODE(0x48, 0x89, 0xe5)); // mov %rsp, %rbp
	apply(&stack, CODE(0x48, 0x29, 0xc4)); // sub %rax, %rsp
	assert_true(stack.knows_fp && !stack.knows_sp);
	assert_int_equal(stack.fp, 16);
	assert_int_equal(stack.saved[RBP], 16);
	struct ic_x86_stack other = stack;
	apply(&other, CODE(0x48, 0x8d, 0x65, 0xf0)); // lea -16(%rbp), %rsp
	assert_true(other.knows_sp && other.sp == 32);
	apply(&stack, CODE(0xc9)); // leave
	assert_true(stack.knows_sp && !stack.knows_fp);
	assert_int_equal(stack.sp, 8);
	assert_int_equal(stack.saved[RBP], 0);
	assert_int_equal(stack.written >> RBP & 1, 0);
	apply(&other, CODE(0x48, 0x8b, 0x2c, 0x24)); // mov (%rsp), %rbp
	assert_false(other.knows_fp);
}

TEST(the_first_push_of_a_register_saves_it_and_its_pop_restores_it)
{
	struct ic_x86_stack stack = begun();

	apply(&stack, CODE(0x41, 0x54)); // push %r12
	apply(&stack, CODE(0x53));       // push %rbx
	apply(&stack, CODE(0x53));
	assert_int_equal(stack.saved[R12], 16);
	assert_int_equal(stack.saved[RBX], 24);
	apply(&stack, CODE(0x31, 0xdb)); // xor %ebx, %ebx
	assert_int_equal(stack.written, 1u << RBX);
	apply(&stack, CODE(0x58)); // pop %rax
	apply(&stack, CODE(0x5b)); // pop %rbx
	assert_int_equal(stack.saved[RBX], 0);
	assert_int_equal(stack.written >> RBX & 1, 0);
	assert_int_equal(stack.saved[R12], 16);
	apply(&stack, CODE(0x49, 0x89, 0xc4)); // mov %rax, %r12
	apply(&stack, CODE(0x41, 0x54));
	assert_int_equal(stack.saved[R12], 16);
	apply(&stack, CODE(0x48, 0x89, 0xc3)); // mov %rax, %rbx
	apply(&stack, CODE(0x53));             // not the caller's value
	assert_int_equal(stack.saved[RBX], 0);
}

TEST(written_registers_are_those_that_an_instruction_may_change)
{
	static const struct {
		uint8_t code[5];
		uint8_t size;
		bool is_written; // %rbx
	} rows[] = {
		{ { 0x48, 0x89, 0xc3 }, 3, true },        // mov %rax, %rbx
		{ { 0x48, 0x89, 0xd8 }, 3, false },       // mov %rbx, %rax
		{ { 0x48, 0x89, 0x1c, 0x24 }, 4, false }, // mov %rbx, (%rsp)
		{ { 0x48, 0x03, 0x18 }, 3, true },        // add (%rax), %rbx
		{ { 0x48, 0x39, 0xd8 }, 3, false },       // cmp %rbx, %rax
		{ { 0x48, 0x85, 0xdb }, 3, false },       // test %rbx, %rbx
		{ { 0x83, 0xe3, 1 }, 3, true },           // and $1, %ebx
		{ { 0x80, 0xe7, 1 }, 3, true },           // and $1, %bh
		{ { 0xb7, 1 }, 2, true },                 // mov $1, %bh
		{ { 0x0f, 0x94, 0xc3 }, 3, true },        // sete %bl
		{ { 0x0f, 0x94, 0xc7 }, 3, true },        // sete %bh
		{ { 0x0f, 0xb6, 0xd8 }, 3, true },        // movzbl %al, %ebx
		{ { 0x0f, 0xb6, 0xc3 }, 3, false },       // movzbl %bl, %eax
		{ { 0x0f, 0xb1, 0xcb }, 3, true },        // cmpxchg %ecx, %ebx
		{ { 0x0f, 0xb0, 0xcf }, 3, true },        // cmpxchg %cl, %bh
		{ { 0xff, 0xc3 }, 2, true },              // inc %ebx
		{ { 0xf7, 0xdb }, 2, true },              // neg %ebx
		{ { 0xd1, 0xe3 }, 2, true },              // shl %ebx
		{ { 0x93 }, 1, true },                    // xchg %eax, %ebx
		{ { 0x0f, 0xcb }, 2, true },              // bswap %ebx
		{ { 0x66, 0x0f, 0x7e, 0xc3 }, 4, true },  // movd %xmm0, %ebx
		{ { 0x66, 0x0f, 0x6e, 0xc3 }, 4, false }, // movd %ebx, %xmm0
		{ { 0x0f, 0xa2 }, 2, true },              // cpuid
		{ { 0x8d, 0x58, 1 }, 3, true },           // lea 1(%rax), %ebx
	};

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct ic_x86_stack stack = begun();

		apply(&stack, rows[i].code, rows[i].size);
		assert_int_equal(stack.written >> RBX & 1, rows[i].is_written);
	}
}

TEST(words_of_32_bits_and_registers_without_a_prefix_are_those_of_i386)
{
	struct ic_x86_stack stack;

	ic_x86_stack_begin(&stack, false);
	ic_x86_stack_apply(&stack, CODE(0x55), false);           // push %ebp
	ic_x86_stack_apply(&stack, CODE(0x89, 0xe5), false);     // mov %esp, %ebp
	ic_x86_stack_apply(&stack, CODE(0x53), false);           // push %ebx
	ic_x86_stack_apply(&stack, CODE(0x83, 0xec, 20), false); // sub $20, %esp
	ic_x86_stack_apply(&stack, CODE(0x43), false);           // inc %ebx
	ic_x86_stack_apply(&stack, CODE(0xf0, 0x0f, 0xb1, 0x0a),
			   false); // lock cmpxchg %ecx, (%edx)
	assert_true(stack.knows_sp && stack.knows_fp);
	assert_int_equal(stack.sp, 32);
	assert_int_equal(stack.fp, 8);
	assert_int_equal(stack.saved[5], 8);
	assert_int_equal(stack.saved[3], 12);
	assert_int_equal(stack.written >> 3 & 1, 1);
}

TEST(no_bytes_change_nothing_and_cut_ones_are_not_read_beyond)
{
	static const uint8_t byte[] = { 0x48 };
	struct ic_x86_stack stack = begun();

	apply(&stack, byte, 0);
	apply(&stack, byte, 1);
	apply(&stack, CODE(0x8d));
	apply(&stack, CODE(0x48, 0x8d, 0x64, 0x24));
	apply(&stack, CODE(0x81));
	apply(&stack, CODE(0x66, 0x66));
	assert_false(stack.knows_fp);
}

UNIT_TESTS(unwind_code_x86_stack)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pushes_and_sums_move_the_stack_pointer),
		cmocka_unit_test(what_is_not_understood_is_unknown),
		cmocka_unit_test(a_frame_pointer_outlives_an_unknown_stack_pointer),
		cmocka_unit_test(the_first_push_of_a_register_saves_it_and_its_pop_restores_it),
		cmocka_unit_test(written_registers_are_those_that_an_instruction_may_change),
		cmocka_unit_test(words_of_32_bits_and_registers_without_a_prefix_are_those_of_i386),
		cmocka_unit_test(no_bytes_change_nothing_and_cut_ones_are_not_read_beyond),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
