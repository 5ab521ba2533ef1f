#include "tables/line_contexts.h"

#include <stdio.h>
#include <string.h>

#include <inlinecall/image.h>

#include "alloc_meter.h"
#include "dwarf_constants.h"
#include "fixtures/elf.h"
#include "fixtures/scan.h"
#include "unit_test.h"

static const struct dwarf_format format = { .version = 2, .offset_size = 4, .addr_size = 8 };

static const char *const dirs[] = { "/src", NULL };
static const struct dw_line_file files[] = { { .path = "a.cu", .dir = 1 },
					     { .path = "b.h", .dir = 1 },
					     { .path = NULL } };

// An open table as nvcc has it: "_Z3foov" is at 0 of its names, "bar" at 8.
static struct dwarf_builder *begin(void)
{
	struct dwarf_builder *dw = dwarf_builder_new(format);
	struct dw_line_header header = dw_line_header_default(dw);

	dw_str_off(dw, ".debug_str", "_Z3foov");
	dw_str_off(dw, ".debug_str", "bar");
	header.opcode_base = 10;
	header.dirs = dirs;
	header.files = files;
	dw_line_begin(dw, "lines", &header);
	return dw;
}

static void assert_table(struct dwarf_builder *dw, const char *wanted)
{
	struct scan scan;

	scan_open(&scan, dw, NULL);
	assert_scan(&scan, wanted);
	scan_close(&scan);
}

// foo() is inlined into the kernel, and bar() into it, and once more into the kernel.
static void put_kernel(struct dwarf_builder *dw, uint64_t addr)
{
	dw_line_address(dw, addr);
	dw_line_row(dw, 0, 9);
	dw_u8(dw, DW_LNS_set_column);
	dw_uleb(dw, 7);
	dw_line_row(dw, 0x10, 2); // 2: the call of foo(), a.cu:12
	dw_line_inlined_call(dw, 2, 0);
	dw_line_row(dw, 0, -9);
	dw_line_row(dw, 0x10, 1); // 4: that of bar(), a.cu:4
	dw_line_inlined_call(dw, 4, 8);
	dw_u8(dw, DW_LNS_set_file);
	dw_uleb(dw, 2);
	dw_line_row(dw, 0, 0);
	dw_line_inlined_call(dw, 2, 0);
	dw_line_row(dw, 0x10, 1); // foo() goes on
	dw_line_inlined_call(dw, 0, 0);
	dw_line_row(dw, 0x10, 1); // 7: the kernel does
	dw_line_inlined_call(dw, 7, 8);
	dw_line_row(dw, 0, 1);
	dw_line_inlined_call(dw, 2, 0);
	dw_line_row(dw, 8, 1); // foo() once more
	dw_line_end_sequence(dw, 8);
}

static const char kernel[] =
	"host ? 0x1000-0x1050 at 0x1000\n"
	" inlined foo 0x1010-0x1040 0x1048-0x1050 at 0x1010 from /src/a.cu:12:7\n"
	"  inlined bar 0x1020-0x1030 at 0x1020 from /src/a.cu:4:7\n"
	" inlined bar 0x1040-0x1048 at 0x1040 from /src/b.h:6:7\n";

TEST(what_was_inlined_into_a_kernel_is_in_its_line_table)
{
	struct dwarf_builder *dw = begin();
	char wanted[2048];

	put_kernel(dw, 0x1000);
	put_kernel(dw, 0x2000);
	dw_line_end(dw);
	struct scan scan;
	scan_open(&scan, dw, NULL);
	snprintf(wanted, sizeof(wanted), "unit ?\n%s", kernel);
	assert_memory_equal(scan_text(&scan), wanted, strlen(wanted));
	assert_non_null(strstr(scan.text, "host ? 0x2000-0x2050 at 0x2000\n"));
	const struct ic_function *foo = scan_function(&scan, 1), *bar = scan_function(&scan, 2);
	assert_string_equal(foo->name, "foo");
	assert_string_equal(foo->linkage_name, "_Z3foov");
	assert_string_equal(bar->name, "bar");
	assert_null(bar->linkage_name);
	assert_ptr_equal(scan_function(&scan, 3), bar); // it is one function
	assert_ptr_equal(scan_function(&scan, 5), foo); // in the other kernel too
	scan_close(&scan);
}

