#include "unwind/frames/signal_code.h"

#include <string.h>

#include "base/machine.h"
#include "unwind/frames/machine.h"

#define NONE IC_UNWIND_NO_REG

// For registers without a number of their own, the one that GCC or the ABI uses in signal frames.
enum { RISCV_PC = 64, S390_PSW_ADDR = 65, PPC64_PC = 67 };

// struct sigcontext of Linux: arch/ARCH/include/uapi/asm/sigcontext.h
static const uint8_t amd64_regs[] = { 8, 9, 10, 11, 12, 13, 14, 15, 5, 4, 6, 3, 1, 0, 2, 7, 16 };
static const uint8_t i386_regs[] = {
	NONE, NONE, NONE, NONE, 7, 6, 5, 4, 3, 2, 1, 0, NONE, NONE, 8
};
static const uint8_t aarch64_regs[] = { 0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10,
					11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21,
					22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32 };
static const uint8_t riscv_regs[] = { RISCV_PC, 1,  2,  3,  4,  5,  6,  7,  8,  9,  10,
				      11,       12, 13, 14, 15, 16, 17, 18, 19, 20, 21,
				      22,       23, 24, 25, 26, 27, 28, 29, 30, 31 };
static const uint8_t s390_regs[] = {
	S390_PSW_ADDR, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
};
static const uint8_t ppc64_regs[] = { 0,  1,  2,        3,    4,    5,    6,  7,  8,  9,
				      10, 11, 12,       13,   14,   15,   16, 17, 18, 19,
				      20, 21, 22,       23,   24,   25,   26, 27, 28, 29,
				      30, 31, PPC64_PC, NONE, NONE, NONE, 65 };

// Before struct sigcontext there are, in the frames that Linux makes: of x86-64 the start of struct
// ucontext; of i386 the number of the signal, or with that two pointers, siginfo and the start of
// ucontext; of the others siginfo and the start of ucontext.
// Of s390x and POWER there is room for the frame of a function before all that, which the code that
// QEMU has for POWER does not remove itself.
// clang-format off
static const struct ic_signal_code codes[] = {
	// mov $15, %rax; syscall
	{ IC_MACHINE_X86_64,  false, 9, { 0x48, 0xc7, 0xc0, 0x0f, 0x00, 0x00, 0x00, 0x0f, 0x05 }, 40, 16, sizeof(amd64_regs), amd64_regs },
	// mov $173, %eax; int $0x80
	{ IC_MACHINE_386,     true,  7, { 0xb8, 0xad, 0x00, 0x00, 0x00, 0xcd, 0x80 },       160, 8, sizeof(i386_regs), i386_regs },
	// pop %eax; mov $119, %eax; int $0x80
	{ IC_MACHINE_386,     true,  8, { 0x58, 0xb8, 0x77, 0x00, 0x00, 0x00, 0xcd, 0x80 }, 4, 8, sizeof(i386_regs), i386_regs },
	// mov x8, #139; svc #0
	{ IC_MACHINE_AARCH64, false, 8, { 0x68, 0x11, 0x80, 0xd2, 0x01, 0x00, 0x00, 0xd4 }, 312, 32, sizeof(aarch64_regs), aarch64_regs },
	// li a7, 139; ecall
	{ IC_MACHINE_RISCV,   false, 8, { 0x93, 0x08, 0xb0, 0x08, 0x73, 0x00, 0x00, 0x00 }, 304, RISCV_PC, sizeof(riscv_regs), riscv_regs },
	// svc 119
	{ IC_MACHINE_S390,    false, 2, { 0x0a, 0x77 },                                     184, S390_PSW_ADDR, sizeof(s390_regs), s390_regs },
	// svc 173
	{ IC_MACHINE_S390,    false, 2, { 0x0a, 0xad },                                     344, S390_PSW_ADDR, sizeof(s390_regs), s390_regs },
	// li r0, 172; sc
	{ IC_MACHINE_PPC64,   false, 8, { 0xac, 0x00, 0x00, 0x38, 0x02, 0x00, 0x00, 0x44 }, 376, PPC64_PC, sizeof(ppc64_regs), ppc64_regs },
	{ IC_MACHINE_PPC64,   false, 8, { 0x38, 0x00, 0x00, 0xac, 0x44, 0x00, 0x00, 0x02 }, 376, PPC64_PC, sizeof(ppc64_regs), ppc64_regs },
};
// clang-format on

const struct ic_signal_code *ic_signal_code_at(const struct ic_unwind_options *options,
					       uint64_t addr)
{
	uint8_t bytes[sizeof(codes[0].code)];

	for (size_t i = 0; i < sizeof(codes) / sizeof(*codes); i++) {
		const struct ic_signal_code *code = &codes[i];

		if (code->machine == options->machine && code->is_32_bit == options->is_32_bit &&
		    options->read_memory(options->context, addr, bytes, code->size) &&
		    memcmp(bytes, code->code, code->size) == 0)
			return code;
	}
	return NULL;
}
