// Whether an address can be a return address, judging by the code: there must be a call right
// before it.
//
// Any number of threads may call this.
#ifndef INLINECALL_EXTRA_CALL_BEFORE_H
#define INLINECALL_EXTRA_CALL_BEFORE_H

#include <stdint.h>

#include <inlinecall/extra/image.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What is right before an address. */
enum ic_call_before {
	/** Unknown: the file does not contain the code (a debug file, for instance); or it is
	 *  relocatable; or there is no call but the file is a kernel, which patches calls into its
	 *  code when loaded; or calls of the machine are not recognised. */
	IC_CALL_BEFORE_UNKNOWN,
	/** No call: it is not a return address. */
	IC_CALL_BEFORE_NONE,
	/** A call or, on machines with instructions of various sizes, what may be one. The address
	 *  need not be a return address: a program may stop there for other reasons. */
	IC_CALL_BEFORE_FOUND
};

/**
 * Examines the code before an address.
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
