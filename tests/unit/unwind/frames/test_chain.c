// Frames that are found by chains of frames, without call frame information.
#include "unit_test.h"

#include "fixtures/elf.h"
#include "fixtures/unwind.h"

enum { // functions: where they begin
	PLAIN = 0x1000,
	FRAME = 0x1100,
	OUTERMOST = 0x1200,
	BARE = 0x1800, // there is no information, like for the next one
	OTHER = 0x1900,
};

#define ZERO "the return address is 0: the stack starts here or is overwritten"

static uint64_t at(uint64_t function)
{
	return BIAS + function + 0x10;
}

// ---- x86-64: frame pointers

static void open_amd64(struct world *world)
{
	static const uint8_t outermost[] = { 0x07, RIP };
	static const struct function functions[] = {
		{ .start = PLAIN },
		{ OUTERMOST, false, { outermost, sizeof(outermost) } },
	};

	world_open(world, EM_X86_64, functions, COUNT_OF(functions));
}

static struct ic_unwind_registers begin_amd64(uint64_t fp)
{
	struct ic_unwind_registers registers = { .pc = at(BARE) };

	ic_unwind_register_set(&registers, RSP, STACK);
	ic_unwind_register_set(&registers, RBP, fp);
	return registers;
}

TEST(code_without_information_has_the_chain_of_frame_pointers_and_that_is_marked)
{
	struct world world;
	struct ic_unwind_registers registers = begin_amd64(STACK + 16);

	open_amd64(&world);
	world.words[2] = 0x5555;
	world.words[3] = at(PLAIN);
	world.words[4] = at(OUTERMOST);
	assert_string_equal(world_unwind(&world, &registers), "1810! 1010f 1210 outermost frame");
	world.words[3] = 0;
	assert_string_equal(world_unwind(&world, &registers), "1810! " ZERO);
	world_close(&world);
}

TEST(a_frame_pointer_that_leads_to_no_code_or_down_is_no_guess)
{
	static const char wanted[] = "1810! no call frame information for 0x401810";
	struct world world;
	struct ic_unwind_registers registers = begin_amd64(STACK + 16);

	open_amd64(&world);
	world.words[3] = 0x123456;
	ic_unwind_register_set(&registers, RBP, STACK + 16);
	assert_string_equal(world_unwind(&world, &registers), wanted);
	world.words[3] = at(PLAIN);
	ic_unwind_register_set(&registers, RBP, STACK + 17);
	assert_string_equal(world_unwind(&world, &registers), wanted);
	ic_unwind_register_set(&registers, RSP, STACK + 32);
	ic_unwind_register_set(&registers, RBP, STACK + 16);
	assert_string_equal(world_unwind(&world, &registers), wanted);
	world_close(&world);
}

TEST(a_guess_is_an_address_after_a_call)
{
	static const uint8_t jump[] = { 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0xff, 0xe0 },
			     call[] = { 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0xff, 0xd0 };
	struct ic_unwind_registers registers = begin_amd64(STACK + 16);
	struct world world;

	open_amd64(&world);
	world.words[3] = at(OUTERMOST);
	world.code_addr = at(OUTERMOST) - sizeof(call);
	world.code = (struct ic_bytes){ call, sizeof(call) };
	assert_string_equal(world_unwind(&world, &registers), "1810! 1210f outermost frame");
	world.code = (struct ic_bytes){ jump, sizeof(jump) };
	assert_string_equal(world_unwind(&world, &registers),
			    "1810! no call frame information for 0x401810");
	world_close(&world);
}

// ---- POWER: the stack pointer leads from frame to frame

static const struct function power_functions[] = { { .start = PLAIN } };

static struct ic_unwind_registers begin_power(uint64_t function, uint64_t link)
{
	struct ic_unwind_registers registers = { .pc = at(function) };

	ic_unwind_register_set(&registers, 1, STACK);
	ic_unwind_register_set(&registers, LR_POWER, link);
	return registers;
}

TEST(frames_of_power_are_linked)
{
	struct ic_unwind_registers registers = begin_power(PLAIN, at(BARE));
	struct world world;

	world_open(&world, EM_PPC64, power_functions, COUNT_OF(power_functions));
	world.words[0] = STACK + 32; // of BARE, which PLAIN has no frame above
	world.words[4] = STACK + 64;
	world.words[4 + 2] = at(FRAME);
	world.words[8] = STACK + 96;
	world.words[8 + 2] = at(OUTERMOST);
	assert_string_equal(world_unwind(&world, &registers), "1010! 1810 1110f 1210f " ZERO);
	world.words[4] = STACK; // down
	assert_string_equal(world_unwind(&world, &registers),
			    "1010! 1810 1110f no call frame information for 0x40110f");
	world_close(&world);
}

// Only if its return address is in the caller's frame, and in its register, has it a frame.
TEST(code_of_power_that_was_interrupted_may_have_no_frame)
{
	struct ic_unwind_registers registers = begin_power(BARE, at(FRAME));
	struct world world;

	world_open(&world, EM_PPC64, power_functions, COUNT_OF(power_functions));
	world.words[0] = STACK + 32;
	world.words[4 + 2] = at(FRAME);
	assert_string_equal(world_unwind(&world, &registers), "1810! 1110f " ZERO);
	world.words[4 + 2] = at(OUTERMOST);
	assert_string_equal(world_unwind(&world, &registers),
			    "1810! no call frame information for 0x401810");
	world_close(&world);
}

// As a call of the code right before its return address proves.
TEST(a_leaf_of_power_is_found_by_its_call)
{
	static const uint32_t call = 0x4bffff01, jump = 0x4bffff00; // in the byte order of the host
	struct ic_unwind_registers registers = begin_power(BARE, at(OTHER));
	struct world world;

	world_open(&world, EM_PPC64, power_functions, COUNT_OF(power_functions));
	world.words[0] = STACK + 32;
	world.words[4 + 2] = at(OUTERMOST);
	world.code_addr = at(OTHER) - sizeof(call);
	world.code = (struct ic_bytes){ (const uint8_t *)&call, sizeof(call) }; // 256 before
	assert_string_equal(world_unwind(&world, &registers), "1810! 1910c 1210f " ZERO);
	world.code = (struct ic_bytes){ (const uint8_t *)&jump, sizeof(jump) };
	assert_string_equal(world_unwind(&world, &registers),
			    "1810! no call frame information for 0x401810");
	world_close(&world);
}

UNIT_TESTS(unwind_frames_chain)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			code_without_information_has_the_chain_of_frame_pointers_and_that_is_marked),
		cmocka_unit_test(a_frame_pointer_that_leads_to_no_code_or_down_is_no_guess),
		cmocka_unit_test(a_guess_is_an_address_after_a_call),
		cmocka_unit_test(frames_of_power_are_linked),
		cmocka_unit_test(code_of_power_that_was_interrupted_may_have_no_frame),
		cmocka_unit_test(a_leaf_of_power_is_found_by_its_call),
	};

	return cmocka_run_group_tests(tests, temp_dir_make, temp_dir_remove);
}
