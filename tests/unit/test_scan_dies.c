#include "scan/scan_dies.h"

#include "unit_test.h"

#include <inlinecall/locals.h>

#include "elf_fixture.h"
#include "lookup_fixture.h"

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
			       "entries are nested more than 2048 deep; variables in deeper ones"));
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
	assert_non_null(strstr(err.message, "takes more memory than the memory limit of 1 bytes"));
	lookup_close(&lookup);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(variables_that_would_exceed_the_memory_limit_are_said_to_do_so),
		cmocka_unit_test(what_is_referred_to_again_and_again_is_not_read_without_end),
		cmocka_unit_test(scopes_that_are_nested_too_deeply_are_reported),
	};

	return cmocka_run_group_tests(tests, temp_dir_make, temp_dir_remove);
}
