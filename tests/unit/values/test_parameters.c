#include <inlinecall/parameters.h>

#include "unit_test.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fixtures/parameters.h"

// ---- What is found

static void put_problems(FILE *out, const struct ic_parameters *parameters)
{
	struct ic_index_problem problem;

	for (size_t i = 0; ic_parameters_problem_get(parameters, i, &problem); i++)
		fprintf(out, "problem %s\n", problem.message);
}

struct query {
	bool hosts, lists, without_notes;
	uint64_t addr; // 0: the entry
};

// The parameters of every site.
static char *read_all(const struct scan *scan, const struct query *query)
{
	const struct ic_sites_query everything = { .out_of_line = query->hosts };
	const struct ic_parameters_options options = { .lists = query->lists };
	struct ic_error err = { .message = "" };
	const struct ic_parameter *list;
	struct ic_site site;
	char *text = NULL;
	size_t size;

	struct ic_sites *sites = ic_sites_find(scan->index, &everything, &err);
	struct ic_parameters *parameters =
		ic_parameters_open(scan->image, scan->index, &options, &err);
	FILE *out = open_memstream(&text, &size);
	assert_non_null(out);
	if (!parameters)
		fail_msg("%s", err.message);
	for (size_t i = 0; ic_sites_get(sites, i, &site); i++) {
		if (query->hosts)
			fprintf(out, "%s\n", site.function);
		assert_true(ic_parameters_find(parameters, &site,
					       query->addr ? query->addr : IC_NO_ADDR, &err));
		size_t count = ic_parameters_list(parameters, &list);
		for (size_t j = 0; j < count; j++)
			parameters_put(out, &list[j]);
		if (ic_parameters_is_variadic(parameters))
			fprintf(out, "...\n");
	}
	put_problems(out, parameters);
	fclose(out);
	ic_parameters_free(parameters);
	ic_sites_free(sites);
	return text;
}

// Takes the builder over, and compares what is found with and without notes in the index.
static void check(struct dwarf_builder *dw, struct query query, const char *wanted)
{
	struct elf_builder *elf = elf_begin(ET_EXEC);

	elf_add_code(elf, ".text", CODE_START, CODE_END - CODE_START);
	elf_add_dwarf(elf, dw);
	dwarf_builder_free(dw);
	const char *path = elf_end_at(elf, "a.out");
	for (int i = 0; i < 2; i++) {
		const struct ic_index_options options = { .parameters = i == 0 };
		struct scan scan;
		scan_open_path(&scan, path, &options);
		char *text = read_all(&scan, &query);
		assert_string_equal(text, wanted);
		free(text);
		scan_close(&scan);
	}
}

// ---- Tests

TEST(parameters_are_those_of_the_function_in_its_order)
{
	struct dwarf_builder *dw = parameters_begin(5);

	parameters_begin_instance(dw);
	parameters_argument(dw, "b", DW_BYTES(DW_OP_reg0 + 5));
	parameters_argument(dw, "a", DW_BYTES(DW_OP_fbreg, 0x70));
	parameters_end_instance(dw); // it has no c
	check(dw, (struct query){ .hosts = false },
	      "a: int/4 = *(int *)(CFA-16)\n"
	      "b: int/4 = %rdi\n"
	      "c: int/4 = unavailable (optimised out)\n");
}

TEST(parameters_may_be_constants_or_have_no_location)
{
	struct dwarf_builder *dw = parameters_begin(5);

	parameters_begin_instance(dw);
	parameters_begin_argument(dw, "a");
	dw_sdata(dw, DW_AT_const_value, -3);
	dw_die_end(dw);
	parameters_begin_argument(dw, "b");
	dw_data1(dw, DW_AT_const_value, 0xff);
	dw_die_end(dw);
	parameters_argument(dw, "c", NULL, 0);
	parameters_end_instance(dw);
	check(dw, (struct query){ .hosts = false },
	      "a: int/4 = -3\n"
	      "b: int/4 = -1\n"
	      "c: int/4 = unavailable (optimised out)\n");
}

