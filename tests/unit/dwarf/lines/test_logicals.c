#include "unit_test.h"

#include <inttypes.h>
#include <stdio.h>

#include "dwarf/lines/rows.h"
#include "fixtures/dwarf.h"

#include "dwarf_constants.h"

static const struct dwarf_format dwarf4 = { .version = 4, .offset_size = 4, .addr_size = 8 };

static const struct dw_line_function functions[] = {
	{ "main", 1, 10 }, { "outer", 1, 3 }, { "inner", 2, 7 }, { .name = NULL }
};

__attribute__((format(printf, 2, 3))) static void put(char *text, const char *format, ...)
{
	size_t length = strlen(text);
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text + length, 4096 - length, format, arguments);
	va_end(arguments);
}

// "address file:line:column flags", the function, and the calls that it is inlined at.
static void put_row(char *text, const struct ic_line_program *program,
		    const struct ic_line_row *row)
{
	const struct ic_line_functions *state = &program->functions;
	const struct ic_line_function *function = &state->function;
	uint64_t context = state->context;

	put(text, "%" PRIx64 " %u:%u:%u ", row->addr, row->file, row->line, row->column);
	for (int i = 0; i < 5; i++)
		if (row->flags >> i & 1)
			put(text, "%c", "sbxpe"[i]);
	if (row->discriminator)
		put(text, " discriminator %u", row->discriminator);
	if (function->name)
		put(text, " %s@%u:%u", function->name, function->decl_file, function->decl_line);
	for (const struct ic_line_logical *call;
	     (call = ic_line_logicals_find(&program->logicals, context)); context = call->context)
		put(text, " < %u:%u %s", call->row.file, call->row.line,
		    call->function.name ? call->function.name : "?");
	put(text, "\n");
}

struct options {
	uint64_t budget;
	bool keep;
};

static void assert_run(struct dwarf_builder *dw, struct dwarf_format format, struct options options,
		       const char *wanted)
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
		put(text, "header: %s\n", err.message);
	ic_line_program_open(&program, &header, &unit, options.budget);
	if (options.keep)
		ic_line_program_keep_rows(&program);
	while (ic_line_program_next(&program, &row) == IC_LINE_ROW)
		put_row(text, &program, &row);
	if (!ic_line_functions_ok(&program.functions, &err))
		put(text, "doubt: %s\n", err.message);
	if (!ic_line_program_ok(&program, &err))
		put(text, "fault: %s\n", err.message);
	assert_string_equal(text, wanted);
	ic_line_program_close(&program);
	ic_line_header_free(&header);
	dwarf_builder_free(dw);
}

static void assert_rows(struct dwarf_builder *dw, const char *wanted)
{
	assert_run(dw, dwarf4, (struct options){ .budget = UINT64_MAX }, wanted);
}

static struct dwarf_builder *begin_in(struct dwarf_format format, bool has_actuals)
{
	struct dwarf_builder *dw = dwarf_builder_new(format);
	struct dw_line_header header = dw_line_header_two_level(dw);
	static const char *const dirs[] = { "include", NULL };
	static const struct dw_line_file files[] = { { .path = "a.c" },
						     { .path = "b.h", .dir = 1 },
						     { .path = NULL } };

	header.dirs = dirs;
	header.files = files;
	header.functions = functions;
	header.has_actuals = has_actuals;
	dw_line_begin(dw, "lines", &header);
	return dw;
}

static struct dwarf_builder *begin(void)
{
	return begin_in(dwarf4, true);
}

static void set_subprogram(struct dwarf_builder *dw, uint64_t number)
{
	dw_u8(dw, DW_LNS_set_subprogram);
	dw_uleb(dw, number);
}

// The call is `distance` rows before the last one.
static void inlined_call(struct dwarf_builder *dw, int64_t distance, uint64_t subprogram)
{
	dw_u8(dw, DW_LNS_inlined_call);
	dw_sleb(dw, -distance);
	dw_uleb(dw, subprogram);
}

static void pop_context(struct dwarf_builder *dw)
{
	dw_u8(dw, DW_LNS_pop_context);
}

