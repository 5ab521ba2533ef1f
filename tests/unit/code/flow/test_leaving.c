#include "code/flow/leaving.h"

#include "unit_test.h"

#include <stdio.h>
#include <stdlib.h>

enum { MACHINE_AMD64 = 62, MACHINE_AARCH64 = 183, START = 0x1000 };

struct code {
	const uint8_t *bytes;
	size_t size;
	uint64_t no_return; // a call there does not return
};

static struct ic_bytes bytes_at(void *context, uint64_t addr)
{
	const struct code *code = context;

	if (addr < START || addr - START >= code->size)
		return (struct ic_bytes){ NULL, 0 };
	return (struct ic_bytes){ code->bytes + (addr - START), code->size - (addr - START) };
}

static bool returns(void *context, const struct ic_instruction *call)
{
	return call->addr != ((const struct code *)context)->no_return;
}

// "1005 jump, 1009 return" for the exits of a copy with some ranges; or why not, and the doubt.
static const char *exits_of(unsigned machine, const struct code *code, uint64_t entry,
			    struct ic_range *own, uint32_t own_count)
{
	static const char *const names[] = { "end",       "jump",  "return", "tail call",
					     "no return", "after", "perhaps" };
	static char text[512];
	struct ic_range whole = { START, START + code->size };
	const struct ic_range_set ranges = ic_range_set_build(own, own_count),
				  all = ic_range_set_build(&whole, 1);
	struct ic_flow flow = { .indirect_addr = 0 };
	struct ic_leaving leaving = { .doubt = "" };
	struct ic_error err;
	struct ic_flow_source source = { ic_disassembler_open(machine, 8, &err), bytes_at, returns,
					 (void *)code };
	size_t length = 0;

	assert_non_null(source.disassembler);
	assert_true(ic_flow_read(&flow, &source, &all, START, &err));
	const uint64_t entries[] = { START + (entry & 0xff), START + (entry >> 8) };
	assert_true(ic_leaving_find(&leaving, &flow, START, entries, entry >> 8 ? 2 : 1, &ranges));
	text[0] = 0;
	for (uint32_t i = 0; i < leaving.exits.count; i++)
		length += (size_t)snprintf(text + length, sizeof(text) - length, "%s%x %s",
					   length ? ", " : "",
					   (unsigned)(leaving.exits.items[i].addr - START),
					   names[leaving.exits.items[i].kind]);
	snprintf(text + length, sizeof(text) - length, "%s%s%s", leaving.why_not,
		 leaving.doubt[0] ? "; " : "", leaving.doubt);
	IC_ARRAY_FREE(&leaving.exits);
	ic_flow_free(&flow);
	ic_disassembler_close(source.disassembler);
	return text;
}

// clang-format off
#define CODE(...) { (const uint8_t[]){ __VA_ARGS__ }, sizeof((const uint8_t[]){ __VA_ARGS__ }), 0 }
#define RANGE(first, last) { START + (first), START + (last) }
// clang-format on
#define EXITS(machine, code, entry, ...)                                      \
	exits_of(machine, &(code), entry, (struct ic_range[]){ __VA_ARGS__ }, \
		 sizeof((struct ic_range[]){ __VA_ARGS__ }) / sizeof(struct ic_range))

TEST(a_copy_is_left_at_its_last_instruction)
{
	// 0 nop; 1 inc eax; 3 dec eax; 5 ret
	const struct code code = CODE(0x90, 0xff, 0xc0, 0xff, 0xc8, 0xc3);

	assert_string_equal(EXITS(MACHINE_AMD64, code, 1, RANGE(1, 5)), "3 end");
	assert_string_equal(EXITS(MACHINE_AMD64, code, 0, RANGE(0, 6)), "5 return");
}

TEST(a_copy_that_is_never_left_has_no_exits)
{
	// 0 jmp 0; 2 ret
	const struct code code = CODE(0xeb, 0xfe, 0xc3);

	assert_string_equal(EXITS(MACHINE_AMD64, code, 0, RANGE(0, 2)),
			    "; control returns to its entry, which is not an exit, at "
			    "0x1000");
}

