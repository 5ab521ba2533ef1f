#include "types/formals.h"

#include <string.h>

#include "fixtures/parameters.h"

#define REST "b: int/4 = unavailable (optimised out)\nc: int/4 = unavailable (optimised out)\n"

// Of more than 16 MiB in an instance the rest is left out, each time alike.
TEST(what_lies_beyond_a_limit_was_not_read)
{
	const char *wanted = "a: int/4 = %rdi\n"
			     "b: int/4 = unavailable (not read)\n"
			     "c: int/4 = unavailable (not read)\n";
	struct dwarf_builder *dw = parameters_begin(5);
	struct ic_index_problem problem;
	struct scan scan;

	parameters_begin_instance(dw);
	parameters_argument(dw, "a", DW_BYTES(DW_OP_reg0 + 5));
	dw_die_begin(dw, DW_TAG_lexical_block);
	dw_die_code(dw, 99);
	dw_die_end(dw);
	dw_fill(dw, 99, 17 << 20); // more of these, by their codes only
	parameters_argument(dw, "b", DW_BYTES(DW_OP_reg0 + 4));
	dw_die_end(dw);
	scan_inlined(dw, "f", START + 0x20, START + 0x30);
	parameters_argument(dw, "b", DW_BYTES(DW_OP_reg0 + 4));
	parameters_end_instance(dw);
	struct ic_symbolizer *symbolizer = parameters_symbolizer(&scan, dw);
	struct ic_parameters *parameters = ic_parameters_open_frames(symbolizer, NULL, NULL);
	assert_non_null(parameters);
	for (int i = 0; i < 3; i++) {
		parameters_check_frame(parameters, START + 0x10, 0, wanted);
		parameters_check_frame(parameters, START + 0x20, 0,
				       "a: int/4 = unavailable (optimised out)\n"
				       "b: int/4 = %rsi\n"
				       "c: int/4 = unavailable (optimised out)\n");
	}
	assert_true(ic_parameters_problem_get(parameters, 0, &problem));
	assert_non_null(strstr(problem.message, "gave up looking for parameters"));
	ic_parameters_free(parameters);
	ic_symbolizer_free(symbolizer);
	scan_close(&scan);
}

// An instance with an argument whose type has more DIEs than are read for one question, and one
// that has not: whichever is asked first, each has the same answer.
TEST(an_answer_does_not_depend_on_the_questions_before_it)
{
	enum { DIMENSIONS = 1 << 20 };
	static const char *const types[] = { "vast", "two" };
	static const char *const wanted[] = { "a: int/4 = %rdi\n" REST "vast: ?/0 = %rdx\n",
					      "a: int/4 = %rdi\n" REST "two: int[2]/8 = %rdx\n" };
	struct scan scan;
	struct dwarf_builder *dw = parameters_begin(5);

	dw_label(dw, "vast");
	dw_die_begin(dw, DW_TAG_array_type);
	dw_ref4(dw, DW_AT_type, "int");
	dw_die_begin(dw, DW_TAG_subrange_type);
	dw_die_code(dw, 99);
	dw_die_end(dw);
	dw_fill(dw, 99, DIMENSIONS);
	dw_die_end(dw);
	dw_label(dw, "two");
	dw_die_begin(dw, DW_TAG_array_type);
	dw_ref4(dw, DW_AT_type, "int");
	dw_die_begin(dw, DW_TAG_subrange_type);
	dw_data1(dw, DW_AT_count, 2);
	dw_die_end(dw);
	dw_die_end(dw);
	dw_label(dw, "g");
	dw_die_begin(dw, DW_TAG_subprogram);
	for (unsigned i = 0; i < 2; i++) {
		dw_label(dw, i == 0 ? "of vast" : "of two");
		dw_die_begin(dw, DW_TAG_formal_parameter);
		dw_string(dw, DW_AT_name, types[i]);
		dw_ref4(dw, DW_AT_type, types[i]);
		dw_die_end(dw);
	}
	dw_die_end(dw);
	scan_host(dw, "main", START, END);
	for (unsigned i = 0; i < 2; i++) {
		scan_inlined(dw, "f", START + 0x10 + 0x10 * i, START + 0x20 + 0x10 * i);
		parameters_argument(dw, "a", DW_BYTES(DW_OP_reg0 + 5));
		parameters_argument(dw, i == 0 ? "of vast" : "of two", DW_BYTES(DW_OP_reg0 + 1));
		dw_die_end(dw);
	}
	dw_die_end(dw);
	scan_unit_done(dw);
	struct ic_symbolizer *symbolizer = parameters_symbolizer(&scan, dw);
	struct ic_parameters *parameters = ic_parameters_open_frames(symbolizer, NULL, NULL);
	assert_non_null(parameters);
	for (int i = 0; i < 3; i++) {
		parameters_check_frame(parameters, START + 0x10, 0, wanted[0]);
		parameters_check_frame(parameters, START + 0x20, 0, wanted[1]);
	}
	ic_parameters_free(parameters);
	ic_symbolizer_free(symbolizer);
	scan_close(&scan);
}

UNIT_TESTS(types_formals)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_lies_beyond_a_limit_was_not_read),
		cmocka_unit_test(an_answer_does_not_depend_on_the_questions_before_it),
	};

	return cmocka_run_group_tests(tests, temp_dir_make, temp_dir_remove);
}
