#include "values/globals.h"

#include "unit_test.h"

#include "fixtures/elf.h"
#include "fixtures/lookup.h"

#include "dwarf_constants.h"

enum { DATA = 0x20000 };

static void put_variable(struct dwarf_builder *dw, const char *name, uint8_t operation,
			 uint64_t operand)
{
	dw_die_begin(dw, DW_TAG_variable);
	dw_string(dw, DW_AT_name, name);
	dw_block_begin(dw, DW_AT_location, DW_FORM_exprloc);
	dw_u8(dw, operation);
	if (operation == DW_OP_addr)
		dw_address(dw, operand);
	else
		dw_uleb(dw, operand);
	dw_block_end(dw);
	dw_die_end(dw);
}

// Takes ownership of the builder, whose unit is finished.
static void check(struct dwarf_builder *dw, const char *problem)
{
	struct ic_local variable;
	struct lookup lookup;

	lookup_open(&lookup, dw);
	assert_true(ic_variable_at(lookup.symbolizer, DATA, &variable));
	assert_string_equal(variable.name, "first");
	assert_false(ic_variable_at(lookup.symbolizer, DATA + 0x1000, &variable));
	assert_string_equal(lookup_problems(&lookup), problem);
	lookup_close(&lookup);
}

static struct dwarf_builder *begin_unit(void)
{
	struct dwarf_builder *dw = scan_builder(5);

	scan_unit_of(dw, "a.c", DW_LANG_C99);
	dw_low_high(dw, CODE_START, CODE_START + 0x100);
	put_variable(dw, "first", DW_OP_addr, DATA);
	return dw;
}

TEST(a_variable_is_found_by_its_address)
{
	struct dwarf_builder *dw = begin_unit();

	scan_unit_done(dw);
	check(dw, "");
}

TEST(variables_that_cannot_be_read_are_reported)
{
	struct dwarf_builder *dw = begin_unit();

	dw_u8(dw, 127);
	put_variable(dw, "second", DW_OP_addr, DATA + 0x1000);
	scan_unit_done(dw);
	check(dw, ".debug_info+0x39: DIE with abbreviation 127: no such abbreviation in "
		  ".debug_abbrev\n");
}

TEST(an_address_that_is_not_in_its_table_is_reported)
{
	struct dwarf_builder *dw = begin_unit();

	put_variable(dw, "second", DW_OP_addrx, 7);
	scan_unit_done(dw);
	check(dw, ".debug_addr+0x40: the section is missing or empty (for .debug_info+0x39)\n");
}

static void put_located(struct dwarf_builder *dw, const char *name, const char *type,
			const void *expression, size_t size)
{
	dw_die_begin(dw, DW_TAG_variable);
	dw_string(dw, DW_AT_name, name);
	if (type)
		dw_ref4(dw, DW_AT_type, type);
	dw_expr(dw, DW_AT_location, expression, size);
	dw_die_end(dw);
}

static void put_type(struct dwarf_builder *dw)
{
	dw_label(dw, "type");
	dw_die_begin(dw, DW_TAG_base_type);
	dw_data1(dw, DW_AT_byte_size, 16);
	dw_die_end(dw);
}

// The bytes of DW_OP_addr in a builder of little-endian addresses of 8 bytes.
#define ADDR(off) DW_OP_addr, off, 0, 2, 0, 0, 0, 0, 0

static const char *name_at(struct lookup *lookup, uint64_t addr)
{
	struct ic_local variable;

	return ic_variable_at(lookup->symbolizer, addr, &variable) ? variable.name : NULL;
}

