// Functions of Go: their copies, ranges and rows; and those that a damaged table describes.
#include "unit_test.h"

#include <stdio.h>
#include <stdlib.h>

#include "fixtures/elf.h"
#include "fixtures/go.h"
#include "fixtures/lookup.h"
#include "fixtures/scan.h"

// A program of Go 1.20 with main.first, main.main, and functions after them, 64 bytes each.
struct program {
	struct go_function functions[4];
	struct go_parts parts;
};

enum { CALL_SIZE = 16, NAME = 4, PARENT_PC = 8, OF_ODD = 2 * CALL_SIZE }; // of a record

static void begin(struct program *program, const struct go_function *odd)
{
	struct go_table table = go_table_of(20, 8, IC_HOST_IS_BIG_ENDIAN);

	memcpy(program->functions, go_functions, sizeof(go_functions));
	program->functions[2] = *odd;
	program->functions[2].entry = 128;
	program->functions[3] = go_functions[1]; // most functions of a table are right
	program->functions[3].entry = 192;
	program->functions[3].name = "main.last";
	table.functions = program->functions;
	table.count = 4;
	table.end = 256;
	go_parts_make(&program->parts, &table);
}

#define FIRST                                                                    \
	"unit ?\n"                                                               \
	"host main.first 0x401000-0x401030 at 0x401000\n"                        \
	"host main.main 0x401040-0x401070 at 0x401040\n"                         \
	" inlined main.mid 0x401048-0x401058 at 0x401048 from /src/main.go:10\n" \
	"  inlined main.leaf 0x401050-0x401058 at 0x401050 from /src/main.go:70\n"
#define LAST                                                                     \
	"host main.last 0x4010c0-0x4010f0 at 0x4010c0\n"                         \
	" inlined main.mid 0x4010c8-0x4010d8 at 0x4010c8 from /src/main.go:10\n" \
	"  inlined main.leaf 0x4010d0-0x4010d8 at 0x4010d0 from /src/main.go:70\n"

// `odd` is the text of the function after the first two.
static void check(struct program *program, const char *odd)
{
	char wanted[2048];
	struct scan scan;

	scan_open_path(&scan, go_parts_write(&program->parts, "a.out"), NULL);
	snprintf(wanted, sizeof(wanted), FIRST "%s" LAST, odd);
	assert_scan(&scan, wanted);
	scan_close(&scan);
}

#define ODD(start, end) "host main.odd 0x4010" start "-0x4010" end " at 0x4010" start "\n"

// ---- Copies

TEST(a_function_that_nothing_was_inlined_into_has_its_own_code_only)
{
	const struct go_function odd = { .name = "main.odd", .files = go_files, .lines = go_lines };
	struct program program;

	begin(&program, &odd);
	check(&program, ODD("80", "b0"));
}

// The copy around it has no code of its own.
TEST(a_copy_has_the_code_of_those_in_it_and_as_many_ranges_as_pieces)
{
	static const struct go_run inlined[] = { { 8, 1 }, { 8, -1 },  { 8, 1 },
						 { 8, 0 }, { 16, -1 }, { 0, 0 } };
	const struct go_function odd = { .name = "main.odd",
					 .files = go_files,
					 .lines = go_lines,
					 .inlined = inlined,
					 .calls = go_calls };
	struct program program;

	begin(&program, &odd);
	byte_buffer_patch(&program.parts.calls, OF_ODD + PARENT_PC, 40, 4);
	byte_buffer_patch(&program.parts.calls, OF_ODD + CALL_SIZE + PARENT_PC, 25, 4);
	check(&program,
	      ODD("80",
		  "b0") " inlined main.mid 0x401080-0x401088 0x401090-0x4010a0 at 0x401080 from "
			"/src/other.go:12\n"
			"  inlined main.leaf 0x401080-0x401088 0x401090-0x401098 at 0x401080 from "
			"/src/main.go:12\n");
}

