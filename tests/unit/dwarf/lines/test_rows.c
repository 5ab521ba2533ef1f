#include "unit_test.h"

#include <inttypes.h>
#include <stdio.h>

#include "dwarf/lines/rows.h"
#include "fixtures/dwarf.h"

#include "dwarf_constants.h"

static const struct dwarf_format dwarf4 = { .version = 4, .offset_size = 4, .addr_size = 8 };

struct run { // a program that was run to its end, as text
	char text[4096];
	struct ic_error err;
	uint32_t events;
};

__attribute__((format(printf, 2, 3))) static void put(struct run *run, const char *format, ...)
{
	size_t length = strlen(run->text);
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(run->text + length, sizeof(run->text) - length, format, arguments);
	va_end(arguments);
}

// "address file:line:column", letters for the flags, and what else is not 0.
static void put_row(struct run *run, const struct ic_line_row *row)
{
	put(run, "%" PRIx64 " %u:%u:%u ", row->addr, row->file, row->line, row->column);
	for (int i = 0; i < 5; i++)
		if (row->flags >> i & 1)
			put(run, "%c", "sbxpe"[i]); // is_stmt, block, end, prologue, epilogue
	if (row->discriminator)
		put(run, " discriminator %u", row->discriminator);
	if (row->isa)
		put(run, " isa %u", row->isa);
	if (row->op_index)
		put(run, " op %u", row->op_index);
	put(run, "\n");
}

// Runs the only table of the builder, up to `budget` bytes of its program.
static void run_program(struct run *run, struct dwarf_builder *dw, struct dwarf_format format,
			uint64_t budget)
{
	struct ic_dwarf dwarf = dwarf_of(dw, format.big_endian);
	const struct ic_unit unit = { .dwarf = &dwarf,
				      .version = format.version,
				      .addr_size = format.addr_size,
				      .offset_size = format.offset_size,
				      .root.has_stmt_list = true };
	struct ic_line_header header = { 0 };
	struct ic_line_program program;
	struct ic_line_row row;
	enum ic_line_event event;

	*run = (struct run){ .err.message = "" };
	if (!ic_line_header_parse(&header, &unit, UINT64_MAX, &run->err))
		fail_msg("%s", run->err.message);
	ic_line_program_open(&program, &header, &unit, budget);
	for (; (event = ic_line_program_next(&program, &row)) != IC_LINE_END; run->events++) {
		if (event == IC_LINE_ROW)
			put_row(run, &row);
		else
			put(run, "file %s in %" PRIu64 "\n", program.file.name,
			    program.file.directory);
	}
	if (!ic_line_program_ok(&program, &run->err))
		put(run, "%s\n", run->err.message);
	else
		assert_int_equal(ic_line_program_next(&program, &row), IC_LINE_END);
	ic_line_program_close(&program);
	ic_line_header_free(&header);
	dwarf_builder_free(dw);
}

static void assert_rows(struct dwarf_builder *dw, struct dwarf_format format, const char *wanted)
{
	struct run run;

	run_program(&run, dw, format, UINT64_MAX);
	assert_string_equal(run.text, wanted);
}

// A builder with an open table; `header` sets what differs from the default.
static struct dwarf_builder *begin(struct dwarf_format format, struct dw_line_header *header)
{
	struct dwarf_builder *dw = dwarf_builder_new(format);

	dw_line_begin(dw, "lines", header);
	return dw;
}

static struct dw_line_header plain(struct dwarf_format format)
{
	struct dwarf_builder *dw = dwarf_builder_new(format);
	struct dw_line_header header = dw_line_header_default(dw);

	dwarf_builder_free(dw);
	return header;
}

static void put_uleb(struct dwarf_builder *dw, uint8_t opcode, uint64_t operand)
{
	dw_u8(dw, opcode);
	dw_uleb(dw, operand);
}

