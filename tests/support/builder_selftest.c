// The builders against bytes that were worked out by hand. With a directory as its argument, it
// also writes there one ELF file for each format, to be looked at with readelf and llvm-dwarfdump.
#include "dwarf_builder.h"
#include "elf_builder.h"

#include "dwarf_constants.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Not assert(): it goes away with NDEBUG.
#define CHECK(condition)                                                                   \
	do {                                                                               \
		if (!(condition))                                                          \
			support_fail("%s:%d: not so: %s", __FILE__, __LINE__, #condition); \
	} while (0)

static void check_bytes(struct bytes got, const void *data, size_t size, const char *what)
{
	if (got.size == size && !memcmp(got.data, data, size))
		return;
	fprintf(stderr, "%s:", what);
	for (size_t i = 0; i < got.size; i++)
		fprintf(stderr, " %02x", got.data[i]);
	support_fail("\nnot the bytes that were wanted, of %s", what);
}

static void dwarf_2_is_written_as_by_hand(void)
{
	struct dwarf_builder *dw = dwarf_builder_new(
		(struct dwarf_format){ .version = 2, .offset_size = 4, .addr_size = 4 });

	dw_unit_begin(dw, DW_UT_compile);
	dw_die_begin(dw, DW_TAG_compile_unit);
	dw_string(dw, DW_AT_name, "a");
	dw_addr(dw, DW_AT_low_pc, 0x1234);
	dw_die_begin(dw, DW_TAG_inlined_subroutine);
	dw_ref1(dw, DW_AT_abstract_origin, "leaf");
	dw_ref_addr(dw, DW_AT_abstract_origin, "leaf");
	dw_die_end(dw);
	dw_label(dw, "leaf");
	dw_die_begin(dw, DW_TAG_subprogram);
	dw_die_end(dw);
	dw_die_end(dw);
	dw_unit_end(dw);

	check_bytes(dw_section(dw, ".debug_info"),
		    DW_BYTES(0x16, 0, 0, 0, 2, 0, 0, 0, 0, 0, 4, // header
			     1, 'a', 0, 0x34, 0x12, 0, 0,        // compile_unit
			     2, 0x18, 0x18, 0, 0, 0,             // inlined_subroutine
			     3, 0),                              // leaf, end of children
		    "DWARF 2 .debug_info");
	check_bytes(dw_section(dw, ".debug_abbrev"),
		    DW_BYTES(1, 0x11, 1, 0x03, 0x08, 0x11, 0x01, 0, 0, //
			     2, 0x1d, 0, 0x31, 0x11, 0x31, 0x10, 0, 0, //
			     3, 0x2e, 0, 0, 0, 0),
		    "DWARF 2 .debug_abbrev");
	dwarf_builder_free(dw);
}

static void sets_of_addresses_are_written_as_by_hand(void)
{
	struct dwarf_builder *dw = dwarf_builder_new(
		(struct dwarf_format){ .version = 4, .offset_size = 4, .addr_size = 8 });

	dw_unit_begin_with(dw, (struct dw_unit){ .type = DW_UT_compile });
	dw_unit_end(dw);
	dw_unit_begin_with(dw, (struct dw_unit){ .type = DW_UT_compile, .label = "second" });
	dw_unit_end(dw);
	dw_aranges(dw, "second", DW_RANGES({ 0x1000, 0x1008 }));
	check_bytes(dw_section(dw, ".debug_aranges"),
		    DW_BYTES(0x2c, 0, 0, 0, 2, 0, 11, 0, 0, 0, 8, 0, 0, 0, 0, 0, // header, padded
			     0, 0x10, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0,  //
			     0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
		    ".debug_aranges");
	dwarf_builder_free(dw);
}

static void dwarf_5_in_64_bits_and_big_endian_is_written_as_by_hand(void)
{
	struct dwarf_builder *dw = dwarf_builder_new((struct dwarf_format){
		.version = 5, .offset_size = 8, .addr_size = 8, .big_endian = true });

	dw_unit_begin_with(dw, (struct dw_unit){ .type = DW_UT_skeleton, .id = 0x0102 });
	dw_die_begin(dw, DW_TAG_skeleton_unit);
	dw_strx_form(dw, DW_AT_name, DW_FORM_strx3, "x");
	dw_die_end(dw);
	dw_unit_end(dw);

	check_bytes(dw_section(dw, ".debug_info"),
		    DW_BYTES(0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0, 0, 0, 0, 24, 0, 5, 4, 8, //
			     0, 0, 0, 0, 0, 0, 0, 0,                                      // abbrev
			     0, 0, 0, 0, 0, 0, 1, 2, 1, 0, 0, 0),
		    "DWARF 5 .debug_info");
	check_bytes(dw_section(dw, ".debug_str_offsets"),
		    DW_BYTES(0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0, 0, 0, 0, 12, 0, 5, 0, 0, //
			     0, 0, 0, 0, 0, 0, 0, 0),
		    "DWARF 5 .debug_str_offsets");
	dwarf_builder_free(dw);
}

static struct dwarf_builder *builder(uint16_t version)
{
	return dwarf_builder_new(
		(struct dwarf_format){ .version = version, .offset_size = 4, .addr_size = 8 });
}

static void a_long_code_moves_what_comes_after_it(void)
{
	struct dwarf_builder *dw = builder(4);

	dw_unit_begin(dw, DW_UT_compile);
	dw_die_begin(dw, DW_TAG_compile_unit);
	dw_die_code(dw, 300);
	dw_ref4(dw, DW_AT_sibling, "child");
	dw_label(dw, "child");
	dw_die_begin(dw, DW_TAG_subprogram);
	dw_sibling(dw);
	dw_implicit_const(dw, DW_AT_inline, -1);
	dw_indirect(dw);
	dw_udata(dw, DW_AT_decl_line, 200);
	dw_die_end(dw);
	dw_die_end(dw);
	dw_unit_end(dw);

	check_bytes(dw_section(dw, ".debug_info"),
		    DW_BYTES(0x17, 0, 0, 0, 4, 0, 0, 0, 0, 0, 8, 0xac, 2, 0x11, 0, 0, 0, //
			     0xad, 2, 0x1a, 0, 0, 0, 0x0f, 0xc8, 1, 0),
		    "sparse codes");
	CHECK(dw_label_off(dw, "child") == 0x11);
	dwarf_builder_free(dw);
}

static void strings_share_their_tails_when_asked(void)
{
	struct dwarf_builder *dw = builder(4);

	CHECK(dw_str_off(dw, ".debug_str", "__kmalloc") == 0);
	CHECK(dw_str_off(dw, ".debug_str", "kmalloc") == 10);
	dw_string_sharing(dw, DW_STRINGS_TAILS);
	CHECK(dw_str_off(dw, ".debug_str", "malloc") == 3);
	CHECK(dw_str_off(dw, ".debug_str", "kmall") == 18);
	dw_string_sharing(dw, DW_STRINGS_APART);
	CHECK(dw_str_off(dw, ".debug_str", "kmalloc") == 24);
	dwarf_builder_free(dw);
}

static void lists_have_headers_and_offsets(void)
{
	struct dwarf_builder *dw = builder(5);

	dw_unit_begin(dw, DW_UT_compile);
	dw_die_begin(dw, DW_TAG_compile_unit);
	dw_rnglists_base(dw);
	dw_rangesx(dw, DW_RANGES({ 0x10, 0x20 }));
	CHECK(dw_range_list_begin(dw, "second") == 1);
	dw_rle(dw, DW_RLE_base_addressx, dw_addr_index(dw, 0x1000), 0);
	dw_rle(dw, DW_RLE_offset_pair, 1, 0x80);
	dw_rle(dw, DW_RLE_end_of_list, 0, 0);
	dw_range_list_end(dw);
	dw_sec_offset(dw, DW_AT_ranges, "second");
	dw_die_end(dw);
	dw_unit_end(dw);

	check_bytes(dw_section(dw, ".debug_rnglists"),
		    DW_BYTES(0x22, 0, 0, 0, 5, 0, 8, 0, 2, 0, 0, 0, // header
			     8, 0, 0, 0, 0x13, 0, 0, 0,             // offsets, from their start
			     7, 0x10, 0, 0, 0, 0, 0, 0, 0, 0x10, 0, // start_length
			     1, 0, 4, 1, 0x80, 1, 0),
		    ".debug_rnglists");
	CHECK(dw_label_off(dw, "second") == 0x1f);
	check_bytes(dw_section(dw, ".debug_addr"),
		    DW_BYTES(12, 0, 0, 0, 5, 0, 8, 0, 0, 0x10, 0, 0, 0, 0, 0, 0), ".debug_addr");
	dwarf_builder_free(dw);
}

static void a_line_table_counts_its_lengths(void)
{
	struct dwarf_builder *dw = builder(4);
	struct dw_line_header header = dw_line_header_default(dw);

	header.version = 2;
	header.files = (struct dw_line_file[]){ { .path = "a.c" }, { .path = NULL } };
	dw_line_begin(dw, "lines", &header);
	dw_line_end(dw);
	check_bytes(dw_section(dw, ".debug_line"),
		    DW_BYTES(32, 0, 0, 0, 2, 0, 26, 0, 0, 0, 1, 1, 0xfb, 14, 13, //
			     0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1, 0, 'a', '.', 'c', 0, 0, 0, 0, 0),
		    ".debug_line");
	dwarf_builder_free(dw);
}

static void relocations_take_the_values_with_them(void)
{
	for (int rel = 0; rel <= 1; rel++) {
		struct dwarf_builder *dw = dwarf_builder_new((struct dwarf_format){
			.version = 5,
			.offset_size = 4,
			.addr_size = 8,
			.relocs = rel ? DWARF_RELOCS_REL : DWARF_RELOCS_RELA });
		size_t count;

		dw_addr_target(dw, ".text");
		dw_str_off(dw, ".debug_str", "first");
		dw_unit_begin(dw, DW_UT_compile);
		dw_die_begin(dw, DW_TAG_compile_unit);
		dw_strp(dw, DW_AT_name, "a.c");
		dw_addr(dw, DW_AT_low_pc, 0x40);
		dw_die_end(dw);
		dw_unit_end(dw);

		const struct section_reloc *relocs = dw_relocs(dw, ".debug_info", &count);
		CHECK(count == 3); // the first is of the abbreviations
		CHECK(relocs[1].off == 13 && relocs[1].size == 4 && relocs[1].addend == 6);
		CHECK(!strcmp(relocs[1].target, ".debug_str"));
		CHECK(relocs[2].off == 17 && relocs[2].size == 8 && relocs[2].addend == 0x40);
		CHECK(!strcmp(relocs[2].target, ".text"));
		struct bytes info = dw_section(dw, ".debug_info");
		CHECK(info.data[13] == (rel ? 6 : 0) && info.data[17] == (rel ? 0x40 : 0));
		dwarf_builder_free(dw);
	}
}

static void malformed_input_can_be_written(void)
{
	struct dwarf_builder *dw = builder(5);

	dw_section_begin(dw, ".debug_abbrev");
	dw_fill(dw, 0, 2);
	dw_label(dw, "abbrevs");
	dw_abbrev_begin(dw, 0x90, DW_TAG_compile_unit, 7);
	dw_abbrev_attr(dw, DW_AT_name, 0x7777);
	dw_abbrev_end(dw);
	dw_section_end(dw);
	dw_unit_begin_with(dw, (struct dw_unit){ .type = DW_UT_partial,
						 .abbrevs = "abbrevs",
						 .abbrevs_by_hand = true,
						 .bad_length = DW_BAD(0xfffffff0),
						 .bad_version = DW_BAD(9),
						 .bad_addr_size = DW_BAD(3) });
	dw_die_begin(dw, DW_TAG_compile_unit);
	dw_die_code(dw, 0x90);
	dw_attr(dw, DW_AT_name, 0x7777);
	dw_uleb_padded(dw, 1, 3);
	dw_value(dw, DW_AT_abstract_origin, DW_FORM_ref2, 0xffff);
	dw_die_end_unterminated(dw);
	dw_unit_end(dw);

	check_bytes(dw_section(dw, ".debug_info"),
		    DW_BYTES(0xf0, 0xff, 0xff, 0xff, 9, 0, 3, 3, 2, 0, 0, 0, //
			     0x90, 1, 0x81, 0x80, 0, 0xff, 0xff),
		    "malformed .debug_info");
	check_bytes(dw_section(dw, ".debug_abbrev"),
		    DW_BYTES(0, 0, 0x90, 1, 0x11, 7, 3, 0xf7, 0xee, 1, 0, 0),
		    "hand-written .debug_abbrev");
	dwarf_builder_free(dw);
}

// A block that holds labels and addresses, and grows past what one byte of length can say.
static void a_block_counts_its_bytes(void)
{
	struct dwarf_builder *dw = builder(4);

	dw_unit_begin(dw, DW_UT_compile);
	dw_die_begin(dw, DW_TAG_compile_unit);
	dw_block_begin(dw, DW_AT_location, DW_FORM_exprloc);
	dw_u8(dw, DW_OP_addr);
	dw_address(dw, 0x1234);
	dw_fill(dw, DW_OP_nop, 120);
	dw_u8(dw, DW_OP_call4);
	dw_label(dw, "operand");
	dw_distance(dw, NULL, "operand", 4);
	dw_block_end(dw);
	dw_die_end(dw);
	dw_unit_end(dw);

	struct bytes info = dw_section(dw, ".debug_info");
	CHECK(info.size == 11 + 1 + 2 + 9 + 120 + 5);
	CHECK(info.data[12] == 0x86 && info.data[13] == 1 && info.data[14] == DW_OP_addr);
	CHECK(dw_label_off(dw, "operand") == info.size - 4 && info.data[info.size - 4] == 144);
	dwarf_builder_free(dw);
}

static void write_split(struct dwarf_builder *dw)
{
	dw_unit_begin_with(dw, (struct dw_unit){ .type = DW_UT_skeleton, .id = 0x77 });
	dw_die_begin(dw, DW_TAG_skeleton_unit);
	dw_string(dw, DW_AT_dwo_name, "a.dwo");
	dw_sec_offset(dw, DW_AT_addr_base, "addrs");
	dw_die_end(dw);
	dw_unit_end(dw);

	dw_unit_begin_with(dw, (struct dw_unit){ .type = DW_UT_split_compile,
						 .id = 0x77,
						 .dwo = true,
						 .addr_label = "addrs" });
	dw_die_begin(dw, DW_TAG_compile_unit);
	dw_strx(dw, DW_AT_name, "a.c");
	dw_addrx(dw, DW_AT_low_pc, 0x1000);
	dw_rangesx(dw, DW_RANGES({ 0x1000, 0x1010 }));
	dw_die_end(dw);
	dw_unit_end(dw);
}

static void a_split_unit_goes_to_its_own_sections(void)
{
	struct dwarf_builder *dw = dwarf_builder_new((struct dwarf_format){
		.version = 5, .offset_size = 4, .addr_size = 8, .relocs = DWARF_RELOCS_RELA });
	size_t count;

	write_split(dw);
	CHECK(dw_label_off(dw, "addrs") == 8);
	CHECK(dw_section(dw, ".debug_addr").size == 16 && dw_section(dw, ".debug_str").size == 0);
	CHECK(dw_section(dw, ".debug_str.dwo").size == 4);
	CHECK(dw_section(dw, ".debug_str_offsets.dwo").size == 12);
	CHECK(dw_section(dw, ".debug_rnglists.dwo").size == 12 + 4 + 11);
	CHECK(dw_section(dw, ".debug_info.dwo").size == 20 + 1 + 1 + 1 + 1);
	dw_relocs(dw, ".debug_info.dwo", &count);
	CHECK(count == 0); // never linked
	dwarf_builder_free(dw);
}

// ---- Files for other tools to read

struct variant {
	const char *name;
	struct dwarf_format dwarf;
	struct elf_format elf;
	enum elf_compression compression;
	bool type_unit;
};

static void write_lines(struct dwarf_builder *dw, uint16_t version)
{
	struct dw_line_header header = dw_line_header_default(dw);
	const char *old_dirs[] = { "include", NULL };
	const char *new_dirs[] = { "/src", "include", NULL };
	struct dw_line_file old_files[] = { { .path = "a.c" }, { .path = "b.h", .dir = 1 }, { 0 } };
	struct dw_line_file new_files[] = { { .path = "a.c", .md5 = { 1, 2, 3 } },
					    { .path = "b.h", .dir = 1 },
					    { 0 } };
	struct dw_line_content contents[] = { { DW_LNCT_path, DW_FORM_line_strp },
					      { DW_LNCT_directory_index, DW_FORM_udata },
					      { DW_LNCT_MD5, DW_FORM_data16 },
					      { 0, 0 } };

	header.dirs = version < 5 ? old_dirs : new_dirs;
	header.files = version < 5 ? old_files : new_files;
	header.file_contents = contents;
	dw_line_begin(dw, "lines", &header);
	dw_line_address(dw, 0x1000);
	dw_line_row(dw, 0, 9);
	dw_line_row(dw, 0x10, 2);
	dw_line_end_sequence(dw, 0xf0);
	dw_line_end(dw);
}

static void write_leaf(struct dwarf_builder *dw)
{
	dw_label(dw, "leaf");
	dw_die_begin(dw, DW_TAG_subprogram);
	dw_string(dw, DW_AT_name, "leaf");
	dw_data1(dw, DW_AT_inline, DW_INL_inlined);
	dw_data1(dw, DW_AT_decl_file, 1);
	dw_data1(dw, DW_AT_decl_line, 3);
	dw_label(dw, "leaf.x");
	dw_die_begin(dw, DW_TAG_formal_parameter);
	dw_strp(dw, DW_AT_name, "x");
	dw_ref4(dw, DW_AT_type, "int");
	dw_die_end(dw);
	dw_die_end(dw);
}

static void write_host(struct dwarf_builder *dw, uint16_t version)
{
	dw_die_begin(dw, DW_TAG_subprogram);
	dw_strp(dw, DW_AT_name, "host");
	dw_sibling(dw);
	dw_low_high(dw, 0x1000, 0x1100);
	dw_expr(dw, DW_AT_frame_base, DW_BYTES(DW_OP_call_frame_cfa));

	dw_die_begin(dw, DW_TAG_inlined_subroutine);
	dw_ref_udata(dw, DW_AT_abstract_origin, "leaf"); // forward
	dw_ranges(dw, DW_RANGES({ 0x1010, 0x1020 }, { 0x1030, 0x1048 }));
	if (version >= 5)
		dw_implicit_const(dw, DW_AT_call_file, 1);
	else
		dw_data1(dw, DW_AT_call_file, 1);
	dw_indirect(dw);
	dw_udata(dw, DW_AT_call_line, 11);

	dw_die_begin(dw, DW_TAG_formal_parameter);
	dw_ref4(dw, DW_AT_abstract_origin, "leaf.x");
	dw_loc_list_begin(dw, "x.locations");
	if (version >= 5) {
		dw_lle(dw, DW_LLE_start_length, 0x1010, 8);
		dw_loc_expr(dw, DW_BYTES(DW_OP_reg0 + 5));
		dw_lle(dw, DW_LLE_end_of_list, 0, 0);
	} else {
		dw_range_pair(dw, 0x10, 0x18);
		dw_loc_expr(dw, DW_BYTES(DW_OP_reg0 + 5));
		dw_range_pair(dw, 0, 0);
	}
	dw_loc_list_end(dw);
	dw_sec_offset(dw, DW_AT_location, "x.locations");
	dw_die_end(dw);
	dw_die_end(dw);
	dw_die_end(dw);
}

static void write_main_unit(struct dwarf_builder *dw, uint16_t version)
{
	dw_unit_begin_with(dw, (struct dw_unit){ .type = DW_UT_compile, .abbrevs = "shared" });
	dw_die_begin(dw, DW_TAG_compile_unit);
	dw_strp(dw, DW_AT_producer, "by hand");
	dw_strp(dw, DW_AT_name, "a.c");
	dw_string(dw, DW_AT_comp_dir, "/src");
	dw_data1(dw, DW_AT_language, DW_LANG_C99);
	dw_low_high(dw, 0x1000, 0x1100);
	dw_stmt_list(dw, "lines");

	write_host(dw, version);
	write_leaf(dw);
	dw_label(dw, "int");
	dw_die_begin(dw, DW_TAG_base_type);
	dw_die_code(dw, 1000);
	dw_strp(dw, DW_AT_name, "int");
	dw_data1(dw, DW_AT_encoding, DW_ATE_signed);
	dw_data1(dw, DW_AT_byte_size, 4);
	dw_die_end(dw);
	dw_die_end(dw);
	dw_unit_end(dw);
}

static void write_second_unit(struct dwarf_builder *dw, uint16_t version)
{
	dw_unit_begin_with(dw, (struct dw_unit){ .type = DW_UT_compile, .abbrevs = "shared" });
	dw_die_begin(dw, DW_TAG_compile_unit);
	if (version >= 5) {
		dw_str_offsets_base(dw);
		dw_addr_base(dw);
		dw_rnglists_base(dw);
		dw_loclists_base(dw);
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
	dw_ref_addr(dw, DW_AT_abstract_origin, "leaf"); // in the other unit
	if (version >= 5) {
		dw_rangesx(dw, DW_RANGES({ 0x2000, 0x2010 }, { 0x2020, 0x2030 }));
		dw_strx_form(dw, DW_AT_linkage_name, DW_FORM_strx2, "_leaf");
		dw_die_begin(dw, DW_TAG_variable);
		dw_string(dw, DW_AT_name, "v");
		uint64_t list = dw_loc_list_begin(dw, "v.locations");
		dw_lle(dw, DW_LLE_offset_pair, 0, 0x80);
		dw_loc_expr(dw, DW_BYTES(DW_OP_breg0 + 7, 8));
		dw_lle(dw, DW_LLE_end_of_list, 0, 0);
		dw_loc_list_end(dw);
		dw_value(dw, DW_AT_location, DW_FORM_loclistx, list);
		dw_die_end(dw);
	} else {
		dw_low_high(dw, 0x2000, 0x2010);
	}
	dw_die_end(dw);
	dw_die_end(dw);
	dw_unit_end(dw);
}

static void write_type_unit(struct dwarf_builder *dw)
{
	dw_unit_begin_with(dw, (struct dw_unit){ .type = DW_UT_type,
						 .id = 0x1122334455667788,
						 .type_die = "point" });
	dw_die_begin(dw, DW_TAG_type_unit);
	dw_data1(dw, DW_AT_language, DW_LANG_C99);
	dw_label(dw, "point");
	dw_die_begin(dw, DW_TAG_structure_type);
	dw_strp(dw, DW_AT_name, "point");
	dw_data1(dw, DW_AT_byte_size, 8);
	dw_die_end(dw);
	dw_die_end(dw);
	dw_unit_end(dw);
}

static void write_file(const char *dir, const struct variant *variant)
{
	struct dwarf_builder *dw = dwarf_builder_new(variant->dwarf);
	struct elf_builder *elf = elf_builder_new(variant->elf);
	uint16_t version = variant->dwarf.version;
	bool linked = variant->elf.type != ET_REL;
	char path[256];

	dw_addr_target(dw, linked ? NULL : ".text");
	write_lines(dw, version);
	write_main_unit(dw, version);
	write_second_unit(dw, version);
	if (variant->type_unit)
		write_type_unit(dw);

	elf_add_code(elf, ".text", linked ? 0x1000 : 0, 0x3000);
	elf_add_build_id(elf, linked ? 0x8000 : 0, DW_BYTES(0xab, 0xcd, 0xef, 1, 2, 3, 4, 5));
	elf_add_nobits(elf, ".bss", linked ? 0x9000 : 0, 0x100, SHF_ALLOC | SHF_WRITE);
	elf_add_symbol(elf, (struct elf_symbol){ .name = "host",
						 .section = ".text",
						 .value = 0x1000,
						 .size = 0x100,
						 .type = STT_FUNC,
						 .bind = STB_GLOBAL });
	elf_add_dwarf_compressed(elf, dw, variant->compression);
	elf_add_debug_link(elf, "a.debug", elf_crc(dw_section(dw, ".debug_info")));
	snprintf(path, sizeof(path), "%s/%s", dir, variant->name);
	CHECK(elf_write_file(elf, path));
	elf_builder_free(elf);
	dwarf_builder_free(dw);
}

#define DWARF(v, offset, addr, big, rel)                 \
	{                                                \
		v, offset, addr, big, DWARF_RELOCS_##rel \
	}
#define ELF(b, big, m, t, r)                                                                    \
	{                                                                                       \
		.bits = b, .big_endian = big, .machine = m, .type = t, .segments = t != ET_REL, \
		.rel = r                                                                        \
	}

static const struct variant variants[] = {
	// clang-format off
	{ "v2-le64", DWARF(2, 4, 8, false, NONE),
	  ELF(64, false, EM_X86_64, ET_EXEC, false), 0, false },
	{ "v3-le32", DWARF(3, 4, 4, false, NONE),
	  ELF(32, false, EM_386, ET_EXEC, false), 0, false },
	{ "v3-d64", DWARF(3, 8, 8, false, NONE),
	  ELF(64, false, EM_X86_64, ET_DYN, false), 0, false },
	{ "v4-be64", DWARF(4, 4, 8, true, NONE), ELF(64, true, EM_PPC64, ET_DYN, false), 0, true },
	{ "v4-be32", DWARF(4, 4, 4, true, NONE), ELF(32, true, EM_PPC, ET_EXEC, false), 0, true },
	{ "v4-d64", DWARF(4, 8, 8, false, NONE),
	  ELF(64, false, EM_X86_64, ET_EXEC, false), 0, true },
	{ "v5-le64", DWARF(5, 4, 8, false, NONE),
	  ELF(64, false, EM_X86_64, ET_EXEC, false), 0, false },
	{ "v5-d64", DWARF(5, 8, 8, false, NONE),
	  ELF(64, false, EM_X86_64, ET_EXEC, false), 0, false },
	{ "v5-be64-d64", DWARF(5, 8, 8, true, NONE),
	  ELF(64, true, EM_S390, ET_EXEC, false), 0, false },
	{ "v5-be32", DWARF(5, 4, 4, true, NONE), ELF(32, true, EM_PPC, ET_EXEC, false), 0, false },
	{ "v5-types", DWARF(5, 4, 8, false, NONE),
	  ELF(64, false, EM_X86_64, ET_EXEC, false), 0, true },
	{ "v2-rel.o", DWARF(2, 4, 8, false, RELA),
	  ELF(64, false, EM_X86_64, ET_REL, false), 0, false },
	{ "v4-rel.o", DWARF(4, 4, 8, false, RELA),
	  ELF(64, false, EM_X86_64, ET_REL, false), 0, true },
	{ "v5-rel.o", DWARF(5, 4, 8, false, RELA),
	  ELF(64, false, EM_X86_64, ET_REL, false), 0, false },
	{ "v5-rel-d64.o", DWARF(5, 8, 8, false, RELA),
	  ELF(64, false, EM_X86_64, ET_REL, false), 0, false },
	{ "v5-rel-386.o", DWARF(5, 4, 4, false, REL),
	  ELF(32, false, EM_386, ET_REL, true), 0, false },
	{ "v5-rel-arm64.o", DWARF(5, 4, 8, false, RELA),
	  ELF(64, false, EM_AARCH64, ET_REL, false), 0, false },
	{ "v5-rel-ppc64.o", DWARF(5, 4, 8, true, RELA),
	  ELF(64, true, EM_PPC64, ET_REL, false), 0, false },
	{ "v5-rel-s390.o", DWARF(5, 4, 8, true, RELA),
	  ELF(64, true, EM_S390, ET_REL, false), 0, false },
	{ "v5-rel-mips64.o", DWARF(5, 4, 8, false, RELA),
	  ELF(64, false, EM_MIPS, ET_REL, false), 0, false },
	{ "v5-rel-riscv.o", DWARF(5, 4, 8, false, RELA),
	  ELF(64, false, EM_RISCV, ET_REL, false), 0, false },
	{ "v5-zlib", DWARF(5, 4, 8, false, NONE),
	  ELF(64, false, EM_X86_64, ET_EXEC, false), 1, false },
	{ "v5-zstd", DWARF(5, 4, 8, false, NONE),
	  ELF(64, false, EM_X86_64, ET_EXEC, false), 2, false },
	{ "v5-zdebug", DWARF(5, 4, 8, false, NONE),
	  ELF(64, false, EM_X86_64, ET_EXEC, false), 3, false },
	{ "v5-be32-zlib", DWARF(5, 4, 4, true, NONE),
	  ELF(32, true, EM_PPC, ET_EXEC, false), 1, false },
	{ "v5-rel-zlib.o", DWARF(5, 4, 8, false, RELA),
	  ELF(64, false, EM_X86_64, ET_REL, false), 1, false },
	// clang-format on
};

int main(int argc, char **argv)
{
	dwarf_2_is_written_as_by_hand();
	sets_of_addresses_are_written_as_by_hand();
	dwarf_5_in_64_bits_and_big_endian_is_written_as_by_hand();
	a_long_code_moves_what_comes_after_it();
	strings_share_their_tails_when_asked();
	lists_have_headers_and_offsets();
	a_line_table_counts_its_lengths();
	relocations_take_the_values_with_them();
	malformed_input_can_be_written();
	a_block_counts_its_bytes();
	a_split_unit_goes_to_its_own_sections();
	for (size_t i = 0; argc > 1 && i < sizeof(variants) / sizeof(*variants); i++)
		write_file(argv[1], &variants[i]);
	return 0;
}
