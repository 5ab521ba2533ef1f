// Encodings are from the Arm Architecture Reference Manual, C4.1.
#include "instructions/aarch64.h"

#include "base/bytes.h"

static bool is_packed(uint32_t word)
{
	uint32_t class = word & 0x9f000000;

	switch (word >> 24) { // SVE
	case 0x04: return (word >> 21 & 1) == 0 || (word & 0x6000) == 0;
	case 0x44:
	case 0x45:
	case 0x64:
	case 0x65: return true;
	}
	if (class == 0x0f000000) // by element, or a shift, but not a move of a constant
		return (word & 0x400) == 0 || (word & 0x00f80000) != 0;
	if (class != 0x0e000000)
		return false;
	if ((word & 0x00200000) == 0) // with an accumulator
		return (word & 0x8400) == 0x8400;
	if ((word >> 10 & 3) == 2) // of two registers
		return (word >> 17 & 31) == 16 && (word & 0xbffffc00) != 0x0e205800;
	bool is_move = (word & 0xbfe0fc00) == 0x0ea01c00 && (word >> 16 & 31) == (word >> 5 & 31);
	return !is_move;
}

void ic_aarch64_instruction_read(uint32_t word, struct ic_instruction *read)
{
	uint32_t field = word >> 5;
	uint64_t far = read->addr + 4 * ic_extend(word & 0x3ffffff, 26, true);
	uint64_t middle = read->addr + 4 * ic_extend(field & 0x7ffff, 19, true);
	uint64_t near = read->addr + 4 * ic_extend(field & 0x3fff, 14, true);

	read->kind = IC_INSTRUCTION_PLAIN;
	read->operation = (uint16_t)(word >> 21);
	read->is_move = (word & 0x0a000000) == 0x08000000 || // loads and stores
			(word & 0x7fe0ffe0) == 0x2a0003e0;   // mov
	read->is_packed = is_packed(word);
	if ((word & 0x7c000000) == 0x14000000) { // b, bl
		read->kind = word >> 31 ? IC_INSTRUCTION_CALL : IC_INSTRUCTION_JUMP;
		read->target = far;
	} else if ((word & 0xff000000) == 0x54000000) { // b.cond, bc.cond: 14 and 15 mean always
		read->kind = (word & 0xe) == 0xe ? IC_INSTRUCTION_JUMP : IC_INSTRUCTION_BRANCH;
		read->target = middle;
	} else if ((word & 0x7e000000) == 0x34000000) { // cbz, cbnz
		read->kind = IC_INSTRUCTION_BRANCH;
		read->target = middle;
	} else if ((word & 0x7e000000) == 0x36000000) { // tbz, tbnz
		read->kind = IC_INSTRUCTION_BRANCH;
		read->target = near;
	} else if ((word & 0xfe000000) == 0xd6000000) { // br, blr, ret, eret, with or without keys
		static const enum ic_instruction_kind kinds[] = { IC_INSTRUCTION_INDIRECT,
								  IC_INSTRUCTION_CALL,
								  IC_INSTRUCTION_RETURN };
		uint32_t which = word >> 21 & 7; // bit 24 selects the keys
		read->kind = (uint8_t)(which < 3 ? kinds[which] : IC_INSTRUCTION_RETURN);
	} else if (word == 0xd503201f) {
		read->kind = IC_INSTRUCTION_PADDING;
	} else if ((word & 0xffe0001f) == 0xd4200000) { // brk: 1 and 1000 are __builtin_trap()
		uint32_t number = field & 0xffff;
		read->kind = number == 1 || number == 1000 ? IC_INSTRUCTION_TRAP
							   : IC_INSTRUCTION_PLAIN;
	}
}