TEST(what_an_instance_has_more_comes_last)
{
	struct dwarf_builder *dw = parameters_begin(5);

	parameters_begin_instance(dw);
	parameters_argument(dw, "a", DW_BYTES(DW_OP_reg0 + 5));
	parameters_argument(dw, "a", DW_BYTES(DW_OP_reg0 + 4)); // the first one counts
	parameters_argument(dw, "x", DW_BYTES(DW_OP_reg0));
	parameters_formal(dw, "without origin"); // which is not of an instance
	dw_die_begin(dw, DW_TAG_GNU_formal_parameter_pack);
	parameters_argument(dw, "b", DW_BYTES(DW_OP_reg0)); // nor what is in another DIE
	dw_die_end(dw);
	dw_die_end(dw);
	dw_die_end(dw);
	parameters_formal(dw, "x");
	scan_unit_done(dw);
	check(dw, (struct query){ .hosts = false },
	      "a: int/4 = %rdi\n"
	      "b: int/4 = unavailable (optimised out)\n"
	      "c: int/4 = unavailable (optimised out)\n"
	      "x: int/4 = %rax\n");
}

TEST(a_function_without_an_abstract_instance_declares_its_own)
{
	struct dwarf_builder *dw = parameters_begin(5);

	scan_host(dw, "g", START, END);
	dw_die_begin(dw, DW_TAG_formal_parameter);
	dw_string(dw, DW_AT_name, "this");
	dw_flag_present(dw, DW_AT_artificial);
	dw_expr(dw, DW_AT_location, DW_BYTES(DW_OP_reg0 + 5));
	dw_die_end(dw);
	parameters_formal(dw, "n");
	dw_die_begin(dw, DW_TAG_formal_parameter);
	dw_string(dw, DW_AT_name, "~r0");
	dw_flag(dw, DW_AT_variable_parameter, 1);
	dw_die_end(dw);
	dw_die_begin(dw, DW_TAG_unspecified_parameters);
	dw_die_end(dw);
	scan_inlined(dw, "f", START + 0x10, START + 0x20);
	dw_die_end(dw);
	dw_die_end(dw);
	scan_unit_done(dw);
	check(dw, (struct query){ .hosts = true },
	      "f\n"
	      "a: int/4 = unavailable (optimised out)\n"
	      "b: int/4 = unavailable (optimised out)\n"
	      "c: int/4 = unavailable (optimised out)\n");
}

TEST(a_host_is_asked_for_like_an_instance)
{
	struct dwarf_builder *dw = parameters_begin(5);

	dw_die_begin(dw, DW_TAG_subprogram);
	dw_ref4(dw, DW_AT_abstract_origin, "f");
	dw_low_high(dw, START, END);
	parameters_argument(dw, "c", DW_BYTES(DW_OP_reg0 + 1));
	scan_inlined(dw, "f", START + 0x10, START + 0x20);
	dw_die_end(dw);
	parameters_argument(dw, "a", DW_BYTES(DW_OP_reg0 + 5));
	dw_die_end(dw);
	scan_unit_done(dw);
	check(dw, (struct query){ .hosts = true },
	      "f\n"
	      "a: int/4 = unavailable (optimised out)\n"
	      "b: int/4 = unavailable (optimised out)\n"
	      "c: int/4 = unavailable (optimised out)\n"
	      "f\n"
	      "a: int/4 = %rdi\n"
	      "b: int/4 = unavailable (optimised out)\n"
	      "c: int/4 = %rdx\n");
}

#define NOTHING_INLINED                            \
	"f\n"                                      \
	"a: int/4 = unavailable (optimised out)\n" \
	"b: int/4 = unavailable (optimised out)\n" \
	"c: int/4 = unavailable (optimised out)\n"

// A function that is not optimised, with arguments on its frame, but for c, that its caller has put
// on the stack.
static struct dwarf_builder *with_stored_arguments(uint8_t frame_base)
{
	struct dwarf_builder *dw = parameters_begin(5);

