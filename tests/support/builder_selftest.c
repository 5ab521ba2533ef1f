// The builders against bytes that were worked out by hand. With a directory as its argument, it
// also writes there one ELF file for each format, to be looked at with readelf and llvm-dwarfdump.
#include "builder_files.h"
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
	if (argc > 1)
		builder_files_write(argv[1]);
	return 0;
}
