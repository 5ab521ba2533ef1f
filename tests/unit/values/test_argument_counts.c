#include <inlinecall/extra/statistics.h>

#include "unit_test.h"

#include <stdio.h>
#include <string.h>

#include "fixtures/elf.h"
#include "fixtures/scan.h"

#include "dwarf_constants.h"

enum { START = CODE_START, END = CODE_END };

static void put_function(struct dwarf_builder *dw, const char *name, const char *parameter)
{
	dw_label(dw, name);
	dw_die_begin(dw, DW_TAG_subprogram);
	dw_string(dw, DW_AT_name, name);
	dw_data1(dw, DW_AT_inline, DW_INL_inlined);
	dw_label(dw, parameter);
	dw_die_begin(dw, DW_TAG_formal_parameter);
	dw_string(dw, DW_AT_name, parameter);
	dw_die_end(dw);
	dw_die_end(dw);
}

static void begin_argument(struct dwarf_builder *dw, const char *origin)
{
	dw_die_begin(dw, DW_TAG_formal_parameter);
	dw_ref4(dw, DW_AT_abstract_origin, origin);
}

static void put_argument(struct dwarf_builder *dw, const char *origin, const void *expression,
			 size_t size)
{
	begin_argument(dw, origin);
	dw_expr(dw, DW_AT_location, expression, size);
	dw_die_end(dw);
}

// A copy of many(m), whose argument is the expression; each is a byte after the last.
static void put_copy(struct dwarf_builder *dw, unsigned number, const void *expression, size_t size)
{
	scan_inlined(dw, "many", START + number, START + number + 1);
	put_argument(dw, "m", expression, size);
	dw_die_end(dw);
}

// Of few(f) copies with a constant, in a list that begins later, and without code.
static void put_few(struct dwarf_builder *dw, uint64_t start)
{
	scan_inlined(dw, "few", start, start + 8);
	begin_argument(dw, "f");
	dw_sdata(dw, DW_AT_const_value, -1);
	dw_die_end(dw);
	dw_die_end(dw);
	scan_inlined(dw, "few", start + 8, start + 16);
	begin_argument(dw, "f");
	dw_sec_offset(dw, DW_AT_location, "list");
	dw_die_end(dw);
	dw_die_end(dw);
	scan_inlined(dw, "few", start, start);
	begin_argument(dw, "f");
	dw_sdata(dw, DW_AT_const_value, 1);
	dw_die_end(dw);
	dw_die_end(dw);
}

static void open_program(struct scan *scan, unsigned copies)
{
	struct dwarf_builder *dw = scan_builder(5);
	struct elf_builder *elf = elf_begin(ET_EXEC);

	scan_unit_of(dw, "a.c", DW_LANG_C99);
	dw_low_high(dw, START, END);
	dw_loclists_base(dw);
	dw_loc_list_begin(dw, "list");
	dw_lle(dw, DW_LLE_start_end, START + copies + 9, START + copies + 16);
	dw_loc_expr(dw, DW_BYTES(DW_OP_reg0 + 5));
	dw_lle(dw, DW_LLE_end_of_list, 0, 0);
	dw_loc_list_end(dw);
	put_function(dw, "many", "m");
	put_function(dw, "few", "f");
	scan_host(dw, "main", START, END);
	put_copy(dw, 0, DW_BYTES(DW_OP_lit0 + 3, DW_OP_stack_value));
	put_copy(dw, 1, DW_BYTES(DW_OP_reg0, DW_OP_piece, 4, DW_OP_piece, 4));
	put_copy(dw, 2, DW_BYTES(DW_OP_breg0, 8, DW_OP_deref, DW_OP_stack_value));
	put_copy(dw, 3, DW_BYTES(DW_OP_fbreg, 8));
	for (unsigned i = 4; i < copies; i++)
		put_copy(dw, i, DW_BYTES(DW_OP_breg0 + 5, 8, DW_OP_stack_value));
	put_few(dw, START + copies);
	dw_die_end(dw);
	scan_unit_done(dw);
	elf_add_code(elf, ".text", CODE_START, CODE_END - CODE_START);
	elf_add_dwarf(elf, dw);
	dwarf_builder_free(dw);
	scan_open_path(scan, elf_end_at(elf, "a.out"), NULL);
}

