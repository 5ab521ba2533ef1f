#include "types/dies.h"

#include "unit_test.h"

#include <inlinecall/extra/locals.h>

#include "fixtures/elf.h"
#include "fixtures/lookup.h"

#include "dwarf_constants.h"

enum { VARIABLES = 1100, DIMENSIONS = 1000 }; // more than a million DIEs

static void put_array(struct dwarf_builder *dw)
{
	dw_label(dw, "byte");
	dw_die_begin(dw, DW_TAG_base_type);
	dw_data1(dw, DW_AT_byte_size, 1);
	dw_die_end(dw);
	dw_label(dw, "array");
	dw_die_begin(dw, DW_TAG_array_type);
	dw_ref4(dw, DW_AT_type, "byte");
	for (int i = 0; i < DIMENSIONS; i++) {
		dw_die_begin(dw, DW_TAG_subrange_type);
		dw_data1(dw, DW_AT_count, 1);
		dw_die_end(dw);
	}
	dw_die_end(dw);
}

static void put_variable(struct dwarf_builder *dw)
{
	dw_die_begin(dw, DW_TAG_variable);
	dw_string(dw, DW_AT_name, "v");
	dw_ref4(dw, DW_AT_type, "array");
	dw_die_end(dw);
}

static size_t count_sizes(const struct ic_local *list, size_t count)
{
	size_t with_size = 0;

	for (size_t i = 0; i < count; i++)
		with_size += list[i].has_size && list[i].size == 1;
	return with_size;
}

TEST(what_is_referred_to_again_and_again_is_not_read_without_end)
{
	struct dwarf_builder *dw = scan_builder(5);
	const struct ic_local *list;
	struct lookup lookup;

	scan_unit_of(dw, "a.c", DW_LANG_C99);
	dw_low_high(dw, CODE_START, CODE_START + 0x100);
	put_array(dw);
	scan_host(dw, "f", CODE_START, CODE_START + 0x100);
	for (int i = 0; i < VARIABLES; i++)
		put_variable(dw);
	dw_die_end(dw);
	scan_unit_done(dw);
	lookup_open(&lookup, dw);
	struct ic_locals *locals = ic_locals_find(lookup.symbolizer, CODE_START, NULL);
	size_t count = ic_locals_get(locals, &list);
	assert_true(count > 1000 && count < VARIABLES);
	assert_int_equal(count_sizes(list, count), count - 1); // all but the last
	assert_non_null(strstr(lookup_problems(&lookup),
			       "gave up after 1048576 DIEs of variables and their types"));
	ic_locals_free(locals);
	lookup_close(&lookup);
}

TEST(scopes_that_are_nested_too_deeply_are_reported)
{
	enum { DEPTH = 3000 };
	struct dwarf_builder *dw = scan_builder(5);
	const struct ic_local *list;
	struct lookup lookup;

	scan_unit_of(dw, "a.c", DW_LANG_C99);
	dw_low_high(dw, CODE_START, CODE_START + 0x100);
	put_array(dw);
	scan_host(dw, "f", CODE_START, CODE_START + 0x100);
	put_variable(dw);
	dw_die_begin(dw, DW_TAG_lexical_block);
	dw_die_code(dw, 99);
	dw_die_children(dw);
	dw_fill(dw, 99, DEPTH); // blocks in blocks, by their codes only
	put_variable(dw);
	dw_fill(dw, 0, DEPTH);
	dw_die_end(dw);
	dw_die_end(dw);
	scan_unit_done(dw);
	lookup_open(&lookup, dw);
	struct ic_locals *locals = ic_locals_find(lookup.symbolizer, CODE_START, NULL);
	assert_int_equal(ic_locals_get(locals, &list), 1);
	assert_non_null(strstr(lookup_problems(&lookup),
			       "DIEs are nested more than 2048 deep; deeper variables"));
	ic_locals_free(locals);
	lookup_close(&lookup);
}

