#include "dwarf_builder_internal.h"

#include "dwarf_constants.h"

#include <string.h>

enum form_layout {
	LAYOUT_NONE,
	LAYOUT_FIXED,
	LAYOUT_ULEB,
	LAYOUT_SLEB,
	LAYOUT_OFFSET,
	LAYOUT_ADDR
};

struct form_row {
	uint16_t form;
	enum form_layout layout;
	uint8_t size;
};

// The forms whose value is one number.
static const struct form_row form_rows[] = {
	// clang-format off
	{ DW_FORM_addr,           LAYOUT_ADDR,   0 },
	{ DW_FORM_data1,          LAYOUT_FIXED,  1 },
	{ DW_FORM_data2,          LAYOUT_FIXED,  2 },
	{ DW_FORM_data4,          LAYOUT_FIXED,  4 },
	{ DW_FORM_data8,          LAYOUT_FIXED,  8 },
	{ DW_FORM_flag,           LAYOUT_FIXED,  1 },
	{ DW_FORM_flag_present,   LAYOUT_NONE,   0 },
	{ DW_FORM_sdata,          LAYOUT_SLEB,   0 },
	{ DW_FORM_udata,          LAYOUT_ULEB,   0 },
	{ DW_FORM_strp,           LAYOUT_OFFSET, 0 },
	{ DW_FORM_line_strp,      LAYOUT_OFFSET, 0 },
	{ DW_FORM_strp_sup,       LAYOUT_OFFSET, 0 },
	{ DW_FORM_sec_offset,     LAYOUT_OFFSET, 0 },
	{ DW_FORM_GNU_ref_alt,    LAYOUT_OFFSET, 0 },
	{ DW_FORM_GNU_strp_alt,   LAYOUT_OFFSET, 0 },
	{ DW_FORM_ref1,           LAYOUT_FIXED,  1 },
	{ DW_FORM_ref2,           LAYOUT_FIXED,  2 },
	{ DW_FORM_ref4,           LAYOUT_FIXED,  4 },
	{ DW_FORM_ref8,           LAYOUT_FIXED,  8 },
	{ DW_FORM_ref_udata,      LAYOUT_ULEB,   0 },
	{ DW_FORM_ref_sig8,       LAYOUT_FIXED,  8 },
	{ DW_FORM_ref_sup4,       LAYOUT_FIXED,  4 },
	{ DW_FORM_ref_sup8,       LAYOUT_FIXED,  8 },
	{ DW_FORM_strx,           LAYOUT_ULEB,   0 },
	{ DW_FORM_strx1,          LAYOUT_FIXED,  1 },
	{ DW_FORM_strx2,          LAYOUT_FIXED,  2 },
	{ DW_FORM_strx3,          LAYOUT_FIXED,  3 },
	{ DW_FORM_strx4,          LAYOUT_FIXED,  4 },
	{ DW_FORM_GNU_str_index,  LAYOUT_ULEB,   0 },
	{ DW_FORM_addrx,          LAYOUT_ULEB,   0 },
	{ DW_FORM_addrx1,         LAYOUT_FIXED,  1 },
	{ DW_FORM_addrx2,         LAYOUT_FIXED,  2 },
	{ DW_FORM_addrx3,         LAYOUT_FIXED,  3 },
	{ DW_FORM_addrx4,         LAYOUT_FIXED,  4 },
	{ DW_FORM_GNU_addr_index, LAYOUT_ULEB,   0 },
	{ DW_FORM_rnglistx,       LAYOUT_ULEB,   0 },
	{ DW_FORM_loclistx,       LAYOUT_ULEB,   0 },
	// clang-format on
};

static uint8_t ref_addr_size(const struct dwarf_builder *dw)
{
	return dw->format.version == 2 ? dw->format.addr_size : dw->format.offset_size;
}

static struct form_row form_find(const struct dwarf_builder *dw, uint16_t form)
{
	if (form == DW_FORM_ref_addr)
		return (struct form_row){ form, LAYOUT_FIXED, ref_addr_size(dw) };
	for (size_t i = 0; i < sizeof(form_rows) / sizeof(*form_rows); i++) {
		if (form_rows[i].form == form)
			return form_rows[i];
	}
	support_fail("form %#x is not of one number: use dw_attr() and raw writers", form);
}

