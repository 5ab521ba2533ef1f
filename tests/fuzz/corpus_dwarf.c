// The inputs of the targets on DWARF: sound ones, of each version, size and byte order.
#include "corpus.h"
#include "dwarf_constants.h"
#include "fuzz_input.h"

#include <stdio.h>

static const struct named_format {
	const char *name;
	struct dwarf_format format;
} formats[] = {
	{ "v2", { 2, 4, 8, false, DWARF_RELOCS_NONE } },
	{ "v2-addr4", { 2, 4, 4, false, DWARF_RELOCS_NONE } },
	{ "v3-off8", { 3, 8, 8, false, DWARF_RELOCS_NONE } },
	{ "v4", { 4, 4, 8, false, DWARF_RELOCS_NONE } },
	{ "v4-addr4-big", { 4, 4, 4, true, DWARF_RELOCS_NONE } },
	{ "v5", { 5, 4, 8, false, DWARF_RELOCS_NONE } },
	{ "v5-addr4", { 5, 4, 4, false, DWARF_RELOCS_NONE } },
	{ "v5-off8-big", { 5, 8, 8, true, DWARF_RELOCS_NONE } },
};

static void write_cursors(const struct corpus *corpus)
{
	const struct bytes choice = CORPUS_BYTES(0, 0, 0);
	const struct bytes every_read[] = {
		CORPUS_BYTES(0, 1, 2, 3, 4, 5, 6, 7, 8, 12, 25, 9, 10, 11),
		CORPUS_BYTES(1, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 4, 4, 4, 4, 5, 0x7f, 6, 7, 'a', 'b',
			     0, 1, 2, 3, 4, 0, 0, 0, 1, 2, 3, 4),
	};
	const struct bytes numbers[] = {
		CORPUS_BYTES(4, 5, 4, 5, 4, 6, 7),
		CORPUS_BYTES(0x80, 0x80, 0,                                              // padded
			     0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x7f, // least
			     0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1,    // most
			     0xff, 0x7f,                                                 // -1
			     0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 2), // too large
	};
	const struct bytes long_length[] = {
		CORPUS_BYTES(9, 3),
		CORPUS_BYTES(0xff, 0xff, 0xff, 0xff, 8, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7,
			     8),
	};

	corpus_put(corpus, "fuzz_cursor", "every-read", choice, every_read, 2);
	corpus_put(corpus, "fuzz_cursor", "numbers", choice, numbers, 2);
	corpus_put(corpus, "fuzz_cursor", "long-length", choice, long_length, 2);
}