// A table of bytes, after the address 0x1000.
static struct dwarf_builder *program_of(struct dw_line_header *header, const void *bytes,
					size_t size)
{
	struct dwarf_builder *dw = begin(dwarf4, header);

	dw_line_address(dw, 0x1000);
	dw_raw(dw, bytes, size);
	dw_line_end(dw);
	return dw;
}

#define PROGRAM(header, ...) program_of(header, DW_BYTES(__VA_ARGS__))

static void put_every_opcode(struct dwarf_builder *dw)
{
	dw_line_address(dw, 0x1000);
	dw_u8(dw, DW_LNS_copy);
	put_uleb(dw, DW_LNS_advance_pc, 300);
	dw_u8(dw, DW_LNS_advance_line);
	dw_sleb(dw, 1000);
	put_uleb(dw, DW_LNS_set_file, 2);
	put_uleb(dw, DW_LNS_set_column, 130);
	dw_u8(dw, DW_LNS_negate_stmt);
	dw_u8(dw, DW_LNS_set_basic_block);
	dw_u8(dw, DW_LNS_set_prologue_end);
	dw_u8(dw, DW_LNS_set_epilogue_begin);
	put_uleb(dw, DW_LNS_set_isa, 200);
	dw_line_extended(dw, DW_LNE_set_discriminator, (const uint8_t[]){ 0x85, 1 }, 2);
	dw_u8(dw, DW_LNS_copy);
	dw_u8(dw, DW_LNS_copy); // clears what is of one row only
	dw_u8(dw, DW_LNS_advance_line);
	dw_sleb(dw, -1);
	dw_u8(dw, DW_LNS_negate_stmt);
	dw_u8(dw, DW_LNS_const_add_pc); // 242 / 14
	dw_u8(dw, DW_LNS_fixed_advance_pc);
	dw_u16(dw, 0x102);
	dw_line_extended(dw, DW_LNE_define_file, "x.h\0\1\2\3", 7);
	dw_u8(dw, 13 + 5 + 14 * 2 + 3); // 2 instructions, 3 lines
	dw_line_end_sequence(dw, 4);
	dw_line_row(dw, 0x20, 1); // all registers are as at first
	dw_line_end_sequence(dw, 1);
}

static const char every_row[] = "1000 1:1:0 s\n"
				"112c 2:1001:130 bpe discriminator 133 isa 200\n"
				"112c 2:1001:130  isa 200\n"
				"file x.h in 1\n"
				"1241 2:1003:130 s isa 200\n"
				"1245 2:1003:130 sx isa 200\n"
				"20 1:2:0 s\n"
				"21 1:2:0 sx\n";

TEST(every_opcode_does_what_the_standard_says_in_all_versions_and_formats)
{
	for (uint32_t i = 0; i < DWARF_FORMAT_COUNT; i++) {
		struct dwarf_format format = dwarf_format_number(i);
		struct dw_line_header header = plain(format);
		struct dwarf_builder *dw = begin(format, &header);

		put_every_opcode(dw);
		dw_line_end(dw);
		assert_rows(dw, format, every_row);
	}
}

TEST(a_table_may_have_another_version_and_offset_size_than_its_unit)
{
	for (uint32_t i = 0; i < DWARF_FORMAT_COUNT; i++) {
		struct dwarf_format format = dwarf_format_number(i);
		struct dw_line_header header = plain(format);

		for (uint16_t version = 2; version <= 5; version++) {
			header.version = version;
			struct dwarf_builder *dw = begin(format, &header);
			put_every_opcode(dw);
			dw_line_end(dw);
			struct dwarf_format unit = format;
			unit.offset_size = 12 - format.offset_size;
			assert_rows(dw, unit, every_row);
		}
	}
}

