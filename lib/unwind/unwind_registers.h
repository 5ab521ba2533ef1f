// The registers of a frame. The type and the rest of its functions are in inlinecall/unwind.h.
#ifndef UNWIND_UNWIND_REGISTERS_H
#define UNWIND_UNWIND_REGISTERS_H

#include <inlinecall/unwind.h>

void ic_unwind_register_forget(struct ic_unwind_registers *registers, uint32_t number);

// The low bytes of a register as memory would have them. False if it is not known, or has fewer
// bytes than that.
bool ic_unwind_register_bytes(const struct ic_unwind_registers *registers, uint32_t number,
			      bool is_big_endian, void *bytes, size_t size);

#endif