TEST(variables_that_would_exceed_the_memory_limit_are_said_to_do_so)
{
	struct dwarf_builder *dw = scan_builder(5);
	struct lookup lookup;
	struct ic_error err;

	scan_unit_of(dw, "a.c", DW_LANG_C99);
	dw_low_high(dw, CODE_START, CODE_START + 0x100);
	put_array(dw);
	scan_host(dw, "f", CODE_START, CODE_START + 0x100);
	put_variable(dw);
	dw_die_end(dw);
	scan_unit_done(dw);
	lookup_open(&lookup, dw);
	assert_int_equal(ic_symbolizer_frames_at(lookup.symbolizer, CODE_START, NULL, 0), 1);
	ic_locals_free(ic_locals_find(lookup.symbolizer, CODE_START, NULL));
	lookup.image->memory.fixed = 1;
	assert_null(ic_locals_find(lookup.symbolizer, CODE_START, &err));
	assert_int_equal(err.code, IC_ERROR_LIMIT);
	assert_non_null(strstr(err.message, "exceeds the memory limit of 1 bytes"));
	lookup_close(&lookup);
}

// ---- Sizes of types

static void begin_type(struct dwarf_builder *dw, const char *label, uint16_t tag, const char *of)
{
	dw_label(dw, label);
	dw_die_begin(dw, tag);
	if (of)
		dw_ref4(dw, DW_AT_type, of);
}

static void put_type(struct dwarf_builder *dw, const char *label, uint16_t tag, const char *of)
{
	begin_type(dw, label, tag, of);
	dw_die_end(dw);
}

// A dimension, with those bounds that are not negative.
static void put_dimension(struct dwarf_builder *dw, int count, int lower, int upper)
{
	dw_die_begin(dw, DW_TAG_subrange_type);
	if (count >= 0)
		dw_data1(dw, DW_AT_count, (uint8_t)count);
	if (lower >= 0)
		dw_data1(dw, DW_AT_lower_bound, (uint8_t)lower);
	if (upper >= 0)
		dw_data1(dw, DW_AT_upper_bound, (uint8_t)upper);
	dw_die_end(dw);
}

static void put_types(struct dwarf_builder *dw)
{
	begin_type(dw, "struct", DW_TAG_structure_type, NULL);
	dw_data1(dw, DW_AT_byte_size, 12);
	dw_die_end(dw);
	put_type(dw, "typedef", DW_TAG_typedef, "const");
	put_type(dw, "const", DW_TAG_const_type, "volatile");
	put_type(dw, "volatile", DW_TAG_volatile_type, "struct");
	put_type(dw, "pointer", DW_TAG_pointer_type, "struct");
	put_type(dw, "void pointer", DW_TAG_pointer_type, NULL);
	put_type(dw, "reference", DW_TAG_reference_type, "struct");
	put_type(dw, "rvalue reference", DW_TAG_rvalue_reference_type, "struct");
	put_type(dw, "function", DW_TAG_subroutine_type, NULL);
	put_type(dw, "pointer to member", DW_TAG_ptr_to_member_type, "struct");
	put_type(dw, "pointer to function", DW_TAG_ptr_to_member_type, "function");
	begin_type(dw, "by count", DW_TAG_array_type, "typedef");
	put_dimension(dw, 3, -1, -1);
	put_dimension(dw, 5, -1, -1);
	dw_die_end(dw);
	begin_type(dw, "by bounds", DW_TAG_array_type, "struct");
	put_dimension(dw, -1, -1, 6);
	put_dimension(dw, -1, 1, 4);
	dw_die_end(dw);
	begin_type(dw, "sized array", DW_TAG_array_type, "struct");
	dw_data1(dw, DW_AT_byte_size, 99);
	put_dimension(dw, 3, -1, -1);
	dw_die_end(dw);
	begin_type(dw, "of arrays", DW_TAG_array_type, "by count");
	put_dimension(dw, 2, -1, -1);
	dw_die_end(dw);
	put_type(dw, "void typedef", DW_TAG_typedef, NULL);
	put_type(dw, "ring", DW_TAG_typedef, "other end");
	put_type(dw, "other end", DW_TAG_const_type, "ring");
	begin_type(dw, "array of ring", DW_TAG_array_type, "ring");
	put_dimension(dw, 2, -1, -1);
	dw_die_end(dw);
}

