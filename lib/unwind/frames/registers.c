#include "unwind/frames/registers.h"

#include <assert.h>

#include "base/bytes.h"

static_assert(IC_UNWIND_MOST_REGISTERS <= 64 * IC_UNWIND_KNOWN_WORDS, "a bit for each register");

void ic_unwind_register_set(struct ic_unwind_registers *registers, uint32_t number, uint64_t value)
{
	ic_registers_set(registers, number, value);
}

bool ic_unwind_register_get(const struct ic_unwind_registers *registers, uint32_t number,
			    uint64_t *value)
{
	return ic_registers_get(registers, number, value);
}

bool ic_registers_bytes(const struct ic_unwind_registers *registers, uint32_t number,
			bool is_big_endian, void *bytes, size_t size)
{
	uint64_t value;

	if (size > 8 || !ic_registers_get(registers, number, &value))
		return false;
	if (is_big_endian != IC_HOST_IS_BIG_ENDIAN)
		value = __builtin_bswap64(value);
	memcpy(bytes, (const uint8_t *)&value + (is_big_endian ? 8 - size : 0), size);
	return true;
}

uint64_t ic_unwind_lookup_addr(const struct ic_unwind_frame *frame)
{
	return frame->registers.pc - !frame->is_exact;
}
