#include "unit_test.h"

#include "dwarf/units/walk.h"
#include "fixtures/dwarf.h"

#include "dwarf_constants.h"

static const struct dwarf_format dwarf4 = { .version = 4, .offset_size = 4, .addr_size = 8 };

// Kinds by tag: variables are the first, subprograms the second; nothing else is kept.
static bool wants_some(uint16_t tag)
{
	return tag == DW_TAG_variable || tag == DW_TAG_subprogram;
}

static uint8_t kind_by_tag(const struct ic_abbrev *abbrev, const struct ic_attr_spec *specs,
			   const void *context)
{
	(void)specs, (void)context;
	return abbrev->tag == DW_TAG_variable ? IC_KIND_FIRST : IC_KIND_FIRST << 1;
}

static const struct ic_abbrev_reader by_tag = { wants_some, kind_by_tag, NULL };

// Goes on to the next event other than IC_WALK_ON; returns how many DIEs were skipped.
static uint32_t run(struct ic_walk *walk, enum ic_walk_event *event)
{
	uint32_t passed = 0;

	while ((*event = ic_walk_step(walk)) == IC_WALK_ON)
		passed++;
	return passed;
}

static void pass_entry(struct ic_walk *walk)
{
	struct ic_value value;
	struct ic_die die;

	ic_die_at_walk(&die, walk);
	while (ic_die_next(&die, &value)) {}
	ic_walk_pass(walk, die.cur.pos);
}

// root > function > block > variable; root > variable
static struct dwarf_builder *nested(struct dwarf_format format)
{
	struct dwarf_builder *dw = dwarf_begin(format);

	dw_string(dw, DW_AT_name, "a.c");
	dw_label(dw, "f");
	dw_die_begin(dw, DW_TAG_subprogram);
	dw_strp(dw, DW_AT_name, "f");
	dw_die_begin(dw, DW_TAG_lexical_block);
	dw_low_high(dw, 0x1000, 0x1010);
	dw_label(dw, "inner");
	dw_die_begin(dw, DW_TAG_variable);
	dw_udata(dw, DW_AT_decl_line, 300);
	dw_die_end(dw);
	dw_die_end(dw);
	dw_die_end(dw);
	dw_label(dw, "outer");
	dw_die_begin(dw, DW_TAG_variable);
	dw_udata(dw, DW_AT_decl_line, 3);
	dw_die_end(dw);
	dwarf_end(dw);
	return dw;
}

static void check_entry(const struct dwarf_fixture *fixture, struct ic_walk *walk,
			const char *label, int32_t depth)
{
	enum ic_walk_event event;

	run(walk, &event);
	assert_int_equal(event, IC_WALK_ENTRY);
	assert_int_equal(walk->entry - fixture->dwarf.info.data, dw_label_off(fixture->dw, label));
	assert_int_equal(walk->depth, depth);
	pass_entry(walk);
}

TEST(a_walk_stops_at_the_kinds_that_are_asked_for_and_knows_their_depth)
{
	for (uint32_t i = 0; i < DWARF_FORMAT_COUNT; i++) {
		struct dwarf_format format = dwarf_format_number(i);
		struct dwarf_fixture fixture;
		struct ic_walk walk;
		enum ic_walk_event event;

		dwarf_fixture_open(&fixture, nested(format), format.big_endian, &by_tag);
		ic_walk_init(&walk, fixture.unit, &fixture.table);
		check_entry(&fixture, &walk, "f", 1);
		check_entry(&fixture, &walk, "inner", 3);
		check_entry(&fixture, &walk, "outer", 1);
		assert_int_equal(run(&walk, &event), 1); // the end of the root's children
		assert_int_equal(event, IC_WALK_END);
		assert_int_equal(walk.depth, 0);
		dwarf_fixture_close(&fixture);
	}
}

