// Inputs that once went wrong, each named after what it has.
#include "corpus.h"
#include "dwarf_constants.h"
#include "fuzz_input.h"

static const struct dwarf_format version_4 = { 4, 4, 8, false, DWARF_RELOCS_NONE };
static const struct dwarf_format version_5 = { 5, 4, 8, false, DWARF_RELOCS_NONE };

enum { IN_C_AND_CODE = 0x10 }; // choice of fuzz_dwarf: no options, code as corpus_program has it

static void put_declaration(struct dwarf_builder *dw, uint64_t code)
{
	dw_abbrev_begin(dw, code, DW_TAG_base_type, 0);
	dw_abbrev_end(dw);
}

// A code that was too large for the table by code fits into it after more have been declared.
static void write_codes_that_catch_up(const struct corpus *corpus)
{
	struct dwarf_builder *dw = dwarf_builder_new(version_4);

	dw_section_begin(dw, ".debug_abbrev");
	put_declaration(dw, 2000);
	for (uint64_t code = 1; code <= 300; code++)
		put_declaration(dw, code);
	put_declaration(dw, 2001);
	dw_u8(dw, 0);
	dw_section_end(dw);
	const struct bytes section = dw_section(dw, ".debug_abbrev");
	corpus_put(corpus, "fuzz_abbrev", "codes-that-catch-up", CORPUS_BYTES(0), &section, 1);
	dwarf_builder_free(dw);
}

static void write_no_attributes(const struct corpus *corpus)
{
	const struct bytes section = CORPUS_BYTES(1, DW_TAG_subprogram, 0, 0, 0, 0);

	corpus_put(corpus, "fuzz_abbrev", "no-attributes", CORPUS_BYTES(0), &section, 1);
}

// The least number takes ten bytes, the last of which has bits beyond the 64th.
static void write_least_number(const struct corpus *corpus)
{
	struct dwarf_builder *dw = dwarf_builder_new(version_4);

	dw_unit_begin(dw, DW_UT_compile);
	dw_die_begin(dw, DW_TAG_compile_unit);
	dw_die_begin(dw, DW_TAG_inlined_subroutine);
	dw_sdata(dw, DW_AT_const_value, INT64_MIN);
	dw_die_end(dw);
	dw_die_end(dw);
	dw_unit_end(dw);
	const struct bytes sections[] = { dw_section(dw, ".debug_info"),
					  dw_section(dw, ".debug_abbrev") };
	corpus_put(corpus, "fuzz_walk", "least-number", CORPUS_BYTES(0), sections, 2);
	dwarf_builder_free(dw);
}

static void write_pair_cut_in_two(const struct corpus *corpus)
{
	const struct bytes sections[] = { CORPUS_BYTES(0xf0, 0xff, 0xff, 0xff), { 0 }, { 0 } };

	// version 4, addresses of 4 bytes, a base of 0x1000
	corpus_put(corpus, "fuzz_ranges", "pair-cut-in-two", CORPUS_BYTES(2 | 4 | 16, 0, 0, 0),
		   sections, 3);
}

// The header of a line table says that addresses have 16 bytes, and a file name is an address.
static void write_long_addresses(const struct corpus *corpus)
{
	struct dwarf_builder *dw = dwarf_builder_new(version_5);

	dw_section_begin(dw, ".debug_line");
	dw_length_begin(dw, 4);
	dw_u16(dw, 5);
	dw_u8(dw, 16); // address size
	dw_u8(dw, 0);
	dw_length_begin(dw, 4);
	dw_raw(dw, DW_BYTES(1, 1, 1, 0xfb, 14, 1)); // to opcode_base
	dw_raw(dw, DW_BYTES(1, DW_LNCT_path, DW_FORM_addr, 1));
	dw_fill(dw, 0xff, 16);
	dw_raw(dw, DW_BYTES(0, 0));
	dw_length_end(dw);
	dw_length_end(dw);
	dw_section_end(dw);
	const struct bytes sections[] = { dw_section(dw, ".debug_line"), { 0 }, { 0 }, { 0 } };
	corpus_put(corpus, "fuzz_line_header", "long-addresses", CORPUS_BYTES(0, 0), sections, 4);
	dwarf_builder_free(dw);
}

