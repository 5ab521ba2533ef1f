#include "values/locals.h"

#include "unit_test.h"

#include <stdio.h>

#include "fixtures/elf.h"
#include "fixtures/lookup.h"

#include "dwarf_constants.h"

enum { END = CODE_START + 0x100 };

static struct dwarf_builder *begin_unit(uint16_t version)
{
	struct dwarf_builder *dw = scan_builder(version);

	scan_unit_of(dw, "a.c", DW_LANG_C99);
	dw_low_high(dw, CODE_START, END);
	if (version >= 5)
		dw_loclists_base(dw);
	return dw;
}

// A function whose frame base is that operation; the caller ends it.
static void begin_function(struct dwarf_builder *dw, uint8_t frame_base)
{
	scan_host(dw, "f", CODE_START, END);
	dw_expr(dw, DW_AT_frame_base, DW_BYTES(frame_base));
}

static void put_variable(struct dwarf_builder *dw, const char *name, const void *expression,
			 size_t size)
{
	dw_die_begin(dw, DW_TAG_variable);
	dw_string(dw, DW_AT_name, name);
	if (size > 0)
		dw_expr(dw, DW_AT_location, expression, size);
	dw_die_end(dw);
}

// Ends the function and its unit, and compares the variables at the address and the problems.
static void check(struct dwarf_builder *dw, uint64_t addr, const char *wanted)
{
	const struct ic_local *list;
	struct lookup lookup;
	char text[1024] = "";
	size_t length = 0;

	dw_die_end(dw);
	scan_unit_done(dw);
	lookup_open(&lookup, dw);
	struct ic_locals *locals = ic_locals_find(lookup.symbolizer, addr, NULL);
	size_t count = ic_locals_get(locals, &list);
	for (size_t i = 0; i < count; i++) {
		const char *function = list[i].function ? list[i].function : "?";
		length += (size_t)snprintf(text + length, sizeof(text) - length, "%s.%s", function,
					   list[i].name ? list[i].name : "?");
		if (list[i].has_frame_offset)
			length += (size_t)snprintf(text + length, sizeof(text) - length, " at %d",
						   (int)list[i].frame_offset);
		if (list[i].has_tag_offset)
			length += (size_t)snprintf(text + length, sizeof(text) - length, " tag %u",
						   (unsigned)list[i].tag_offset);
		length += (size_t)snprintf(text + length, sizeof(text) - length, "\n");
	}
	snprintf(text + length, sizeof(text) - length, "%s", lookup_problems(&lookup));
	assert_string_equal(text, wanted);
	ic_locals_free(locals);
	lookup_close(&lookup);
}

TEST(an_offset_from_the_frame_base_is_one_operation)
{
	for (uint16_t version = 2; version <= 5; version++) {
		struct dwarf_builder *dw = begin_unit(version);

		begin_function(dw, DW_OP_call_frame_cfa);
		put_variable(dw, "fbreg", DW_BYTES(DW_OP_fbreg, 0x70));
		put_variable(dw, "far", DW_BYTES(DW_OP_fbreg, 0x80, 1));
		put_variable(dw, "there",
			     DW_BYTES(DW_OP_fbreg, 8, DW_OP_deref)); // Fortran's arrays
		put_variable(dw, "sum", DW_BYTES(DW_OP_fbreg, 8, DW_OP_plus_uconst, 4));
		put_variable(dw, "far there", DW_BYTES(DW_OP_fbreg, 8, DW_OP_deref, DW_OP_deref));
		put_variable(dw, "breg", DW_BYTES(DW_OP_breg0 + 6, 8));
		put_variable(dw, "reg", DW_BYTES(DW_OP_reg0 + 6));
		put_variable(dw, "cut", DW_BYTES(DW_OP_fbreg, 0x80));
		put_variable(dw, "nowhere", NULL, 0);
		check(dw, CODE_START,
		      "f.fbreg at -16\nf.far at 128\nf.there at 8\nf.sum\nf.far there\n"
		      "f.breg\nf.reg\nf.cut\nf.nowhere\n");
	}
}