TEST(a_copy_clears_what_is_of_one_row_and_so_does_a_special_opcode)
{
	struct dw_line_header header = plain(dwarf4);

	assert_rows(PROGRAM(&header, 7, 10, 11, 0, 2, 4, 9, 18, 18, 7, 10, 11, 0, 2, 4, 9, 1, 18, //
			    0, 1, 1),
		    dwarf4,
		    "1000 1:1:0 sbpe discriminator 9\n"
		    "1000 1:1:0 s\n"
		    "1000 1:1:0 sbpe discriminator 9\n"
		    "1000 1:1:0 s\n"
		    "1000 1:1:0 sx\n");
}

TEST(special_opcodes_move_both_address_and_line)
{
	struct dw_line_header header = plain(dwarf4);

	header.min_inst_length = 4;
	header.line_base = -3;
	header.line_range = 12;
	header.default_is_stmt = 0;
	// The standard's own example (DWARF 4, 6.2.5.1), with four bytes per instruction.
	assert_rows(PROGRAM(&header, 3, 9, 13, 255, 24, 8, 13 + 3, 9, 3, 0, 1, 0, 1, 1), dwarf4,
		    "1000 1:7:0 \n"
		    "1050 1:6:0 \n"
		    "1050 1:14:0 \n"
		    "10a0 1:14:0 \n"
		    "10a3 1:14:0 \n" // fixed_advance_pc is in bytes
		    "10a3 1:14:0 x\n");
}

TEST(lines_before_the_first_wrap_around)
{
	struct dw_line_header header = plain(dwarf4);

	assert_rows(PROGRAM(&header, 3, 0x7e, 1, 3, 2, 1, 0, 1, 1), dwarf4,
		    "1000 1:4294967295:0 s\n"
		    "1000 1:1:0 s\n"
		    "1000 1:1:0 sx\n");
}

TEST(addresses_wrap_around_at_their_size)
{
	struct dwarf_format format = { .version = 4, .offset_size = 4, .addr_size = 4 };
	struct dw_line_header header = plain(format);
	struct dwarf_builder *dw = begin(format, &header);

	dw_line_address(dw, 0xfffffff0);
	dw_line_row(dw, 0x20, 0);
	dw_line_end_sequence(dw, UINT64_MAX); // back by one, as a compiler once wrote it
	dw_line_end(dw);
	assert_rows(dw, format, "10 1:1:0 s\nf 1:1:0 sx\n");
}

TEST(instructions_of_vliw_machines_have_several_operations)
{
	struct dw_line_header header = plain(dwarf4);

	header.min_inst_length = 16;
	header.max_ops_per_inst = 3;
	// 2 operations, 2 more, 17 by const_add_pc, 100 by advance_pc; then fixed ones, which begin
	// an instruction anew, like addresses.
	assert_rows(PROGRAM(&header, 46, 46, 8, 1, 2, 100, 1, 9, 1, 0, 1, 46, 0, 3, 2, 0, 2, 1, //
			    0, 1, 1),
		    dwarf4,
		    "1000 1:1:0 s op 2\n"
		    "1010 1:1:0 s op 1\n"
		    "1070 1:1:0 s\n"
		    "1280 1:1:0 s op 1\n"
		    "1281 1:1:0 s\n"
		    "1281 1:1:0 s op 2\n"
		    "200 1:1:0 s\n"
		    "200 1:1:0 sx\n");
	header.max_ops_per_inst = 0; // means nothing, and so 1
	assert_rows(PROGRAM(&header, 46, 0, 1, 1), dwarf4, "1020 1:1:0 s\n1020 1:1:0 sx\n");
}

TEST(before_dwarf_4_there_are_no_operations)
{
	struct dw_line_header header = plain(dwarf4);

	header.version = 3;
	header.max_ops_per_inst = 3; // is not written
	assert_rows(PROGRAM(&header, 46, 0, 1, 1), dwarf4, "1002 1:1:0 s\n1002 1:1:0 sx\n");
}

