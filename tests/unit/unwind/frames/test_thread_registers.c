#include "unit_test.h"

#include <elf.h>

#include "unwind/frames/thread_registers.h"

static const struct {
	uint16_t machine;
	bool is_32_bit;
	size_t word, status_size, registers_off;
	unsigned pc, sp; // which words they are
	uint32_t sp_number;
	unsigned words;
} machines[] = {
	{ EM_X86_64, false, 8, 336, 112, 16, 19, 7, 27 },
	{ EM_X86_64, true, 8, 296, 72, 16, 19, 7, 27 }, // x32
	{ EM_386, true, 4, 144, 72, 12, 15, 4, 17 },
	{ EM_AARCH64, false, 8, 392, 112, 32, 31, 31, 34 },
	{ EM_RISCV, false, 8, 376, 112, 0, 2, 2, 32 },
	{ EM_PPC64, false, 8, 504, 112, 32, 1, 1, 48 },
	{ EM_S390, false, 8, 336, 112, 1, 17, 15, 27 },
	{ EM_PPC, true, 4, 268, 72, 32, 1, 1, 48 },
	{ EM_S390, true, 4, 224, 72, 1, 17, 15, 36 },
};

// Each word of the registers is 0x100 and its number.
static struct ic_bytes status_of(size_t i, uint8_t *bytes)
{
	size_t word = machines[i].word;

	memset(bytes, 0, machines[i].status_size);
	bytes[12] = 11;
	bytes[machines[i].is_32_bit ? 24 : 32] = 42;
	for (unsigned j = 0; j < machines[i].words; j++) {
		bytes[machines[i].registers_off + j * word] = (uint8_t)j;
		bytes[machines[i].registers_off + j * word + 1] = 1;
	}
	return (struct ic_bytes){ bytes, machines[i].status_size };
}

TEST(each_machine_has_its_registers_where_its_kernel_puts_them)
{
	uint8_t bytes[1024];

	for (size_t i = 0; i < COUNT_OF(machines); i++) {
		const struct ic_thread_layout *layout =
			ic_thread_layout(machines[i].machine, machines[i].is_32_bit);
		struct ic_thread_status status;
		struct ic_error err;
		uint64_t sp;

		assert_non_null(layout);
		assert_true(ic_thread_status_read(layout, cursor_over(status_of(i, bytes)), &status,
						  &err));
		assert_int_equal(status.signal, 11);
		assert_int_equal(status.tid, 42);
		assert_int_equal(status.registers.pc, 0x100 + machines[i].pc);
		assert_true(ic_unwind_register_get(&status.registers, machines[i].sp_number, &sp));
		assert_int_equal(sp, 0x100 + machines[i].sp);
	}
}

TEST(a_status_of_another_size_is_refused)
{
	uint8_t bytes[1024];

	for (size_t i = 0; i < COUNT_OF(machines); i++) {
		const struct ic_thread_layout *layout =
			ic_thread_layout(machines[i].machine, machines[i].is_32_bit);
		struct ic_bytes whole = status_of(i, bytes);
		struct ic_thread_status status;
		struct ic_error err;

		for (int change = -1; change <= 1; change += 2) {
			const struct ic_bytes other = { whole.data, whole.size + (size_t)change };
			assert_false(
				ic_thread_status_read(layout, cursor_over(other), &status, &err));
			assert_int_equal(err.code, IC_ERROR_MALFORMED);
		}
		assert_false(ic_thread_status_read(
			layout, cursor_over((struct ic_bytes){ bytes, 0 }), &status, &err));
	}
}

TEST(registers_that_are_cut_short_are_known_up_to_there)
{
	const struct ic_thread_layout *layout = ic_thread_layout(EM_X86_64, false);
	struct ic_unwind_registers registers;
	uint8_t bytes[20] = { 0x15 };
	uint64_t value;

	ic_thread_registers_read(layout, cursor_over((struct ic_bytes){ bytes, sizeof(bytes) }),
				 &registers);
	assert_true(ic_unwind_register_get(&registers, 15, &value) && value == 0x15);
	assert_true(ic_unwind_register_get(&registers, 14, &value) && value == 0);
	assert_false(ic_unwind_register_get(&registers, 13, &value));
	assert_int_equal(registers.pc, 0);
}

TEST(s390x_keeps_registers_in_those_for_floats)
{
	// By the ABI supplement f0, f2, f4 and f6 are 16 to 19.
	static const uint32_t numbers[] = { 16, 20, 17, 21, 18, 22, 19, 23,
					    24, 28, 25, 29, 26, 30, 27, 31 };
	struct ic_unwind_registers registers = { .pc = 0 };
	uint8_t bytes[8 + 16 * 8] = { 0 };
	uint64_t value;

	for (uint8_t i = 0; i < 16; i++)
		bytes[8 + i * 8] = (uint8_t)(i + 1);
	const struct ic_bytes whole = { bytes, sizeof(bytes) };
	ic_thread_floats_read(ic_thread_layout(EM_S390, false), cursor_over(whole), &registers);
	for (unsigned i = 0; i < 16; i++)
		assert_true(ic_unwind_register_get(&registers, numbers[i], &value) &&
			    value == i + 1);
	registers = (struct ic_unwind_registers){ .pc = 0 };
	ic_thread_floats_read(ic_thread_layout(EM_X86_64, false), cursor_over(whole), &registers);
	assert_false(ic_unwind_register_get(&registers, 16, &value));
	ic_thread_floats_read(ic_thread_layout(EM_S390, false),
			      cursor_over((struct ic_bytes){ bytes, 16 }), &registers);
	assert_true(ic_unwind_register_get(&registers, 16, &value));
	assert_false(ic_unwind_register_get(&registers, 20, &value));
}

TEST(other_machines_are_not_known)
{
	assert_null(ic_thread_layout(EM_VAX, true));
	assert_null(ic_thread_layout(EM_AARCH64, true));
}

// As if a program of x86-64 were stopped where one of 32 bits is.
TEST(a_kernel_of_64_bits_has_registers_of_32_bit_programs_among_its_own)
{
	static const struct {
		uint64_t number, of_64_bits;
	} pairs[] = {
		{ 0, 0 }, { 1, 2 }, { 2, 1 }, { 3, 3 }, { 4, 7 }, { 5, 6 }, { 6, 4 }, { 7, 5 }
	};
	const struct ic_thread_layout *small = ic_thread_layout(EM_386, false);
	const struct ic_thread_layout *large = ic_thread_layout(EM_X86_64, false);

	assert_int_equal(small->count, large->count);
	for (size_t i = 0; i < small->count; i++)
		for (size_t j = 0; j < sizeof(pairs) / sizeof(*pairs); j++)
			assert_int_equal(small->numbers[i] == (int8_t)pairs[j].number,
					 large->numbers[i] == (int8_t)pairs[j].of_64_bits);
}

UNIT_TESTS(unwind_frames_thread_registers)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_machine_has_its_registers_where_its_kernel_puts_them),
		cmocka_unit_test(a_status_of_another_size_is_refused),
		cmocka_unit_test(registers_that_are_cut_short_are_known_up_to_there),
		cmocka_unit_test(s390x_keeps_registers_in_those_for_floats),
		cmocka_unit_test(other_machines_are_not_known),
		cmocka_unit_test(
			a_kernel_of_64_bits_has_registers_of_32_bit_programs_among_its_own),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