// A host with `count` instances that all have the same list.
static void write_instances_of(struct dwarf_builder *dw, const char *list, unsigned count)
{
	dw_die_begin(dw, DW_TAG_subprogram);
	dw_low_high(dw, 0x1000, 0x2000);
	for (unsigned i = 0; i < count; i++) {
		dw_die_begin(dw, DW_TAG_inlined_subroutine);
		dw_sec_offset(dw, DW_AT_ranges, list);
		dw_die_end(dw);
	}
	dw_die_end(dw);
}

// Each instance may use the rest of the unit's allowance for lists, and one more range.
static void write_list_used_over_and_over(const struct corpus *corpus)
{
	struct dwarf_builder *dw = dwarf_builder_new(version_5);

	dw_unit_begin(dw, DW_UT_compile);
	dw_die_begin(dw, DW_TAG_compile_unit);
	dw_low_high(dw, 0x1000, 0x2000);
	dw_range_list_begin(dw, "list");
	for (unsigned i = 0; i < 2700; i++)
		dw_rle(dw, DW_RLE_offset_pair, 0, 1);
	dw_rle(dw, DW_RLE_end_of_list, 0, 0);
	dw_range_list_end(dw);
	write_instances_of(dw, "list", 1500);
	dw_die_end(dw);
	dw_unit_end(dw);
	corpus_put_dwarf(corpus, "fuzz_dwarf", "list-used-over-and-over", IN_C_AND_CODE, dw);
}

// A list without ranges: only its end can show that it used more than the allowance, which must
// not become endless by that.
static void write_list_of_bases(const struct corpus *corpus)
{
	struct dwarf_builder *dw = dwarf_builder_new(version_5);

	dw_unit_begin(dw, DW_UT_compile);
	dw_die_begin(dw, DW_TAG_compile_unit);
	dw_low_high(dw, 0x1000, 0x2000);
	dw_range_list_begin(dw, "bases");
	for (unsigned i = 0; i < 700; i++)
		dw_rle(dw, DW_RLE_base_address, 0x1000, 0);
	dw_rle(dw, DW_RLE_end_of_list, 0, 0);
	dw_range_list_end(dw);
	dw_range_list_begin(dw, "list");
	for (unsigned i = 0; i < 1000; i++)
		dw_rle(dw, DW_RLE_offset_pair, 0, 1);
	dw_rle(dw, DW_RLE_end_of_list, 0, 0);
	dw_range_list_end(dw);
	write_instances_of(dw, "bases", 10);
	write_instances_of(dw, "list", 1000);
	dw_die_end(dw);
	dw_unit_end(dw);
	corpus_put_dwarf(corpus, "fuzz_dwarf", "list-of-bases", IN_C_AND_CODE, dw);
}

// Pairs of tiny units, each pair with a table of its own; the tables are the ends of one another.
static void write_many_tables(const struct corpus *corpus)
{
	enum { PAIRS = 200 };
	struct dwarf_builder *dw = dwarf_builder_new(version_4);

	dw_section_begin(dw, ".debug_abbrev");
	dw_fill(dw, DW_TAG_subprogram, 5000); // that may be a code, a tag, a name and a form
	dw_section_end(dw);
	dw_section_begin(dw, ".debug_info");
	for (uint32_t i = 0; i < 2 * PAIRS; i++) {
		dw_u32(dw, 8);
		dw_u16(dw, 4);
		dw_u32(dw, i / 2);
		dw_u8(dw, 8);
		dw_u8(dw, 0);
	}
	dw_section_end(dw);
	corpus_put_dwarf(corpus, "fuzz_dwarf", "many-tables", IN_C_AND_CODE, dw);
}

