#include "unit_test.h"

#include <stdio.h>
#include <stdlib.h>

#include <inlinecall/extra/report.h>

static const struct ic_frame frames[] = {
	{ .function = "clamp",
	  .linkage_name = "_Z5clampii",
	  .file = "/src/math.h",
	  .line = 7,
	  .column = 9,
	  .inlined = true },
	{ .function = "scale",
	  .file = "/src/scale.c",
	  .line = 12,
	  .discriminator = 2,
	  .inlined = true },
	{ .function = "_Z4mainv", .is_symbol = true },
};

static const struct ic_rows_stack deep = { .addr = 0x14, .frames = frames, .frame_count = 3 };

struct look {
	struct ic_row_options rows;
	struct ic_report_options report;
};

static void check(const struct ic_rows_stack *stacks, size_t count, const struct look *look,
		  const char *wanted)
{
	char *text = NULL;
	size_t size;
	struct ic_error err;
	FILE *out = open_memstream(&text, &size);

	assert_non_null(out);
	struct ic_report *report =
		ic_report_new(IC_ROWS_STACKS, look ? &look->report : NULL, out, &err);
	struct ic_rows *rows = ic_rows_of_stacks(stacks, count, look ? &look->rows : NULL, &err);
	assert_non_null(report);
	assert_non_null(rows);
	assert_true(ic_report_rows(report, rows));
	assert_true(ic_report_end(report, &err));
	ic_rows_free(rows);
	ic_report_free(report);
	assert_int_equal(fclose(out), 0);
	assert_string_equal(text, wanted);
	free(text);
}

TEST(a_line_a_frame_and_the_first_begins_with_the_address)
{
	check(&deep, 1, NULL,
	      "0x14\tclamp()\t/src/math.h:7:9\tinlined\n"
	      "\tscale()\t/src/scale.c:12 (discriminator 2)\tinlined\n"
	      "\t_Z4mainv()\t??:0\n");
}

// Whoever reads answers from a pipe must know where one ends.
TEST(the_last_line_of_an_answer_and_no_other_is_without_a_word)
{
	const struct ic_frame broken[] = { { .function = "a", .inlined = false },
					   { .function = "b", .inlined = true } };
	const struct ic_rows_stack stack = { .frames = broken, .frame_count = 2 };

	check(&stack, 1, NULL, "0x0\ta()\t??:0\tinlined\n\tb()\t??:0\n");
}

TEST(an_address_of_which_nothing_is_known_is_a_line_too)
{
	const struct ic_rows_stack stacks[] = { { .addr = 0xffff }, { .addr = UINT64_MAX } };

	check(stacks, 2, NULL, "0xffff\t??\n0xffffffffffffffff\t??\n");
}

TEST(a_function_without_a_name_has_a_place)
{
	const struct ic_frame frame = { .file = "a.c", .line = 3 };
	const struct ic_rows_stack stack = { .frames = &frame, .frame_count = 1 };

	check(&stack, 1, NULL, "0x0\t??\ta.c:3\n");
}

TEST(an_offset_stands_behind_its_section)
{
	const struct ic_rows_stack stack = { .addr = 0, .section = ".text" };
	const struct look json = { .report.format = IC_REPORT_JSON, .rows.file = "a.o" };

	check(&stack, 1, NULL, ".text+0x0\t??\n");
	check(&stack, 1, &json,
	      "{\"type\":\"stack\",\"file\":\"a.o\",\"address\":\"0x0\",\"section\":\".text\","
	      "\"frames\":[],\"symbol\":null,\"symbol_offset\":null,\"symbol_size\":null,\"input\":"
	      "null}\n");
}

TEST(names_and_paths_are_as_the_options_say)
{
	const struct look options = { .rows = { .demangle = true, .base_names = true } };

	check(&deep, 1, &options,
	      "0x14\tclamp(int, int)\tmath.h:7:9\tinlined\n"
	      "\tscale()\tscale.c:12 (discriminator 2)\tinlined\n"
	      "\tmain()\t??:0\n");
}

TEST(a_linkage_name_that_is_not_mangled_does_not_replace_the_name)
{
	const struct ic_frame frame = { .function = "memcpy", .linkage_name = "fast_memcpy" };
	const struct ic_rows_stack stack = { .frames = &frame, .frame_count = 1 };
	const struct look options = { .rows.demangle = true };

	check(&stack, 1, &options, "0x0\tmemcpy()\t??:0\n");
}

TEST(json_has_every_key_and_numbers_are_numbers)
{
	const struct look json = { .report.format = IC_REPORT_JSON, .rows.file = "prog" };
	const struct ic_rows_stack stack = { .addr = UINT64_MAX,
					     .frames = frames + 1,
					     .frame_count = 1 };

	check(&stack, 1, &json,
	      "{\"type\":\"stack\",\"file\":\"prog\",\"address\":\"0xffffffffffffffff\","
	      "\"section\":null,\"frames\":[{\"function\":\"scale\",\"linkage_name\":null,"
	      "\"file\":\"/src/scale.c\",\"line\":12,\"column\":0,\"discriminator\":2,"
	      "\"inlined\":true}],\"symbol\":null,\"symbol_offset\":null,\"symbol_size\":null,"
	      "\"input\":null}\n");
}