static struct ic_argument_statistics count(const struct scan *scan,
					   const struct ic_sites_query *query)
{
	struct ic_error err = { .message = "" };
	struct ic_argument_statistics found;
	struct ic_parameters *parameters = ic_parameters_open(scan->image, scan->index, NULL, &err);

	assert_non_null(parameters);
	assert_true(ic_arguments_count(parameters, scan->index, query, &found, &err));
	ic_parameters_free(parameters);
	return found;
}

TEST(arguments_are_counted_by_their_expressions)
{
	struct scan scan;

	open_program(&scan, 101);
	const struct ic_argument_counts all = count(&scan, NULL).all;
	assert_int_equal(all.functions, 2);
	assert_int_equal(all.copies, 103);
	assert_int_equal(all.arguments, 103);
	assert_int_equal(all.categories[IC_CATEGORY_LITERAL], 2);
	assert_int_equal(all.categories[IC_CATEGORY_REGISTER], 97);
	assert_int_equal(all.categories[IC_CATEGORY_ARITHMETIC], 1);
	assert_int_equal(all.categories[IC_CATEGORY_COMPOSITE], 1);
	assert_int_equal(all.categories[IC_CATEGORY_STACK], 1);
	assert_int_equal(all.categories[IC_CATEGORY_EMPTY], 1);
	assert_int_equal(all.shapes[IC_SHAPE_NUMBER], 2);
	assert_int_equal(all.shapes[IC_SHAPE_REGISTER_VALUE], 97);
	assert_int_equal(all.shapes[IC_SHAPE_LOAD], 1);
	assert_int_equal(all.shapes[IC_SHAPE_PIECES], 1);
	assert_int_equal(all.shapes[IC_SHAPE_FRAME], 1);
	assert_int_equal(all.shapes[IC_SHAPE_EMPTY], 1);
	assert_int_equal(all.not_here, 1);
	assert_int_equal(all.optimised_out + all.unreadable, 0);
	scan_close(&scan);
}

TEST(a_function_with_more_than_a_hundred_copies_is_not_among_the_few)
{
	struct scan scan;

	for (unsigned copies = 100; copies <= 101; copies++) {
		open_program(&scan, copies);
		const struct ic_argument_statistics found = count(&scan, NULL);
		assert_int_equal(found.all.copies, copies + 2);
		assert_int_equal(found.few.copies, copies == 100 ? 102 : 2);
		assert_int_equal(found.few.functions, copies == 100 ? 2 : 1);
		assert_int_equal(found.few.categories[IC_CATEGORY_LITERAL], copies == 100 ? 2 : 1);
		scan_close(&scan);
	}
}

// How many copies a function has is a fact about the file.
TEST(a_selection_leaves_copies_out)
{
	const struct ic_sites_query many = { .function = "many" };
	const struct ic_sites_query few = { .function = "few", .out_of_line = true };
	const struct ic_sites_query none = { .function = "main", .out_of_line = true };
	struct scan scan;

	open_program(&scan, 101);
	const struct ic_argument_statistics of_many = count(&scan, &many);
	assert_int_equal(of_many.all.copies, 101);
	assert_int_equal(of_many.all.functions, 1);
	assert_int_equal(of_many.few.copies, 0);
	assert_int_equal(count(&scan, &few).all.arguments, 2);
	assert_int_equal(count(&scan, &none).all.copies, 0);
	scan_close(&scan);
}

TEST(a_query_that_is_none_is_refused)
{
	const struct ic_sites_query wrong = { .function = "(", .match = IC_MATCH_REGEX };
	struct ic_argument_statistics found;
	struct ic_error err;
	struct scan scan;

	open_program(&scan, 4);
	struct ic_parameters *parameters = ic_parameters_open(scan.image, scan.index, NULL, &err);
	assert_non_null(parameters);
	assert_false(ic_arguments_count(parameters, scan.index, &wrong, &found, &err));
	assert_int_equal(err.code, IC_ERROR_ARGUMENT);
	assert_false(ic_arguments_count(parameters, scan.index, &wrong, &found, NULL));
	ic_parameters_free(parameters);
	scan_close(&scan);
}

UNIT_TESTS(values_argument_counts)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(arguments_are_counted_by_their_expressions),
		cmocka_unit_test(a_function_with_more_than_a_hundred_copies_is_not_among_the_few),
		cmocka_unit_test(a_selection_leaves_copies_out),
		cmocka_unit_test(a_query_that_is_none_is_refused),
	};

	return cmocka_run_group_tests(tests, temp_dir_make, temp_dir_remove);
}