TEST(code_around_it_that_is_mixed_with_it_does_not_end_it)
{
	// 0 inc eax; 2 inc ecx; 4 inc eax; 6 inc ecx; 8 ret
	const struct code code = CODE(0xff, 0xc0, 0xff, 0xc1, 0xff, 0xc0, 0xff, 0xc1, 0xc3);

	assert_string_equal(EXITS(MACHINE_AMD64, code, 0, RANGE(0, 2), RANGE(4, 6)), "4 end");
}

TEST(code_around_it_that_chooses_is_a_doubt)
{
	// 0 inc eax; 2 je 8; 4 inc ecx; 6 inc eax; 8 ret
	const struct code code = CODE(0xff, 0xc0, 0x74, 0x04, 0xff, 0xc1, 0xff, 0xc0, 0xc3);

	assert_string_equal(EXITS(MACHINE_AMD64, code, 0, RANGE(0, 2), RANGE(6, 8)),
			    "8 after; code around it that leads back to it is counted, at "
			    "0x1002");
}

TEST(what_was_moved_before_the_entry_is_not_counted)
{
	// 0 inc eax; 2 inc ecx; 4 inc eax; 6 inc ecx; 8 jne 0; a ret
	const struct code code =
		CODE(0xff, 0xc0, 0xff, 0xc1, 0xff, 0xc0, 0xff, 0xc1, 0x75, 0xf6, 0xc3);

	assert_string_equal(EXITS(MACHINE_AMD64, code, 4, RANGE(0, 2), RANGE(4, 6)), "4 end");
}

TEST(a_loop_and_cold_code_of_it_do_not_end_it)
{
	// 0 inc eax; 2 je 9; 4 dec ecx; 6 jne 0; 8 ret; 9 inc edx; b jmp 4
	const struct code code =
		CODE(0xff, 0xc0, 0x74, 0x05, 0xff, 0xc9, 0x75, 0xf8, 0xc3, 0xff, 0xc2, 0xeb, 0xf7);

	assert_string_equal(EXITS(MACHINE_AMD64, code, 0, RANGE(0, 8), RANGE(9, 13)),
			    "8 after; control returns to its entry, which is not an exit, "
			    "at 0x1006");
}

TEST(a_conditional_jump_is_watched_where_it_leads_if_nothing_else_does)
{
	// 0 test; 2 je 8; 4 inc eax; 6 jmp 9; 8 nop; 9 ret
	const struct code code = CODE(0x85, 0xc0, 0x74, 0x04, 0xff, 0xc0, 0xeb, 0x01, 0x90, 0xc3);

	assert_string_equal(EXITS(MACHINE_AMD64, code, 0, RANGE(0, 8)), "6 jump, 8 after");
	assert_string_equal(EXITS(MACHINE_AMD64, code, 2, RANGE(2, 6)), "4 end, 8 after");
}

TEST(a_conditional_jump_to_what_is_reached_otherwise_leaves_perhaps)
{
	// 0 je 8; 2 test; 4 je 8; 6 inc eax; 8 ret
	const struct code code = CODE(0x74, 0x06, 0x85, 0xc0, 0x74, 0x02, 0xff, 0xc0, 0xc3);

	assert_string_equal(EXITS(MACHINE_AMD64, code, 2, RANGE(2, 8)), "4 perhaps, 6 end");
}

TEST(calls_that_do_not_return_end_it)
{
	// 0 test; 2 je 9; 4 call 0x2000; 9 ud2; b ret
	const struct code code =
		CODE(0x85, 0xc0, 0x74, 0x05, 0xe8, 0xf7, 0x0f, 0, 0, 0x0f, 0x0b, 0xc3);
	struct code without = code;

	without.no_return = START + 4;
	assert_string_equal(EXITS(MACHINE_AMD64, without, 0, RANGE(0, 9)), "4 no return, 9 after");
	assert_string_equal(EXITS(MACHINE_AMD64, code, 0, RANGE(0, 9)), "9 after");
	assert_string_equal(EXITS(MACHINE_AMD64, code, 9, RANGE(9, 11)), "9 no return");
}

