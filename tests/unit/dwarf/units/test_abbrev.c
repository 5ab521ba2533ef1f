#include "unit_test.h"

#include "fixtures/dwarf.h"

#include "dwarf_constants.h"

static const struct ic_unit unit64 = { .version = 4, .addr_size = 8, .offset_size = 4 };

static bool parse(struct ic_abbrev_table *table, struct ic_bytes bytes,
		  const struct ic_abbrev_reader *reader, struct ic_error *err)
{
	struct ic_cursor cur = ic_cursor_at(bytes, ".debug_abbrev", 0, bytes.size, false);

	return ic_abbrev_table_parse(table, &cur, &unit64, reader, err);
}

// A table that the test writes by hand, for `unit64`.
static struct dwarf_builder *table_begin(void)
{
	struct dwarf_builder *dw = dwarf_builder_new(
		(struct dwarf_format){ .version = 4, .offset_size = 4, .addr_size = 8 });

	dw_section_begin(dw, ".debug_abbrev");
	return dw;
}

static void declare(struct dwarf_builder *dw, uint64_t code, uint16_t tag)
{
	dw_abbrev_begin(dw, code, tag, 0);
	dw_abbrev_end(dw);
}

static void table_end_with(struct dwarf_builder *dw, struct ic_abbrev_table *table,
			   const struct ic_abbrev_reader *reader)
{
	struct ic_error err = { .message = "" };

	dw_u8(dw, 0);
	dw_section_end(dw);
	struct bytes bytes = dw_section(dw, ".debug_abbrev");
	if (!parse(table, (struct ic_bytes){ bytes.data, bytes.size }, reader, &err))
		fail_msg("%s", err.message);
	dwarf_builder_free(dw);
}

static void table_end(struct dwarf_builder *dw, struct ic_abbrev_table *table)
{
	table_end_with(dw, table, &dwarf_keep_all);
}

// The tag of a code; 0 if the table does not declare it.
static uint16_t tag_of(const struct ic_abbrev_table *table, uint64_t code)
{
	const struct ic_step *step = ic_abbrev_table_find(table, code);

	if (step->kind == IC_KIND_OTHER) {
		assert_int_equal(step->size, IC_STEP_PLANNED);
		assert_int_equal(table->plans.items[step->detail].op, IC_PLAN_ABSENT);
		return 0;
	}
	return table->kept.items[step->detail].tag;
}

TEST(an_abbreviation_keeps_its_attributes_in_order)
{
	struct ic_abbrev_table table = { 0 };
	struct dwarf_builder *dw = table_begin();

	dw_abbrev_begin(dw, 1, DW_TAG_subprogram, 1);
	dw_abbrev_attr(dw, DW_AT_name, DW_FORM_strp);
	dw_abbrev_implicit_const(dw, DW_AT_decl_file, -3);
	dw_abbrev_attr(dw, 0x3fff, DW_FORM_flag_present);
	dw_abbrev_end(dw);
	table_end(dw, &table);

	const struct ic_step *step = ic_abbrev_table_find(&table, 1);
	assert_int_equal(step->depth_change, 1);
	assert_int_equal(step->size, 4);
	const struct ic_abbrev *abbrev = &table.kept.items[step->detail];
	assert_int_equal(abbrev->tag, DW_TAG_subprogram);
	assert_true(abbrev->has_children);
	assert_int_equal(abbrev->spec_count, 3);
	const struct ic_attr_spec *specs = &table.specs.items[abbrev->first_spec];
	assert_int_equal(specs[0].name, DW_AT_name);
	assert_int_equal(specs[0].form, DW_FORM_strp);
	assert_int_equal(specs[1].implicit, -3);
	assert_int_equal(specs[2].name, 0x3fff);
	ic_abbrev_table_free(&table);
}