	dw_die_begin(dw, DW_TAG_subprogram);
	dw_ref4(dw, DW_AT_abstract_origin, "f");
	dw_low_high(dw, START, END);
	dw_expr(dw, DW_AT_frame_base, DW_BYTES(frame_base));
	parameters_argument(dw, "a", DW_BYTES(DW_OP_fbreg, 0x6c));
	parameters_argument(dw, "b", DW_BYTES(DW_OP_fbreg, 0x68, DW_OP_deref));
	parameters_argument(dw, "c", DW_BYTES(DW_OP_fbreg, 0x10));
	scan_inlined(dw, "f", START + 0x10, START + 0x20);
	dw_die_end(dw);
	dw_die_end(dw);
	scan_unit_done(dw);
	return dw;
}

TEST(a_function_has_stored_nothing_when_it_is_entered)
{
	check(with_stored_arguments(DW_OP_call_frame_cfa), (struct query){ .hosts = true },
	      NOTHING_INLINED "f\n"
			      "a: int/4 = unavailable (not stored yet)\n"
			      "b: int/4 = unavailable (not stored yet)\n"
			      "c: int/4 = *(int *)(CFA+16)\n");
	check(with_stored_arguments(DW_OP_reg0 + 6), (struct query){ .hosts = true },
	      NOTHING_INLINED "f\n"
			      "a: int/4 = unavailable (not stored yet)\n"
			      "b: int/4 = unavailable (not stored yet)\n"
			      "c: int/4 = unavailable (not stored yet)\n");
	check(with_stored_arguments(DW_OP_reg0 + 6),
	      (struct query){ .hosts = true, .addr = START + 1 },
	      NOTHING_INLINED "f\n"
			      "a: int/4 = *(int *)(%rbp-20)\n"
			      "b: int/4 = *(int *)(*(u64 *)(%rbp-24))\n"
			      "c: int/4 = *(int *)(%rbp+16)\n");
}

// An instance at 0x1010 to 0x1020 with a list for a: before, from 0x1014 on, and outside.
static struct dwarf_builder *with_list(uint64_t start)
{
	struct dwarf_builder *dw = parameters_begin(5);

	dw_loc_list_begin(dw, "list");
	parameters_entry(dw, START, START + 8, DW_BYTES(DW_OP_reg0));
	parameters_entry(dw, start, START + 0x18, DW_BYTES(DW_OP_reg0 + 5));
	parameters_entry(dw, START + 0x40, END, DW_BYTES(DW_OP_reg0 + 4));
	dw_lle(dw, DW_LLE_end_of_list, 0, 0);
	dw_loc_list_end(dw);
	parameters_begin_instance(dw);
	parameters_begin_argument(dw, "a");
	dw_sec_offset(dw, DW_AT_location, "list");
	dw_die_end(dw);
	parameters_end_instance(dw);
	return dw;
}

TEST(an_argument_is_where_it_is_at_the_address)
{
	check(with_list(START + 0x10), (struct query){ .hosts = false },
	      "a: int/4 = %rdi\n"
	      "b: int/4 = unavailable (optimised out)\n"
	      "c: int/4 = unavailable (optimised out)\n");
	check(with_list(START + 0x14), (struct query){ .hosts = false },
	      "a: int/4 = unavailable (not here) from 0x1014\n"
	      "b: int/4 = unavailable (optimised out)\n"
	      "c: int/4 = unavailable (optimised out)\n");
	check(with_list(START + 0x14), (struct query){ .addr = START + 0x15 },
	      "a: int/4 = %rdi\n"
	      "b: int/4 = unavailable (optimised out)\n"
	      "c: int/4 = unavailable (optimised out)\n");
	check(with_list(START + 0x14), (struct query){ .addr = START + 0x19 },
	      "a: int/4 = unavailable (not here) from 0x1014\n"
	      "b: int/4 = unavailable (optimised out)\n"
	      "c: int/4 = unavailable (optimised out)\n");
	check(with_list(START + 0x18), (struct query){ .hosts = false }, // an empty range
	      "a: int/4 = unavailable (optimised out)\n"
	      "b: int/4 = unavailable (optimised out)\n"
	      "c: int/4 = unavailable (optimised out)\n");
}