void put_form_value(struct dwarf_builder *dw, uint16_t form, uint64_t value)
{
	struct form_row row = form_find(dw, form);

	switch (row.layout) {
	case LAYOUT_NONE: break;
	case LAYOUT_FIXED: dw_uint(dw, value, row.size); break;
	case LAYOUT_ULEB: dw_uleb(dw, value); break;
	case LAYOUT_SLEB: dw_sleb(dw, (int64_t)value); break;
	case LAYOUT_OFFSET: dw_offset(dw, value); break;
	case LAYOUT_ADDR: dw_address(dw, value); break;
	}
}

void dw_value(struct dwarf_builder *dw, uint16_t name, uint16_t form, uint64_t value)
{
	dw_attr(dw, name, form);
	put_form_value(dw, form, value);
}

// ---- Constants

void dw_data1(struct dwarf_builder *dw, uint16_t name, uint8_t value)
{
	dw_value(dw, name, DW_FORM_data1, value);
}

void dw_data2(struct dwarf_builder *dw, uint16_t name, uint16_t value)
{
	dw_value(dw, name, DW_FORM_data2, value);
}

void dw_data4(struct dwarf_builder *dw, uint16_t name, uint32_t value)
{
	dw_value(dw, name, DW_FORM_data4, value);
}

void dw_data8(struct dwarf_builder *dw, uint16_t name, uint64_t value)
{
	dw_value(dw, name, DW_FORM_data8, value);
}

void dw_data16(struct dwarf_builder *dw, uint16_t name, const uint8_t bytes[16])
{
	dw_attr(dw, name, DW_FORM_data16);
	dw_raw(dw, bytes, 16);
}

void dw_udata(struct dwarf_builder *dw, uint16_t name, uint64_t value)
{
	dw_value(dw, name, DW_FORM_udata, value);
}

void dw_sdata(struct dwarf_builder *dw, uint16_t name, int64_t value)
{
	dw_value(dw, name, DW_FORM_sdata, (uint64_t)value);
}

void dw_implicit_const(struct dwarf_builder *dw, uint16_t name, int64_t value)
{
	attr_declare(dw, name, DW_FORM_implicit_const, value);
}

void dw_flag(struct dwarf_builder *dw, uint16_t name, uint8_t value)
{
	dw_value(dw, name, DW_FORM_flag, value);
}

void dw_flag_present(struct dwarf_builder *dw, uint16_t name)
{
	dw_attr(dw, name, DW_FORM_flag_present);
}

// ---- Strings

void dw_string(struct dwarf_builder *dw, uint16_t name, const char *text)
{
	dw_attr(dw, name, DW_FORM_string);
	dw_text(dw, text);
}

static void put_strp(struct dwarf_builder *dw, uint16_t name, uint16_t form, const char *in,
		     const char *text)
{
	uint32_t section = section_of_unit(dw, in);

	dw_attr(dw, name, form);
	put_offset_to(dw, dw->sections[section].start, string_add(dw, section, text),
		      dw->format.offset_size);
}

void dw_strp(struct dwarf_builder *dw, uint16_t name, const char *text)
{
	put_strp(dw, name, DW_FORM_strp, ".debug_str", text);
}

void dw_line_strp(struct dwarf_builder *dw, uint16_t name, const char *text)
{
	put_strp(dw, name, DW_FORM_line_strp, ".debug_line_str", text);
}

void dw_strx_form(struct dwarf_builder *dw, uint16_t name, uint16_t form, const char *text)
{
	dw_value(dw, name, form, dw_str_index(dw, text));
}

void dw_strx(struct dwarf_builder *dw, uint16_t name, const char *text)
{
	dw_strx_form(dw, name, DW_FORM_strx, text);
}

// ---- Addresses

void dw_addr(struct dwarf_builder *dw, uint16_t name, uint64_t addr)
{
	dw_value(dw, name, DW_FORM_addr, addr);
}

void dw_addr_of(struct dwarf_builder *dw, uint16_t name, const char *target, int64_t addend)
{
	dw_attr(dw, name, DW_FORM_addr);
	dw_address_of(dw, target, addend);
}

void dw_addrx_form(struct dwarf_builder *dw, uint16_t name, uint16_t form, uint64_t addr)
{
	dw_value(dw, name, form, dw_addr_index(dw, addr));
}