// A row of the actuals for a logical `distance` after that of the last row.
static void actual(struct dwarf_builder *dw, uint64_t addr_advance, int64_t distance)
{
	dw_line_row(dw, addr_advance, distance);
}

// main() calls outer() in line 12, which calls inner() in line 4; both are inlined.
static void put_logicals(struct dwarf_builder *dw)
{
	dw_line_address(dw, 0x1000);
	set_subprogram(dw, 1);
	dw_line_row(dw, 0, 10);
	dw_u8(dw, DW_LNS_set_column);
	dw_uleb(dw, 5);
	dw_line_extended(dw, DW_LNE_set_discriminator, "\3", 1);
	dw_line_row(dw, 4, 1); // 2: the call of outer(), line 12
	inlined_call(dw, 0, 2);
	dw_line_row(dw, 0, -8); // 3: the call of inner()
	inlined_call(dw, 0, 3);
	dw_u8(dw, DW_LNS_set_file);
	dw_uleb(dw, 2);
	dw_u8(dw, DW_LNS_negate_stmt);
	dw_line_row(dw, 4, 4); // 4: line 8
	pop_context(dw);
	dw_u8(dw, 16 + 5 + 14 * 2 + 1); // 5: outer() again, a line on
	pop_context(dw);
	dw_line_row(dw, 4, 1); // 6: and main()
}

TEST(actuals_have_the_places_and_functions_of_logicals)
{
	for (uint32_t i = 0; i < DWARF_FORMAT_COUNT; i++) {
		struct dwarf_format format = dwarf_format_number(i);
		struct dwarf_builder *dw = begin_in(format, true);
		put_logicals(dw);
		dw_line_actuals(dw, "lines");
		dw_line_address(dw, 0x2000);
		dw_u8(dw, DW_LNS_copy);
		actual(dw, 8, 3); // 4
		dw_u8(dw, DW_LNS_set_prologue_end);
		actual(dw, 8, -1); // 3
		dw_u8(dw, DW_LNS_set_address_from_logical);
		dw_sleb(dw, 3); // 6
		dw_u8(dw, DW_LNS_copy);
		dw_line_end_sequence(dw, 8);
		dw_line_address(dw, 0x3000);
		actual(dw, 0, 4); // 5
		dw_line_end_sequence(dw, 8);
		dw_line_end(dw);
		assert_run(dw, format, (struct options){ .budget = UINT64_MAX },
			   "2000 1:11:0 s main@1:10\n"
			   "2008 2:8:5  inner@2:7 < 1:4 outer < 1:12 main\n"
			   "2010 1:4:5 sp outer@1:3 < 1:12 main\n"
			   "100e 1:13:5 s discriminator 3 main@1:10\n"
			   "1016 1:13:5 sx discriminator 3\n"
			   "3000 1:5:5 s outer@1:3 < 1:12 main\n"
			   "3008 1:5:5 sx\n");
	}
}

TEST(without_actuals_the_logicals_are_the_rows)
{
	for (uint32_t i = 0; i < DWARF_FORMAT_COUNT; i++) {
		struct dwarf_format format = dwarf_format_number(i);
		struct dwarf_builder *dw = begin_in(format, false);
		put_logicals(dw);
		dw_line_end_sequence(dw, 8);
		dw_line_row(dw, 0, 1);
		inlined_call(dw, 7, 3); // across sequences
		dw_line_row(dw, 1, 1);
		dw_line_end_sequence(dw, 1);
		dw_line_end(dw);
		assert_run(dw, format, (struct options){ .budget = UINT64_MAX },
			   "1000 1:11:0 s main@1:10\n"
			   "1004 1:12:5 s discriminator 3 main@1:10\n"
			   "1004 1:4:5 s outer@1:3 < 1:12 main\n"
			   "1008 2:8:5  inner@2:7 < 1:4 outer < 1:12 main\n"
			   "100a 1:5:5 s outer@1:3 < 1:12 main\n"
			   "100e 1:13:5 s discriminator 3 main@1:10\n"
			   "1016 1:13:5 sx\n"
			   "0 1:2:0 s\n"
			   "1 1:3:0 s inner@2:7 < 1:11 main\n"
			   "2 1:3:0 sx\n");
	}
}