TEST(lists_are_told_where_asked_for)
{
	check(with_list(START + 0x14), (struct query){ .lists = true },
	      "a: int/4 = unavailable (not here) from 0x1014\n"
	      " 0x1000-0x1008 DW_OP_reg0 rax\n"
	      " 0x1014-0x1018 DW_OP_reg5 rdi\n"
	      " 0x1040-0x1100 DW_OP_reg4 rsi\n"
	      "b: int/4 = unavailable (optimised out)\n"
	      "c: int/4 = unavailable (optimised out)\n");
}

// Two entries for one address: a is in rax up to view 2 of it, and in rdi from there to view 5.
static struct dwarf_builder *with_views(uint8_t entry_view, uint8_t first)
{
	struct dwarf_builder *dw = parameters_begin(5);

	dw_loc_list_begin(dw, "list");
	dw_lle(dw, DW_LLE_GNU_view_pair, first, 2);
	parameters_entry(dw, START + 0x10, START + 0x10, DW_BYTES(DW_OP_reg0));
	dw_lle(dw, DW_LLE_GNU_view_pair, 3, 5);
	parameters_entry(dw, START + 0x10, START + 0x10, DW_BYTES(DW_OP_reg0 + 5));
	dw_lle(dw, DW_LLE_end_of_list, 0, 0);
	dw_loc_list_end(dw);
	scan_host(dw, "main", START, END);
	scan_inlined(dw, "f", START + 0x10, START + 0x20);
	dw_data1(dw, DW_AT_GNU_entry_view, entry_view);
	parameters_begin_argument(dw, "a");
	dw_sec_offset(dw, DW_AT_location, "list");
	dw_die_end(dw);
	parameters_end_instance(dw);
	return dw;
}

#define REST                                       \
	"b: int/4 = unavailable (optimised out)\n" \
	"c: int/4 = unavailable (optimised out)\n"

TEST(views_tell_apart_what_is_at_one_address)
{
	struct query entry = { .hosts = false };

	check(with_views(0, 0), entry, "a: int/4 = %rax\n" REST);
	check(with_views(1, 0), entry, "a: int/4 = %rax\n" REST);
	check(with_views(3, 0), entry, "a: int/4 = %rdi\n" REST);
	check(with_views(4, 0), entry, "a: int/4 = %rdi\n" REST);
	// In a later view the function may have changed it.
	check(with_views(2, 0), entry, "a: int/4 = unavailable (not here) from 0x1010\n" REST);
	check(with_views(0, 1), entry, "a: int/4 = unavailable (not here) from 0x1010\n" REST);
	check(with_views(6, 0), entry, "a: int/4 = unavailable (not here) from 0x1010\n" REST);
}

TEST(the_value_at_entry_is_not_in_the_register)
{
	struct dwarf_builder *dw = parameters_begin(5);

	parameters_begin_instance(dw);
	parameters_argument(dw, "a",
			    DW_BYTES(DW_OP_entry_value, 1, DW_OP_reg0 + 5, DW_OP_stack_value));
	parameters_end_instance(dw);
	check(dw, (struct query){ .hosts = false }, "a: int/4 = entry(%rdi)\n" REST);
}

// Clang means what is in the slot at the stack pointer.
TEST(a_number_is_not_computed_from_the_stack_pointer)
{
	struct dwarf_builder *dw = parameters_begin(5);

	parameters_begin_instance(dw);
	parameters_argument(dw, "a", DW_BYTES(DW_OP_breg0 + 7, 8, DW_OP_stack_value));
	parameters_argument(dw, "b",
			    DW_BYTES(DW_OP_fbreg, 8, DW_OP_lit0 + 1, DW_OP_xor, DW_OP_stack_value));
	parameters_argument(dw, "c", DW_BYTES(DW_OP_breg0 + 7, 8, DW_OP_deref, DW_OP_stack_value));
	parameters_end_instance(dw);
	check(dw, (struct query){ .hosts = false },
	      "a: int/4 = unavailable (unreadable)\n"
	      "b: int/4 = unavailable (unreadable)\n"
	      "c: int/4 = *(int *)(%rsp+8)\n");
}