TEST(kinds_that_are_not_asked_for_are_passed_over)
{
	struct dwarf_fixture fixture;
	struct ic_walk walk;
	enum ic_walk_event event;

	dwarf_fixture_open(&fixture, nested(dwarf4), false, &by_tag);
	ic_walk_init(&walk, fixture.unit, &fixture.table);
	walk.kinds = IC_KIND_FIRST << 1;
	check_entry(&fixture, &walk, "f", 1);
	assert_int_equal(run(&walk, &event), 6); // block, inner, two nulls, outer, null
	assert_int_equal(event, IC_WALK_END);
	dwarf_fixture_close(&fixture);
}

TEST(attributes_that_nobody_reads_are_skipped)
{
	for (uint32_t i = 0; i < DWARF_FORMAT_COUNT; i++) {
		struct dwarf_format format = dwarf_format_number(i);
		struct dwarf_fixture fixture;
		struct ic_walk walk;
		enum ic_walk_event event;

		dwarf_fixture_open(&fixture, nested(format), format.big_endian, &by_tag);
		ic_walk_init(&walk, fixture.unit, &fixture.table);
		run(&walk, &event);
		assert_true(ic_walk_skip(&walk)); // f
		assert_int_equal(walk.depth, 2);
		check_entry(&fixture, &walk, "inner", 3);
		dwarf_fixture_close(&fixture);
	}
}

TEST(attributes_that_end_too_late_are_not_skipped)
{
	struct dwarf_builder *dw = dwarf_begin(dwarf4);
	struct dwarf_fixture fixture;
	struct ic_walk walk;
	enum ic_walk_event event;
	struct ic_error err;

	dw_label(dw, "f");
	dw_die_begin(dw, DW_TAG_subprogram);
	dw_attr(dw, DW_AT_location, DW_FORM_block1);
	dw_u8(dw, 200);
	dw_die_end(dw);
	dwarf_end(dw);
	dwarf_fixture_open(&fixture, dw, false, &by_tag);
	ic_walk_init(&walk, fixture.unit, &fixture.table);
	run(&walk, &event);
	assert_int_equal(event, IC_WALK_ENTRY);
	assert_false(ic_walk_skip(&walk));
	assert_int_equal(walk.pos - fixture.dwarf.info.data, dw_label_off(dw, "f"));
	ic_walk_fault(&walk, &err);
	assert_non_null(strstr(err.message, "unexpected end of data"));
	dwarf_fixture_close(&fixture);
}

TEST(a_scope_is_left_where_its_children_end)
{
	struct dwarf_fixture fixture;
	struct ic_walk walk;
	enum ic_walk_event event;

	dwarf_fixture_open(&fixture, nested(dwarf4), false, &by_tag);
	ic_walk_init(&walk, fixture.unit, &fixture.table);
	check_entry(&fixture, &walk, "f", 1);
	walk.leave_depth = 2; // inside of f
	check_entry(&fixture, &walk, "inner", 3);
	assert_int_equal(run(&walk, &event), 1); // the end of the block is not that of f
	assert_int_equal(event, IC_WALK_LEAVE);
	assert_int_equal(walk.depth, 1);
	assert_int_equal(walk.pos - fixture.dwarf.info.data, dw_label_off(fixture.dw, "outer"));
	dwarf_fixture_close(&fixture);
}

TEST(nulls_behind_the_last_entry_are_padding)
{
	struct dwarf_builder *dw = dwarf_builder_new(dwarf4);
	struct dwarf_fixture fixture;
	struct ic_walk walk;
	enum ic_walk_event event;
	uint32_t leaves = 0;

	dw_unit_begin(dw, DW_UT_compile);
	dw_die_begin(dw, DW_TAG_compile_unit);
	dw_die_children(dw);
	dw_die_end(dw);
	dw_fill(dw, 0, 7);
	dw_unit_end(dw);
	dwarf_fixture_open(&fixture, dw, false, &by_tag);
	ic_walk_init(&walk, fixture.unit, &fixture.table);
	for (run(&walk, &event); event == IC_WALK_LEAVE; run(&walk, &event)) {
		leaves++;
		walk.depth = 0;
	}
	assert_int_equal(event, IC_WALK_END);
	assert_int_equal(leaves, 7);
	dwarf_fixture_close(&fixture);
}