TEST(the_register_that_is_the_frame_base_may_be_named)
{
	struct dwarf_builder *dw = begin_unit(5);

	begin_function(dw, DW_OP_reg0 + 6);
	put_variable(dw, "same", DW_BYTES(DW_OP_breg0 + 6, 0x78));
	put_variable(dw, "other", DW_BYTES(DW_OP_breg0 + 7, 8));
	put_variable(dw, "fbreg", DW_BYTES(DW_OP_fbreg, 8));
	check(dw, CODE_START, "f.same at -8\nf.other\nf.fbreg at 8\n");
}

TEST(of_a_list_the_first_offset_counts)
{
	struct dwarf_builder *dw = begin_unit(5);

	begin_function(dw, DW_OP_call_frame_cfa);
	uint64_t list = dw_loc_list_begin(dw, "list");
	dw_lle(dw, DW_LLE_offset_pair, 0, 8);
	dw_loc_expr(dw, DW_BYTES(DW_OP_reg0 + 5));
	dw_lle(dw, DW_LLE_offset_pair, 8, 16);
	dw_loc_expr(dw, DW_BYTES(DW_OP_fbreg, 0x68));
	dw_lle(dw, DW_LLE_offset_pair, 16, 24);
	dw_loc_expr(dw, DW_BYTES(DW_OP_fbreg, 0x60));
	dw_lle(dw, DW_LLE_end_of_list, 0, 0);
	dw_loc_list_end(dw);
	dw_die_begin(dw, DW_TAG_formal_parameter);
	dw_string(dw, DW_AT_name, "by number");
	dw_value(dw, DW_AT_location, DW_FORM_loclistx, list);
	dw_die_end(dw);
	dw_die_begin(dw, DW_TAG_formal_parameter);
	dw_string(dw, DW_AT_name, "by offset");
	dw_sec_offset(dw, DW_AT_location, "list");
	dw_die_end(dw);
	check(dw, CODE_START, "f.by number at -24\nf.by offset at -24\n");
}

TEST(a_list_that_is_not_there_is_reported)
{
	struct dwarf_builder *dw = begin_unit(4);

	begin_function(dw, DW_OP_call_frame_cfa);
	dw_die_begin(dw, DW_TAG_variable);
	dw_string(dw, DW_AT_name, "v");
	dw_value(dw, DW_AT_location, DW_FORM_sec_offset, 0x123);
	dw_die_end(dw);
	check(dw, CODE_START,
	      "f.v\n.debug_loc+0x123: the section is missing or empty "
	      "(for .debug_info+0x3c)\n");
}

TEST(variables_of_what_was_inlined_have_its_name_and_their_own_from_their_origins)
{
	struct dwarf_builder *dw = begin_unit(5);

	dw_label(dw, "g");
	dw_die_begin(dw, DW_TAG_subprogram);
	dw_string(dw, DW_AT_name, "g");
	dw_data1(dw, DW_AT_inline, DW_INL_inlined);
	dw_label(dw, "g.x");
	put_variable(dw, "x", NULL, 0);
	dw_die_end(dw);
	begin_function(dw, DW_OP_call_frame_cfa);
	put_variable(dw, "before", NULL, 0);
	scan_inlined(dw, "g", CODE_START + 8, CODE_START + 16);
	dw_die_begin(dw, DW_TAG_lexical_block);
	dw_die_begin(dw, DW_TAG_variable);
	dw_ref4(dw, DW_AT_abstract_origin, "g.x");
	dw_data1(dw, 0x3e03, 128); // DW_AT_LLVM_tag_offset
	dw_expr(dw, DW_AT_location, DW_BYTES(DW_OP_fbreg, 4));
	dw_die_end(dw);
	dw_die_end(dw);
	dw_die_end(dw);
	dw_die_begin(dw, DW_TAG_lexical_block);
	put_variable(dw, "after", NULL, 0);
	dw_die_end(dw);
	check(dw, CODE_START, "f.before\ng.x at 4 tag 128\nf.after\n");
}

UNIT_TESTS(values_locals)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_offset_from_the_frame_base_is_one_operation),
		cmocka_unit_test(the_register_that_is_the_frame_base_may_be_named),
		cmocka_unit_test(of_a_list_the_first_offset_counts),
		cmocka_unit_test(a_list_that_is_not_there_is_reported),
		cmocka_unit_test(
			variables_of_what_was_inlined_have_its_name_and_their_own_from_their_origins),
	};

	return cmocka_run_group_tests(tests, temp_dir_make, temp_dir_remove);
}