TEST(what_cannot_be_read_is_a_problem)
{
	struct dwarf_builder *dw = parameters_begin(5);

	parameters_begin_instance(dw);
	parameters_argument(dw, "a", DW_BYTES(0xff));
	parameters_begin_argument(dw, "b");
	dw_value(dw, DW_AT_location, DW_FORM_sec_offset, 0x7777);
	dw_die_end(dw);
	parameters_end_instance(dw);
	struct elf_builder *elf = elf_begin(ET_EXEC);
	elf_add_code(elf, ".text", CODE_START, CODE_END - CODE_START);
	elf_add_dwarf(elf, dw);
	dwarf_builder_free(dw);
	struct scan scan;
	scan_open_path(&scan, elf_end_at(elf, "a.out"),
		       &(struct ic_index_options){ .parameters = true });
	char *text = read_all(&scan, &(struct query){ .hosts = false });
	assert_non_null(strstr(text, "a: int/4 = unavailable (unreadable)\n"
				     "b: int/4 = unavailable (unreadable)\n"
				     "c: int/4 = unavailable (optimised out)\nproblem "));
	free(text);
	scan_close(&scan);
}

TEST(a_parameter_whose_origin_is_itself_is_a_problem)
{
	struct dwarf_builder *dw = parameters_begin(5);

	parameters_begin_instance(dw);
	dw_label(dw, "self");
	parameters_argument(dw, "self", DW_BYTES(DW_OP_reg0));
	parameters_end_instance(dw);
	struct elf_builder *elf = elf_begin(ET_EXEC);
	elf_add_code(elf, ".text", CODE_START, CODE_END - CODE_START);
	elf_add_dwarf(elf, dw);
	dwarf_builder_free(dw);
	struct scan scan;
	scan_open_path(&scan, elf_end_at(elf, "a.out"), NULL);
	char *text = read_all(&scan, &(struct query){ .hosts = false });
	assert_non_null(strstr(text, "?: ?/0 = %rax\n"));
	assert_non_null(strstr(text, "chain of parameter origins is cyclic or too long"));
	free(text);
	scan_close(&scan);
}

TEST(an_origin_may_be_in_another_unit)
{
	struct dwarf_builder *dw = parameters_begin(5);

	scan_unit_done(dw);
	scan_unit_of(dw, "b.c", DW_LANG_C99);
	dw_low_high(dw, START, END);
	scan_host(dw, "main", START, END);
	dw_die_begin(dw, DW_TAG_inlined_subroutine);
	dw_ref_addr(dw, DW_AT_abstract_origin, "f");
	dw_low_high(dw, START + 0x10, START + 0x20);
	dw_die_begin(dw, DW_TAG_formal_parameter);
	dw_ref_addr(dw, DW_AT_abstract_origin, "b");
	dw_expr(dw, DW_AT_location, DW_BYTES(DW_OP_reg0 + 5));
	dw_die_end(dw);
	parameters_end_instance(dw);
	check(dw, (struct query){ .hosts = false },
	      "a: int/4 = unavailable (optimised out)\n"
	      "b: int/4 = %rdi\n"
	      "c: int/4 = unavailable (optimised out)\n");
}

// ---- Frames

