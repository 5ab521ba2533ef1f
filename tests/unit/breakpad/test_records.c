// Lines of Breakpad symbol files.
#include "unit_test.h"

#include <inttypes.h>
#include <stdio.h>

#include "breakpad/records.h"

static struct ic_bytes line_of(const char *text)
{
	return (struct ic_bytes){ (const uint8_t *)text, strlen(text) };
}

// A line in the form of its kind; "-" if it is malformed.
static void write_line(char *text, struct ic_bytes line)
{
	struct ic_breakpad_function function;
	struct ic_breakpad_name name;
	struct ic_breakpad_row row;
	struct ic_breakpad_call call;
	struct ic_range range;

	strcpy(text, "-");
	switch (ic_breakpad_kind_of(line)) {
	case IC_BREAKPAD_FILE:
	case IC_BREAKPAD_ORIGIN:
		if (ic_breakpad_name_read(line, &name))
			sprintf(text, "%" PRIu64 " '%.*s'", name.number, (int)name.name.size,
				(const char *)name.name.data);
		break;
	case IC_BREAKPAD_FUNCTION:
	case IC_BREAKPAD_PUBLIC:
		if (ic_breakpad_function_read(line, &function))
			sprintf(text, "%" PRIx64 "+%" PRIx64 " '%.*s'", function.addr,
				function.size, (int)function.name.size,
				(const char *)function.name.data);
		break;
	case IC_BREAKPAD_ROW:
		if (ic_breakpad_row_read(line, &row))
			sprintf(text, "%" PRIx64 "+%" PRIx64 " %" PRId64 ":%" PRIu32, row.addr,
				row.size, (int64_t)row.file, row.line);
		break;
	case IC_BREAKPAD_CALL:
		if (!ic_breakpad_call_read(line, ic_breakpad_call_has_file(line), &call))
			break;
		sprintf(text, "%" PRIu32 " %" PRIu64 " at %" PRId64 ":%" PRIu32, call.depth,
			call.origin, (int64_t)call.call_file, call.call_line);
		while (ic_breakpad_range_next(&call, &range))
			sprintf(text + strlen(text), " %" PRIx64 "-%" PRIx64, range.start,
				range.end);
		strcat(text, call.ranges.size > 0 ? " and a fault" : "");
		break;
	case IC_BREAKPAD_STACK:
		strcpy(text, ic_breakpad_stack_is_sound(line) ? "sound" : "-");
		break;
	case IC_BREAKPAD_UNKNOWN: strcpy(text, "unknown"); break;
	default: break;
	}
}

static void check_line(const char *line, const char *wanted)
{
	char text[400];

	write_line(text, line_of(line));
	assert_string_equal(text, wanted);
}

TEST(functions_and_symbols)
{
	check_line("FUNC c184 30 0 f(int, char) const", "c184+30 'f(int, char) const'");
	check_line("FUNC m c184 30 8 m", "c184+30 'm'");
	check_line("PUBLIC m 2160 0 Public2_1", "2160+0 'Public2_1'");
	check_line("PUBLIC 2160 0 ", "2160+0 ''");
	check_line("FUNC c184 30 f", "c184+30 ''"); // f is a number
	check_line("FUNC c184 30 name", "-");
	check_line("FUNC ffffffffffffffff 2 0 f", "-");
	check_line("FUNC 10000000000000000 2 0 f", "-");
}

TEST(files_and_inlined_functions)
{
	check_line("FILE 2 /home/a b.cpp", "2 '/home/a b.cpp'");
	check_line("INLINE_ORIGIN 7 foo(int)", "7 'foo(int)'");
	check_line("INLINE_ORIGIN 7 3 foo(int)", "7 'foo(int)'"); // until 2022
	check_line("INLINE_ORIGIN 7 -1 foo(int)", "7 'foo(int)'");
	check_line("FILE x a.c", "-");
	check_line("FILE 18446744073709551616 a.c", "-");
}

TEST(rows)
{
	check_line("c184 7 59 4", "c184+7 4:59");
	check_line("c184 7 0 -1", "c184+7 -1:0");
	check_line("c184 7 4294967296 4", "c184+7 4:0"); // a line that is too large is unknown
	check_line("c184 7 59", "-");
	check_line("c184 7 59 4 5", "-");
	check_line("c18g 7 59 4", "-");
}

TEST(inlined_calls)
{
	check_line("INLINE 1 39 2 0 15b72 684 20 4", "1 0 at 2:39 15b72-161f6 20-24");
	check_line("INLINE 1 39 -1 0 15b72 684", "1 0 at -1:39 15b72-161f6");
	check_line("INLINE 1 39 5 15b72 684", "1 5 at -1:39 15b72-161f6"); // until 2022
	check_line("INLINE 1 39 2 0 15b72 6x", "1 0 at 2:39 and a fault");
	check_line("INLINE 1 39 2 0", "-");
	check_line("INLINE 4294967296 39 2 0 1 1", "-");
}

TEST(other_lines)
{
	check_line("STACK CFI INIT 1000 40 .cfa: $rsp 8 +", "sound");
	check_line("STACK CFI 1001 $rax: .cfa", "sound");
	check_line("STACK WIN 4 2170 14", "sound");
	check_line("STACK CFI INIT 1000 .cfa: $rsp 8 +", "-");
	check_line("STACK CFI .cfa: $rsp 8 +", "-");
	check_line("STACK CFI 1001", "-");
	check_line("FUNX 1000 10 0 f", "unknown"); // F is a digit
	check_line("F 1", "-");
	check_line("FACE 10 3 0", "face+10 0:3");
	check_line("INLINED 1", "unknown");
	check_line("\x01", "unknown");
}

UNIT_TESTS(breakpad_records)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(functions_and_symbols),
		cmocka_unit_test(files_and_inlined_functions),
		cmocka_unit_test(rows),
		cmocka_unit_test(inlined_calls),
		cmocka_unit_test(other_lines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
