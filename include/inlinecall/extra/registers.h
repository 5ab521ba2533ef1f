// The registers of processors: DWARF and debuggers know them by numbers, which each processor's ABI
// supplement gives, and people by names. These functions keep nothing: any number of threads may
// call them.
#ifndef INLINECALL_EXTRA_REGISTERS_H
#define INLINECALL_EXTRA_REGISTERS_H

#include <stdbool.h>
#include <stdint.h>

#include <inlinecall/extra/call_frames.h>
#include <inlinecall/version.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Finds the name of a register, as assemblers spell it: "rdi" for 5 of x86-64.
 *
 * @param machine  As returned by ic_image_machine(). Known are x86-64, i386, AArch64, ARM,
 *                 RISC-V, POWER, s390, MIPS, LoongArch and SPARC.
 * @param number   DWARF's number for it, as in debugging information, not as in .eh_frame if
 *                 that differs.
 *
 * @return a static string; NULL if the processor, or its register, is not known.
 */
IC_API const char *ic_register_name(unsigned machine, uint32_t number);

/**
 * Finds the number of a register by its name, as ic_register_name() spells it.
 *
 * @param machine  As returned by ic_image_machine().
 * @param name     Must not be NULL.
 * @param number   [out] DWARF's number for it.
 *
 * @return false, with 0 as the number, if no register of the processor has that name.
 */
IC_API bool ic_register_number(unsigned machine, const char *name, uint32_t *number);

#ifdef __cplusplus
}
#endif

#endif
