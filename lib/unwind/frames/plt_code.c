#include "unwind/frames/plt_code.h"

#include "base/machine.h"
#include "elf/image/stub_names.h"

enum { MOST_BEFORE = 6, MOST_AFTER = 6 }; // bytes around `pc` that are examined

static bool has_bytes(const uint8_t *code, uint8_t first, uint8_t second)
{
	return code[0] == first && code[1] == second;
}

// A stub jumps through a word that first leads to its own second part. That pushes a number, and
// jumps to the first stub, which pushes another word and jumps to the dynamic linker. mold's stubs
// have the number in a register, which the first stub pushes.
static bool find_x86(const uint8_t *before, const uint8_t *code, uint8_t *pushed)
{
	enum { BND = 0xf2, PUSH_NUMBER = 0x68, JUMP = 0xe9 };

	*pushed = 0;
	if (code[0] == BND)
		code++;
	if (has_bytes(code, 0xff, 0x25) || has_bytes(code, 0xff, 0xa3)) { // jmp *word
		if (has_bytes(before, 0xff, 0x35) || has_bytes(before, 0xff, 0xb3))
			*pushed = 2;
		return true;
	}
	if (has_bytes(code, 0xff, 0x35) || has_bytes(code, 0xff, 0xb3)) { // push word
		*pushed = 1;
		return true;
	}
	if (code[0] == JUMP) {
		*pushed = 1;
		return before[MOST_BEFORE - 5] == PUSH_NUMBER;
	}
	return code[0] == PUSH_NUMBER || has_bytes(code, 0x41, 0xbb) || // mov $number, %r11d
	       has_bytes(code, 0x41, 0x53) ||                           // push %r11
	       (has_bytes(code, 0xf3, 0x0f) && code[2] == 0x1e);        // endbr64, endbr32
}

// Reads the part of the code around `pc` that is in the section; the rest is 0.
static bool read_x86(const struct ic_unwind_options *options, const struct ic_section *section,
		     uint64_t pc, uint64_t addr, uint8_t *pushed)
{
	uint8_t bytes[MOST_BEFORE + MOST_AFTER] = { 0 };
	uint64_t off = addr - section->addr;
	size_t before = off < MOST_BEFORE ? (size_t)off : MOST_BEFORE;
	size_t after = section->size - off < MOST_AFTER ? (size_t)(section->size - off)
							: MOST_AFTER;

	return options->read_memory(options->context, pc - before, bytes + MOST_BEFORE - before,
				    before + after) &&
	       find_x86(bytes, bytes + MOST_BEFORE, pushed);
}

// Only the first stub uses the stack: its first instruction, or its second after `bti`, pushes x16
// and x30.
static bool read_aarch64(const struct ic_unwind_options *options, const struct ic_section *section,
			 uint64_t pc, uint64_t addr, uint8_t *pushed)
{
	enum { MOST_SIZE = 36 };
	uint64_t off = addr - section->addr;
	uint8_t bytes[8];

	*pushed = 0;
	if (off == 0 || off >= MOST_SIZE)
		return true;
	if (!options->read_memory(options->context, pc - off, bytes, sizeof(bytes)))
		return false;
	for (unsigned i = 0; i < 2; i++)
		if (off >= 4 * i + 4 &&
		    ic_load32(bytes + 4 * i, IC_HOST_IS_BIG_ENDIAN) == 0xa9bf7bf0) // stp
			*pushed = 2;
	return true;
}

bool ic_plt_code_find(const struct ic_unwind_options *options, const struct ic_image *image,
		      uint64_t pc, uint64_t addr, uint8_t *pushed)
{
	const struct ic_section *section = ic_image_stub_section(image, addr);

	if (!section)
		return false;
	switch (options->machine) {
	case IC_MACHINE_386:
	case IC_MACHINE_X86_64: return read_x86(options, section, pc, addr, pushed);
	case IC_MACHINE_AARCH64: return read_aarch64(options, section, pc, addr, pushed);
	}
	return false;
}
