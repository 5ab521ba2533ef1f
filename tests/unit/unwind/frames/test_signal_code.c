// Code that returns from signal handlers and has no call frame information.
#include "unit_test.h"

#include "fixtures/elf.h"
#include "fixtures/unwind.h"

enum { PLAIN = 0x1000, BARE = 0x1800 }; // a function, and code without information

struct signal_code {
	uint16_t machine;
	uint8_t code[9];
	size_t size;
	uint32_t sp;
	size_t first; // word of the stack that has the first register
	size_t words[3];
	uint32_t regs[3]; // in these words, the address of the code the last
};

// As the kernel writes them (arch/ARCH/kernel/signal.c).
static const struct signal_code signal_codes[] = {
	{ EM_X86_64,
	  { 0x48, 0xc7, 0xc0, 15, 0, 0, 0, 0x0f, 0x05 },
	  9,
	  RSP,
	  5,
	  { 0, 11, 16 },
	  { 8, RBX, RIP } },
	{ EM_386, { 0xb8, 173, 0, 0, 0, 0xcd, 0x80 }, 7, 4, 40, { 4, 8, 14 }, { 7, 3, 8 } },
	{ EM_386, { 0x58, 0xb8, 119, 0, 0, 0, 0xcd, 0x80 }, 8, 4, 1, { 4, 8, 14 }, { 7, 3, 8 } },
	{ EM_AARCH64,
	  { 0x68, 0x11, 0x80, 0xd2, 0x01, 0, 0, 0xd4 },
	  8,
	  SP_AARCH64,
	  39,
	  { 0, 30, 32 },
	  { 0, LR, 32 } },
	{ EM_RISCV, { 0x93, 0x08, 0xb0, 0x08, 0x73 }, 8, 2, 38, { 1, 31, 0 }, { 1, 31, 64 } },
	{ EM_S390, { 0x0a, 0x77 }, 2, 15, 23, { 3, 12, 0 }, { 2, 11, 65 } },
	{ EM_S390, { 0x0a, 0xad }, 2, 15, 43, { 3, 12, 0 }, { 2, 11, 65 } },
	{ EM_PPC64, { 0xac, 0, 0, 0x38, 2, 0, 0, 0x44 }, 8, 1, 47, { 3, 31, 32 }, { 3, 31, 67 } },
	{ EM_PPC64, { 0x38, 0, 0, 0xac, 0x44, 0, 0, 2 }, 8, 1, 47, { 3, 31, 32 }, { 3, 31, 67 } },
};

static uint64_t stored(const struct signal_code *code, uint64_t value)
{
	bool is_big_endian = code->machine == EM_S390 || IC_HOST_IS_BIG_ENDIAN;

	return is_big_endian == IC_HOST_IS_BIG_ENDIAN ? value : __builtin_bswap64(value);
}

static void expect_registers(struct world *world, const struct signal_code *code)
{
	struct ic_unwind_registers registers = { .pc = BIAS + BARE };
	const struct ic_unwind_frame *frame;
	uint64_t value;

	ic_unwind_register_set(&registers, code->sp, STACK);
	for (size_t i = 0; i < WORDS; i++)
		world->words[i] = stored(code, 0x5000 + i);
	world->words[code->first + code->words[2]] = stored(code, BIAS + PLAIN + 0x40);
	struct ic_unwinder *unwinder = world_unwinder(world, 20);
	ic_unwinder_begin(unwinder, &registers);
	assert_true(ic_unwinder_next(unwinder)->is_signal);
	frame = ic_unwinder_next(unwinder);
	assert_non_null(frame);
	assert_true(frame->is_exact);
	assert_int_equal(frame->registers.pc, BIAS + PLAIN + 0x40);
	for (size_t i = 0; i < 2; i++) {
		assert_true(ic_unwind_register_get(&frame->registers, code->regs[i], &value));
		assert_int_equal(value, 0x5000 + code->first + code->words[i]);
	}
	ic_unwinder_free(unwinder);
}

TEST(code_that_returns_from_a_handler_is_known_without_call_frame_information)
{
	const struct function functions[] = { { .start = PLAIN } };
	struct world world;

	for (size_t i = 0; i < COUNT_OF(signal_codes); i++) {
		const struct signal_code *code = &signal_codes[i];

		world_open(&world, code->machine, functions, 1);
		world.code = (struct ic_bytes){ code->code, code->size };
		world.code_addr = BIAS + BARE;
		expect_registers(&world, code);
		world_close(&world);
	}
}

TEST(it_is_also_known_where_it_follows_a_function)
{
	const struct function function = { .start = PLAIN };
	struct ic_unwind_registers registers = { .pc = BIAS + PLAIN + 0x10 };
	struct world world;

	world_open(&world, EM_X86_64, &function, 1);
	world.code = (struct ic_bytes){ signal_codes[0].code, signal_codes[0].size };
	world.code_addr = BIAS + PLAIN + 0x100;
	world.words[0] = world.code_addr; // the handler returns there
	world.words[1 + 5 + 15] = STACK + 0x100;
	world.words[1 + 5 + 16] = BIAS + PLAIN + 0x20;
	ic_unwind_register_set(&registers, RSP, STACK);
	struct ic_unwinder *unwinder = world_unwinder(&world, 20);
	ic_unwinder_begin(unwinder, &registers);
	assert_non_null(ic_unwinder_next(unwinder));
	assert_true(ic_unwinder_next(unwinder)->is_signal);
	assert_int_equal(ic_unwinder_next(unwinder)->registers.pc, BIAS + PLAIN + 0x20);
	ic_unwinder_free(unwinder);
	// Other code there is what a call that does not return has left.
	world.code_addr = 0;
	unwinder = world_unwinder(&world, 20);
	ic_unwinder_begin(unwinder, &registers);
	assert_non_null(ic_unwinder_next(unwinder));
	assert_false(ic_unwinder_next(unwinder)->is_signal);
	ic_unwinder_free(unwinder);
	world_close(&world);
}

UNIT_TESTS(unwind_frames_signal_code)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			code_that_returns_from_a_handler_is_known_without_call_frame_information),
		cmocka_unit_test(it_is_also_known_where_it_follows_a_function),
	};
	return cmocka_run_group_tests(tests, temp_dir_make, temp_dir_remove);
}