TEST(a_two_level_table_names_its_hosts)
{
	static const struct dw_line_function functions[] = { { "main", 1, 10 },
							     { "f", 2, 3 },
							     { .name = NULL } };
	struct dwarf_builder *dw = dwarf_builder_new(format);
	struct dw_line_header header = dw_line_header_two_level(dw);

	header.dirs = dirs;
	header.files = files;
	header.functions = functions;
	dw_line_begin(dw, "lines", &header);
	dw_raw(dw, DW_BYTES(DW_LNS_set_subprogram, 1));
	dw_line_row(dw, 0, 10);
	dw_line_row(dw, 0, 1); // 2: the call
	dw_raw(dw, DW_BYTES(DW_LNS_inlined_call, 0, 2));
	dw_line_row(dw, 0, -8); // 3
	dw_line_actuals(dw, "lines");
	dw_line_address(dw, 0x1000);
	dw_u8(dw, DW_LNS_copy);
	dw_line_row(dw, 0x10, 2);
	dw_line_row(dw, 0x10, -2);
	dw_line_end_sequence(dw, 0x10);
	dw_line_address(dw, 0x3000); // the cold part: main() has one host more
	dw_line_row(dw, 0, 2);
	dw_line_end_sequence(dw, 0x10);
	dw_line_end(dw);
	struct scan scan;
	scan_open(&scan, dw, NULL);
	assert_scan(&scan, "unit ?\n"
			   "host main 0x1000-0x1030 at 0x1000\n"
			   " inlined f 0x1010-0x1020 at 0x1010 from /src/a.cu:12\n"
			   "host main 0x3000-0x3010 at 0x3000\n"
			   " inlined f 0x3000-0x3010 at 0x3000 from /src/a.cu:12\n");
	assert_string_equal(scan_function(&scan, 1)->decl_file, "/src/b.h");
	assert_int_equal(scan_function(&scan, 1)->decl_line, 3);
	scan_close(&scan);
}

TEST(sequences_without_functions_and_those_thrown_away_have_no_instances)
{
	struct dwarf_builder *dw = begin();

	dw_line_address(dw, 0x3000);
	dw_line_row(dw, 0, 1);
	dw_line_end_sequence(dw, 0x10);
	put_kernel(dw, 0);
	dw_line_address(dw, 0x4000);
	dw_line_end_sequence(dw, 0);
	dw_line_end(dw);
	assert_table(dw, "unit ?\n");
}

TEST(rows_beyond_the_code_and_those_that_fall_are_no_code)
{
	struct dwarf_builder *dw = begin();

	dw_line_address(dw, 0x8ff0);
	dw_line_row(dw, 0, 1);
	dw_line_inlined_call(dw, 1, 8);
	dw_line_row(dw, 8, 1);
	dw_line_inlined_call(dw, 2, 0);
	dw_line_row(dw, 8, 1); // at the end of the code
	dw_line_inlined_call(dw, 1, 8);
	dw_line_row(dw, 8, 1);
	dw_line_address(dw, 0x3000); // where another sequence begins
	dw_line_row(dw, 0, 1);
	dw_line_address(dw, 0x2000); // and one more: where the last row ends is not known
	dw_line_row(dw, 0, 1);
	dw_line_end_sequence(dw, 8);
	dw_line_end(dw);
	assert_table(dw, "unit ?\n"
			 "host ? 0x8ff0-0x9000 at 0x8ff0\n"
			 " inlined bar 0x8ff8-0x9000 at 0x8ff8 from /src/a.cu:2\n"
			 "host ? 0x2000-0x2008 at 0x2000\n"
			 " inlined bar 0x2000-0x2008 at 0x2000 from /src/a.cu:2\n");
}

TEST(every_table_is_a_unit)
{
	struct dwarf_builder *dw = begin();
	struct dw_line_header header = dw_line_header_default(dw);
	char wanted[2048];

	put_kernel(dw, 0x1000);
	dw_line_end(dw);
	header.version = 7; // which cannot be read
	dw_line_begin(dw, "other", &header);
	dw_line_end(dw);
	header.version = 3;
	header.dirs = dirs;
	header.files = files;
	dw_line_begin(dw, "third", &header);
	dw_line_address(dw, 0x2000);
	dw_line_row(dw, 0, 1);
	dw_line_inlined_call(dw, 1, 8);
	dw_line_row(dw, 0, 1);
	dw_line_end_sequence(dw, 4);
	dw_line_end(dw);
	snprintf(wanted, sizeof(wanted),
		 "unit ?\n%sunit ?\nunit ?\n"
		 "host ? 0x2000-0x2004 at 0x2000\n"
		 " inlined bar 0x2000-0x2004 at 0x2000 from /src/a.cu:2\n"
		 "problem .debug_line+0x8d: unsupported line table version 7\n",
		 kernel);
	assert_table(dw, wanted);
}

TEST(what_is_wrong_costs_no_more_than_itself)
{
	struct dwarf_builder *dw = begin();

	dw_line_address(dw, 0x1000);
	dw_line_row(dw, 0, 1);
	dw_line_inlined_call(dw, 1, 8);
	dw_line_row(dw, 0, 1);
	dw_line_inlined_call(dw, 9, 8);
	dw_line_row(dw, 4, 1);
	dw_line_inlined_call(dw, 1, 800);
	dw_line_row(dw, 4, 1);
	dw_line_end_sequence(dw, 4);
	dw_line_row(dw, 4, 1); // without an end
	dw_line_end(dw);
	assert_table(dw, "unit ?\n"
			 "host ? 0x1000-0x100c at 0x1000\n"
			 " inlined bar 0x1000-0x1004 at 0x1000 from /src/a.cu:2\n"
			 " inlined ? 0x1008-0x100c at 0x1008 from /src/a.cu:2\n"
			 "problem .debug_line+0x4b: call site of an inlined function is not an "
			 "earlier row (for .debug_line+0x0)\n"
			 "problem .debug_line+0x67: unterminated sequence of rows (for "
			 ".debug_line+0x0)\n");
}