TEST(a_unit_may_end_without_its_nulls)
{
	struct dwarf_builder *dw = dwarf_builder_new(dwarf4);
	struct dwarf_fixture fixture;
	struct ic_walk walk;
	enum ic_walk_event event;

	dw_unit_begin(dw, DW_UT_compile);
	dw_die_begin(dw, DW_TAG_compile_unit);
	dw_die_begin(dw, DW_TAG_base_type);
	dw_die_end(dw);
	dw_die_end_unterminated(dw);
	dw_unit_end(dw);
	dwarf_fixture_open(&fixture, dw, false, &by_tag);
	ic_walk_init(&walk, fixture.unit, &fixture.table);
	assert_int_equal(run(&walk, &event), 2);
	assert_int_equal(event, IC_WALK_END);
	dwarf_fixture_close(&fixture);
}

// A value of each form is skipped on the way to the variable after it.
static void check_passed(struct dwarf_format format, void (*write)(struct dwarf_builder *dw))
{
	struct dwarf_builder *dw = dwarf_begin(format);
	struct dwarf_fixture fixture;
	struct ic_walk walk;
	enum ic_walk_event event;
	struct ic_error err = { .message = "" };

	dw_die_begin(dw, DW_TAG_constant);
	write(dw);
	dw_die_end(dw);
	dw_label(dw, "behind");
	dw_die_begin(dw, DW_TAG_variable);
	dw_die_end(dw);
	dwarf_end(dw);
	dwarf_fixture_open(&fixture, dw, format.big_endian, &by_tag);
	ic_walk_init(&walk, fixture.unit, &fixture.table);
	run(&walk, &event);
	if (event == IC_WALK_FAULT)
		ic_walk_fault(&walk, &err);
	assert_string_equal(err.message, "");
	assert_int_equal(event, IC_WALK_ENTRY);
	assert_int_equal(walk.entry - fixture.dwarf.info.data, dw_label_off(dw, "behind"));
	dwarf_fixture_close(&fixture);
}

static void every_form(struct dwarf_builder *dw)
{
	dw_ref_addr(dw, DW_AT_type, "behind");
	dw_udata(dw, DW_AT_decl_line, 1000000);
	dw_strp(dw, DW_AT_name, "x");
	dw_string(dw, DW_AT_name, "in the entry");
	dw_addr(dw, DW_AT_low_pc, 0x1234);
	dw_block(dw, DW_AT_location, DW_FORM_block, "\1\2\3", 3);
	dw_block(dw, DW_AT_location, DW_FORM_block1, "\1\2\3", 3);
	dw_block(dw, DW_AT_location, DW_FORM_block2, "\1\2\3", 3);
	dw_block(dw, DW_AT_location, DW_FORM_block4, "\1\2\3", 3);
	dw_block(dw, DW_AT_location, DW_FORM_exprloc, "\1\2\3", 0);
	dw_implicit_const(dw, DW_AT_decl_file, 1000);
	dw_flag_present(dw, DW_AT_external);
	dw_indirect(dw);
	dw_string(dw, DW_AT_name, "indirect");
	dw_indirect(dw);
	dw_value(dw, DW_AT_decl_line, DW_FORM_ref8, 7);
	dw_data16(dw, DW_AT_const_value, (const uint8_t[16]){ 9 });
	dw_ref_sig8(dw, DW_AT_signature, 77);
	dw_value(dw, DW_AT_name, DW_FORM_strx3, 0xffffff);
	dw_value(dw, DW_AT_name, DW_FORM_strx, 0xffffff);
	dw_value(dw, DW_AT_name, DW_FORM_GNU_strp_alt, 0xffffff);
}

