// Registers of a frame: operations for unwinding steps. The type is in inlinecall/unwind.h, with
// public functions for the same purpose.
#ifndef UNWIND_FRAMES_REGISTERS_H
#define UNWIND_FRAMES_REGISTERS_H

#include <assert.h>
#include <string.h>

#include <inlinecall/unwind.h>

static inline void ic_registers_set(struct ic_unwind_registers *registers, uint32_t number,
				    uint64_t value)
{
	if (number >= IC_UNWIND_MOST_REGISTERS)
		return;
	registers->values[number] = value;
	registers->known[number / 64] |= 1ull << number % 64;
}

static inline bool ic_registers_get(const struct ic_unwind_registers *registers, uint32_t number,
				    uint64_t *value)
{
	if (number >= IC_UNWIND_MOST_REGISTERS ||
	    !(registers->known[number / 64] >> number % 64 & 1))
		return false;
	*value = registers->values[number];
	return true;
}

static inline void ic_registers_forget(struct ic_unwind_registers *registers, uint32_t number)
{
	if (number < IC_UNWIND_MOST_REGISTERS)
		registers->known[number / 64] &= ~(1ull << number % 64);
}

// Copies registers up to the last known one, because most machines have far fewer than the maximum;
// eight at a time, which takes a few instructions.
static inline void ic_registers_copy(struct ic_unwind_registers *to,
				     const struct ic_unwind_registers *from)
{
	enum { AT_ONCE = 8 };
	size_t count = IC_UNWIND_MOST_REGISTERS;

	static_assert(IC_UNWIND_MOST_REGISTERS % AT_ONCE == 0, "no values after the last block");
	if (!from->known[1])
		count = from->known[0] ? 64 - (size_t)__builtin_clzll(from->known[0]) : 0;
	to->pc = from->pc;
	memcpy(to->known, from->known, sizeof(to->known));
	for (size_t i = 0; i < count; i += AT_ONCE)
		memcpy(&to->values[i], &from->values[i], AT_ONCE * sizeof(*to->values));
}

// The low bytes of a register in memory order. False if it is unknown, or has fewer bytes.
bool ic_registers_bytes(const struct ic_unwind_registers *registers, uint32_t number,
			bool is_big_endian, void *bytes, size_t size);

#endif
