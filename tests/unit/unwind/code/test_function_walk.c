#include "unwind/code/function_walk.h"

#include <string.h>

#include "unit_test.h"

enum { ENTRY = 0x5000, MACHINE_X86_64 = 62, RBX = 3 };

static bool read_code(void *context, uint64_t addr, void *bytes, size_t size)
{
	const struct ic_bytes *code = context;
	uint64_t off = addr - ENTRY;

	if (off > code->size || size > code->size - off)
		return false;
	memcpy(bytes, code->data + off, size);
	return true;
}

static bool walk_to(uint64_t off, struct ic_bytes code, struct ic_x86_stack *stack)
{
	const struct ic_unwind_options options = { .machine = MACHINE_X86_64,
						   .read_memory = read_code,
						   .context = &code };

	return ic_function_walk(&options, ENTRY, ENTRY + off, stack);
}

// What is pushed at each offset, in words with the return address; 0 if the code does not lead
// there.
static void expect(struct ic_bytes code, const char *wanted)
{
	struct ic_x86_stack stack;
	char text[80] = "";

	for (uint64_t off = 0; off <= code.size; off++)
		text[off] = walk_to(off, code, &stack) && stack.knows_sp
				    ? (char)('0' + stack.sp / 8)
				    : '-';
	assert_string_equal(text, wanted);
}

#define CODE(...)                                             \
	((struct ic_bytes){ (const uint8_t[]){ __VA_ARGS__ }, \
			    sizeof((const uint8_t[]){ __VA_ARGS__ }) })

TEST(each_instruction_has_what_those_before_have_pushed)
{
	// push %rbx; sub $16, %rsp; nop; add $16, %rsp; pop %rbx; ret
	expect(CODE(0x53, 0x48, 0x83, 0xec, 16, 0x90, 0x48, 0x83, 0xc4, 16, 0x5b, 0xc3),
	       "12---44---21-");
}

TEST(code_after_a_return_is_reached_by_a_branch)
{
	// endbr64; test %edi, %edi; je 1f; push %rbx; pop %rbx; ret; 1: lock xadd %eax, (%rdi); rep
	// stosb; ret
	expect(CODE(0xf3, 0x0f, 0x1e, 0xfa, 0x85, 0xff, 0x74, 3, 0x53, 0x5b, 0xc3, 0xf0, 0x0f, 0xc1,
		    0x07, 0xf3, 0xaa, 0xc3),
	       "1---1-1-1211---1-1-");
}

TEST(calls_return_and_one_of_what_follows_pushes)
{
	// push %rbx; call elsewhere; call 1f; 1: pop %rax; ret
	expect(CODE(0x53, 0xe8, 0, 1, 0, 0, 0xe8, 0, 0, 0, 0, 0x58, 0xc3), "12----2----32-");
	expect(CODE(0xe8, 0, 1, 0, 0), "1----1"); // nothing may follow
}

TEST(a_jump_is_followed)
{
	// push %rbx; jmp 1f; int3; 1: pop %rbx; ret
	expect(CODE(0x53, 0xeb, 1, 0xcc, 0x5b, 0xc3), "12--21-");
	expect(CODE(0xeb, 0xfe, 0x90), "1---");        // it jumps to itself
	expect(CODE(0xc5, 0xf8, 0x77, 0x90), "1----"); // vzeroupper, which is not decoded
}

TEST(code_that_only_a_jump_through_a_table_reaches_has_the_stack_of_the_jump)
{
	// push %rbx; jmp *%rax; pop %rbx; ret; nop; pop %rbx; ret
	expect(CODE(0x53, 0xff, 0xe0, 0x5b, 0xc3, 0x90, 0x5b, 0xc3), "12-21221-");
	// jmp *%rax; nop: left by a tail call
	expect(CODE(0xff, 0xe0, 0x90, 0x90), "1----");
	// je 1f; push %rbx; jmp *%rax; 1: push %rbx; push %rbx; jmp *%rax; nop
	expect(CODE(0x74, 3, 0x53, 0xff, 0xe0, 0x53, 0x53, 0xff, 0xe0, 0x90), "1-12-123---");
}

