// Functions of GSYM files: their rows, inlined calls and merged functions.
#include "unit_test.h"

#include <inttypes.h>
#include <stdio.h>

#include "gsym/function.h"
#include "gsym_builder.h"

static void write_rows(char *text, const struct ic_gsym *gsym,
		       const struct ic_gsym_function *function)
{
	struct ic_gsym_rows rows;
	struct ic_gsym_row row;
	struct ic_error err;

	ic_gsym_rows_begin(&rows, gsym, function);
	while (ic_gsym_rows_next(&rows, &row, &err))
		sprintf(text + strlen(text), "%" PRIx64 " %" PRIu64 ":%" PRIu32 "\n", row.addr,
			row.file, row.line);
	if (err.code != IC_ERROR_NONE)
		strcat(strcat(text, err.message), "\n");
}

static void write_calls(char *text, const struct ic_gsym *gsym,
			const struct ic_gsym_function *function)
{
	struct ic_gsym_calls calls;
	struct ic_gsym_call call;
	struct ic_range range;
	struct ic_error err;

	ic_gsym_calls_begin(&calls, gsym, function);
	while (ic_gsym_calls_next(&calls, &call, &err)) {
		sprintf(text + strlen(text), "%" PRIu32 " '%s' %" PRIu64 ":%" PRIu64, call.depth,
			ic_gsym_string(gsym, call.name), call.call_file, call.call_line);
		while (ic_gsym_range_next(&call, &range))
			sprintf(text + strlen(text), " %" PRIx64 "-%" PRIx64, range.start,
				range.end);
		strcat(text, ic_gsym_call_is_function(&call) ? " the function\n" : "\n");
	}
	if (err.code != IC_ERROR_NONE)
		strcat(strcat(text, err.message), "\n");
}

TEST(a_function_has_rows_calls_and_merged_functions)
{
	for (unsigned i = 0; i < 4; i++) {
		struct byte_buffer built = gsym_build(1 + i / 2, i % 2);
		struct ic_gsym gsym;
		struct ic_gsym_function function, other;
		struct ic_gsym_merged merged;
		struct ic_error err;
		char text[1000] = "";
		assert_true(
			ic_gsym_parse(&gsym, (struct ic_bytes){ built.data, built.size }, &err));
		assert_true(ic_gsym_function_read(&gsym, 0, &function, &err));
		assert_int_equal(function.size, 0x40);
		assert_string_equal(ic_gsym_string(&gsym, function.name), "main");
		write_rows(text, &gsym, &function);
		write_calls(text, &gsym, &function);
		assert_string_equal(text, "1000 2:5\n1001 2:17\n1009 2:15\n100c 2:17\n"
					  "0 '' 0:0 1000-1040 the function\n"
					  "1 'leaf' 1:12 1010-1020 1028-102c\n"
					  "2 'inner' 2:13 1014-101c\n");
		ic_gsym_merged_begin(&merged, &gsym, &function);
		assert_true(ic_gsym_merged_next(&merged, &other, &err));
		assert_string_equal(ic_gsym_string(&gsym, other.name), "merged");
		assert_false(ic_gsym_merged_next(&merged, &other, &err));
		assert_int_equal(err.code, IC_ERROR_NONE);
		byte_buffer_deinit(&built);
	}
}

// The parts of the first function, cut to a size.
static void check_cut(uint64_t size, const char *wanted)
{
	struct byte_buffer built = gsym_build(1, false);
	struct ic_gsym gsym;
	struct ic_gsym_function function;
	struct ic_error err;
	char text[1000] = "";

	assert_true(ic_gsym_parse(&gsym, (struct ic_bytes){ built.data, built.size }, &err));
	assert_true(ic_gsym_function_read(&gsym, 0, &function, &err));
	function.lines.size = function.inlined.size = size;
	write_rows(text, &gsym, &function);
	write_calls(text, &gsym, &function);
	assert_string_equal(text, wanted);
	byte_buffer_deinit(&built);
}

TEST(parts_that_end_early_are_errors)
{
	check_cut(2, ".gsym+0x8a: unexpected end of data\n.gsym+0x9f: unexpected end of data\n");
	check_cut(8, "1000 2:5\n1001 2:17\n.gsym+0x90: unexpected end of data\n"
		     ".gsym+0xa5: unexpected end of data\n");
	check_cut(0, "");
}

UNIT_TESTS(gsym_function)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_function_has_rows_calls_and_merged_functions),
		cmocka_unit_test(parts_that_end_early_are_errors),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
