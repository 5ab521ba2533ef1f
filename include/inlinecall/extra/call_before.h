// Whether an address is a return address, as far as the code says: then there is a call right
// before it.
//
// Any number of threads may ask.
#ifndef INLINECALL_EXTRA_CALL_BEFORE_H
#define INLINECALL_EXTRA_CALL_BEFORE_H

#include <stdint.h>

#include <inlinecall/extra/image.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What stands right before an address. */
enum ic_call_before {
	/** Not known: the file does not have the code, as a debug file does not; it is relocatable;
	 *  it has no call there but is a kernel, which puts calls into its code when it is loaded;
	 *  or calls of the machine are not known. */
	IC_CALL_BEFORE_UNKNOWN,
	/** No call: it is not a return address. */
	IC_CALL_BEFORE_NONE,
	/** A call, or, on machines whose instructions are of several sizes, what may be one. It
	 * need not be a return address: a program may stop there for other reasons. */
	IC_CALL_BEFORE_FOUND
};

/**
 * Looks at the code before an address.
 *
 * @param addr  As the ELF file numbers addresses; on ARM and MIPS it may have bit 0 set (see
 *              ic_image_code_addr()).
 *
 * Machines: x86, ARM, AArch64, RISC-V, POWER, s390, MIPS and LoongArch. On MIPS the call is before
 * the instruction in its delay slot.
 *
 * Time: O(1).
 */
IC_API enum ic_call_before ic_call_before_check(struct ic_image *image, uint64_t addr);

#ifdef __cplusplus
}
#endif

#endif
