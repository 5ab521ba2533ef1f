#include "parameters_fixture.h"

static void put_int(struct dwarf_builder *dw)
{
	dw_label(dw, "int");
	dw_die_begin(dw, DW_TAG_base_type);
	dw_string(dw, DW_AT_name, "int");
	dw_data1(dw, DW_AT_encoding, DW_ATE_signed);
	dw_data1(dw, DW_AT_byte_size, 4);
	dw_die_end(dw);
}

void parameters_formal(struct dwarf_builder *dw, const char *name)
{
	dw_label(dw, name);
	dw_die_begin(dw, DW_TAG_formal_parameter);
	dw_string(dw, DW_AT_name, name);
	dw_ref4(dw, DW_AT_type, "int");
	dw_die_end(dw);
}

struct dwarf_builder *parameters_begin(uint16_t version)
{
	struct dwarf_builder *dw = scan_builder(version);

	scan_unit_of(dw, "a.c", DW_LANG_C99);
	dw_low_high(dw, START, END);
	if (version >= 5)
		dw_loclists_base(dw);
	put_int(dw);
	dw_label(dw, "f");
	dw_die_begin(dw, DW_TAG_subprogram);
	dw_string(dw, DW_AT_name, "f");
	dw_data1(dw, DW_AT_inline, DW_INL_inlined);
	parameters_formal(dw, "a");
	parameters_formal(dw, "b");
	parameters_formal(dw, "c");
	dw_die_end(dw);
	return dw;
}

void parameters_begin_instance(struct dwarf_builder *dw)
{
	scan_host(dw, "main", START, END);
	dw_expr(dw, DW_AT_frame_base, DW_BYTES(DW_OP_call_frame_cfa));
	scan_inlined(dw, "f", START + 0x10, START + 0x20);
}

void parameters_begin_argument(struct dwarf_builder *dw, const char *origin)
{
	dw_die_begin(dw, DW_TAG_formal_parameter);
	dw_ref4(dw, DW_AT_abstract_origin, origin);
}

void parameters_argument(struct dwarf_builder *dw, const char *origin, const void *expression,
			 size_t size)
{
	parameters_begin_argument(dw, origin);
	if (size > 0)
		dw_expr(dw, DW_AT_location, expression, size);
	dw_die_end(dw);
}

void parameters_entry(struct dwarf_builder *dw, uint64_t start, uint64_t end, const void *bytes,
		      size_t size)
{
	dw_lle(dw, DW_LLE_start_end, start, end);
	dw_loc_expr(dw, bytes, size);
}

void parameters_end_instance(struct dwarf_builder *dw)
{
	dw_die_end(dw);
	dw_die_end(dw);
	scan_unit_done(dw);
}
