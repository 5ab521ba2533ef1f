#include "unwind/frames/machine.h"

#include <stddef.h>

#include "base/machine.h"

#define REG(number)       (1ull << (number))
#define REGS(first, last) ((~0ull >> (63 - (last))) & (~0ull << (first)))
#define NONE              IC_UNWIND_NO_REG

// By the ABI supplements. A frame pointer that functions need not use is known to be one only by
// the code: the chain is a guess.
// clang-format off
static const struct ic_unwind_machine machines[] = {
	//                          sp  fp   pc   link kept                                     floats        chain
	{ IC_MACHINE_X86_64,  false,    7,  6,   16, NONE, REG(3) | REG(6) | REGS(12, 15),          REGS(17, 48), true,  0,  8, 16 },
	{ IC_MACHINE_386,     true,     4,  5,    8, NONE, REG(3) | REGS(5, 7),                     REGS(11, 36), true,  0,  4,  8 },
	{ IC_MACHINE_AARCH64, false,   31, 29,   32,   30, REGS(19, 29),                            0,            true,  0,  8, 16 },
	{ IC_MACHINE_RISCV,   false,    2,  8, NONE,    1, REG(3) | REG(4) | REGS(8, 9) | REGS(18, 27), REGS(32, 63), true, -16, -8, 0 },
	{ IC_MACHINE_PPC64,   false,    1, 31, NONE,   65, REG(2) | REGS(13, 31),                   REGS(32, 63), false, 0,  0,  0 },
	{ IC_MACHINE_S390,    false,   15, 11, NONE,   14, REGS(6, 13) | REG(15) | REGS(24, 31),    0,            false, 0,  0,  0 },
};
// clang-format on

const struct ic_unwind_machine *ic_unwind_machine(unsigned machine, bool is_32_bit)
{
	for (size_t i = 0; i < sizeof(machines) / sizeof(*machines); i++)
		if (machines[i].machine == machine && machines[i].is_32_bit == is_32_bit)
			return &machines[i];
	return NULL;
}
