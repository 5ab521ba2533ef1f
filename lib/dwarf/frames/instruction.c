#include "dwarf/frames/instruction.h"

#include "base/machine.h"

static const struct ic_cfi_instruction_info table[UINT8_MAX + 1] = {
#define CFA(text, code, one, two) [code] = { #text, IC_CFI_##one, IC_CFI_##two },
#include "dwarf/frames/ops.def"
#undef CFA
};

enum {
	IN_CODE = 0x3f, // operand bits of the opcode, if one of its other bits is set
};

const struct ic_cfi_instruction_info *ic_cfi_instruction_info(uint8_t code)
{
	return &table[code];
}

const char *ic_cfi_instruction_name(uint8_t code, uint16_t machine)
{
	if (code == DW_CFA_GNU_window_save && machine == IC_MACHINE_AARCH64)
		return "AARCH64_negate_ra_state";
	return table[code].name;
}

// Products wrap as addresses do.
static uint64_t factored_offset(uint64_t number, const struct ic_cie *cie)
{
	return number * (uint64_t)cie->data_align;
}

static uint64_t read_address(struct ic_cursor *cur, const struct ic_cfi_section *section,
			     const struct ic_cie *cie)
{
	struct ic_pointer_bases bases = { .section_addr = section->addr,
					  .text_addr = section->text_addr,
					  .data_addr = section->data_addr,
					  .addr_size = cie->addr_size };

	return ic_pointer_read(cur, cie->pointer_encoding, &bases).value;
}

static uint64_t read_operand(struct ic_cursor *cur, const struct ic_cfi_section *section,
			     const struct ic_cie *cie, uint8_t operand, uint8_t code,
			     struct ic_cfi_instruction *instruction)
{
	switch ((enum ic_cfi_operand)operand) {
	case IC_CFI_NONE: return 0;
	case IC_CFI_REG_IN_CODE: return code & IN_CODE;
	case IC_CFI_DELTA_IN_CODE: return (code & IN_CODE) * cie->code_align;
	case IC_CFI_DELTA8: return ic_cursor_u8(cur) * cie->code_align;
	case IC_CFI_DELTA16: return ic_cursor_u16(cur) * cie->code_align;
	case IC_CFI_DELTA32: return ic_cursor_u32(cur) * cie->code_align;
	case IC_CFI_DELTA64: return ic_cursor_u64(cur) * cie->code_align;
	case IC_CFI_SIGNED_DELTA: return (uint64_t)ic_cursor_sleb(cur) * cie->code_align;
	case IC_CFI_ADDR: return read_address(cur, section, cie);
	case IC_CFI_REG:
	case IC_CFI_NUMBER:
	case IC_CFI_OFFSET: return ic_cursor_uleb(cur);
	case IC_CFI_FACTORED: return factored_offset(ic_cursor_uleb(cur), cie);
	case IC_CFI_SIGNED_FACTORED: return factored_offset((uint64_t)ic_cursor_sleb(cur), cie);
	case IC_CFI_NEGATED: return -factored_offset(ic_cursor_uleb(cur), cie);
	case IC_CFI_OFFSET_IN_SPACE:
	case IC_CFI_FACTORED_IN_SPACE: {
		uint64_t offset = operand == IC_CFI_OFFSET_IN_SPACE
					  ? ic_cursor_uleb(cur)
					  : factored_offset((uint64_t)ic_cursor_sleb(cur), cie);

		instruction->space = ic_cursor_uleb(cur);
		return offset;
	}
	case IC_CFI_EXPRESSION: {
		uint64_t size = ic_cursor_uleb(cur);

		instruction->bytes = ic_cursor_take(cur, size);
		return instruction->bytes ? size : 0;
	}
	}
	return 0;
}

bool ic_cfi_instruction_next(struct ic_cursor *cur, const struct ic_cfi_section *section,
			     const struct ic_cie *cie, struct ic_cfi_instruction *instruction)
{
	if (!ic_cursor_more(cur))
		return false;
	uint8_t byte = *cur->pos, group = byte & (uint8_t)~IN_CODE;

	instruction->off = ic_cursor_off(cur);
	instruction->code = group ? group : byte;
	const struct ic_cfi_instruction_info *info = &table[instruction->code];
	if (!info->name) {
		ic_cursor_fault(cur, "unknown instruction");
		return false;
	}
	cur->pos++;
	instruction->space = 0;
	instruction->bytes = NULL;
	instruction->first = read_operand(cur, section, cie, info->first, byte, instruction);
	instruction->second = 0;
	if (info->second != IC_CFI_NONE)
		instruction->second =
			read_operand(cur, section, cie, info->second, byte, instruction);
	return !cur->fault;
}

bool ic_cfi_instruction_advances(const struct ic_cfi_instruction *instruction, uint64_t *addr)
{
	switch (instruction->code) {
	case DW_CFA_advance_loc:
	case DW_CFA_advance_loc1:
	case DW_CFA_advance_loc2:
	case DW_CFA_advance_loc4:
	case DW_CFA_MIPS_advance_loc8: *addr += instruction->first; return true;
	case DW_CFA_set_loc: *addr = instruction->first; return true;
	}
	return false;
}
