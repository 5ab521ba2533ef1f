#include "dwarf/units/pointer.h"

bool ic_pointer_is_known(uint8_t encoding)
{
	uint8_t format = encoding & IC_POINTER_FORMAT;

	if (encoding == DW_EH_PE_omit)
		return true;
	return format != 5 && format != 6 && format != 7 && format <= DW_EH_PE_sdata8 &&
	       (encoding & IC_POINTER_BASE) <= DW_EH_PE_aligned;
}

static uint64_t read_signed_address(struct ic_cursor *cur, uint8_t addr_size)
{
	uint64_t value = ic_cursor_uint(cur, addr_size);

	return addr_size == 4 ? (uint64_t)(int32_t)value : value;
}

uint64_t ic_pointer_read_number(struct ic_cursor *cur, uint8_t encoding, uint8_t addr_size)
{
	switch (encoding & IC_POINTER_FORMAT) {
	case DW_EH_PE_absptr: return ic_cursor_uint(cur, addr_size);
	case DW_EH_PE_uleb128: return ic_cursor_uleb(cur);
	case DW_EH_PE_udata2: return ic_cursor_u16(cur);
	case DW_EH_PE_udata4: return ic_cursor_u32(cur);
	case DW_EH_PE_udata8:
	case DW_EH_PE_sdata8: return ic_cursor_u64(cur);
	case DW_EH_PE_signed: return read_signed_address(cur, addr_size);
	case DW_EH_PE_sleb128: return (uint64_t)ic_cursor_sleb(cur);
	case DW_EH_PE_sdata2: return (uint64_t)(int16_t)ic_cursor_u16(cur);
	case DW_EH_PE_sdata4: return (uint64_t)(int32_t)ic_cursor_u32(cur);
	}
	ic_cursor_fault(cur, "unknown pointer encoding");
	return 0;
}

static void skip_padding(struct ic_cursor *cur, const struct ic_pointer_bases *bases)
{
	uint64_t addr = bases->section_addr + ic_cursor_off(cur);

	ic_cursor_take(cur, -addr % bases->addr_size);
}

struct ic_pointer ic_pointer_read(struct ic_cursor *cur, uint8_t encoding,
				  const struct ic_pointer_bases *bases)
{
	struct ic_pointer pointer = { .is_null = true };
	uint64_t base = 0;

	if (encoding == DW_EH_PE_omit)
		return pointer;
	if ((encoding & IC_POINTER_BASE) == DW_EH_PE_aligned)
		skip_padding(cur, bases);
	switch (encoding & IC_POINTER_BASE) {
	case 0:
	case DW_EH_PE_aligned: break;
	case DW_EH_PE_pcrel: base = bases->section_addr + ic_cursor_off(cur); break;
	case DW_EH_PE_textrel: base = bases->text_addr; break;
	case DW_EH_PE_datarel: base = bases->data_addr; break;
	case DW_EH_PE_funcrel: base = bases->function_addr; break;
	default: ic_cursor_fault(cur, "unknown pointer base");
	}
	pointer.value = ic_pointer_read_number(cur, encoding, bases->addr_size);
	pointer.is_null = pointer.value == 0;
	pointer.value += base;
	if (bases->addr_size == 4)
		pointer.value = (uint32_t)pointer.value;
	pointer.is_indirect = (encoding & DW_EH_PE_indirect) != 0;
	return pointer;
}
