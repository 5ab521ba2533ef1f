// Instructions of call frame information (DWARF 5, 6.4.2), one by one: the common basis of printing
// and executing them.
#ifndef DWARF_FRAMES_INSTRUCTION_H
#define DWARF_FRAMES_INSTRUCTION_H

#include "dwarf/frames/entry.h"

enum {
#define CFA(name, code, first, second) DW_CFA_##name = code,
#include "dwarf/frames/ops.def"
#undef CFA
};

enum ic_cfi_operand {
	IC_CFI_NONE,
	IC_CFI_REG_IN_CODE,
	IC_CFI_DELTA_IN_CODE, // deltas are multiples of the code alignment factor
	IC_CFI_DELTA8,
	IC_CFI_DELTA16,
	IC_CFI_DELTA32,
	IC_CFI_DELTA64,
	IC_CFI_SIGNED_DELTA,
	IC_CFI_ADDR,            // in the CIE's encoding
	IC_CFI_REG,             // ULEB128
	IC_CFI_NUMBER,          // ULEB128
	IC_CFI_OFFSET,          // ULEB128
	IC_CFI_FACTORED,        // ULEB128, a multiple of the data alignment factor
	IC_CFI_SIGNED_FACTORED, // SLEB128, a multiple of the data alignment factor
	IC_CFI_NEGATED,         // ULEB128, the same with the opposite sign
	IC_CFI_OFFSET_IN_SPACE, // ULEB128, and the number of an address space
	IC_CFI_FACTORED_IN_SPACE,
	IC_CFI_EXPRESSION, // ULEB128 length, and bytes
};

struct ic_cfi_instruction_info {
	const char *name;      // without DW_CFA_; NULL if the code is unknown
	uint8_t first, second; // enum ic_cfi_operand
};

struct ic_cfi_instruction {
	uint8_t code; // DW_CFA_*; without an operand encoded in it
	uint64_t off; // in the section
	// Operands: in bytes, with the factors applied; signed ones in two's complement; the size
	// for an expression.
	uint64_t first, second;
	uint64_t space;       // for an offset in an address space
	const uint8_t *bytes; // for an expression
};

// The properties of the instruction with a code; 0x40, 0x80 and 0xc0 stand for their groups.
const struct ic_cfi_instruction_info *ic_cfi_instruction_info(uint8_t code);

// Its name without DW_CFA_; for some it depends on the machine.
const char *ic_cfi_instruction_name(uint8_t code, uint16_t machine);

// Gets the next instruction. False at the end, and at an error: an unknown instruction, or
// truncated operands.
bool ic_cfi_instruction_next(struct ic_cursor *cur, const struct ic_cfi_section *section,
			     const struct ic_cie *cie, struct ic_cfi_instruction *instruction);

// Whether it starts a new row; *addr, the start of the previous row, is then updated.
bool ic_cfi_instruction_advances(const struct ic_cfi_instruction *instruction, uint64_t *addr);

#endif