TEST(an_address_has_the_size_that_its_opcode_has)
{
	for (uint32_t big_endian = 0; big_endian <= 1; big_endian++) {
		for (uint32_t size = 1; size <= 8; size++) {
			struct dwarf_format format = dwarf4;
			format.big_endian = big_endian;
			struct dw_line_header header = plain(format);
			struct dwarf_builder *dw = begin(format, &header);
			uint8_t bytes[8] = { 0 };
			char wanted[40];

			for (uint32_t i = 0; i < size; i++)
				bytes[i] = (uint8_t)(big_endian ? i + 1 : size - i);
			dw_line_extended(dw, DW_LNE_set_address, bytes, size);
			dw_line_end_sequence(dw, 0);
			dw_line_end(dw);
			snprintf(wanted, sizeof(wanted), "%" PRIx64 " 1:1:0 sx\n",
				 UINT64_C(0x0102030405060708) >> 8 * (8 - size));
			assert_rows(dw, format, wanted);
		}
	}
}

TEST(an_address_of_no_size_is_a_fault)
{
	struct dw_line_header header = plain(dwarf4);

	assert_rows(PROGRAM(&header, 1, 0, 1, 2, 0, 1, 1), dwarf4,
		    "1000 1:1:0 s\n"
		    ".debug_line+0x2d: address is not 1 to 8 bytes long\n");
	assert_rows(PROGRAM(&header, 0, 10, 2, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 1), dwarf4,
		    ".debug_line+0x2c: address is not 1 to 8 bytes long\n");
}

TEST(unknown_opcodes_are_passed_over)
{
	static const uint8_t lengths[] = { 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1, 0, 3 };
	struct dw_line_header header = plain(dwarf4);

	header.opcode_base = 15;
	header.opcode_lengths = lengths;
	// 13 without operands, 14 with three, two extended ones, one of them Nvidia's; and known
	// ones may have more bytes than we know of.
	assert_rows(PROGRAM(&header, 13, 14, 0x80, 1, 2, 0xff, 0x7f, 1, 0, 4, 0x90, 1, 1, 1, 0, 1,
			    0x80, 1, 0, 4, 4, 7, 1, 1, 20, 0, 3, 1, 1, 1),
		    dwarf4,
		    "1000 1:1:0 s\n"
		    "1000 1:1:0 s\n"
		    "1000 1:1:0 s discriminator 7\n"
		    "1000 1:1:0 sx\n");
}

TEST(zeros_that_pad_a_table_say_nothing)
{
	struct dw_line_header header = plain(dwarf4);

	for (size_t zeros = 2; zeros <= 16; zeros++) {
		const uint8_t bytes[3 + 16] = { 0, 1, 1 };
		assert_rows(program_of(&header, bytes, 3 + zeros), dwarf4,
			    zeros < 16
				    ? "1000 1:1:0 sx\n"
				    : "1000 1:1:0 sx\n.debug_line+0x2e: zeros instead of rows\n");
	}
}

TEST(zeros_among_rows_are_a_fault)
{
	struct dw_line_header header = plain(dwarf4);

	assert_rows(PROGRAM(&header, 1, 0, 0, 1, 0, 1, 1), dwarf4,
		    "1000 1:1:0 s\n.debug_line+0x2c: zeros instead of rows\n");
}

TEST(an_opcode_that_opcode_base_leaves_out_is_a_special_one)
{
	struct dw_line_header header = plain(dwarf4);

	header.opcode_base = 10;
	// 10, 11, 12: no addresses, lines by -5, -4, -3
	assert_rows(PROGRAM(&header, 3, 20, 10, 11, 12, 0, 1, 1), dwarf4,
		    "1000 1:16:0 s\n1000 1:12:0 s\n1000 1:9:0 s\n1000 1:9:0 sx\n");
	header.opcode_base = 1;
	assert_rows(PROGRAM(&header, 6, 7, 0, 1, 1), dwarf4,
		    "1000 1:1:0 s\n1000 1:2:0 s\n1000 1:2:0 sx\n");
	header.opcode_base = 0; // and still 0 is no special opcode
	assert_rows(PROGRAM(&header, 5, 6, 0, 1, 1), dwarf4,
		    "1000 1:1:0 s\n1000 1:2:0 s\n1000 1:2:0 sx\n");
	header.opcode_base = 255;
	static const uint8_t lengths[254] = { [11] = 1 };
	header.opcode_lengths = lengths;
	assert_rows(PROGRAM(&header, 12, 3, 254, 8, 255, 0, 1, 1), dwarf4,
		    "1000 1:4294967292:0 s isa 3\n1000 1:4294967292:0 sx isa 3\n");
}