// A row of each level is in all those around it, which must not take the square of the rows.
TEST(nesting_that_never_ends_has_a_budget)
{
	struct dwarf_builder *dw = begin();
	struct scan scan;

	dw_line_address(dw, 0x1000);
	for (uint64_t row = 1; row < 5000; row++) {
		dw_line_row(dw, 1, 1);
		dw_line_inlined_call(dw, row, 8);
	}
	dw_line_end_sequence(dw, 1);
	dw_line_end(dw);
	scan_open(&scan, dw, NULL);
	const char *text = scan_text(&scan);
	assert_non_null(strstr(text, "inlined calls are nested too deeply"));
	assert_non_null(strstr(text, "    inlined bar 0x1005-")); // what was read before stays
	scan_close(&scan);
}

// At one address rows take no steps, but for the last one.
TEST(functions_are_not_inlined_in_one_another_without_end)
{
	for (uint64_t depth = 2046; depth < 2049; depth++) {
		struct dwarf_builder *dw = begin();
		struct scan scan;

		dw_line_address(dw, 0x1000);
		for (uint64_t row = 1; row <= depth; row++) {
			dw_line_row(dw, 0, 1);
			dw_line_inlined_call(dw, row, 8);
		}
		dw_line_row(dw, 0, 1);
		dw_line_end_sequence(dw, 1);
		dw_line_end(dw);
		scan_open(&scan, dw, NULL);
		const char *text = scan_text(&scan);
		bool is_too_deep = strstr(text, "inlined calls are nested too deeply");
		assert_int_equal(is_too_deep, depth > 2047);
		assert_int_equal(scan.index->units[0].instance_count, is_too_deep ? 0 : depth + 1);
		scan_close(&scan);
	}
}

TEST(entries_win_over_what_line_tables_say)
{
	struct dwarf_builder *dw = scan_builder(4);
	struct dw_line_header header = dw_line_header_default(dw);

	scan_unit_of(dw, "a.c", DW_LANG_C99);
	dw_sec_offset(dw, DW_AT_stmt_list, "lines");
	scan_host(dw, "main", 0x1000, 0x1010);
	dw_die_end(dw);
	scan_unit_done(dw);
	dw_line_begin(dw, "lines", &header);
	put_kernel(dw, 0x1000);
	dw_line_end(dw);
	assert_table(dw, "unit a.c\nhost main 0x1000-0x1010 at 0x1000\n");
}

static const char *write_kernel(void)
{
	struct elf_builder *elf = elf_begin(ET_EXEC);
	struct dwarf_builder *dw = begin();

	put_kernel(dw, 0x1000);
	dw_line_end(dw);
	elf_add_code(elf, ".text", CODE_START, CODE_END - CODE_START);
	elf_add_dwarf(elf, dw);
	dwarf_builder_free(dw);
	return elf_end_at(elf, "a.out");
}

// Memory holds junk until it is set: none of that may be taken for a count or a name.
TEST(any_allocation_may_fail)
{
	const char *path = write_kernel();
	struct ic_error err = { .message = "" };
	bool has_failed = true;
	char wanted[2048];

	snprintf(wanted, sizeof(wanted), "unit ?\n%s", kernel);
	for (uint64_t fail_at = 1; has_failed; fail_at++) {
		struct scan scan = { .image = ic_image_open(path, NULL, &err) };

		assert_non_null(scan.image);
		alloc_meter_start(fail_at, false);
		scan.index = ic_index_build(scan.image, NULL, &err);
		has_failed = alloc_meter_calls() >= fail_at;
		alloc_meter_stop();
		if (scan.index)
			assert_scan(&scan, wanted);
		else
			assert_int_equal(err.code, IC_ERROR_MEMORY);
		scan_close(&scan);
	}
}

UNIT_TESTS(tables_line_contexts)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_inlined_into_a_kernel_is_in_its_line_table),
		cmocka_unit_test(a_two_level_table_names_its_hosts),
		cmocka_unit_test(
			sequences_without_functions_and_those_thrown_away_have_no_instances),
		cmocka_unit_test(rows_beyond_the_code_and_those_that_fall_are_no_code),
		cmocka_unit_test(every_table_is_a_unit),
		cmocka_unit_test(what_is_wrong_costs_no_more_than_itself),
		cmocka_unit_test(nesting_that_never_ends_has_a_budget),
		cmocka_unit_test(functions_are_not_inlined_in_one_another_without_end),
		cmocka_unit_test(entries_win_over_what_line_tables_say),
		cmocka_unit_test(any_allocation_may_fail),
	};

	return cmocka_run_group_tests(tests, temp_dir_make, temp_dir_remove);
}