TEST(an_expression_may_be_an_address_and_what_is_added_to_it)
{
	for (uint16_t version = 4; version <= 5; version++) {
		struct dwarf_builder *dw = scan_builder(version);
		uint8_t indexed = version < 5 ? DW_OP_GNU_addr_index : DW_OP_addrx;
		struct lookup lookup;

		scan_unit_of(dw, "a.c", DW_LANG_C99);
		dw_addr_base(dw);
		dw_low_high(dw, CODE_START, CODE_START + 0x100);
		uint8_t index = (uint8_t)dw_addr_index(dw, DATA + 0x10);
		put_located(dw, "plain", NULL, DW_BYTES(ADDR(0)));
		put_located(dw, "indexed", NULL, DW_BYTES(indexed, index));
		put_located(dw, "sum", NULL, DW_BYTES(ADDR(0x10), DW_OP_plus_uconst, 0x90, 1));
		put_located(dw, "other sum", NULL,
			    DW_BYTES(indexed, index, DW_OP_plus_uconst, 0x30));
		put_located(dw, "there", NULL, DW_BYTES(ADDR(0x50), DW_OP_deref));
		put_located(dw, "more", NULL,
			    DW_BYTES(ADDR(0x50), DW_OP_plus_uconst, 1, DW_OP_deref));
		put_located(dw, "cut", NULL, DW_BYTES(DW_OP_addr, 0x50, 0, 2));
		put_located(dw, "in the frame", NULL, DW_BYTES(DW_OP_fbreg, 0x50));
		scan_unit_done(dw);
		lookup_open(&lookup, dw);
		assert_string_equal(name_at(&lookup, DATA), "plain");
		assert_string_equal(name_at(&lookup, DATA + 0x10), "indexed");
		assert_string_equal(name_at(&lookup, DATA + 0xa0), "sum");
		assert_string_equal(name_at(&lookup, DATA + 0x40), "other sum");
		assert_null(name_at(&lookup, DATA + 0x50));
		assert_null(name_at(&lookup, DATA + 0x51));
		assert_string_equal(lookup_problems(&lookup), "");
		lookup_close(&lookup);
	}
}

TEST(a_variable_holds_as_many_addresses_as_its_type_has_bytes)
{
	struct dwarf_builder *dw = scan_builder(5);
	struct lookup lookup;

	scan_unit_of(dw, "a.c", DW_LANG_C99);
	dw_low_high(dw, CODE_START, CODE_START + 0x100);
	put_type(dw);
	put_located(dw, "second", NULL, DW_BYTES(ADDR(0x20)));
	put_located(dw, "first", "type", DW_BYTES(ADDR(0x08)));
	scan_unit_done(dw);
	lookup_open(&lookup, dw);
	assert_null(name_at(&lookup, DATA + 0x07));
	assert_string_equal(name_at(&lookup, DATA + 0x08), "first");
	assert_string_equal(name_at(&lookup, DATA + 0x17), "first");
	assert_null(name_at(&lookup, DATA + 0x18));
	assert_string_equal(name_at(&lookup, DATA + 0x20), "second"); // of unknown size
	assert_null(name_at(&lookup, DATA + 0x21));
	lookup_close(&lookup);
}

TEST(what_is_declared_elsewhere_is_known_of_the_definition)
{
	struct dwarf_builder *dw = scan_builder(5);
	struct ic_local variable;
	struct lookup lookup;

	scan_unit_of(dw, "a.c", DW_LANG_C99);
	dw_low_high(dw, CODE_START, CODE_START + 0x100);
	put_type(dw);
	dw_label(dw, "declaration");
	dw_die_begin(dw, DW_TAG_variable);
	dw_string(dw, DW_AT_name, "declared");
	dw_ref4(dw, DW_AT_type, "type");
	dw_data1(dw, DW_AT_decl_line, 7);
	dw_die_end(dw);
	dw_die_begin(dw, DW_TAG_variable);
	dw_ref4(dw, DW_AT_specification, "declaration");
	dw_expr(dw, DW_AT_location, DW_BYTES(ADDR(0)));
	dw_die_end(dw);
	dw_label(dw, "ring");
	dw_die_begin(dw, DW_TAG_variable);
	dw_ref4(dw, DW_AT_specification, "ring");
	dw_expr(dw, DW_AT_location, DW_BYTES(ADDR(0x40)));
	dw_die_end(dw);
	scan_unit_done(dw);
	lookup_open(&lookup, dw);
	assert_true(ic_variable_at(lookup.symbolizer, DATA + 15, &variable));
	assert_string_equal(variable.name, "declared");
	assert_int_equal(variable.decl_line, 7);
	assert_int_equal(variable.size, 16);
	assert_true(ic_variable_at(lookup.symbolizer, DATA + 0x40, &variable));
	assert_null(variable.name);
	lookup_close(&lookup);
}

UNIT_TESTS(values_globals)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_variable_is_found_by_its_address),
		cmocka_unit_test(variables_that_cannot_be_read_are_reported),
		cmocka_unit_test(an_address_that_is_not_in_its_table_is_reported),
		cmocka_unit_test(an_expression_may_be_an_address_and_what_is_added_to_it),
		cmocka_unit_test(a_variable_holds_as_many_addresses_as_its_type_has_bytes),
		cmocka_unit_test(what_is_declared_elsewhere_is_known_of_the_definition),
	};

	return cmocka_run_group_tests(tests, temp_dir_make, temp_dir_remove);
}
