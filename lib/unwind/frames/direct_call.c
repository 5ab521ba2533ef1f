#include "unwind/frames/direct_call.h"

#include "base/bytes.h"
#include "base/machine.h"
#include "unwind/frames/registers.h"

enum { MOST_PUSHED = 2, MOST_BEHIND = 256 }; // words, bytes

static bool is_x86(const struct ic_unwind_options *options)
{
	return options->machine == IC_MACHINE_X86_64 || options->machine == IC_MACHINE_386;
}

// Whether there is a call right before an address, and its target.
static bool find_target(const struct ic_unwind_options *options, uint64_t return_addr,
			uint64_t *target)
{
	uint64_t size = is_x86(options) ? 5 : 4;
	uint8_t bytes[5];

	if (return_addr < size ||
	    !options->read_memory(options->context, return_addr - size, bytes, (size_t)size))
		return false;
	if (is_x86(options)) { // call rel32
		uint32_t distance = ic_load32(bytes + 1, IC_HOST_IS_BIG_ENDIAN);
		*target = return_addr + (uint64_t)(int64_t)(int32_t)distance;
		if (options->is_32_bit)
			*target = (uint32_t)*target;
		return bytes[0] == 0xe8;
	}
	uint32_t word = ic_load32(bytes, IC_HOST_IS_BIG_ENDIAN); // bl: 26 bits, in words
	*target = return_addr - 4 + (((uint64_t)(word & 0x3ffffff) ^ 0x2000000) - 0x2000000) * 4;
	return word >> 26 == 0x25;
}

static bool read_word(const struct ic_unwind_options *options, uint64_t addr, uint64_t *value)
{
	bool swap = options->is_big_endian != IC_HOST_IS_BIG_ENDIAN;
	uint8_t bytes[8];

	if (!options->read_memory(options->context, addr, bytes, options->is_32_bit ? 4 : 8))
		return false;
	*value = options->is_32_bit ? ic_load32(bytes, swap) : ic_load64(bytes, swap);
	return true;
}

bool ic_direct_call_find(const struct ic_unwind_options *options,
			 const struct ic_unwind_machine *machine,
			 const struct ic_unwind_registers *registers, uint64_t *return_addr,
			 uint64_t *sp)
{
	uint64_t word = options->is_32_bit ? 4 : 8, target;

	if (!ic_registers_get(registers, machine->sp, sp))
		return false;
	if (options->machine == IC_MACHINE_AARCH64)
		return ic_registers_get(registers, machine->link, return_addr) &&
		       find_target(options, *return_addr, &target) &&
		       registers->pc - target < MOST_BEHIND;
	for (unsigned i = 0; is_x86(options) && i <= MOST_PUSHED; i++) {
		if (!read_word(options, *sp, return_addr))
			return false;
		*sp += word;
		if (find_target(options, *return_addr, &target) &&
		    registers->pc - target < MOST_BEHIND)
			return true;
	}
	return false;
}