// An opcode with a number below 64 or a signed one, in `width` bytes; 0 for the fewest possible.
static void put_number(struct dwarf_builder *dw, uint8_t opcode, int64_t number, unsigned width)
{
	dw_u8(dw, opcode);
	if (width == 0)
		dw_sleb(dw, number);
	for (unsigned i = 1; i <= width; i++, number >>= 7)
		dw_u8(dw, (uint8_t)((number & 0x7f) | (i < width ? 0x80 : 0)));
}

static void put_lines(struct dwarf_builder *dw, int64_t lines, unsigned width)
{
	put_number(dw, DW_LNS_set_file, 2, width);
	put_number(dw, DW_LNS_set_column, 7, width);
	dw_raw(dw, DW_BYTES(0, (uint8_t)(width ? width + 1 : 2)));
	put_number(dw, DW_LNE_set_discriminator, 3, width);
	dw_u8(dw, DW_LNS_negate_stmt);
	put_number(dw, DW_LNS_advance_line, 10000 + lines, 9);
	put_number(dw, DW_LNS_advance_line, -10000, 9);
	dw_u8(dw, DW_LNS_const_add_pc); // 242 / 14
	dw_u8(dw, 13 + 5 + 14);         // 1 instruction, no line
	dw_u8(dw, DW_LNS_negate_stmt);
	put_number(dw, DW_LNS_advance_line, lines, width);
	dw_u8(dw, DW_LNS_copy);
	dw_line_end_sequence(dw, 1);
}

TEST(short_numbers_mean_the_same_as_padded_ones)
{
	static const int64_t lines[] = { 0, 63, 64, -64, -65, 8191, 8192, -8192, -8193, 1 << 20 };
	struct dw_line_header header = plain(dwarf4);

	for (size_t i = 0; i < COUNT_OF(lines); i++) {
		uint32_t line = 1 + (uint32_t)lines[i], next = line + (uint32_t)lines[i];
		char wanted[256];

		snprintf(wanted, sizeof(wanted),
			 "1012 2:%u:7  discriminator 3\n1012 2:%u:7 s\n1013 2:%u:7 sx\n", line,
			 next, next);
		for (unsigned width = 0; width <= 9; width += 9) {
			struct dwarf_builder *dw = begin(dwarf4, &header);
			dw_line_address(dw, 0x1000);
			put_lines(dw, lines[i], width);
			dw_line_end(dw);
			assert_rows(dw, dwarf4, wanted);
		}
	}
}

TEST(special_opcodes_divide_by_every_line_range)
{
	struct dw_line_header header = plain(dwarf4);

	for (unsigned range = 1; range <= 255; range++) {
		for (unsigned opcode = 13; opcode <= 255; opcode += 1 + range % 7) {
			const uint8_t bytes[] = { (uint8_t)opcode, 0, 1, 1 };
			unsigned addr = 0x1000 + (opcode - 13) / range;
			unsigned line = 1 - 5 + (opcode - 13) % range;
			char wanted[64];
			header.line_range = (uint8_t)range;
			snprintf(wanted, sizeof(wanted), "%x 1:%u:0 s\n%x 1:%u:0 sx\n", addr, line,
				 addr, line);
			assert_rows(program_of(&header, bytes, sizeof(bytes)), dwarf4, wanted);
		}
	}
}