TEST(paths_are_those_of_files_that_are_counted_from_1)
{
	struct dwarf_builder *dw = begin();
	dw_line_actuals(dw, "lines");
	dw_line_end(dw);
	struct ic_dwarf dwarf = dwarf_of(dw, false);
	const struct ic_unit unit = { .dwarf = &dwarf,
				      .version = 4,
				      .addr_size = 8,
				      .offset_size = 4,
				      .root.comp_dir = "/src" };
	struct ic_line_header header = { 0 };
	struct ic_error err;
	char path[32] = "";

	assert_true(ic_line_header_parse(&header, &unit, UINT64_MAX, &err));
	assert_int_equal(header.version, IC_LINE_TWO_LEVEL);
	assert_int_equal(ic_line_file_path(&header, &unit, 0, path, sizeof(path)), 0);
	ic_line_file_path(&header, &unit, 1, path, sizeof(path));
	assert_string_equal(path, "/src/a.c");
	ic_line_file_path(&header, &unit, 2, path, sizeof(path));
	assert_string_equal(path, "/src/include/b.h");
	assert_int_equal(ic_line_file_path(&header, &unit, 3, path, sizeof(path)), 0);
	ic_line_header_free(&header);
	dwarf_builder_free(dw);
}

TEST(a_row_of_no_logical_has_no_place)
{
	static const int64_t lines[] = { 1, -1, -2, 1 << 30 };

	for (size_t i = 0; i < COUNT_OF(lines); i++) {
		struct dwarf_builder *dw = begin();
		set_subprogram(dw, 1);
		dw_line_row(dw, 0, 1);
		dw_line_actuals(dw, "lines");
		dw_line_address(dw, 0x2000);
		dw_u8(dw, DW_LNS_set_address_from_logical);
		dw_sleb(dw, lines[i]);
		dw_u8(dw, DW_LNS_copy);
		actual(dw, 1, -lines[i]);
		dw_line_end_sequence(dw, 1);
		dw_line_end(dw);
		char wanted[160];
		snprintf(wanted, sizeof(wanted),
			 "2000 0:0:0 \n2001 1:2:0 s main@1:10\n2002 1:2:0 sx\n"
			 "doubt: .debug_line+0x%x: logical row number is out of range\n",
			 (unsigned)(0x78 + (i == 3 ? 4 : 0)));
		assert_rows(dw, wanted);
	}
}

TEST(what_logicals_refer_to_must_have_been)
{
	static const struct {
		int64_t distance;
		uint64_t subprogram;
		const char *wanted;
	} cases[] = {
		{ 1, 2, "call site of an inlined function is not an earlier row" },
		{ -1, 2, "call site of an inlined function is not an earlier row" },
		{ INT64_MAX, 2, "call site of an inlined function is not an earlier row" },
		{ INT64_MIN, 2, "call site of an inlined function is not an earlier row" },
		{ 0, 4, "function number is out of range" },
		{ 0, UINT64_MAX, "function number is out of range" },
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct dwarf_builder *dw = begin_in(dwarf4, false);
		char wanted[256];
		set_subprogram(dw, 1);
		dw_line_row(dw, 0, 1);
		dw_u8(dw, DW_LNS_inlined_call);
		dw_sleb(dw, cases[i].distance == INT64_MIN ? INT64_MIN : -cases[i].distance);
		dw_uleb(dw, cases[i].subprogram);
		dw_line_row(dw, 1, 1);
		pop_context(dw); // to nothing, or to the first row
		dw_line_end_sequence(dw, 1);
		dw_line_end(dw);
		snprintf(wanted, sizeof(wanted),
			 "0 1:2:0 s main@1:10\n1 1:3:0 s%s\n2 1:%d:0 sx\n"
			 "doubt: .debug_line+0x6b: %s\n",
			 cases[i].distance == 0 ? " < 1:2 main" : "",
			 cases[i].distance == 0 ? 2 : 3, cases[i].wanted);
		assert_rows(dw, wanted);
	}
	struct dwarf_builder *dw = begin_in(dwarf4, false);
	set_subprogram(dw, 0); // none
	dw_line_row(dw, 0, 1);
	set_subprogram(dw, 4);
	dw_line_row(dw, 0, 1);
	dw_line_end_sequence(dw, 1);
	dw_line_end(dw);
	assert_rows(dw, "0 1:2:0 s\n0 1:3:0 s\n1 1:3:0 sx\n"
			"doubt: .debug_line+0x6b: function number is out of range\n");
}