TEST(what_is_not_known_is_said)
{
	// 0 nop; 1 jmp *%rax; 3 ret
	const struct code table = CODE(0x90, 0xff, 0xe0, 0xc3);
	// 0 nop; 1 no instruction
	const struct code data = CODE(0x90, 0x06, 0xc3);
	// 0 jmp *0(%rip): by a word, to another function
	const struct code word = CODE(0xff, 0x25, 0, 0, 0, 0);

	assert_string_equal(EXITS(MACHINE_AMD64, table, 0, RANGE(0, 4)),
			    "the target of a jump in it is unknown, at 0x1001");
	assert_string_equal(EXITS(MACHINE_AMD64, table, 0, RANGE(0, 1)),
			    "0 end; the target of a jump around it is unknown, at 0x1001");
	assert_string_equal(EXITS(MACHINE_AMD64, data, 0, RANGE(0, 3)),
			    "an instruction in it cannot be decoded, at 0x1001");
	assert_string_equal(EXITS(MACHINE_AMD64, word, 0, RANGE(0, 6)), "0 tail call");
	assert_string_equal(EXITS(MACHINE_AMD64, table, 3, RANGE(0, 1)),
			    "none of its code is reached only through its entry");
}

TEST(data_between_the_instructions_is_not_read_as_exits)
{
	// 0 jmp 3; 2 (a byte of data that is "ret"); 3 inc eax; 5 ret
	const struct code code = CODE(0xeb, 0x01, 0xc3, 0xff, 0xc0, 0xc3);

	assert_string_equal(EXITS(MACHINE_AMD64, code, 0, RANGE(0, 6)), "5 return");
}

#define WORD(word) (word) & 0xff, (word) >> 8 & 0xff, (word) >> 16 & 0xff, (word) >> 24

TEST(aarch64_is_read)
{
	// 0 cbz x0, 0x10; 4 bl; 8 tbnz x1, 0, 0; c ret; 10 b.eq 0x18; 14 b 0x1000000; 18 br x2
	const struct code code = CODE(WORD(0xb4000080u), WORD(0x94000400u), WORD(0x3707ffc1u),
				      WORD(0xd65f03c0u), WORD(0x54000040u), WORD(0x14400000u),
				      WORD(0xd61f0040u));

	assert_string_equal(EXITS(MACHINE_AARCH64, code, 0, RANGE(0, 0x18)),
			    "c return, 10 perhaps, 14 tail call; control returns to its entry, "
			    "which is not an exit, at 0x1008");
	assert_string_equal(EXITS(MACHINE_AARCH64, code, 4, RANGE(4, 8)),
			    "4 end; the target of a jump around it is unknown, at 0x1018");
}

UNIT_TESTS(code_flow_leaving)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_copy_is_left_at_its_last_instruction),
		cmocka_unit_test(a_copy_that_is_never_left_has_no_exits),
		cmocka_unit_test(code_around_it_that_is_mixed_with_it_does_not_end_it),
		cmocka_unit_test(code_around_it_that_chooses_is_a_doubt),
		cmocka_unit_test(what_was_moved_before_the_entry_is_not_counted),
		cmocka_unit_test(a_loop_and_cold_code_of_it_do_not_end_it),
		cmocka_unit_test(a_conditional_jump_is_watched_where_it_leads_if_nothing_else_does),
		cmocka_unit_test(a_conditional_jump_to_what_is_reached_otherwise_leaves_perhaps),
		cmocka_unit_test(calls_that_do_not_return_end_it),
		cmocka_unit_test(what_is_not_known_is_said),
		cmocka_unit_test(data_between_the_instructions_is_not_read_as_exits),
		cmocka_unit_test(aarch64_is_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