// Of a copy that begins with another one's code, the file is where that is called.
TEST(a_function_is_declared_in_the_file_of_its_own_code)
{
	static const struct go_run inlined[] = { { 8, 1 }, { 24, -1 }, { 16, 0 }, { 0, 0 } };
	static const struct go_inlined calls[] = {
		{ .name = "main.outer", .parent = -1, .parent_pc = 8, .start_line = 3 },
		{ .name = "main.inner", .parent = 0, .parent_pc = 36, .start_line = 4 },
		{ .name = NULL },
	};
	const struct go_function odd = { .name = "main.odd",
					 .files = go_files,
					 .lines = go_lines,
					 .inlined = inlined,
					 .calls = calls };
	struct program program;
	struct scan scan;

	begin(&program, &odd);
	scan_open_path(&scan, go_parts_write(&program.parts, "a.out"), NULL);
	const struct ic_function *outer = scan_function(&scan, 5), *inner = scan_function(&scan, 6);
	assert_string_equal(outer->name, "main.outer");
	assert_string_equal(outer->decl_file, "/src/other.go");
	assert_int_equal(outer->decl_line, 3);
	assert_string_equal(inner->decl_file, "/src/main.go");
	scan_close(&scan);
}

TEST(what_no_values_number_is_no_copy)
{
	static const struct go_run inlined[] = { { 8, 0 }, { 40, -1 }, { 0, 0 } };
	const struct go_function odd = { .name = "main.odd",
					 .files = go_files,
					 .lines = go_lines,
					 .inlined = inlined,
					 .calls = go_calls };
	struct program program;

	begin(&program, &odd);
	byte_buffer_patch(&program.parts.calls, OF_ODD + PARENT_PC, 8, 4);
	check(&program,
	      ODD("80",
		  "b0") " inlined main.mid 0x401080-0x401088 at 0x401080 from /src/main.go:70\n");
}

// Up to Go 1.11 they have its number, and file and line of the call, themselves.
TEST(older_records_name_the_copy_around)
{
	static const struct go_run inlined[] = { { 8, 1 }, { 40, -1 }, { 0, 0 } };
	static const uint32_t releases[] = { 9, 11 };

	for (size_t i = 0; i < COUNT_OF(releases); i++) {
		struct go_table table = go_table_of(releases[i], 4, true);
		struct go_function functions[2] = { go_functions[0], go_functions[1] };
		struct go_parts parts;
		struct scan scan;
		functions[1].inlined = inlined;
		table.functions = functions;
		go_parts_make(&parts, &table);
		scan_open_path(&scan, go_parts_write(&parts, "a.out"), NULL);
		assert_scan(&scan,
			    "unit ?\n"
			    "host main.first 0x401000-0x401030 at 0x401000\n"
			    "host main.main 0x401040-0x401070 at 0x401040\n"
			    " inlined main.mid 0x401040-0x401048 at 0x401040 from /src/main.go:10\n"
			    "  inlined main.leaf 0x401040-0x401048 at 0x401040 from "
			    "/src/main.go:70\n");
		scan_close(&scan);
	}
}

TEST(code_that_is_not_in_the_file_is_left_out)
{
	const struct go_function odd = { .name = "main.odd", .files = go_files, .lines = go_lines };
	struct program program;
	struct scan scan;

	begin(&program, &odd);
	go_module_set(&program.parts, 22, GO_TEXT + GO_TEXT_SIZE - 72);
	scan_open_path(&scan, go_parts_write(&program.parts, "a.out"), NULL);
	// The second one goes on beyond the end.
	assert_scan(&scan, "unit ?\n"
			   "host main.first 0x401fb8-0x401fe8 at 0x401fb8\n"
			   "host main.main 0x401ff8-0x402000 at 0x401ff8\n");
	scan_close(&scan);
}

// ---- Damage

static const struct go_function odd_calls = { .name = "main.odd",
					      .files = go_files,
					      .lines = go_lines,
					      .inlined = go_inlined,
					      .calls = go_calls };

#define AT(what) "function main.odd at 0x401080: " what

static void check_fault(struct program *program, const char *copies, const char *what)
{
	char wanted[2048];
	struct scan scan;

	scan_open_path(&scan, go_parts_write(&program->parts, "a.out"), NULL);
	const char *text = scan_text(&scan), *problem = strstr(text, "problem ");
	assert_non_null(problem);
	snprintf(wanted, sizeof(wanted), FIRST "%s" LAST, copies);
	assert_int_equal((size_t)(problem - text), strlen(wanted));
	assert_memory_equal(text, wanted, strlen(wanted));
	assert_non_null(strstr(problem, what));
	assert_null(strstr(problem + 1, "problem "));
	scan_close(&scan);
}

TEST(a_call_at_an_instruction_beyond_the_function_is_said)
{
	struct program program;

	begin(&program, &odd_calls);
	byte_buffer_patch(&program.parts.calls, OF_ODD + PARENT_PC, 48, 4);
	check_fault(&program, ODD("80", "b0"), AT("its inlined calls cannot be read"));
}