// The offset of the fault tells the seven bytes, the two offsets and the tables apart.
TEST(a_header_that_cannot_be_is_a_fault)
{
	static const struct {
		struct dw_bad logicals, actuals;
		const char *wanted;
	} cases[] = {
		{ DW_BAD(0x10000), { 0 }, "rows of a two-level table are beyond its end" },
		{ { 0 }, DW_BAD(0x10000), "rows of a two-level table are beyond its end" },
		{ { 0 }, DW_BAD(4), "rows of a two-level table are beyond its end" },
		{ { 0 }, DW_BAD(UINT32_MAX), "rows of a two-level table are beyond its end" },
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct dwarf_builder *dw = dwarf_builder_new(dwarf4);
		struct dw_line_header header = dw_line_header_two_level(dw);
		char wanted[128];
		header.bad_logicals = cases[i].logicals;
		header.bad_actuals = cases[i].actuals;
		dw_line_begin(dw, "lines", &header);
		dw_u8(dw, DW_LNS_copy);
		dw_line_actuals(dw, "lines");
		dw_u8(dw, DW_LNS_copy);
		dw_line_end(dw);
		snprintf(wanted, sizeof(wanted), "header: .debug_line+0x2e: %s\n", cases[i].wanted);
		assert_rows(dw, wanted);
	}
	struct dwarf_builder *dw = dwarf_builder_new(dwarf4);
	struct dw_line_header header = dw_line_header_default(dw);
	header.bad_version = (struct dw_bad)DW_BAD(DW_LINE_TWO_LEVEL);
	header.extra = (struct bytes){ DW_BYTES(0, 0xff, 0xff, 0x7f, 0, 0, 0, 0, 0, 0, 0, 0, 0) };
	dw_line_begin(dw, "lines", &header);
	dw_line_end(dw);
	assert_rows(dw, "header: .debug_line+0x2b: invalid header of a two-level table\n");
}

TEST(a_claim_of_2_60_entries_ends_with_the_bytes)
{
	// No format with 2^60 items; and one format, whose first item ends after the table.
	struct dwarf_builder *dw = dwarf_builder_new(dwarf4);
	dw_section_begin(dw, ".debug_line");
	dw_initial_length_begin(dw);
	dw_u16(dw, DW_LINE_TWO_LEVEL);
	dw_u32(dw, 6 + 15 + 2);
	dw_raw(dw, DW_BYTES(1, 1, 1, 0xfb, 14, 16));
	dw_raw(dw, DW_BYTES(0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1, 1, 2, 0));
	dw_raw(dw, DW_BYTES(0, 0, 0, 0xff, 0xff, 0x7f, 0x7f));
	dw_u32(dw, 0x46); // at the end
	dw_u32(dw, 0);
	dw_u8(dw, 0);
	dw_uleb(dw, 1ull << 60);
	dw_u8(dw, 0);
	dw_uleb(dw, 1ull << 60);
	dw_raw(dw, DW_BYTES(1, DW_LNCT_subprogram_name, DW_FORM_string));
	dw_uleb(dw, 1ull << 60);
	dw_text(dw, "f");
	dw_length_end(dw);
	dw_section_end(dw);
	assert_rows(dw, "header: .debug_line+0x50: unterminated string\n");
}

TEST(a_claim_of_2_60_rows_costs_no_memory)
{
	struct dwarf_builder *dw = begin();
	set_subprogram(dw, 1);
	dw_line_row(dw, 0, 1);
	dw_line_actuals(dw, "lines");
	dw_u8(dw, DW_LNS_advance_line);
	dw_sleb(dw, INT64_C(1) << 60); // wraps to 0
	dw_u8(dw, DW_LNS_copy);
	dw_u8(dw, DW_LNS_set_address_from_logical);
	dw_sleb(dw, INT64_C(1) << 60);
	dw_u8(dw, DW_LNS_copy);
	dw_line_end_sequence(dw, 1);
	dw_line_end(dw);
	assert_rows(dw, "0 1:2:0 s main@1:10\n0 1:2:0 s main@1:10\n1 1:2:0 sx\n");
}

