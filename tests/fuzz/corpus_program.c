// A program that has a little of everything.
#include "corpus.h"
#include "dwarf_constants.h"

static void write_lines(struct dwarf_builder *dw, uint16_t version)
{
	static const char *const old_dirs[] = { "include", "/usr/include", NULL };
	static const char *const new_dirs[] = { "/src", "include", "/usr/include", NULL };
	static const struct dw_line_file old_files[] = {
		{ .path = "a.c" }, { .path = "b.h", .dir = 1 }, { .path = "c.h", .dir = 2 }, { 0 }
	};
	static const struct dw_line_file new_files[] = {
		{ .path = "a.c" }, { .path = "b.h", .dir = 1 }, { .path = "c.h", .dir = 2 }, { 0 }
	};
	static const struct dw_line_content contents[] = {
		{ DW_LNCT_path, DW_FORM_line_strp },
		{ DW_LNCT_directory_index, DW_FORM_udata },
		{ DW_LNCT_MD5, DW_FORM_data16 },
		{ 0, 0 },
	};
	struct dw_line_header header = dw_line_header_default(dw);

	header.dirs = version < 5 ? old_dirs : new_dirs;
	header.files = version < 5 ? old_files : new_files;
	if (version >= 5)
		header.file_contents = contents;
	dw_line_begin(dw, "lines", &header);
	dw_line_address(dw, 0x1000);
	dw_line_row(dw, 0, 3);
	dw_line_end_sequence(dw, 0x100);
	dw_line_end(dw);
}

// The declaration of a member function, and its abstract instance outside of the class.
static void write_scopes(struct dwarf_builder *dw)
{
	dw_die_begin(dw, DW_TAG_namespace);
	dw_strp(dw, DW_AT_name, "space");
	dw_die_begin(dw, DW_TAG_class_type);
	dw_string(dw, DW_AT_name, "box");
	dw_label(dw, "get.declaration");
	dw_die_begin(dw, DW_TAG_subprogram);
	dw_flag(dw, DW_AT_external, 1);
	dw_strp(dw, DW_AT_name, "get");
	dw_string(dw, DW_AT_linkage_name, "_ZN5space3box3getEv");
	dw_data1(dw, DW_AT_decl_file, 2);
	dw_data2(dw, DW_AT_decl_line, 300);
	dw_die_end(dw);
	dw_die_end(dw);
	dw_die_end(dw);

	dw_label(dw, "get");
	dw_die_begin(dw, DW_TAG_subprogram);
	dw_ref4(dw, DW_AT_specification, "get.declaration");
	dw_data1(dw, DW_AT_inline, DW_INL_declared_inlined);
	dw_die_end(dw);
}

static void write_abstract(struct dwarf_builder *dw, const char *name, uint64_t line)
{
	dw_label(dw, name);
	dw_die_begin(dw, DW_TAG_subprogram);
	dw_strp(dw, DW_AT_name, name);
	dw_data1(dw, DW_AT_decl_file, 1);
	dw_udata(dw, DW_AT_decl_line, line);
	dw_data1(dw, DW_AT_inline, DW_INL_inlined);
	dw_die_begin(dw, DW_TAG_formal_parameter);
	dw_string(dw, DW_AT_name, "x");
	dw_sdata(dw, DW_AT_const_value, -5);
	dw_die_end(dw);
	dw_die_end(dw);
}

static void begin_inlined(struct dwarf_builder *dw, const char *origin, uint8_t line)
{
	dw_die_begin(dw, DW_TAG_inlined_subroutine);
	dw_ref4(dw, DW_AT_abstract_origin, origin);
	dw_data1(dw, DW_AT_call_file, 1);
	dw_data1(dw, DW_AT_call_line, line);
	dw_data1(dw, DW_AT_call_column, 9);
}

static void write_call(struct dwarf_builder *dw, uint16_t version)
{
	dw_die_begin(dw, version >= 5 ? DW_TAG_call_site : DW_TAG_GNU_call_site);
	dw_addr(dw, version >= 5 ? DW_AT_call_return_pc : DW_AT_low_pc, 0x1085);
	dw_ref4(dw, version >= 5 ? DW_AT_call_origin : DW_AT_abstract_origin, "leaf");
	if (version >= 4)
		dw_flag_present(dw, version >= 5 ? DW_AT_call_tail_call : DW_AT_GNU_tail_call);
	dw_die_end(dw);
}

static void write_host(struct dwarf_builder *dw, uint16_t version)
{
	dw_label(dw, "main");
	dw_die_begin(dw, DW_TAG_subprogram);
	dw_flag(dw, DW_AT_external, 1);
	dw_strp(dw, DW_AT_name, "main");
	dw_data1(dw, DW_AT_decl_file, 1);
	dw_data1(dw, DW_AT_decl_line, 40);
	dw_low_high(dw, 0x1000, 0x1100);
	dw_expr(dw, DW_AT_frame_base, DW_BYTES(DW_OP_call_frame_cfa));
	dw_sibling(dw);

	begin_inlined(dw, "middle", 41);
	dw_ranges(dw, DW_RANGES({ 0x1010, 0x1020 }, { 0x1040, 0x1050 }));
	begin_inlined(dw, "leaf", 20);
	dw_low_high(dw, 0x1014, 0x1018);
	dw_addr(dw, DW_AT_entry_pc, 0x1014);
	dw_die_end(dw);
	dw_die_end(dw);

	dw_die_begin(dw, DW_TAG_lexical_block);
	dw_low_high(dw, 0x1060, 0x10a0);
	begin_inlined(dw, "get", 44);
	dw_low_high(dw, 0x1060, 0x1070);
	dw_die_end(dw);
	write_call(dw, version);
	dw_die_end(dw);
	dw_die_end(dw);

	dw_die_begin(dw, DW_TAG_subprogram); // leaf, out of line
	dw_ref4(dw, DW_AT_abstract_origin, "leaf");
	dw_low_high(dw, 0x1100, 0x1110);
	dw_die_end(dw);
}

