// Reading words of memory.
#ifndef UNWIND_FRAMES_WORD_H
#define UNWIND_FRAMES_WORD_H

#include "base/bytes.h"

#include <inlinecall/unwind.h>

// Reads a word of 4 or 8 bytes. False if it cannot be read.
static inline bool ic_unwind_read_word(const struct ic_unwind_options *options, unsigned size,
				       uint64_t addr, uint64_t *value)
{
	bool swap = options->is_big_endian != IC_HOST_IS_BIG_ENDIAN;
	uint8_t bytes[8];

	if (!options->read_memory(options->context, addr, bytes, size))
		return false;
	*value = size == 8 ? ic_load64(bytes, swap) : ic_load32(bytes, swap);
	return true;
}

#endif