TEST(what_is_no_address_keeps_its_place)
{
	const struct ic_rows_stack stacks[] = { { .text = "a\tb\033c" }, { .addr = 1 } };
	const struct look json = { .report.format = IC_REPORT_JSON };

	const struct ic_rows_stack empty = { .text = "" };

	check(stacks, 2, NULL, "a?b?c\t??\n0x1\t??\n");
	check(&empty, 1, NULL, "??\t??\n");
	check(stacks, 1, &json,
	      "{\"type\":\"stack\",\"file\":null,\"address\":null,\"section\":null,\"frames\":[],"
	      "\"symbol\":null,\"symbol_offset\":null,\"symbol_size\":null,\"input\":"
	      "\"a\\tb\\u001bc\"}"
	      "\n");
}

static void check_json_text(const char *text, const char *wanted)
{
	const struct ic_rows_stack stack = { .text = text };
	const struct look json = { .report.format = IC_REPORT_JSON };
	char line[400];

	snprintf(line, sizeof(line),
		 "{\"type\":\"stack\",\"file\":null,\"address\":null,\"section\":null,"
		 "\"frames\":[],\"symbol\":null,\"symbol_offset\":null,\"symbol_size\":null,"
		 "\"input\":\"%s\"}\n",
		 wanted);
	check(&stack, 1, &json, line);
}

// What a byte is in a string of JSON, if it is no part of a longer character.
static void escape(char escaped[8], unsigned char byte)
{
	static const struct {
		char byte;
		const char *text;
	} short_forms[] = { { '"', "\\\"" }, { '\\', "\\\\" }, { '\b', "\\b" }, { '\f', "\\f" },
			    { '\n', "\\n" }, { '\r', "\\r" },  { '\t', "\\t" } };

	for (size_t i = 0; i < sizeof(short_forms) / sizeof(*short_forms); i++) {
		if (byte == short_forms[i].byte) {
			snprintf(escaped, 8, "%s", short_forms[i].text);
			return;
		}
	}
	snprintf(escaped, 8, byte < ' ' ? "\\u%04x" : byte < 0x80 ? "%c" : "\xef\xbf\xbd", byte);
}

TEST(every_byte_has_its_form_in_json_wherever_it_stands)
{
	enum { LENGTH = 20 };

	for (int byte = 1; byte < 256; byte++) {
		char escaped[8], text[LENGTH + 1], wanted[LENGTH + 8];
		escape(escaped, (unsigned char)byte);
		for (int at = 0; at < LENGTH; at++) {
			memset(text, 'x', LENGTH);
			text[LENGTH] = 0;
			text[at] = (char)byte;
			snprintf(wanted, sizeof(wanted), "%.*s%s%.*s", at, text, escaped,
				 LENGTH - at - 1, text + at + 1);
			check_json_text(text, wanted);
		}
	}
	check_json_text("\xc3\xa4\xc3 \xe1\x80 \xf0\x9f\x98\x80 /",
			"\xc3\xa4\xef\xbf\xbd \xef\xbf\xbd\xef\xbf\xbd \xf0\x9f\x98\x80 /");
}

TEST(names_from_a_file_move_no_terminal)
{
	const struct ic_frame frame = { .function = "f\033[2J", .file = "a\nb", .inlined = true };
	const struct ic_rows_stack stack = { .frames = &frame, .frame_count = 1 };

	check(&stack, 1, NULL, "0x0\tf?[2J()\ta?b:0\n");
}

TEST(the_code_of_a_line_is_a_line_with_the_chain_of_its_functions)
{
	const struct ic_line_place place = { .range = { 0x30, 0x34 } };
	const struct ic_frame unknown = { .file = "a.c", .line = 3 };
	const struct ic_rows_stack stacks[] = {
		{ .addr = 0x30, .place = &place, .frames = frames + 1, .frame_count = 2 },
		{ .addr = 0x10,
		  .section = ".text",
		  .place = &place,
		  .frames = &unknown,
		  .frame_count = 1 },
	};

	check(stacks, 2, NULL,
	      "[0x30 - 0x34]\t/src/scale.c:12 (discriminator 2)\tscale() < _Z4mainv() ??:0\n"
	      "[.text+0x10 - .text+0x14]\ta.c:3\t??\n");
}

TEST(colours_wrap_addresses_and_functions)
{
	const struct look options = { .report.colors = true };

	check(&(struct ic_rows_stack){ .addr = 2, .frames = frames + 2, .frame_count = 1 }, 1,
	      &options, "\033[32m0x2\033[m\t\033[1m_Z4mainv()\033[m\t??:0\n");
}

TEST(none_are_written_as_nothing)
{
	check(NULL, 0, NULL, "");
}

#define CSV_HEADING                                                                             \
	"type,file,address,end,section,is_stmt,frame,function,linkage_name,source,line,column," \
	"discriminator,inlined,symbol,symbol_offset,symbol_size\n"