void dw_addrx(struct dwarf_builder *dw, uint16_t name, uint64_t addr)
{
	dw_addrx_form(dw, name, DW_FORM_addrx, addr);
}

void dw_low_high(struct dwarf_builder *dw, uint64_t start, uint64_t end)
{
	dw_addr(dw, DW_AT_low_pc, start);
	if (dw->format.version < 4)
		dw_addr(dw, DW_AT_high_pc, end);
	else
		dw_data8(dw, DW_AT_high_pc, end - start);
}

// ---- References

static void put_ref(struct dwarf_builder *dw, uint16_t name, uint16_t form, const char *label)
{
	dw_attr(dw, name, form);
	dw_distance(dw, NULL, label, form_find(dw, form).size);
}

void dw_ref1(struct dwarf_builder *dw, uint16_t name, const char *label)
{
	put_ref(dw, name, DW_FORM_ref1, label);
}

void dw_ref2(struct dwarf_builder *dw, uint16_t name, const char *label)
{
	put_ref(dw, name, DW_FORM_ref2, label);
}

void dw_ref4(struct dwarf_builder *dw, uint16_t name, const char *label)
{
	put_ref(dw, name, DW_FORM_ref4, label);
}

void dw_ref8(struct dwarf_builder *dw, uint16_t name, const char *label)
{
	put_ref(dw, name, DW_FORM_ref8, label);
}

void dw_ref_udata(struct dwarf_builder *dw, uint16_t name, const char *label)
{
	dw_attr(dw, name, DW_FORM_ref_udata);
	put_uleb_distance(dw, label_find(dw, label));
}

void dw_ref_addr(struct dwarf_builder *dw, uint16_t name, const char *label)
{
	dw_attr(dw, name, DW_FORM_ref_addr);
	put_offset_to(dw, label_find(dw, label), 0, ref_addr_size(dw));
}

void dw_ref_sig8(struct dwarf_builder *dw, uint16_t name, uint64_t signature)
{
	dw_value(dw, name, DW_FORM_ref_sig8, signature);
}

void dw_sec_offset(struct dwarf_builder *dw, uint16_t name, const char *label)
{
	uint16_t data = dw->format.offset_size == 4 ? DW_FORM_data4 : DW_FORM_data8;

	dw_attr(dw, name, dw->format.version < 4 ? data : DW_FORM_sec_offset);
	dw_offset_to(dw, label);
}

void dw_stmt_list(struct dwarf_builder *dw, const char *label)
{
	dw_sec_offset(dw, DW_AT_stmt_list, label);
}

// ---- Blocks

static uint8_t block_length_size(uint16_t form)
{
	switch (form) {
	case DW_FORM_block1: return 1;
	case DW_FORM_block2: return 2;
	case DW_FORM_block4: return 4;
	case DW_FORM_block:
	case DW_FORM_exprloc: return 0;
	default: support_fail("form %#x is no block", form);
	}
}

void dw_block_begin(struct dwarf_builder *dw, uint16_t name, uint16_t form)
{
	dw_attr(dw, name, form);
	dw->block = (struct open_block){ .open = true,
					 .off = section_pos(dw),
					 .size = block_length_size(form) };
	dw_fill(dw, 0, dw->block.size ? dw->block.size : 1);
}

void dw_block_end(struct dwarf_builder *dw)
{
	struct open_block *block = &dw->block;
	struct byte_buffer *bytes = &section_current(dw)->bytes;

	if (!block->open)
		support_fail("dw_block_end() without a beginning");
	block->open = false;
	uint64_t size = bytes->size - block->off - (block->size ? block->size : 1);
	if (block->size) {
		byte_buffer_patch(bytes, block->off, size, block->size);
		return;
	}
	if (uleb_size(size) > 1) // one byte was kept free
		section_insert(dw, block->off + 1, uleb_size(size) - 1);
	byte_buffer_patch_uleb(bytes, block->off, size, uleb_size(size));
}

void dw_block(struct dwarf_builder *dw, uint16_t name, uint16_t form, const void *data, size_t size)
{
	dw_block_begin(dw, name, form);
	dw_raw(dw, data, size);
	dw_block_end(dw);
}

void dw_expr(struct dwarf_builder *dw, uint16_t name, const void *data, size_t size)
{
	dw_block(dw, name, dw->format.version < 4 ? DW_FORM_block1 : DW_FORM_exprloc, data, size);
}