// One input per form, to check where its value ends.
static void write_forms(const struct corpus *corpus)
{
	const struct bytes value =
		CORPUS_BYTES(5, 0, 'a', 'b', 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11);
	const struct bytes texts = CORPUS_BYTES('f', 'i', 'r', 's', 't', 0, 'm', 'a', 'i', 'n', 0);
	const struct bytes table = CORPUS_BYTES(6, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

	for (unsigned form = DW_FORM_addr; form <= DW_FORM_addrx4; form++) {
		const struct bytes sections[] = {
			CORPUS_BYTES((uint8_t)form, 0, 0x0f, 0), value, texts, texts, table, table
		};
		char name[16];

		snprintf(name, sizeof(name), "form-%02x", form);
		corpus_put(corpus, "fuzz_form", name, CORPUS_BYTES(0, 0), sections, 6);
	}
	const struct bytes sections[] = { CORPUS_BYTES(0x16, 0, 0x16, 0), // DW_FORM_indirect
					  CORPUS_BYTES(DW_FORM_data1, 7, DW_FORM_string, 'a', 0),
					  texts,
					  texts,
					  table,
					  table };
	corpus_put(corpus, "fuzz_form", "indirect", CORPUS_BYTES(0, 0), sections, 6);
}

// The sections of one program, each for the target that reads only this section.
static void write_parts(const struct corpus *corpus, const struct named_format *of)
{
	struct dwarf_builder *dw = corpus_program(of->format, NULL);
	uint8_t swap = of->format.big_endian, is_old = of->format.version < 5;
	uint8_t sizes = (uint8_t)(swap | is_old << 1 | (of->format.addr_size == 4) << 2 |
				  (of->format.offset_size == 8) << 3);
	uint64_t list = dw_label_off(dw, "all");
	const struct bytes walk[] = { dw_section(dw, ".debug_info"),
				      dw_section(dw, ".debug_abbrev") };
	const struct bytes abbrev = dw_section(dw, ".debug_abbrev");
	const struct bytes ranges[] = { dw_section(dw, ".debug_ranges"),
					dw_section(dw, ".debug_rnglists"),
					dw_section(dw, ".debug_addr") };
	const struct bytes lines[] = { dw_section(dw, ".debug_line"),
				       dw_section(dw, ".debug_line_str"),
				       dw_section(dw, ".debug_str"),
				       dw_section(dw, ".debug_str_offsets") };
	const struct bytes aranges = dw_section(dw, ".debug_aranges");

	corpus_put(corpus, "fuzz_aranges", of->name, CORPUS_BYTES(swap), &aranges, 1);
	corpus_put(corpus, "fuzz_walk", of->name, CORPUS_BYTES(swap), walk, 2);
	corpus_put(corpus, "fuzz_abbrev", of->name, CORPUS_BYTES(0), &abbrev, 1);
	corpus_put(corpus, "fuzz_ranges", of->name,
		   CORPUS_BYTES(sizes, (uint8_t)list, (uint8_t)(list >> 8), is_old ? 0 : 8), ranges,
		   3);
	corpus_put(corpus, "fuzz_line_header", of->name, CORPUS_BYTES((uint8_t)(sizes | 0x20), 0),
		   lines, 4);
	corpus_put(corpus, "fuzz_line_rows", of->name, CORPUS_BYTES(sizes, 16), lines, 4);
	dwarf_builder_free(dw);
}

// Sets of several units for an address, with segments, tuples of zeros, and a set that is cut.
static void write_address_sets(const struct corpus *corpus)
{
	struct dwarf_builder *dw = dwarf_builder_new(
		(struct dwarf_format){ .version = 4, .offset_size = 4, .addr_size = 4 });

	dw_section_begin(dw, ".debug_info");
	dw_label(dw, "unit");
	dw_section_end(dw);
	dw_aranges(dw, "unit", DW_RANGES({ 0x1000, 0x1100 }, { 0, 0 }, { 0x1080, 0x2000 }));
	dw_section_begin(dw, ".debug_aranges");
	dw_raw(dw, DW_BYTES(32, 0, 0, 0, 2, 0, 7, 0, 0, 0, 4, 4,         // a tuple is of 12 bytes
			    1, 0, 0, 0, 0x80, 0x10, 0, 0, 0x80, 0, 0, 0, //
			    2, 0, 0, 0, 0, 0x10, 0, 0, 0xff, 0xff, 0xff, 0xff));
	dw_raw(dw, DW_BYTES(16, 0, 0, 0, 2, 0, 7, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0x10, 0, 0));
	dw_section_end(dw);
	const struct bytes section = dw_section(dw, ".debug_aranges");
	corpus_put(corpus, "fuzz_aranges", "sets", CORPUS_BYTES(0), &section, 1);
	dwarf_builder_free(dw);
}

// Every opcode of a line program, known or not, of a VLIW machine and of a common one.
static void write_line_opcodes(const struct corpus *corpus, uint8_t max_ops_per_inst)
{
	static const uint8_t lengths[] = { 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1, 2 };
	struct dwarf_builder *dw = dwarf_builder_new(
		(struct dwarf_format){ .version = 4, .offset_size = 4, .addr_size = 8 });
	struct dw_line_header header = dw_line_header_default(dw);
	char name[16];

	header.max_ops_per_inst = max_ops_per_inst;
	header.opcode_base = 14;
	header.opcode_lengths = lengths;
	dw_line_begin(dw, "lines", &header);
	dw_line_address(dw, 0x1000);
	dw_line_row(dw, 3, -1);
	dw_raw(dw, DW_BYTES(4, 2, 5, 9, 6, 7, 8, 9, 1, 2, 10, 11, 12, 3, 13, 1, 2, 0xf0, 0x30, //
			    0, 2, DW_LNE_set_discriminator, 5, 0, 2, 0x90, 1));
	dw_raw(dw, DW_BYTES(0, 6, DW_LNE_define_file, 'f', 0, 1, 2, 3, 0xff));
	dw_line_end_sequence(dw, 9);
	dw_line_end(dw);
	const struct bytes sections[] = { dw_section(dw, ".debug_line"), { 0 }, { 0 }, { 0 } };
	snprintf(name, sizeof(name), "opcodes-%u", max_ops_per_inst);
	corpus_put(corpus, "fuzz_line_rows", name, CORPUS_BYTES(2, 60), sections, 4);
	dwarf_builder_free(dw);
}

// What nvcc -lineinfo writes: functions inlined into a kernel, and into each other.
static void write_line_functions(const struct corpus *corpus)
{
	struct dwarf_builder *dw = dwarf_builder_new(
		(struct dwarf_format){ .version = 2, .offset_size = 4, .addr_size = 8 });
	struct dw_line_header header = dw_line_header_default(dw);

	header.opcode_base = 10;
	header.extra = (struct bytes){ DW_BYTES(1, 0, 0, 0) };
	dw_line_begin(dw, "lines", &header);
	for (uint64_t kernel = 0; kernel < 2; kernel++) {
		dw_line_address(dw, 0x1000 * kernel);
		dw_line_row(dw, 0, 9);
		dw_line_inlined_call(dw, 1, 0);
		dw_line_row(dw, 0, -3);
		dw_line_inlined_call(dw, 2, 4);
		dw_line_row(dw, 16, -3);
		dw_line_extended(dw, DW_LNE_NVIDIA_set_function_name, "\0", 1);
		dw_line_row(dw, 16, 1);
		dw_line_inlined_call(dw, 0, 0);
		dw_line_row(dw, 16, 6);
		dw_line_end_sequence(dw, 16);
	}
	dw_line_end(dw);
	const struct bytes sections[] = {
		dw_section(dw, ".debug_line"), { 0 }, { (const uint8_t *)"\0foo\0bar", 9 }, { 0 }
	};
	corpus_put(corpus, "fuzz_line_rows", "functions", CORPUS_BYTES(2, 60), sections, 4);
	corpus_put(corpus, "fuzz_line_header", "functions", CORPUS_BYTES(2, 0), sections, 4);
	dwarf_builder_free(dw);
}

// A two-level table, with actuals or without.
static void write_two_levels(const struct corpus *corpus, bool has_actuals)
{
	static const char *const dirs[] = { "include", NULL };
	static const struct dw_line_file files[] = { { .path = "b.h", .dir = 1 },
						     { .path = NULL } };
	static const struct dw_line_function functions[] = { { "main", 1, 9 },
							     { "f", 1, 3 },
							     { .name = NULL } };
	struct dwarf_builder *dw = dwarf_builder_new(
		(struct dwarf_format){ .version = 4, .offset_size = 4, .addr_size = 8 });
	struct dw_line_header header = dw_line_header_two_level(dw);

	header.dirs = dirs;
	header.files = files;
	header.functions = functions;
	header.has_actuals = has_actuals;
	dw_line_begin(dw, "lines", &header);
	dw_line_address(dw, 0x1000);
	dw_raw(dw, DW_BYTES(DW_LNS_set_subprogram, 1, DW_LNS_copy, DW_LNS_inlined_call, 0, 2, 0x40,
			    DW_LNS_inlined_call, 0x7f, 2, DW_LNS_copy, DW_LNS_pop_context, 0x50));
	if (has_actuals) {
		dw_line_actuals(dw, "lines");
		dw_line_address(dw, 0x1000);
		dw_raw(dw, DW_BYTES(DW_LNS_copy, 0x30, DW_LNS_set_address_from_logical, 1,
				    DW_LNS_copy));
	}
	dw_line_end_sequence(dw, 9);
	dw_line_end(dw);
	const struct bytes sections[] = { dw_section(dw, ".debug_line"),
					  dw_section(dw, ".debug_line_str"),
					  dw_section(dw, ".debug_str"),
					  { 0 } };
	const char *name = has_actuals ? "two-level" : "logicals";
	corpus_put(corpus, "fuzz_line_rows", name, CORPUS_BYTES(2, 60), sections, 4);
	corpus_put(corpus, "fuzz_line_header", name, CORPUS_BYTES(2, 0), sections, 4);
	dwarf_builder_free(dw);
}

static void write_programs(const struct corpus *corpus, const struct named_format *of)
{
	uint8_t swap = of->format.big_endian;
	char name[32];

	for (uint8_t options = 0; options <= 6; options += 2) { // calls, declarations
		snprintf(name, sizeof(name), "%s-%u", of->name, options);
		corpus_put_dwarf(corpus, "fuzz_dwarf", name, swap | options | 0x10,
				 corpus_program(of->format, NULL));
	}
}

// An expression a kind of location, and one a group of operations.
static void write_expressions(const struct corpus *corpus)
{
	static const struct {
		uint8_t size, bytes[24];
	} rows[] = {
		{ 1, { DW_OP_reg0 } },
		{ 3, { DW_OP_breg0 + 5, 8, DW_OP_stack_value } },
		{ 6, { DW_OP_breg0 + 5, 8, DW_OP_deref, DW_OP_plus_uconst, 8, DW_OP_deref } },
		{ 4, { DW_OP_fbreg, 0x70, DW_OP_deref_size, 2 } },
		{ 5, { DW_OP_reg0, DW_OP_piece, 4, DW_OP_piece, 4 } },
		{ 7, { DW_OP_reg0, DW_OP_bit_piece, 3, 0, DW_OP_bit_piece, 5, 3 } },
		{ 6, { DW_OP_implicit_value, 4, 1, 2, 3, 4 } },
		{ 6, { DW_OP_entry_value, 2, DW_OP_breg0, 1, DW_OP_stack_value, DW_OP_nop } },
		{ 12,
		  { DW_OP_addr, 1, 2, 3, 4, 5, 6, 7, 8, DW_OP_lit0 + 4, DW_OP_minus,
		    DW_OP_stack_value } },
		{ 10,
		  { DW_OP_lit0 + 9, DW_OP_dup, DW_OP_lit0 + 1, DW_OP_minus, DW_OP_dup, DW_OP_bra,
		    0xf9, 0xff, DW_OP_swap, DW_OP_rot } },
		{ 11, { DW_OP_const_type, 0x84, 1, 4, 0, 0, 0x80, 0x3f, DW_OP_convert, 0x88, 1 } },
		{ 7, { DW_OP_regval_type, 1, 0xa8, 1, DW_OP_neg, DW_OP_reinterpret, 0 } },
		{ 5, { DW_OP_call2, 1, 0, DW_OP_call_frame_cfa, DW_OP_mul } },
		{ 6, { DW_OP_implicit_pointer, 1, 0, 0, 0, 5 } },
		{ 6, { DW_OP_addrx, 1, DW_OP_constx, 2, DW_OP_plus, DW_OP_GNU_uninit } },
		{ 6, { DW_OP_const1s, 0x80, DW_OP_const1u, 7, DW_OP_shra, DW_OP_stack_value } },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const struct bytes expression = { rows[i].bytes, rows[i].size };
		char name[32];

		snprintf(name, sizeof(name), "expression-%zu", i);
		corpus_put(corpus, "fuzz_reduce", name, CORPUS_BYTES((uint8_t)(i % 4 << 2)),
			   &expression, 1);
	}
}

void corpus_write_dwarf(const struct corpus *corpus)
{
	write_expressions(corpus);
	write_cursors(corpus);
	write_forms(corpus);
	write_address_sets(corpus);
	write_line_opcodes(corpus, 1);
	write_line_opcodes(corpus, 3);
	write_line_functions(corpus);
	write_two_levels(corpus, true);
	write_two_levels(corpus, false);
	for (size_t i = 0; i < sizeof(formats) / sizeof(*formats); i++) {
		write_parts(corpus, &formats[i]);
		write_programs(corpus, &formats[i]);
	}
}