TEST(a_call_of_a_function_without_a_name_is_said_and_those_before_stay)
{
	struct program program;

	begin(&program, &odd_calls);
	byte_buffer_patch(&program.parts.calls, OF_ODD + CALL_SIZE + NAME, 1, 4);
	check_fault(
		&program,
		ODD("80",
		    "b0") " inlined main.mid 0x401088-0x401090 at 0x401088 from /src/main.go:10\n",
		AT("its inlined calls cannot be read"));
}

TEST(calls_within_each_other_are_said)
{
	struct program program;

	begin(&program, &odd_calls);
	byte_buffer_patch(&program.parts.calls, OF_ODD + PARENT_PC, 16, 4); // in the other's code
	check_fault(&program, ODD("80", "b0"), AT("its inlined calls form a cycle"));
	begin(&program, &odd_calls);
	byte_buffer_patch(&program.parts.calls, OF_ODD + PARENT_PC, 8, 4); // in its own
	check_fault(&program, ODD("80", "b0"), AT("its inlined calls form a cycle"));
}

TEST(a_number_beyond_the_records_is_said)
{
	static const struct go_run far[] = { { 8, 0 }, { 40, 1 << 20 }, { 0, 0 } };
	static const struct go_run next[] = { { 8, 0 }, { 40, 6 }, { 0, 0 } };
	struct go_function odd = odd_calls;
	struct program program;

	odd.inlined = far;
	begin(&program, &odd);
	check_fault(&program, ODD("80", "b0"), AT("its inlined calls cannot be read"));
	odd.inlined = next; // six records follow from its own on
	begin(&program, &odd);
	byte_buffer_patch(&program.parts.calls, OF_ODD + PARENT_PC, 40, 4);
	check_fault(&program, ODD("80", "b0"), AT("its inlined calls cannot be read"));
}

// Where a function's record begins in a table of Go 1.20.
static uint32_t record_of(const struct program *program, uint32_t number)
{
	const uint8_t *bytes = program->parts.bytes.data;
	uint64_t list;
	uint32_t off;

	memcpy(&list, bytes + 8 + 7 * 8, sizeof(list));
	memcpy(&off, bytes + list + 8 * number + 4, sizeof(off));
	return (uint32_t)list + off;
}

enum { RECORD_NAME = 4, RECORD_FILES = 20, RECORD_LINES = 24 };

TEST(values_that_are_cut_off_leave_their_function_out)
{
	static const uint32_t fields[] = { RECORD_FILES, RECORD_LINES };

	for (size_t i = 0; i < COUNT_OF(fields); i++) {
		struct program program;
		begin(&program, &odd_calls);
		byte_buffer_patch(&program.parts.bytes, record_of(&program, 2) + fields[i],
				  UINT32_MAX, 4);
		check_fault(&program, "",
			    AT("one of its pc-value tables cannot be read to the end"));
	}
}

TEST(tables_that_end_at_different_places_leave_their_function_out)
{
	static const struct go_run lines[] = { { 8, 10 }, { 24, 12 }, { 0, 0 } };
	static const struct go_run nothing[] = { { 0, 0 } };
	static const struct {
		struct go_function odd;
		const char *said;
	} cases[] = {
		{ { .name = "main.odd", .files = go_files, .lines = lines },
		  AT("one of its pc-value tables cannot be read to the end") },
		{ { .name = "main.odd", .files = nothing, .lines = nothing },
		  AT("one of its pc-value tables cannot be read to the end") },
		{ { .name = "main.odd", .files = go_files },
		  AT("it has a file table or a line table, but not both") },
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct program program;
		begin(&program, &cases[i].odd);
		check_fault(&program, "", cases[i].said);
	}
}

TEST(a_record_of_another_function_is_said)
{
	const struct go_function odd = { .name = "main.odd", .files = go_files, .lines = go_lines };
	struct program program;

	begin(&program, &odd);
	byte_buffer_patch(&program.parts.bytes, record_of(&program, 2), 192, 4);
	check_fault(&program, "", "the record of a function does not match its table entry");
}

TEST(a_name_that_is_not_there_is_said_and_the_function_stays)
{
	struct program program;

	begin(&program, &odd_calls);
	byte_buffer_patch(&program.parts.bytes, record_of(&program, 2) + RECORD_NAME, 1 << 20, 4);
	check_fault(&program,
		    "host ? 0x401080-0x4010b0 at 0x401080\n"
		    " inlined main.mid 0x401088-0x401098 at 0x401088 from /src/main.go:10\n"
		    "  inlined main.leaf 0x401090-0x401098 at 0x401090 from /src/main.go:70\n",
		    "function without a name at 0x401080: its name is not in the name table");
}