TEST(the_null_entry_is_a_step_up)
{
	struct ic_abbrev_table table = { 0 };
	struct ic_error err;

	assert_true(parse(&table, BYTES(0), &dwarf_keep_all, &err));
	assert_int_equal(ic_abbrev_table_find(&table, 0)->depth_change, -1);
	assert_int_equal(ic_abbrev_table_find(&table, 0)->size, 0);
	assert_int_equal(tag_of(&table, 1), 0);
	assert_int_equal(tag_of(&table, UINT64_MAX), 0);
	ic_abbrev_table_free(&table);
}

TEST(dense_and_sparse_codes_are_all_found)
{
	struct ic_abbrev_table table = { 0 };
	struct dwarf_builder *dw = table_begin();

	for (uint16_t i = 1; i <= 300; i++)
		declare(dw, i, (uint16_t)(0x4000 + i));
	declare(dw, 100000, 0x5001);
	declare(dw, 50000, 0x5002); // out of order
	declare(dw, UINT32_MAX, 0x5003);
	table_end(dw, &table);

	for (uint16_t i = 1; i <= 300; i++)
		assert_int_equal(tag_of(&table, i), 0x4000 + i);
	assert_int_equal(tag_of(&table, 100000), 0x5001);
	assert_int_equal(tag_of(&table, 50000), 0x5002);
	assert_int_equal(tag_of(&table, UINT32_MAX), 0x5003);
	const uint64_t absent[] = { 301,        49999,           50001, 99999, UINT32_MAX - 1ull,
				    1ull << 32, (1ull << 32) + 1 };
	for (size_t i = 0; i < COUNT_OF(absent); i++)
		assert_int_equal(tag_of(&table, absent[i]), 0);
	ic_abbrev_table_free(&table);
}

TEST(a_few_huge_codes_take_little_memory)
{
	struct ic_abbrev_table table = { 0 };
	struct dwarf_builder *dw = table_begin();

	for (uint32_t i = 0; i < 50; i++)
		declare(dw, UINT32_MAX - i * 1000, (uint16_t)(1 + i));
	table_end(dw, &table);
	for (uint32_t i = 0; i < 50; i++)
		assert_int_equal(tag_of(&table, UINT32_MAX - i * 1000), 1 + i);
	assert_true(table.steps.count < 10000);
	ic_abbrev_table_free(&table);
}

TEST(of_two_declarations_of_a_code_the_first_holds)
{
	struct ic_abbrev_table table = { 0 };
	struct dwarf_builder *dw = table_begin();

	declare(dw, 5, 0x4001);
	declare(dw, 70000, 0x4002);
	declare(dw, 5, 0x4003);
	declare(dw, 70000, 0x4004);
	declare(dw, 70000, 0x4005);
	table_end(dw, &table);
	assert_int_equal(tag_of(&table, 5), 0x4001);
	assert_int_equal(tag_of(&table, 70000), 0x4002);
	ic_abbrev_table_free(&table);
}

// Code 2000 comes too early to be kept with the dense ones, which reach beyond it in the end.
TEST(a_code_that_ran_ahead_is_found_when_the_others_have_caught_up)
{
	struct ic_abbrev_table table = { 0 };
	struct dwarf_builder *dw = table_begin();

	declare(dw, 2000, 0x5000);
	for (uint16_t i = 1; i <= 400; i++)
		declare(dw, i, (uint16_t)(0x4000 + i));
	declare(dw, 2100, 0x5001);
	declare(dw, 2000, 0x5002); // a second time: the first holds
	table_end(dw, &table);
	assert_int_equal(tag_of(&table, 2100), 0x5001);
	assert_int_equal(tag_of(&table, 2000), 0x5000);
	ic_abbrev_table_free(&table);
}

TEST(a_parsed_table_replaces_the_one_before_it)
{
	struct ic_abbrev_table table = { 0 };
	struct dwarf_builder *dw = table_begin();
	struct ic_error err;

	for (uint16_t i = 1; i <= 300; i++)
		declare(dw, i, 0x4000);
	declare(dw, 100000, 0x4000);
	table_end(dw, &table);
	assert_true(parse(&table, BYTES(2, DW_TAG_member, 0, 0, 0, 0), &dwarf_keep_all, &err));
	assert_int_equal(tag_of(&table, 2), DW_TAG_member);
	assert_int_equal(tag_of(&table, 1), 0);
	assert_int_equal(tag_of(&table, 300), 0);
	assert_int_equal(tag_of(&table, 100000), 0);
	assert_int_equal(table.declared, 1);
	ic_abbrev_table_free(&table);
}