TEST(a_fault_in_the_logicals_leaves_no_rows)
{
	struct dwarf_builder *dw = begin();
	dw_line_row(dw, 0, 1);
	dw_u8(dw, DW_LNS_set_subprogram); // its operand would be an actual
	dw_line_actuals(dw, "lines");
	dw_line_row(dw, 0, 0);
	dw_line_end_sequence(dw, 1);
	dw_line_end(dw);
	assert_rows(dw, "fault: .debug_line+0x69: unexpected end of data\n");
}

TEST(a_budget_is_of_both_programs)
{
	for (uint64_t budget = 0; budget <= 12; budget++) {
		struct dwarf_builder *dw = begin();
		dw_line_row(dw, 0, 1); // 5 bytes
		dw_line_actuals(dw, "lines");
		dw_line_row(dw, 7, 0); // 5 bytes
		dw_line_end_sequence(dw, 1);
		dw_line_end(dw);
		const char *wanted = budget < 10 ? "" : "7 1:2:0 s\n";
		char text[128];
		const char *fault = "";
		switch (budget) {
		case 1: fault = "fault: .debug_line+0x64: unexpected end of data\n"; break;
		case 3: fault = "fault: .debug_line+0x66: unexpected end of data\n"; break;
		case 6: fault = "fault: .debug_line+0x69: unexpected end of data\n"; break;
		case 8: fault = "fault: .debug_line+0x6b: unexpected end of data\n"; break;
		case 10: fault = "fault: .debug_line+0x6d: unterminated sequence of rows\n"; break;
		case 11: fault = "fault: .debug_line+0x6e: unexpected end of data\n"; break;
		case 12: fault = "fault: .debug_line+0x6f: unterminated sequence of rows\n"; break;
		}
		snprintf(text, sizeof(text), "%s%s", wanted, fault);
		assert_run(dw, dwarf4, (struct options){ .budget = budget }, text);
	}
}

TEST(common_tables_keep_their_rows_where_they_are_told_to)
{
	struct dwarf_builder *dw = dwarf_builder_new(dwarf4);
	struct dw_line_header header = dw_line_header_default(dw);
	header.opcode_base = 16;
	header.opcode_lengths = (const uint8_t[]){ 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1, 1, 2, 0 };
	dw_str_off(dw, ".debug_str", "f");
	dw_line_begin(dw, "lines", &header);
	dw_line_row(dw, 0, 1);
	dw_line_inlined_call(dw, 1, 0);
	set_subprogram(dw, 1); // these mean nothing here
	inlined_call(dw, 1, 1);
	pop_context(dw);
	dw_line_row(dw, 1, 1);
	dw_line_end_sequence(dw, 1);
	dw_line_end(dw);
	assert_run(dw, dwarf4, (struct options){ .budget = UINT64_MAX, .keep = true },
		   "0 1:2:0 s\n1 1:3:0 s f@0:0 < 1:2 ?\n2 1:3:0 sx\n");
}

UNIT_TESTS(dwarf_lines_logicals)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(actuals_have_the_places_and_functions_of_logicals),
		cmocka_unit_test(without_actuals_the_logicals_are_the_rows),
		cmocka_unit_test(paths_are_those_of_files_that_are_counted_from_1),
		cmocka_unit_test(a_row_of_no_logical_has_no_place),
		cmocka_unit_test(what_logicals_refer_to_must_have_been),
		cmocka_unit_test(a_header_that_cannot_be_is_a_fault),
		cmocka_unit_test(a_claim_of_2_60_entries_ends_with_the_bytes),
		cmocka_unit_test(a_claim_of_2_60_rows_costs_no_memory),
		cmocka_unit_test(a_fault_in_the_logicals_leaves_no_rows),
		cmocka_unit_test(a_budget_is_of_both_programs),
		cmocka_unit_test(common_tables_keep_their_rows_where_they_are_told_to),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