TEST(a_record_that_is_not_in_the_table_leaves_its_function_out)
{
	struct program program;
	uint64_t list;

	begin(&program, &odd_calls);
	memcpy(&list, program.parts.bytes.data + 8 + 7 * 8, sizeof(list));
	byte_buffer_patch(&program.parts.bytes, (size_t)list + 8 * 2 + 4, 1 << 24, 4);
	check_fault(&program, "", "the record of a function is outside the table");
}

TEST(calls_may_be_nested_up_to_a_depth)
{
	enum { DEEP = IC_DEEPEST_NESTING + 2 };
	static struct go_inlined calls[DEEP + 1];
	static struct go_run inlined[DEEP + 2];
	struct go_function functions[3];
	struct go_table table = go_table_of(20, 8, IC_HOST_IS_BIG_ENDIAN);
	struct go_parts parts;
	struct scan scan;

	// Call i is at the code of call i - 1; the innermost comes first in the code.
	for (uint32_t i = 0; i < DEEP; i++) {
		calls[i] = (struct go_inlined){ .name = "main.f", .parent_pc = DEEP - i };
		inlined[i] = (struct go_run){ 1, (int32_t)(DEEP - 1 - i) };
	}
	inlined[DEEP] = (struct go_run){ 1, -1 };
	const struct go_run files[] = { { DEEP + 1, 1 }, { 0, 0 } };
	functions[0] = functions[1] = go_functions[1];
	functions[1].entry = 128;
	functions[2] = (struct go_function){ .entry = 256,
					     .name = "main.deep",
					     .files = files,
					     .lines = files,
					     .inlined = inlined,
					     .calls = calls };
	table.functions = functions;
	table.count = 3;
	table.end = 256 + DEEP + 1;
	go_parts_make(&parts, &table);
	scan_open_path(&scan, go_parts_write(&parts, "a.out"), NULL);
	assert_non_null(strstr(scan_text(&scan), "its inlined calls are nested too deeply"));
	scan_close(&scan);
}

// ---- Rows

TEST(rows_begin_where_file_or_line_does)
{
	const struct go_function odd = { .name = "main.odd", .files = go_files, .lines = go_lines };
	struct unit_scan of;
	struct program program;

	begin(&program, &odd);
	unit_scan_open_path(&of, go_parts_write(&program.parts, "a.out"));
	unit_scan_read(&of);
	const char *rows = strstr(unit_scan_rows(&of), "0x401080-");
	assert_non_null(rows);
	assert_memory_equal(rows,
			    "0x401080-0x4010b0\n"
			    " +0x0 /src/main.go:10\n"
			    " +0x8 /src/main.go:70\n"
			    " +0x10 /src/main.go:71\n"
			    " +0x18 /src/main.go:12\n"
			    " +0x20 /src/other.go:12\n",
			    116);
	unit_scan_close(&of);
}

UNIT_TESTS(tables_go_function)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_function_that_nothing_was_inlined_into_has_its_own_code_only),
		cmocka_unit_test(a_copy_has_the_code_of_those_in_it_and_as_many_ranges_as_pieces),
		cmocka_unit_test(a_function_is_declared_in_the_file_of_its_own_code),
		cmocka_unit_test(what_no_values_number_is_no_copy),
		cmocka_unit_test(older_records_name_the_copy_around),
		cmocka_unit_test(code_that_is_not_in_the_file_is_left_out),
		cmocka_unit_test(a_call_at_an_instruction_beyond_the_function_is_said),
		cmocka_unit_test(a_call_of_a_function_without_a_name_is_said_and_those_before_stay),
		cmocka_unit_test(calls_within_each_other_are_said),
		cmocka_unit_test(a_number_beyond_the_records_is_said),
		cmocka_unit_test(values_that_are_cut_off_leave_their_function_out),
		cmocka_unit_test(tables_that_end_at_different_places_leave_their_function_out),
		cmocka_unit_test(a_record_of_another_function_is_said),
		cmocka_unit_test(a_name_that_is_not_there_is_said_and_the_function_stays),
		cmocka_unit_test(a_record_that_is_not_in_the_table_leaves_its_function_out),
		cmocka_unit_test(calls_may_be_nested_up_to_a_depth),
		cmocka_unit_test(rows_begin_where_file_or_line_does),
	};

	return cmocka_run_group_tests(tests, temp_dir_make, temp_dir_remove);
}
