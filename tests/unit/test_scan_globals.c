#include "scan/scan_globals.h"

#include "unit_test.h"

#include "elf_fixture.h"
#include "lookup_fixture.h"

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

// Takes the builder over, of which the unit is finished.
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
	check(dw, ".debug_info+0x39: entry with abbreviation 127: no such abbreviation in "
		  ".debug_abbrev\n");
}

TEST(an_address_that_is_not_in_its_table_is_reported)
{
	struct dwarf_builder *dw = begin_unit();

	put_variable(dw, "second", DW_OP_addrx, 7);
	scan_unit_done(dw);
	check(dw, ".debug_addr+0x40: the section is missing or empty (for .debug_info+0x39)\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_variable_is_found_by_its_address),
		cmocka_unit_test(variables_that_cannot_be_read_are_reported),
		cmocka_unit_test(an_address_that_is_not_in_its_table_is_reported),
	};

	return cmocka_run_group_tests(tests, temp_dir_make, temp_dir_remove);
}
