// Register names. DWARF and debuggers identify registers by numbers, which the ABI supplement of
// each processor defines, and people by names. These functions keep no state: any number of threads
// may call them.
#ifndef INLINECALL_EXTRA_REGISTERS_H
#define INLINECALL_EXTRA_REGISTERS_H

#include <stdbool.h>
#include <stdint.h>

#include <inlinecall/version.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Finds the name of a register, in assembler spelling: "rdi" for 5 on x86-64.
 *
 * @param machine  As returned by ic_image_machine(). Supported are x86-64, i386, AArch64, ARM,
 *                 RISC-V, POWER, s390, MIPS, LoongArch and SPARC.
 * @param number   DWARF register number, as in debug information; .eh_frame's numbers may differ.
 *
 * @return A static string; NULL if the processor or the register is unknown.
 */
IC_API const char *ic_register_name(unsigned machine, uint32_t number);

/**
 * Finds the number of a register by its name, as spelt by ic_register_name().
 *
 * @param machine  As returned by ic_image_machine().
 * @param name     Must not be NULL.
 * @param number   [out] DWARF register number.
 *
 * @return false, with `number` set to 0, if the processor has no register of that name.
 */
IC_API bool ic_register_number(unsigned machine, const char *name, uint32_t *number);

#ifdef __cplusplus
}
#endif

#endif