static uint16_t size_in(uint16_t version, uint8_t addr_size, uint8_t offset_size)
{
	const struct ic_unit unit = { .version = version,
				      .addr_size = addr_size,
				      .offset_size = offset_size };
	const struct ic_bytes bytes = BYTES(1, DW_TAG_member, 0,              //
					    DW_AT_low_pc, DW_FORM_addr,       //
					    DW_AT_type, DW_FORM_ref_addr,     //
					    DW_AT_name, DW_FORM_strp,         //
					    DW_AT_ranges, DW_FORM_sec_offset, //
					    DW_AT_decl_line, DW_FORM_data2, 0, 0, 0);
	struct ic_cursor cur = cursor_over(bytes);
	struct ic_abbrev_table table = { 0 };
	struct ic_error err;

	assert_true(ic_abbrev_table_parse(&table, &cur, &unit, &dwarf_keep_all, &err));
	uint16_t size = ic_abbrev_table_find(&table, 1)->size;
	ic_abbrev_table_free(&table);
	return size;
}

TEST(a_size_depends_on_the_sizes_of_the_unit)
{
	assert_int_equal(size_in(2, 8, 4), 8 + 8 + 4 + 4 + 2); // a ref_addr is an address here
	assert_int_equal(size_in(2, 4, 8), 4 + 4 + 8 + 8 + 2);
	assert_int_equal(size_in(3, 8, 4), 8 + 4 + 4 + 4 + 2);
	assert_int_equal(size_in(4, 4, 8), 4 + 8 + 8 + 8 + 2);
	assert_int_equal(size_in(5, 8, 8), 8 + 8 + 8 + 8 + 2);
}

TEST(what_is_not_of_fixed_size_has_a_plan)
{
	struct ic_abbrev_table table = { 0 };
	struct ic_error err;

	assert_true(parse(&table,
			  BYTES(1, DW_TAG_member, 0,             //
				DW_AT_type, DW_FORM_ref4,        //
				DW_AT_decl_line, DW_FORM_udata,  //
				DW_AT_decl_file, DW_FORM_data1,  //
				DW_AT_location, DW_FORM_block2,  //
				DW_AT_name, DW_FORM_string,      //
				DW_AT_low_pc, DW_FORM_addr,      //
				DW_AT_high_pc, DW_FORM_indirect, //
				DW_AT_external, 0x71,            //
				0, 0, 0),
			  &dwarf_keep_none, &err));
	const struct ic_step *step = ic_abbrev_table_find(&table, 1);
	const struct ic_plan_item wanted[] = {
		{ 4, IC_PLAN_LEB, 0 },      { 1, IC_PLAN_BLOCK, 2 },   { 0, IC_PLAN_CSTRING, 0 },
		{ 8, IC_PLAN_INDIRECT, 0 }, { 0, IC_PLAN_UNKNOWN, 0 }, { 0, IC_PLAN_END, 0 },
	};
	assert_int_equal(step->size, IC_STEP_PLANNED);
	for (size_t i = 0; i < COUNT_OF(wanted); i++) {
		const struct ic_plan_item *item = &table.plans.items[step->detail + i];
		assert_int_equal(item->add, wanted[i].add);
		assert_int_equal(item->op, wanted[i].op);
		assert_int_equal(item->length_size, wanted[i].length_size);
	}
	ic_abbrev_table_free(&table);
}