static void write_first_unit(struct dwarf_builder *dw, uint16_t version)
{
	dw_unit_begin_with(dw, (struct dw_unit){ .type = DW_UT_compile,
						 .label = "first.unit",
						 .abbrevs = "shared" });
	dw_die_begin(dw, DW_TAG_compile_unit);
	dw_strp(dw, DW_AT_name, "a.c");
	dw_string(dw, DW_AT_comp_dir, "/src");
	dw_data1(dw, DW_AT_language, DW_LANG_C_plus_plus);
	dw_low_high(dw, 0x1000, 0x1110);
	dw_stmt_list(dw, "lines");
	write_scopes(dw);
	write_abstract(dw, "leaf", 10);
	write_abstract(dw, "middle", 200);
	write_host(dw, version);
	dw_die_end(dw);
	dw_unit_end(dw);
}

// A list of DWARF 5 with an entry of each kind.
static void write_all_entries(struct dwarf_builder *dw)
{
	uint64_t start = dw_addr_index(dw, 0x2000), end = dw_addr_index(dw, 0x2010);

	dw_range_list_begin(dw, "all");
	dw_rle(dw, DW_RLE_startx_endx, start, end);
	dw_rle(dw, DW_RLE_startx_length, end, 8);
	dw_rle(dw, DW_RLE_base_addressx, start, 0);
	dw_rle(dw, DW_RLE_offset_pair, 0x20, 0x28);
	dw_rle(dw, DW_RLE_base_address, 0x2040, 0);
	dw_rle(dw, DW_RLE_offset_pair, 0, 8);
	dw_rle(dw, DW_RLE_start_end, 0x2050, 0x2058);
	dw_rle(dw, DW_RLE_start_length, 0x2060, 8);
	dw_rle(dw, DW_RLE_end_of_list, 0, 0);
	dw_range_list_end(dw);
}

static void write_all_pairs(struct dwarf_builder *dw)
{
	dw_range_list_begin(dw, "all");
	dw_range_pair(dw, 0x10, 0x20);
	dw_range_base(dw, 0x2040);
	dw_range_pair(dw, 0, 8);
	dw_range_pair(dw, 8, 8);
	dw_range_base(dw, 0);
	dw_range_addrs(dw, 0x2060, 0x2070);
	dw_range_pair(dw, 0, 0);
	dw_range_list_end(dw);
}

// A unit of the other kind: in C, with indexed forms in DWARF 5.
static void write_second_unit(struct dwarf_builder *dw, uint16_t version)
{
	dw_unit_begin_with(dw, (struct dw_unit){ .type = DW_UT_compile, .abbrevs = "shared" });
	dw_die_begin(dw, DW_TAG_compile_unit);
	if (version >= 5) {
		dw_str_offsets_base(dw);
		dw_addr_base(dw);
		dw_rnglists_base(dw);
		dw_strx(dw, DW_AT_name, "b.c");
		dw_addrx(dw, DW_AT_low_pc, 0x2000);
		dw_data4(dw, DW_AT_high_pc, 0x100);
		dw_line_strp(dw, DW_AT_comp_dir, "/src");
	} else {
		dw_strp(dw, DW_AT_name, "b.c");
		dw_low_high(dw, 0x2000, 0x2100);
	}
	dw_data1(dw, DW_AT_language, DW_LANG_C99);
	dw_stmt_list(dw, "lines");

	dw_die_begin(dw, DW_TAG_subprogram);
	dw_string(dw, DW_AT_name, "other");
	dw_low_high(dw, 0x2000, 0x2100);
	dw_die_begin(dw, DW_TAG_inlined_subroutine);
	dw_ref_addr(dw, DW_AT_abstract_origin, "middle"); // in the first unit
	if (version >= 5)
		write_all_entries(dw);
	else
		write_all_pairs(dw);
	dw_sec_offset(dw, DW_AT_ranges, "all");
	dw_udata(dw, DW_AT_call_line, 1000);
	dw_die_end(dw);
	if (version >= 5) {
		dw_die_begin(dw, DW_TAG_inlined_subroutine);
		dw_ref_addr(dw, DW_AT_abstract_origin, "get");
		dw_rangesx(dw, DW_RANGES({ 0x2080, 0x2088 }, { 0x2090, 0x2098 }));
		dw_implicit_const(dw, DW_AT_call_file, 1);
		dw_data1(dw, DW_AT_entry_pc, 4);
		dw_die_end(dw);
	}
	dw_die_end(dw);
	dw_die_end(dw);
	dw_unit_end(dw);
}

struct dwarf_builder *corpus_program(struct dwarf_format format, const char *addr_target)
{
	struct dwarf_builder *dw = dwarf_builder_new(format);

	dw_addr_target(dw, addr_target);
	write_lines(dw, format.version);
	write_first_unit(dw, format.version);
	write_second_unit(dw, format.version);
	dw_aranges(dw, "first.unit", DW_RANGES({ 0x1000, 0x1110 }));
	return dw;
}