static const struct size {
	const char *type;
	int size; // -1 if it is not known
} sizes[] = {
	{ "struct", 12 },
	{ "typedef", 12 },
	{ "pointer", 8 },
	{ "void pointer", 8 },
	{ "reference", 8 },
	{ "rvalue reference", 8 },
	{ "pointer to member", 8 },
	{ "pointer to function", 16 },
	{ "by count", 3 * 5 * 12 },
	{ "by bounds", 7 * 4 * 12 },
	{ "sized array", 99 },
	{ "of arrays", 2 * 3 * 5 * 12 },
	{ "void typedef", -1 },
	{ "function", -1 },
	{ "ring", -1 },
	{ "array of ring", -1 },
};

// A function whose variables `put` writes; the caller ends it.
static struct dwarf_builder *begin_function(uint16_t version)
{
	struct dwarf_builder *dw = scan_builder(version);

	scan_unit_of(dw, "a.c", DW_LANG_C99);
	dw_low_high(dw, CODE_START, CODE_START + 0x100);
	put_types(dw);
	scan_host(dw, "f", CODE_START, CODE_START + 0x100);
	return dw;
}

static void open_function(struct lookup *lookup, struct dwarf_builder *dw)
{
	dw_die_end(dw);
	scan_unit_done(dw);
	lookup_open(lookup, dw);
}

TEST(the_size_of_a_variable_is_that_of_its_type)
{
	for (uint16_t version = 2; version <= 5; version++) {
		struct dwarf_builder *dw = begin_function(version);
		const struct ic_local *list;
		struct lookup lookup;

		for (size_t i = 0; i < COUNT_OF(sizes); i++) {
			dw_die_begin(dw, DW_TAG_variable);
			dw_ref4(dw, DW_AT_type, sizes[i].type);
			dw_die_end(dw);
		}
		open_function(&lookup, dw);
		struct ic_locals *locals = ic_locals_find(lookup.symbolizer, CODE_START, NULL);
		assert_int_equal(ic_locals_get(locals, &list), COUNT_OF(sizes));
		for (size_t i = 0; i < COUNT_OF(sizes); i++)
			if (list[i].has_size != (sizes[i].size >= 0) ||
			    (list[i].has_size && list[i].size != (uint64_t)sizes[i].size))
				fail_msg("%s: %d, %llu", sizes[i].type, list[i].has_size,
					 (unsigned long long)list[i].size);
		assert_string_equal(lookup_problems(&lookup), "");
		ic_locals_free(locals);
		lookup_close(&lookup);
	}
}

// A variable whose type is a reference of that form and value, which is to be a problem.
static void check_reference(uint16_t form, uint64_t value, const char *problem)
{
	struct dwarf_builder *dw = begin_function(5);
	const struct ic_local *list;
	struct lookup lookup;

	dw_die_begin(dw, DW_TAG_variable);
	dw_string(dw, DW_AT_name, "v");
	dw_value(dw, DW_AT_type, form, value);
	dw_die_end(dw);
	put_type(dw, "last", DW_TAG_variable, "struct");
	open_function(&lookup, dw);
	struct ic_locals *locals = ic_locals_find(lookup.symbolizer, CODE_START, NULL);
	assert_int_equal(ic_locals_get(locals, &list), 2);
	assert_string_equal(list[0].name, "v");
	assert_false(list[0].has_size);
	assert_int_equal(list[1].size, 12);
	if (!strstr(lookup_problems(&lookup), problem))
		fail_msg("%s, not %s", lookup_problems(&lookup), problem);
	ic_locals_free(locals);
	lookup_close(&lookup);
}

TEST(a_reference_that_leads_nowhere_is_reported)
{
	check_reference(DW_FORM_ref4, 0xffffff, "reference 0xffffff points outside its unit");
	check_reference(DW_FORM_ref_addr, 0xffffff, "reference points outside all units");
	check_reference(DW_FORM_ref_sig8, 0x1234, "no type unit has this signature");
	check_reference(DW_FORM_ref4, 1, "reference points outside all units");
}

UNIT_TESTS(types_dies)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(variables_that_would_exceed_the_memory_limit_are_said_to_do_so),
		cmocka_unit_test(what_is_referred_to_again_and_again_is_not_read_without_end),
		cmocka_unit_test(scopes_that_are_nested_too_deeply_are_reported),
		cmocka_unit_test(the_size_of_a_variable_is_that_of_its_type),
		cmocka_unit_test(a_reference_that_leads_nowhere_is_reported),
	};

	return cmocka_run_group_tests(tests, temp_dir_make, temp_dir_remove);
}