TEST(an_entry_of_more_than_64_kib_of_fixed_size_has_a_plan_too)
{
	struct ic_abbrev_table table = { 0 };
	struct dwarf_builder *dw = table_begin();
	uint64_t size = 0;

	dw_abbrev_begin(dw, 1, DW_TAG_member, 0);
	for (int i = 0; i < 10000; i++)
		dw_abbrev_attr(dw, DW_AT_const_value, DW_FORM_data16);
	dw_abbrev_attr(dw, DW_AT_decl_line, DW_FORM_data1);
	dw_abbrev_end(dw);
	table_end_with(dw, &table, &dwarf_keep_none);
	const struct ic_step *step = ic_abbrev_table_find(&table, 1);
	assert_int_equal(step->size, IC_STEP_PLANNED);
	const struct ic_plan_item *item = &table.plans.items[step->detail];
	for (; item->op == IC_PLAN_ADD; item++)
		size += item->add;
	assert_int_equal(item->op, IC_PLAN_END);
	assert_int_equal(size + item->add, 160001);
	ic_abbrev_table_free(&table);
}

TEST(a_size_that_marks_a_plan_is_not_taken_for_one)
{
	struct ic_abbrev_table table = { 0 };
	struct dwarf_builder *dw = table_begin();

	for (uint64_t code = 1; code <= 2; code++) {
		dw_abbrev_begin(dw, code, DW_TAG_member, 0);
		for (int i = 0; i < 7; i++)
			dw_abbrev_attr(dw, DW_AT_const_value, DW_FORM_data16);
		for (int i = 0; i < (code == 1 ? 15 : 16); i++)
			dw_abbrev_attr(dw, DW_AT_decl_line, DW_FORM_data1);
		dw_abbrev_end(dw);
	}
	table_end_with(dw, &table, &dwarf_keep_none);
	assert_int_equal(ic_abbrev_table_find(&table, 1)->size, IC_STEP_PLANNED - 1);
	const struct ic_step *step = ic_abbrev_table_find(&table, 2);
	assert_int_equal(step->size, IC_STEP_PLANNED);
	const struct ic_plan_item *item = &table.plans.items[step->detail];
	assert_int_equal(item->op, IC_PLAN_END);
	assert_int_equal(item->add, IC_STEP_PLANNED);
	ic_abbrev_table_free(&table);
}

static void check_fault(struct ic_bytes bytes, const char *wanted)
{
	struct ic_abbrev_table table = { 0 };
	struct ic_error err = { .message = "" };

	assert_false(parse(&table, bytes, &dwarf_keep_all, &err));
	assert_error(&err, IC_ERROR_MALFORMED, wanted);
	ic_abbrev_table_free(&table);
}

TEST(a_table_that_ends_too_early_says_where)
{
	check_fault(BYTES(1), ".debug_abbrev+0x1: unexpected end of data");
	check_fault(BYTES(1, 0x2e), ".debug_abbrev+0x2: unexpected end of data");
	check_fault(BYTES(1, 0x2e, 0), ".debug_abbrev+0x3: unexpected end of data");
	check_fault(BYTES(1, 0x2e, 0, 3), ".debug_abbrev+0x4: unexpected end of data");
	check_fault(BYTES(1, 0x2e, 0, 3, 8, 0), ".debug_abbrev+0x6: unexpected end of data");
	check_fault(BYTES(1, 0x2e, 0, 3, 8, 0, 0), ".debug_abbrev+0x7: unexpected end of data");
	check_fault(BYTES(1, 0x2e, 0, 3, DW_FORM_implicit_const, 0x80),
		    ".debug_abbrev+0x6: unexpected end of data");
}

TEST(a_number_that_no_code_can_be_is_a_fault)
{
	check_fault(BYTES(0x80, 0x80, 0x80, 0x80, 0x10, 0x2e, 0, 0, 0, 0),
		    ".debug_abbrev+0x5: number is too large");
	check_fault(BYTES(1, 0xff, 0xff, 0x7f, 0, 0, 0, 0),
		    ".debug_abbrev+0x4: number is too large");
	check_fault(BYTES(1, 0x2e, 0, 0xff, 0xff, 0x7f, 1, 0, 0, 0),
		    ".debug_abbrev+0x6: number is too large");
}