TEST(each_frame_has_the_parameters_of_its_instance_at_the_address)
{
	struct scan scan;
	struct dwarf_builder *dw = parameters_begin(5);

	dw_loc_list_begin(dw, "list");
	parameters_entry(dw, START + 0x14, START + 0x18, DW_BYTES(DW_OP_reg0 + 5));
	parameters_entry(dw, START + 0x40, END, DW_BYTES(DW_OP_reg0 + 4));
	dw_lle(dw, DW_LLE_end_of_list, 0, 0);
	dw_loc_list_end(dw);
	scan_host(dw, "main", START, END);
	parameters_formal(dw, "argc");
	parameters_begin_argument(dw, "a"); // of no function, so it comes last
	dw_expr(dw, DW_AT_location, DW_BYTES(DW_OP_reg0 + 1));
	dw_die_end(dw);
	scan_inlined(dw, "f", START + 0x10, START + 0x20);
	parameters_begin_argument(dw, "a");
	dw_sec_offset(dw, DW_AT_location, "list");
	dw_die_end(dw);
	parameters_end_instance(dw);

	struct ic_symbolizer *symbolizer = parameters_symbolizer(&scan, dw);
	struct ic_parameters *parameters = ic_parameters_open_frames(symbolizer, NULL, NULL);
	assert_non_null(parameters);
	parameters_check_frame(parameters, START + 0x15, 0,
			       "a: int/4 = %rdi\n"
			       "b: int/4 = unavailable (optimised out)\n"
			       "c: int/4 = unavailable (optimised out)\n");
	parameters_check_frame(parameters, START + 0x10, 0,
			       "a: int/4 = unavailable (not here) from 0x1014\n"
			       "b: int/4 = unavailable (optimised out)\n"
			       "c: int/4 = unavailable (optimised out)\n");
	const char *of_main = "argc: int/4 = unavailable (optimised out)\n"
			      "a: int/4 = %rdx\n";
	parameters_check_frame(parameters, START + 0x15, 1, of_main);
	parameters_check_frame(parameters, START + 0x20, 0, of_main);
	parameters_check_frame(parameters, START + 0x15, 2, "not known\n");
	parameters_check_frame(parameters, START + 0x20, SIZE_MAX, "not known\n");
	parameters_check_frame(parameters, END, 0, "not known\n");
	ic_parameters_free(parameters);
	ic_symbolizer_free(symbolizer);
	scan_close(&scan);
}

TEST(a_reader_is_of_an_index_or_of_frames)
{
	const struct ic_site site = { .kind = IC_SITE_INLINED };
	struct ic_error err;
	struct scan scan;
	struct dwarf_builder *dw = parameters_begin(5);

	parameters_begin_instance(dw);
	parameters_end_instance(dw);
	struct ic_symbolizer *symbolizer = parameters_symbolizer(&scan, dw);
	struct ic_parameters *frames = ic_parameters_open_frames(symbolizer, NULL, &err);
	struct ic_parameters *sites = ic_parameters_open(scan.image, scan.index, NULL, &err);
	assert_false(ic_parameters_find(frames, &site, IC_NO_ADDR, &err));
	assert_int_equal(err.code, IC_ERROR_ARGUMENT);
	assert_false(ic_parameters_find_frame(sites, START, 0, &err));
	assert_int_equal(err.code, IC_ERROR_ARGUMENT);
	ic_parameters_free(sites);
	ic_parameters_free(frames);
	ic_symbolizer_free(symbolizer);
	scan_close(&scan);
}

UNIT_TESTS(values_parameters)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parameters_are_those_of_the_function_in_its_order),
		cmocka_unit_test(parameters_may_be_constants_or_have_no_location),
		cmocka_unit_test(what_an_instance_has_more_comes_last),
		cmocka_unit_test(a_function_without_an_abstract_instance_declares_its_own),
		cmocka_unit_test(a_host_is_asked_for_like_an_instance),
		cmocka_unit_test(a_function_has_stored_nothing_when_it_is_entered),
		cmocka_unit_test(an_argument_is_where_it_is_at_the_address),
		cmocka_unit_test(lists_are_told_where_asked_for),
		cmocka_unit_test(views_tell_apart_what_is_at_one_address),
		cmocka_unit_test(the_value_at_entry_is_not_in_the_register),
		cmocka_unit_test(a_number_is_not_computed_from_the_stack_pointer),
		cmocka_unit_test(what_cannot_be_read_is_a_problem),
		cmocka_unit_test(a_parameter_whose_origin_is_itself_is_a_problem),
		cmocka_unit_test(an_origin_may_be_in_another_unit),
		cmocka_unit_test(each_frame_has_the_parameters_of_its_instance_at_the_address),
		cmocka_unit_test(a_reader_is_of_an_index_or_of_frames),
	};

	return cmocka_run_group_tests(tests, temp_dir_make, temp_dir_remove);
}
