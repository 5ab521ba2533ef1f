// Registers of a thread, in the kernel's layout.
#ifndef UNWIND_FRAMES_THREAD_REGISTERS_H
#define UNWIND_FRAMES_THREAD_REGISTERS_H

#include "base/bytes.h"
#include "base/cursor.h"

#include <inlinecall/unwind.h>

// In place of a register number: not needed for unwinding; the code address.
enum { IC_THREAD_NO = -1, IC_THREAD_PC = -2 };

struct ic_thread_layout {
	uint16_t machine;                      // EM_*
	bool is_32_bit;                        // addresses have four bytes
	uint8_t word;                          // size of a register in bytes
	uint16_t prstatus_size, registers_off; // of struct elf_prstatus
	uint8_t count;
	const int8_t *numbers;
};

// For addresses of this size; NULL if the machine is not supported.
const struct ic_thread_layout *ic_thread_layout(unsigned machine, bool is_32_bit);

// Reads registers from the cursor; those beyond its end are unknown.
void ic_thread_registers_read(const struct ic_thread_layout *layout, struct ic_cursor bytes,
			      struct ic_unwind_registers *registers);

// Whether functions of the machine save other registers in floating-point registers: s390x.
bool ic_thread_floats_matter(const struct ic_thread_layout *layout);

// Reads the floating-point registers (NT_FPREGSET) if they matter.
void ic_thread_floats_read(const struct ic_thread_layout *layout, struct ic_cursor bytes,
			   struct ic_unwind_registers *registers);

struct ic_thread_status { // of struct elf_prstatus
	uint32_t signal, tid;
	struct ic_unwind_registers registers;
};

// Reads a status. False if its size is not the machine's.
bool ic_thread_status_read(const struct ic_thread_layout *layout, struct ic_cursor bytes,
			   struct ic_thread_status *status, struct ic_error *err) IC_CHECKED;

#endif