TEST(csv_has_a_row_a_frame_and_one_for_what_has_none)
{
	const struct ic_line_place place = { .range = { 0x30, 0x34 }, .is_stmt = true };
	const struct ic_rows_stack stacks[] = {
		{ .addr = 0x14, .frames = frames + 1, .frame_count = 2 },
		{ .addr = 0x30, .section = ".text", .place = &place },
		{ .text = "no, \"none\"" },
	};
	const struct look csv = { .report.format = IC_REPORT_CSV, .rows.file = "prog" };

	check(stacks, 3, &csv,
	      CSV_HEADING "stack,prog,0x14,,,,0,scale,,/src/scale.c,12,,2,true,,,\n"
			  "stack,prog,0x14,,,,1,_Z4mainv,,,,,,false,,,\n"
			  "line,prog,0x30,0x34,.text,true,0,,,,,,,,,,\n"
			  "stack,prog,\"no, \"\"none\"\"\",,,,0,,,,,,,,,,\n");
	check(NULL, 0, &csv, CSV_HEADING);
}

static const struct ic_frame host = { .function = "f", .linkage_name = "_Z1fv" };

TEST(the_symbol_and_the_offset_in_it_are_keys)
{
	const struct ic_rows_stack stacks[] = {
		{ .addr = 1, .symbol = "f.cold", .symbol_offset = 0, .symbol_size = 9 },
		{ .addr = 2, .symbol = "g", .symbol_offset = UINT32_MAX + 1ull },
	};
	const struct look json = { .report.format = IC_REPORT_JSON };
	const struct look csv = { .report.format = IC_REPORT_CSV };

	check(stacks, 2, &json,
	      "{\"type\":\"stack\",\"file\":null,\"address\":\"0x1\",\"section\":null,"
	      "\"frames\":[],\"symbol\":\"f.cold\",\"symbol_offset\":0,\"symbol_size\":9,\"input\":"
	      "null}\n"
	      "{\"type\":\"stack\",\"file\":null,\"address\":\"0x2\",\"section\":null,"
	      "\"frames\":[],\"symbol\":\"g\",\"symbol_offset\":4294967296,"
	      "\"symbol_size\":null,\"input\":null}\n");
	check(stacks, 2, &csv,
	      CSV_HEADING
	      "stack,,0x1,,,,0,,,,,,,,f.cold,0,9\nstack,,0x2,,,,0,,,,,,,,g,4294967296,\n");
}

TEST(text_has_a_symbol_of_another_name)
{
	const struct ic_frame plain = { .function = "f" };
	struct ic_rows_stack stack = { .symbol = "_Z1fv.\033", .symbol_offset = 16 };

	check(&stack, 1, NULL, "0x0\t??\n");
	stack.frames = &host;
	stack.frame_count = 1;
	check(&stack, 1, NULL, "0x0\tf()\t??:0\t[_Z1fv.?+0x10]\n");
	stack.symbol = "_Z1fv";
	check(&stack, 1, NULL, "0x0\tf()\t??:0\n");
	stack.frames = &plain;
	check(&stack, 1, NULL, "0x0\tf()\t??:0\n");
	stack.symbol = "_ZL1fv.cold";
	check(&stack, 1, NULL, "0x0\tf()\t??:0\t[_ZL1fv.cold+0x10]\n");
	stack.symbol = "f";
	check(&stack, 1, NULL, "0x0\tf()\t??:0\n");
	stack.symbol = "f.part.0";
	check(&stack, 1, NULL, "0x0\tf()\t??:0\t[f.part.0+0x10]\n");
}

UNIT_TESTS(report_rows_stack)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_line_a_frame_and_the_first_begins_with_the_address),
		cmocka_unit_test(the_last_line_of_an_answer_and_no_other_is_without_a_word),
		cmocka_unit_test(an_address_of_which_nothing_is_known_is_a_line_too),
		cmocka_unit_test(a_function_without_a_name_has_a_place),
		cmocka_unit_test(an_offset_stands_behind_its_section),
		cmocka_unit_test(names_and_paths_are_as_the_options_say),
		cmocka_unit_test(a_linkage_name_that_is_not_mangled_does_not_replace_the_name),
		cmocka_unit_test(json_has_every_key_and_numbers_are_numbers),
		cmocka_unit_test(what_is_no_address_keeps_its_place),
		cmocka_unit_test(every_byte_has_its_form_in_json_wherever_it_stands),
		cmocka_unit_test(names_from_a_file_move_no_terminal),
		cmocka_unit_test(the_code_of_a_line_is_a_line_with_the_chain_of_its_functions),
		cmocka_unit_test(colours_wrap_addresses_and_functions),
		cmocka_unit_test(none_are_written_as_nothing),
		cmocka_unit_test(csv_has_a_row_a_frame_and_one_for_what_has_none),
		cmocka_unit_test(the_symbol_and_the_offset_in_it_are_keys),
		cmocka_unit_test(text_has_a_symbol_of_another_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