TEST(values_of_every_layout_are_passed_over)
{
	for (uint32_t i = 0; i < DWARF_FORMAT_COUNT; i++)
		check_passed(dwarf_format_number(i), every_form);
}

static void smallest(struct dwarf_builder *dw)
{
	dw_sdata(dw, DW_AT_const_value, INT64_MIN); // as clang writes it for LLONG_MIN
}

static void padded(struct dwarf_builder *dw)
{
	dw_attr(dw, DW_AT_const_value, DW_FORM_sdata);
	dw_raw(dw, "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x7f", 12); // -1
}

TEST(a_signed_number_may_have_all_its_64_bits)
{
	check_passed(dwarf4, smallest);
	check_passed(dwarf4, padded);
}

static void fixed_64_kib(struct dwarf_builder *dw)
{
	static const uint8_t zeros[16];

	for (int i = 0; i < 4200; i++)
		dw_data16(dw, DW_AT_const_value, zeros);
	dw_data1(dw, DW_AT_decl_line, 1);
}

TEST(an_entry_of_more_than_64_kib_is_passed_over)
{
	check_passed(dwarf4, fixed_64_kib);
}

static void two_byte_code(struct dwarf_builder *dw)
{
	dw_die_code(dw, 300);
	dw_data1(dw, DW_AT_decl_line, 1);
}

static void three_byte_code(struct dwarf_builder *dw)
{
	dw_die_code(dw, 20000);
	dw_data1(dw, DW_AT_decl_line, 1);
}

static void five_byte_code(struct dwarf_builder *dw)
{
	dw_die_code(dw, 0xf0000000);
	dw_data1(dw, DW_AT_decl_line, 1);
}

TEST(codes_may_be_of_any_length)
{
	check_passed(dwarf4, two_byte_code);
	check_passed(dwarf4, three_byte_code);
	check_passed(dwarf4, five_byte_code);
}

// ---- Faults

static void check_fault(struct dwarf_builder *dw, const struct ic_abbrev_reader *reader,
			const char *wanted)
{
	struct dwarf_fixture fixture;
	struct ic_walk walk;
	enum ic_walk_event event;
	struct ic_error err = { .message = "" };

	dwarf_fixture_open(&fixture, dw, false, reader);
	ic_walk_init(&walk, fixture.unit, &fixture.table);
	run(&walk, &event);
	assert_int_equal(event, IC_WALK_FAULT);
	assert_int_equal(ic_walk_step(&walk), IC_WALK_FAULT); // it stays there
	assert_false(ic_walk_fault(&walk, &err));
	assert_error(&err, IC_ERROR_MALFORMED, wanted);
	assert_string_equal(err.section, ".debug_info");
	dwarf_fixture_close(&fixture);
}

// A unit whose root DIE has one child, which the test writes.
static struct dwarf_builder *child_begin(void)
{
	struct dwarf_builder *dw = dwarf_begin(dwarf4);

	dw_die_begin(dw, DW_TAG_constant);
	return dw;
}

static struct dwarf_builder *child_end(struct dwarf_builder *dw)
{
	dw_die_end(dw);
	dw_die_end_unterminated(dw);
	dw_unit_end(dw);
	// The next bytes could be the rest of the DIE, but are another unit's.
	dw_unit_begin(dw, DW_UT_compile);
	dw_die_begin(dw, DW_TAG_compile_unit);
	dw_string(dw, DW_AT_name, "another unit");
	dwarf_end(dw);
	return dw;
}