static bool may_leave(struct ic_bytes code)
{
	const struct ic_unwind_options options = { .machine = MACHINE_X86_64,
						   .read_memory = read_code,
						   .context = &code };

	return ic_function_may_leave(&options, (struct ic_range){ ENTRY, ENTRY + code.size });
}

TEST(a_function_leaves_by_a_jump_and_not_by_a_return_or_a_call)
{
	static uint8_t large[IC_MOST_WALKED + 1];

	assert_false(may_leave(CODE(0x53, 0xe8, 0, 1, 0, 0, 0x5b, 0xc3)));
	assert_false(may_leave(CODE(0x74, 1, 0xc3, 0x0f, 0x0b)));   // je; ret; ud2
	assert_true(may_leave(CODE(0xe9, 0, 1, 0, 0)));             // jmp elsewhere
	assert_true(may_leave(CODE(0x0f, 0x84, 0, 1, 0, 0, 0xc3))); // je elsewhere
	assert_true(may_leave(CODE(0xff, 0xe0, 0xc3)));             // jmp *%rax
	assert_true(may_leave(CODE(0xe8, 0, 1, 0, 0)));             // into what follows
	assert_true(may_leave(CODE(0xc5, 0xf8, 0x77, 0xc3)));       // not decoded
	assert_true(may_leave((struct ic_bytes){ large, 0 }));
	memset(large, 0xc3, sizeof(large));
	assert_true(may_leave((struct ic_bytes){ large, sizeof(large) }));
}

TEST(the_stack_is_known_by_the_frame_pointer_if_not_by_its_own)
{
	// push %rbp; mov %rsp, %rbp; and $-16, %rsp; nop
	const struct ic_bytes code = CODE(0x55, 0x48, 0x89, 0xe5, 0x48, 0x83, 0xe4, 0xf0, 0x90);
	struct ic_x86_stack stack;

	assert_true(walk_to(8, code, &stack));
	assert_true(stack.knows_fp && !stack.knows_sp);
	assert_int_equal(stack.fp, 16);
	assert_false(walk_to(4, CODE(0x48, 0x89, 0xc4, 0x90), &stack)); // mov %rax, %rsp
}

TEST(code_that_is_far_or_cannot_be_read_is_not_found)
{
	static uint8_t code[2 * IC_MOST_WALKED];
	struct ic_x86_stack stack;

	memset(code, 0x90, sizeof(code));
	const struct ic_bytes nops = { code, sizeof(code) };
	assert_true(walk_to(IC_MOST_WALKED - 1, nops, &stack));
	assert_false(walk_to(IC_MOST_WALKED, nops, &stack));
	assert_false(walk_to(UINT64_MAX, nops, &stack));
	assert_false(walk_to(3, (struct ic_bytes){ code, 2 }, &stack));
	assert_true(walk_to(600, (struct ic_bytes){ code, 601 }, &stack));
}

UNIT_TESTS(unwind_code_function_walk)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_instruction_has_what_those_before_have_pushed),
		cmocka_unit_test(code_after_a_return_is_reached_by_a_branch),
		cmocka_unit_test(calls_return_and_one_of_what_follows_pushes),
		cmocka_unit_test(a_jump_is_followed),
		cmocka_unit_test(
			code_that_only_a_jump_through_a_table_reaches_has_the_stack_of_the_jump),
		cmocka_unit_test(a_function_leaves_by_a_jump_and_not_by_a_return_or_a_call),
		cmocka_unit_test(the_stack_is_known_by_the_frame_pointer_if_not_by_its_own),
		cmocka_unit_test(code_that_is_far_or_cannot_be_read_is_not_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
