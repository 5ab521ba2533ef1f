#include "unit_test.h"

#include <inttypes.h>
#include <stdio.h>

#include "dwarf/lines/rows.h"
#include "fixtures/dwarf.h"

#include "dwarf_constants.h"

static const struct dwarf_format dwarf2 = { .version = 2, .offset_size = 4, .addr_size = 8 };

__attribute__((format(printf, 2, 3))) static void put(char *text, const char *format, ...)
{
	size_t length = strlen(text);
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text + length, 4096 - length, format, arguments);
	va_end(arguments);
}

// "number: address line", the row of the call, and the function.
static void put_row(char *text, const struct ic_line_program *program,
		    const struct ic_line_row *row)
{
	put(text, "%" PRIu64 ": %" PRIx64 " %u", program->functions.row_number, row->addr,
	    row->line);
	if (row->flags & IC_LINE_END_SEQUENCE)
		put(text, " end");
	if (program->functions.context > 0)
		put(text, " at %" PRIu64, program->functions.context);
	if (program->functions.function.name)
		put(text, " %s", program->functions.function.name);
	put(text, "\n");
}

// Runs the only table of the builder.
static void assert_rows(struct dwarf_builder *dw, struct dwarf_format format, const char *wanted)
{
	struct ic_dwarf dwarf = dwarf_of(dw, format.big_endian);
	const struct ic_unit unit = { .dwarf = &dwarf,
				      .version = format.version,
				      .addr_size = format.addr_size,
				      .offset_size = format.offset_size };
	struct ic_line_header header = { 0 };
	struct ic_line_program program;
	struct ic_line_row row;
	struct ic_error err;
	char text[4096] = "";

	if (!ic_line_header_parse(&header, &unit, UINT64_MAX, &err))
		fail_msg("%s", err.message);
	ic_line_program_open(&program, &header, &unit, UINT64_MAX);
	ic_line_program_keep_rows(&program);
	while (ic_line_program_next(&program, &row) == IC_LINE_ROW) {
		put_row(text, &program, &row);
		const struct ic_line_logical *kept =
			ic_line_logicals_find(&program.logicals, program.functions.row_number);
		assert_non_null(kept);
		assert_int_equal(kept->row.addr, row.addr);
	}
	if (!ic_line_functions_ok(&program.functions, &err))
		put(text, "doubt: %s\n", err.message);
	if (!ic_line_program_ok(&program, &err))
		put(text, "fault: %s\n", err.message);
	assert_string_equal(text, wanted);
	ic_line_program_close(&program);
	ic_line_header_free(&header);
	dwarf_builder_free(dw);
}

// A table as nvcc begins it: opcode_base 10, and after the files the offset of its part of
// .debug_str. This has "kernel.cu", which is not the table's, then "foo" at 0 and "bar" at 4.
static struct dwarf_builder *begin(struct dwarf_format format)
{
	struct dwarf_builder *dw = dwarf_builder_new(format);
	struct dw_line_header header = dw_line_header_default(dw);
	const uint8_t little[] = { 10, 0, 0, 0 }, big[] = { 0, 0, 0, 10 };

	dw_str_off(dw, ".debug_str", "kernel.cu");
	dw_str_off(dw, ".debug_str", "foo");
	dw_str_off(dw, ".debug_str", "bar");
	header.opcode_base = 10;
	header.extra = (struct bytes){ format.big_endian ? big : little, 4 };
	dw_line_begin(dw, "lines", &header);
	dw_line_address(dw, 0);
	return dw;
}

// Two kernels: in the first bar() is inlined into foo(), which is inlined into the kernel.
static void put_kernels(struct dwarf_builder *dw)
{
	dw_line_row(dw, 0, 14);
	dw_line_row(dw, 0x10, 2); // the call of foo()
	dw_line_inlined_call(dw, 2, 0);
	dw_line_row(dw, 0, -13);
	dw_line_row(dw, 0x20, 1); // the call of bar()
	dw_line_inlined_call(dw, 4, 4);
	dw_line_row(dw, 0, -3);
	dw_u8(dw, 10 + 5 + 14 * 2); // a special opcode
	dw_line_inlined_call(dw, 2, 0);
	dw_line_row(dw, 0x10, 4);
	dw_line_inlined_call(dw, 0, 0);
	dw_line_row(dw, 0x10, 12);
	dw_line_end_sequence(dw, 0x20);

	dw_line_address(dw, 0);
	dw_line_row(dw, 0, 40);
	dw_line_inlined_call(dw, 1, 4);
	dw_line_row(dw, 0, -30);
	dw_line_end_sequence(dw, 0x20);
	dw_line_row(dw, 0, 1); // nothing is inlined at first
	dw_line_end_sequence(dw, 1);
}

TEST(functions_are_inlined_at_rows_of_their_sequence)
{
	for (uint32_t i = 0; i < DWARF_FORMAT_COUNT; i++) {
		struct dwarf_format format = dwarf_format_number(i);
		struct dwarf_builder *dw = begin(format);

		put_kernels(dw);
		dw_line_end(dw);
		assert_rows(dw, format,
			    "1: 0 15\n"
			    "2: 10 17\n"
			    "3: 10 4 at 2 foo\n"
			    "4: 30 5 at 2 foo\n"
			    "5: 30 2 at 4 bar\n"
			    "6: 32 2 at 4 bar\n"
			    "7: 42 6 at 2 foo\n"
			    "8: 52 18\n"
			    "9: 72 18 end\n"
			    "10: 0 41\n"
			    "11: 0 11 at 10 bar\n"
			    "12: 20 11 end\n"
			    "13: 0 2\n"
			    "14: 1 2 end\n");
	}
}