// Only the form 0 may follow the name 0: they end the attributes.
TEST(an_attribute_without_a_name_is_a_fault)
{
	check_fault(BYTES(1, 0x2e, 0, 0, DW_FORM_data1, 0, 0, 0),
		    ".debug_abbrev+0x5: attribute has no name");
}

TEST(only_the_attributes_of_wanted_tags_are_kept)
{
	struct ic_abbrev_table table = { 0 };
	struct ic_error err;

	assert_true(parse(&table, BYTES(1, DW_TAG_member, 1, DW_AT_name, DW_FORM_strp, 0, 0, 0),
			  &dwarf_keep_none, &err));
	assert_int_equal(table.kept.count + table.specs.count, 0);
	assert_int_equal(ic_abbrev_table_find(&table, 1)->kind, IC_KIND_OTHER);
	assert_int_equal(ic_abbrev_table_find(&table, 1)->size, 4);
	assert_int_equal(ic_abbrev_table_find(&table, 1)->depth_change, 1);
	ic_abbrev_table_free(&table);
}

// A declaration with so many attributes of a form; the message if it is refused, else "".
static void check_many(uint32_t count, uint8_t form, const struct ic_abbrev_reader *reader,
		       const char *message)
{
	struct ic_abbrev_table table = { .declared = 0 };
	struct ic_error err = { .message = "" };
	struct byte_buffer out = { .data = NULL };

	byte_buffer_append(&out, (const uint8_t[]){ 1, DW_TAG_subprogram, 0 }, 3);
	for (uint32_t i = 0; i < count; i++)
		byte_buffer_append(&out, (const uint8_t[]){ DW_AT_external, form }, 2);
	byte_buffer_fill(&out, 0, 3);
	bool ok = parse(&table, (struct ic_bytes){ out.data, out.size }, reader, &err);
	assert_string_equal(err.message, message);
	assert_int_equal(ok, !message[0]);
	ic_abbrev_table_free(&table);
	byte_buffer_deinit(&out);
}

TEST(an_entry_has_no_more_attributes_than_there_can_be_names)
{
	check_many(1024, DW_FORM_data1, &dwarf_keep_all, "");
	check_many(1025, DW_FORM_data1, &dwarf_keep_all,
		   ".debug_abbrev+0x805: too many attributes in an abbreviation");
	check_many(100000, DW_FORM_data1, &dwarf_keep_none, ""); // which nobody reads
	check_many(256, DW_FORM_flag_present, &dwarf_keep_all, "");
	check_many(257, DW_FORM_flag_present, &dwarf_keep_all,
		   ".debug_abbrev+0x205: too many attributes of size 0 in an abbreviation");
}

UNIT_TESTS(dwarf_units_abbrev)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_abbreviation_keeps_its_attributes_in_order),
		cmocka_unit_test(the_null_entry_is_a_step_up),
		cmocka_unit_test(dense_and_sparse_codes_are_all_found),
		cmocka_unit_test(a_few_huge_codes_take_little_memory),
		cmocka_unit_test(of_two_declarations_of_a_code_the_first_holds),
		cmocka_unit_test(a_code_that_ran_ahead_is_found_when_the_others_have_caught_up),
		cmocka_unit_test(a_parsed_table_replaces_the_one_before_it),
		cmocka_unit_test(a_size_depends_on_the_sizes_of_the_unit),
		cmocka_unit_test(what_is_not_of_fixed_size_has_a_plan),
		cmocka_unit_test(an_entry_of_more_than_64_kib_of_fixed_size_has_a_plan_too),
		cmocka_unit_test(a_size_that_marks_a_plan_is_not_taken_for_one),
		cmocka_unit_test(a_table_that_ends_too_early_says_where),
		cmocka_unit_test(a_number_that_no_code_can_be_is_a_fault),
		cmocka_unit_test(an_entry_has_no_more_attributes_than_there_can_be_names),
		cmocka_unit_test(an_attribute_without_a_name_is_a_fault),
		cmocka_unit_test(only_the_attributes_of_wanted_tags_are_kept),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