TEST(an_entry_that_reaches_beyond_its_unit_is_a_fault)
{
	struct dwarf_builder *dw = child_begin();

	dw_attr(dw, DW_AT_decl_line, DW_FORM_data8);
	dw_u32(dw, 7);
	check_fault(child_end(dw), &by_tag,
		    ".debug_info+0xc: DIE with abbreviation 2: unexpected end of data");
	dw = child_begin();
	dw_attr(dw, DW_AT_decl_line, DW_FORM_udata);
	dw_u8(dw, 0x80);
	check_fault(child_end(dw), &by_tag,
		    ".debug_info+0xc: DIE with abbreviation 2: unexpected end of data");
	dw = child_begin();
	dw_attr(dw, DW_AT_name, DW_FORM_string);
	dw_u8(dw, 'x');
	check_fault(child_end(dw), &by_tag,
		    ".debug_info+0xc: DIE with abbreviation 2: unexpected end of data");
	dw = child_begin();
	dw_attr(dw, DW_AT_location, DW_FORM_block1);
	dw_u8(dw, 5);
	dw_u32(dw, 5);
	check_fault(child_end(dw), &by_tag,
		    ".debug_info+0xc: DIE with abbreviation 2: unexpected end of data");
}

TEST(a_code_that_is_cut_off_is_a_fault)
{
	struct dwarf_builder *dw = dwarf_builder_new(dwarf4);

	dw_unit_begin(dw, DW_UT_compile);
	dw_die_begin(dw, DW_TAG_compile_unit);
	dw_die_children(dw);
	dw_u8(dw, 0x81);
	dw_die_end_unterminated(dw);
	dw_unit_end(dw);
	check_fault(dw, &by_tag,
		    ".debug_info+0xc: DIE with abbreviation 0: unexpected end of data");
}

TEST(an_unknown_form_or_code_ends_the_walk)
{
	struct dwarf_builder *dw = child_begin();

	dw_data4(dw, DW_AT_decl_line, 1);
	dw_attr(dw, DW_AT_name, 0x7777);
	dw_u32(dw, 0);
	check_fault(child_end(dw), &by_tag,
		    ".debug_info+0xc: DIE with abbreviation 2: unknown attribute form in "
		    ".debug_abbrev");

	dw = child_begin();
	dw_indirect(dw);
	dw_attr(dw, DW_AT_name, 0x77);
	check_fault(child_end(dw), &by_tag,
		    ".debug_info+0xc: DIE with abbreviation 2: unknown attribute form");

	dw = dwarf_begin(dwarf4);
	dw_die_children(dw);
	dw_u8(dw, 0x7f);
	dwarf_end(dw);
	check_fault(dw, &by_tag,
		    ".debug_info+0xc: DIE with abbreviation 127: no such abbreviation in "
		    ".debug_abbrev");
	dw = dwarf_begin(dwarf4);
	dw_die_children(dw);
	dw_uleb(dw, 1ull << 40);
	dwarf_end(dw);
	check_fault(dw, &by_tag,
		    ".debug_info+0xc: DIE with abbreviation 1099511627776: "
		    "no such abbreviation in .debug_abbrev");
}

UNIT_TESTS(dwarf_units_walk)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			a_walk_stops_at_the_kinds_that_are_asked_for_and_knows_their_depth),
		cmocka_unit_test(kinds_that_are_not_asked_for_are_passed_over),
		cmocka_unit_test(attributes_that_nobody_reads_are_skipped),
		cmocka_unit_test(attributes_that_end_too_late_are_not_skipped),
		cmocka_unit_test(a_scope_is_left_where_its_children_end),
		cmocka_unit_test(nulls_behind_the_last_entry_are_padding),
		cmocka_unit_test(a_unit_may_end_without_its_nulls),
		cmocka_unit_test(values_of_every_layout_are_passed_over),
		cmocka_unit_test(a_signed_number_may_have_all_its_64_bits),
		cmocka_unit_test(an_entry_of_more_than_64_kib_is_passed_over),
		cmocka_unit_test(codes_may_be_of_any_length),
		cmocka_unit_test(an_entry_that_reaches_beyond_its_unit_is_a_fault),
		cmocka_unit_test(a_code_that_is_cut_off_is_a_fault),
		cmocka_unit_test(an_unknown_form_or_code_ends_the_walk),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