TEST(a_line_range_of_0_is_a_fault_where_it_matters)
{
	struct dw_line_header header = plain(dwarf4);

	header.line_range = 0;
	assert_rows(PROGRAM(&header, 3, 4, 1, 0, 1, 1), dwarf4, "1000 1:5:0 s\n1000 1:5:0 sx\n");
	assert_rows(PROGRAM(&header, 1, 13, 0, 1, 1), dwarf4,
		    "1000 1:1:0 s\n"
		    ".debug_line+0x2b: special opcode in a table whose line_range is 0\n");
	assert_rows(PROGRAM(&header, 8, 0, 1, 1), dwarf4,
		    ".debug_line+0x2a: special opcode in a table whose line_range is 0\n");
}

TEST(the_program_begins_where_the_header_says_that_it_ends)
{
	for (uint16_t version = 2; version <= 5; version++) {
		struct dwarf_format format = { .version = version,
					       .offset_size = 4,
					       .addr_size = 8 };
		struct dw_line_header header = plain(format);

		header.extra = (struct bytes){ DW_BYTES(1, 1, 1, 1) }; // would be rows
		struct dwarf_builder *dw = begin(format, &header);
		dw_line_address(dw, 0x1000);
		dw_line_end_sequence(dw, 0);
		dw_line_end(dw);
		assert_rows(dw, format, "1000 1:1:0 sx\n");
	}
}

TEST(a_table_without_a_program_has_no_rows)
{
	struct dw_line_header header = plain(dwarf4);
	struct dwarf_builder *dw = begin(dwarf4, &header);

	dw_line_end(dw);
	assert_rows(dw, dwarf4, "");
	// Nor does one that could not be read.
	const struct ic_dwarf none = { .swap = false };
	const struct ic_unit unit = { .dwarf = &none, .offset_size = 4, .addr_size = 8 };
	struct ic_line_header parsed = { .program_size = 8 };
	struct ic_line_program program;
	struct ic_line_row row;
	struct ic_error err;
	assert_false(ic_line_header_parse(&parsed, &unit, UINT64_MAX, &err));
	ic_line_program_open(&program, &parsed, &unit, UINT64_MAX);
	assert_int_equal(ic_line_program_next(&program, &row), IC_LINE_END);
	assert_true(ic_line_program_ok(&program, &err));
}

TEST(a_program_that_breaks_off_says_where_and_its_rows_stay)
{
	struct dw_line_header header = plain(dwarf4);

	assert_rows(PROGRAM(&header, 1), dwarf4,
		    "1000 1:1:0 s\n.debug_line+0x2a: unterminated sequence of rows\n");
	assert_rows(PROGRAM(&header, 1, 2), dwarf4,
		    "1000 1:1:0 s\n.debug_line+0x2b: unexpected end of data\n");
	assert_rows(PROGRAM(&header, 3, 0x80), dwarf4,
		    ".debug_line+0x2b: unexpected end of data\n");
	assert_rows(PROGRAM(&header, 9, 1), dwarf4, ".debug_line+0x2a: unexpected end of data\n");
	assert_rows(PROGRAM(&header, 0), dwarf4, ".debug_line+0x2a: unexpected end of data\n");
	assert_rows(PROGRAM(&header, 0, 3, 1, 1), dwarf4,
		    ".debug_line+0x2b: opcode extends beyond the end of its table\n");
	// An operand is no longer than its opcode, even if bytes follow.
	assert_rows(PROGRAM(&header, 0, 2, 4, 0x80, 1, 0, 1, 1), dwarf4,
		    ".debug_line+0x2d: unexpected end of data\n");
	assert_rows(PROGRAM(&header, 0, 3, 3, 'a', 'b', 0, 0, 0, 0), dwarf4,
		    ".debug_line+0x2c: unterminated string\n");
}

