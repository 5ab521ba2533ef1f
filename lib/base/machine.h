// The machines that the library has specific knowledge of: EM_* of the ELF standard. Only lib/elf/
// may include <elf.h>.
#ifndef BASE_MACHINE_H
#define BASE_MACHINE_H

enum {
	IC_MACHINE_SPARC = 2,
	IC_MACHINE_386 = 3,
	IC_MACHINE_MIPS = 8,
	IC_MACHINE_MIPS_RS3_LE = 10,
	IC_MACHINE_SPARC32PLUS = 18,
	IC_MACHINE_PPC = 20,
	IC_MACHINE_PPC64 = 21,
	IC_MACHINE_S390 = 22,
	IC_MACHINE_ARM = 40,
	IC_MACHINE_SPARCV9 = 43,
	IC_MACHINE_X86_64 = 62,
	IC_MACHINE_AARCH64 = 183,
	IC_MACHINE_RISCV = 243,
	IC_MACHINE_LOONGARCH = 258,
};

#endif