TEST(a_name_may_be_set_by_itself)
{
	struct dwarf_builder *dw = begin(dwarf2);

	dw_line_extended(dw, DW_LNE_NVIDIA_set_function_name, "\0", 1); // of nothing inlined
	dw_line_row(dw, 0, 1);
	dw_line_inlined_call(dw, 1, 0);
	dw_line_row(dw, 0, 1);
	dw_line_extended(dw, DW_LNE_NVIDIA_set_function_name, "\4", 1);
	dw_line_row(dw, 0, 1);
	dw_line_end_sequence(dw, 1);
	dw_line_end(dw);
	assert_rows(dw, dwarf2, "1: 0 2\n2: 0 3 at 1 foo\n3: 0 4 at 1 bar\n4: 1 4 end\n");
}

// A linker that discards a function sets the address of its rows to 0, in the midst of a sequence.
TEST(rows_of_discarded_code_are_counted_though_not_told)
{
	struct dwarf_builder *dw = begin(dwarf2);

	dw_line_row(dw, 0x10, 1);
	dw_line_address(dw, 0); // below the last: of a function that was discarded
	dw_line_row(dw, 0, 1);
	dw_line_row(dw, 4, 1);
	dw_line_address(dw, 0x20);
	dw_line_row(dw, 0, 1);
	dw_line_inlined_call(dw, 4, 4);
	dw_line_row(dw, 0, -3);
	dw_line_end_sequence(dw, 1);
	dw_line_end(dw);
	assert_rows(dw, dwarf2, "1: 10 2\n4: 20 5\n5: 20 2 at 4 bar\n6: 21 2 end\n");
}

TEST(a_row_that_has_not_been_is_no_call)
{
	static const uint64_t rows[] = { 2, 3, UINT64_MAX };

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct dwarf_builder *dw = begin(dwarf2);
		dw_line_end_sequence(dw, 0); // its row is not in the next sequence
		dw_line_row(dw, 0, 1);
		dw_line_inlined_call(dw, 1, 0);
		dw_line_inlined_call(dw, rows[i], 4);
		dw_line_row(dw, 0, 1);
		dw_line_inlined_call(dw, rows[i] + 1, 4); // only the first is reported
		dw_line_inlined_call(dw, 2, 4);
		dw_line_row(dw, 0, 1);
		dw_line_end_sequence(dw, 1);
		dw_line_end(dw);
		assert_rows(dw, dwarf2,
			    "1: 0 1 end\n2: 0 2\n3: 0 3\n4: 0 4 at 3 bar\n5: 1 4 end\n"
			    "doubt: .debug_line+0x3b: call site of an inlined function is not an "
			    "earlier row\n");
	}
}

TEST(a_name_that_is_not_in_its_section_is_not_known)
{
	static const uint64_t names[] = { 8, UINT64_MAX - 9, UINT64_MAX };

	for (size_t i = 0; i < COUNT_OF(names); i++) {
		struct dwarf_builder *dw = begin(dwarf2);
		dw_line_row(dw, 0, 1);
		dw_line_inlined_call(dw, 1, names[i]);
		dw_line_row(dw, 0, 1);
		dw_line_inlined_call(dw, 0, names[i]); // where it means nothing
		dw_line_end_sequence(dw, 1);
		dw_line_end(dw);
		assert_rows(dw, dwarf2,
			    "1: 0 2\n2: 0 3 at 1\n3: 1 3 end\n"
			    "doubt: .debug_line+0x32: the name of an inlined function is not in "
			    ".debug_str\n");
	}
}

TEST(an_opcode_without_its_operands_is_a_fault)
{
	static const struct {
		uint8_t opcode, operands[2], size;
	} cases[] = { { DW_LNE_NVIDIA_inlined_call, { 0 }, 0 },
		      { DW_LNE_NVIDIA_inlined_call, { 1 }, 1 },
		      { DW_LNE_NVIDIA_inlined_call, { 1, 0x80 }, 2 },
		      { DW_LNE_NVIDIA_inlined_call, { 0 }, 1 } };

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct dwarf_builder *dw = begin(dwarf2);
		char wanted[128];
		dw_line_row(dw, 0, 1);
		dw_line_extended(dw, cases[i].opcode, cases[i].operands, cases[i].size);
		dw_line_end_sequence(dw, 1);
		dw_line_end(dw);
		snprintf(wanted, sizeof(wanted),
			 "1: 0 2\nfault: .debug_line+0x%x: unexpected end of data\n",
			 0x31 + cases[i].size);
		assert_rows(dw, dwarf2, wanted);
	}
}

UNIT_TESTS(dwarf_lines_functions)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(functions_are_inlined_at_rows_of_their_sequence),
		cmocka_unit_test(a_name_may_be_set_by_itself),
		cmocka_unit_test(rows_of_discarded_code_are_counted_though_not_told),
		cmocka_unit_test(a_row_that_has_not_been_is_no_call),
		cmocka_unit_test(a_name_that_is_not_in_its_section_is_not_known),
		cmocka_unit_test(an_opcode_without_its_operands_is_a_fault),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