TEST(a_number_that_cannot_be_is_a_fault)
{
	struct dw_line_header header = plain(dwarf4);
	static const uint8_t opcodes[] = { DW_LNS_set_file, DW_LNS_set_column, DW_LNS_set_isa };

	for (size_t i = 0; i < COUNT_OF(opcodes); i++) {
		assert_rows(PROGRAM(&header, opcodes[i], 0xff, 0xff, 0xff, 0xff, 0x1f, 1, 0, 1, 1),
			    dwarf4, ".debug_line+0x2f: number is too large\n");
	}
	assert_rows(PROGRAM(&header, 4, 0xff, 0xff, 0xff, 0xff, 0x0f, 1, 0, 1, 1), dwarf4,
		    "1000 4294967295:1:0 s\n1000 4294967295:1:0 sx\n");
}

TEST(a_budget_ends_the_program_early)
{
	struct dw_line_header header = plain(dwarf4);
	struct run run;

	run_program(&run, PROGRAM(&header, 1, 1, 1, 1, 0, 1, 1), dwarf4, 11 + 2);
	assert_string_equal(run.text, "1000 1:1:0 s\n1000 1:1:0 s\n"
				      ".debug_line+0x2b: unterminated sequence of rows\n");
	run_program(&run, PROGRAM(&header, 1, 0, 1, 1), dwarf4, 0);
	assert_string_equal(run.text, "");
}

TEST(every_event_takes_a_byte_of_the_program)
{
	for (uint32_t opcode_base = 0; opcode_base <= 1; opcode_base++) {
		struct dw_line_header header = plain(dwarf4);
		uint8_t bytes[4000];
		struct run run;

		header.opcode_base = (uint8_t)opcode_base;
		memset(bytes, 255, sizeof(bytes));
		run_program(&run, program_of(&header, bytes, sizeof(bytes)), dwarf4, UINT64_MAX);
		assert_int_equal(run.events, sizeof(bytes));
	}
}

UNIT_TESTS(dwarf_lines_rows)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			every_opcode_does_what_the_standard_says_in_all_versions_and_formats),
		cmocka_unit_test(a_table_may_have_another_version_and_offset_size_than_its_unit),
		cmocka_unit_test(a_copy_clears_what_is_of_one_row_and_so_does_a_special_opcode),
		cmocka_unit_test(special_opcodes_move_both_address_and_line),
		cmocka_unit_test(lines_before_the_first_wrap_around),
		cmocka_unit_test(addresses_wrap_around_at_their_size),
		cmocka_unit_test(instructions_of_vliw_machines_have_several_operations),
		cmocka_unit_test(before_dwarf_4_there_are_no_operations),
		cmocka_unit_test(an_address_has_the_size_that_its_opcode_has),
		cmocka_unit_test(an_address_of_no_size_is_a_fault),
		cmocka_unit_test(unknown_opcodes_are_passed_over),
		cmocka_unit_test(zeros_that_pad_a_table_say_nothing),
		cmocka_unit_test(zeros_among_rows_are_a_fault),
		cmocka_unit_test(an_opcode_that_opcode_base_leaves_out_is_a_special_one),
		cmocka_unit_test(short_numbers_mean_the_same_as_padded_ones),
		cmocka_unit_test(special_opcodes_divide_by_every_line_range),
		cmocka_unit_test(a_line_range_of_0_is_a_fault_where_it_matters),
		cmocka_unit_test(the_program_begins_where_the_header_says_that_it_ends),
		cmocka_unit_test(a_table_without_a_program_has_no_rows),
		cmocka_unit_test(a_program_that_breaks_off_says_where_and_its_rows_stay),
		cmocka_unit_test(a_number_that_cannot_be_is_a_fault),
		cmocka_unit_test(a_budget_ends_the_program_early),
		cmocka_unit_test(every_event_takes_a_byte_of_the_program),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
