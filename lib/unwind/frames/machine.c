#include "unwind/frames/machine.h"

#include <stddef.h>

#include "base/machine.h"

#define REG(number)       (1ull << (number))
#define REGS(first, last) ((~0ull >> (63 - (last))) & (~0ull << (first)))
#define NONE              IC_UNWIND_NO_REG

// By the ABI supplements. A frame pointer that functions need not use is known to be one only by
// the code: the chain is a guess. x32 is x86-64 with addresses of 32 bits.
// clang-format off
#define CODE_32 true,  4, 32
#define CODE_64 false, 8, 64
static const struct ic_unwind_machine machines[] = {
	//                                sp  fp   pc   link  kept                             floats         chain
	{ IC_MACHINE_X86_64,  CODE_64,      7,  6,   16, NONE, REG(3) | REG(6) | REGS(12, 15),  REGS(17, 48),  IC_CHAIN_POINTERS, 8, 0, 16 },
	{ IC_MACHINE_X86_64,  true, 8, 32,  7,  6,   16, NONE, REG(3) | REG(6) | REGS(12, 15),  REGS(17, 48),  IC_CHAIN_POINTERS, 8, 0, 16 },
	{ IC_MACHINE_386,     CODE_32,      4,  5,    8, NONE, REG(3) | REGS(5, 7),             REGS(11, 36),  IC_CHAIN_POINTERS, 4, 0, 8 },
	{ IC_MACHINE_AARCH64, CODE_64,     31, 29,   32,   30, REGS(19, 29),                    0,             IC_CHAIN_POINTERS, 8, 0, 16 },
	{ IC_MACHINE_RISCV,   CODE_64,      2,  8, NONE,    1, REG(3) | REG(4) | REGS(8, 9) | REGS(18, 27), REGS(32, 63), IC_CHAIN_POINTERS, -8, -16, 0 },
	{ IC_MACHINE_PPC64,   CODE_64,      1, 31, NONE,   65, REG(2) | REGS(13, 31),           REGS(32, 63),  IC_CHAIN_FRAMES, 16, 0, 0 },
	{ IC_MACHINE_PPC,     CODE_32,      1, 31, NONE,   65, REG(2) | REGS(13, 31),           REGS(32, 63),  IC_CHAIN_FRAMES, 4, 0, 0 },
	{ IC_MACHINE_S390,    CODE_64,     15, 11, NONE,   14, REGS(6, 13) | REG(15) | REGS(24, 31), 0,        IC_CHAIN_NONE, 0, 0, 0 },
	{ IC_MACHINE_S390,    true, 4, 31, 15, 11, NONE,   14, REGS(6, 13) | REG(15),           REGS(16, 31),  IC_CHAIN_NONE, 0, 0, 0 },
};
// clang-format on

const struct ic_unwind_machine *ic_unwind_machine(unsigned machine, bool is_32_bit)
{
	for (size_t i = 0; i < sizeof(machines) / sizeof(*machines); i++)
		if (machines[i].machine == machine && machines[i].is_32_bit == is_32_bit)
			return &machines[i];
	return NULL;
}