// Files whose names are a byte in the table and a thousand in the model.
static void write_long_paths(const struct corpus *corpus)
{
	static char directory[4000];
	struct dwarf_builder *dw = dwarf_builder_new(version_4);

	for (size_t i = 0; i + 1 < sizeof(directory); i++)
		directory[i] = 'd';
	directory[0] = '/';
	dw_section_begin(dw, ".debug_line");
	dw_label(dw, "lines");
	dw_length_begin(dw, 4);
	dw_u16(dw, 4);
	dw_length_begin(dw, 4);
	dw_raw(dw, DW_BYTES(1, 1, 1, 0xfb, 14, 1)); // to opcode_base
	dw_text(dw, directory);
	dw_u8(dw, 0);
	for (unsigned i = 0; i < 1000; i++)
		dw_raw(dw, DW_BYTES('f', 0, 1, 0, 0));
	dw_u8(dw, 0);
	dw_length_end(dw);
	dw_length_end(dw);
	dw_section_end(dw);

	dw_unit_begin(dw, DW_UT_compile);
	dw_die_begin(dw, DW_TAG_compile_unit);
	dw_sec_offset(dw, DW_AT_stmt_list, "lines");
	dw_die_begin(dw, DW_TAG_subprogram);
	dw_low_high(dw, 0x1000, 0x2000);
	for (uint16_t i = 1; i <= 1000; i++) {
		dw_die_begin(dw, DW_TAG_inlined_subroutine);
		dw_data2(dw, DW_AT_call_file, i);
		dw_die_end(dw);
	}
	dw_die_end(dw);
	dw_die_end(dw);
	dw_unit_end(dw);
	corpus_put_dwarf(corpus, "fuzz_dwarf", "long-paths", IN_C_AND_CODE, dw);
}

// Units that end in a DIE without an abbreviation: the problem of one must not depend on the unit
// that the thread read before.
static void write_units_that_break_off(const struct corpus *corpus)
{
	struct dwarf_builder *dw = dwarf_builder_new(version_4);

	for (unsigned i = 0; i < 300; i++) {
		dw_unit_begin_with(dw, (struct dw_unit){ .type = DW_UT_compile, .abbrevs = "a" });
		dw_die_begin(dw, DW_TAG_compile_unit);
		dw_data1(dw, DW_AT_language, DW_LANG_C99);
		for (unsigned j = 0; j < i % 3; j++) {
			dw_die_begin(dw, DW_TAG_subprogram);
			dw_low_high(dw, 0x1000, 0x2000);
			dw_die_end(dw);
		}
		dw_die_children(dw);
		dw_u8(dw, 0x7f);
		dw_die_end(dw);
		dw_unit_end(dw);
	}
	corpus_put_dwarf(corpus, "fuzz_dwarf", "units-that-break-off", IN_C_AND_CODE, dw);
}

// The message about a reference is freed once.
static void write_reference_to_nowhere(const struct corpus *corpus)
{
	struct dwarf_builder *dw = dwarf_builder_new(version_4);

	dw_unit_begin(dw, DW_UT_compile);
	dw_die_begin(dw, DW_TAG_compile_unit);
	dw_die_begin(dw, DW_TAG_subprogram);
	dw_value(dw, DW_AT_abstract_origin, DW_FORM_ref_addr, 0x1000000);
	dw_low_high(dw, 0x1000, 0x2000);
	dw_die_end(dw);
	dw_die_end(dw);
	dw_unit_end(dw);
	corpus_put_dwarf(corpus, "fuzz_dwarf", "reference-to-nowhere", IN_C_AND_CODE, dw);
}

void corpus_write_faults(const struct corpus *corpus)
{
	write_codes_that_catch_up(corpus);
	write_no_attributes(corpus);
	write_least_number(corpus);
	write_pair_cut_in_two(corpus);
	write_long_addresses(corpus);
	write_list_used_over_and_over(corpus);
	write_list_of_bases(corpus);
	write_many_tables(corpus);
	write_long_paths(corpus);
	write_units_that_break_off(corpus);
	write_reference_to_nowhere(corpus);
}
