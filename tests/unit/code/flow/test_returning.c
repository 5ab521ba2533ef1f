#include "code/flow/returning.h"

#include "unit_test.h"

enum { MACHINE_AMD64 = 62, MACHINE_AARCH64 = 183, START = 0x1000 };

static struct ic_bytes bytes_at(void *context, uint64_t addr)
{
	const struct ic_bytes *code = context;

	if (addr < START || addr - START >= code->size)
		return (struct ic_bytes){ NULL, 0 };
	return (struct ic_bytes){ code->data + (addr - START), code->size - (addr - START) };
}

// The dynamic linker writes the address of abort() to one word, and that of puts() to others.
static const char *slot_name(void *context, uint64_t slot)
{
	(void)context;
	return slot == 0x3000 ? "abort" : slot == 0x3008 ? "puts" : NULL;
}

static bool returns(unsigned machine, struct ic_bytes code, struct ic_instruction call)
{
	struct ic_error err;
	struct ic_flow_source source = { .disassembler = ic_disassembler_open(machine, 8, &err),
					 .bytes = bytes_at,
					 .context = &code };
	struct ic_returning returning = { .source = &source, .slot_name = slot_name };

	assert_non_null(source.disassembler);
	bool first = ic_call_returns(&returning, &call);
	assert_int_equal(ic_call_returns(&returning, &call), first); // what it has kept
	ic_returning_free(&returning);
	ic_disassembler_close(source.disassembler);
	return first;
}

static struct ic_instruction call_of(uint64_t target, uint64_t slot)
{
	return (struct ic_instruction){
		.kind = IC_INSTRUCTION_CALL, .size = 5, .target = target, .slot = slot
	};
}

TEST(functions_of_libraries_are_known_by_name)
{
	assert_true(ic_name_is_no_return("abort"));
	assert_true(ic_name_is_no_return("_ZSt20__throw_length_errorPKc"));
	assert_false(ic_name_is_no_return("puts"));
	assert_false(ic_name_is_no_return("_ZSt4endl"));
	assert_false(returns(MACHINE_AMD64, BYTES(0), call_of(IC_NO_ADDR, 0x3000)));
	assert_true(returns(MACHINE_AMD64, BYTES(0), call_of(IC_NO_ADDR, 0x3008)));
	assert_true(returns(MACHINE_AMD64, BYTES(0), call_of(IC_NO_ADDR, 0x3010)));
	assert_true(returns(MACHINE_AMD64, BYTES(0), call_of(IC_NO_ADDR, IC_NO_ADDR)));
}

TEST(stubs_jump_by_a_word)
{
	// endbr64; jmp *0x1ff6(%rip): 0x100a + 0x1ff6
	const struct ic_bytes aborts =
		BYTES(0xf3, 0x0f, 0x1e, 0xfa, 0xff, 0x25, 0xf6, 0x1f, 0x00, 0x00);
	// adrp x16, 0x3000; ldr x17, [x16] or [x16, 8]; add x16, x16, 0; br x17
	const struct ic_bytes other = BYTES(0x10, 0, 0, 0xd0, 0x11, 0x02, 0x40, 0xf9, 0x10, 0x02, 0,
					    0x91, 0x20, 0x02, 0x1f, 0xd6),
			      puts = BYTES(0x10, 0, 0, 0xd0, 0x11, 0x06, 0x40, 0xf9, 0x10, 0x22, 0,
					   0x91, 0x20, 0x02, 0x1f, 0xd6),
			      marked = BYTES(0x5f, 0x24, 0x03, 0xd5, 0x10, 0, 0, 0xd0, 0x11, 0x02,
					     0x40, 0xf9, 0x10, 0x02, 0, 0x91, 0x20, 0x02, 0x1f,
					     0xd6);

	assert_false(returns(MACHINE_AMD64, aborts, call_of(START, IC_NO_ADDR)));
	assert_false(returns(MACHINE_AARCH64, other, call_of(START, IC_NO_ADDR)));
	assert_true(returns(MACHINE_AARCH64, puts, call_of(START, IC_NO_ADDR)));
	assert_false(returns(MACHINE_AARCH64, marked, call_of(START, IC_NO_ADDR)));
}

TEST(functions_of_the_file_are_read)
{
	// 0 call 7; 5 jmp 5; 7 ret
	const struct ic_bytes loops = BYTES(0xe8, 0x02, 0, 0, 0, 0xeb, 0xfe, 0xc3);
	// 0 je 3; 2 ret; 3 ud2
	const struct ic_bytes perhaps = BYTES(0x74, 0x01, 0xc3, 0x0f, 0x0b);
	// 0 call 8; 5 ret; 8 ud2
	const struct ic_bytes through = BYTES(0xe8, 0x03, 0, 0, 0, 0xc3, 0, 0, 0x0f, 0x0b);
	// 0 jmp *%rax
	const struct ic_bytes anywhere = BYTES(0xff, 0xe0);

	assert_false(returns(MACHINE_AMD64, loops, call_of(START, IC_NO_ADDR)));
	assert_true(returns(MACHINE_AMD64, perhaps, call_of(START, IC_NO_ADDR)));
	assert_false(returns(MACHINE_AMD64, through, call_of(START, IC_NO_ADDR)));
	assert_true(returns(MACHINE_AMD64, anywhere, call_of(START, IC_NO_ADDR)));
	assert_true(returns(MACHINE_AMD64, anywhere, call_of(0x9000, IC_NO_ADDR)));
}

TEST(a_function_that_calls_itself_ends)
{
	// 0 call 0; 5 ret: no path through it ends, but how deep it goes is limited
	const struct ic_bytes code = BYTES(0xe8, 0xfb, 0xff, 0xff, 0xff, 0xc3);

	assert_true(returns(MACHINE_AMD64, code, call_of(START, IC_NO_ADDR)));
}

UNIT_TESTS(code_flow_returning)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(functions_of_libraries_are_known_by_name),
		cmocka_unit_test(stubs_jump_by_a_word),
		cmocka_unit_test(functions_of_the_file_are_read),
		cmocka_unit_test(a_function_that_calls_itself_ends),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
