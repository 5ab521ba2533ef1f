#include "unit_test.h"

#include "dwarf/units/constants.h"

// After the enumerators of the same names: from here on DW_* are the numbers of the tests' own
// list, and the rows of lib/ are compared with it.
#include "dwarf_constants.h"

TEST(every_code_of_ours_is_the_standards)
{
#define TAG(name, code, reader) assert_int_equal(DW_TAG_##name, code);
#include "dwarf/units/tags.def"
#undef TAG
#define ATTR(name, code) assert_int_equal(DW_AT_##name, code);
#include "dwarf/units/attrs.def"
#undef ATTR
#define FORM(name, code, kind, size, class) assert_int_equal(DW_FORM_##name, code);
#include "dwarf/units/forms.def"
#undef FORM
}

TEST(every_form_of_the_standard_has_a_row)
{
	for (uint16_t form = DW_FORM_addr; form <= DW_FORM_addrx4; form++) {
		if (form == 0x02) // reserved
			continue;
		assert_int_not_equal(ic_form_info(form)->kind, IC_FORM_KIND_UNKNOWN);
	}
}

TEST(a_form_that_nobody_knows_has_none)
{
	const uint16_t forms[] = { 0, 0x02, 0x2d, 0x1f00, 0x1f03, 0x1f22, 0x7777, 0xffff };

	for (size_t i = 0; i < COUNT_OF(forms); i++)
		assert_int_equal(ic_form_info(forms[i])->kind, IC_FORM_KIND_UNKNOWN);
}

TEST(what_a_form_means_is_what_the_standard_says)
{
	assert_int_equal(ic_form_info(DW_FORM_sec_offset)->class, IC_FORM_CLASS_OFFSET);
	assert_int_equal(ic_form_info(DW_FORM_implicit_const)->class, IC_FORM_CLASS_CONSTANT);
	assert_int_equal(ic_form_info(DW_FORM_ref_sig8)->class, IC_FORM_CLASS_REFERENCE);
	assert_int_equal(ic_form_info(DW_FORM_GNU_addr_index)->class, IC_FORM_CLASS_ADDRESS);
	assert_int_equal(ic_form_info(DW_FORM_exprloc)->class, IC_FORM_CLASS_BLOCK);
	assert_int_equal(ic_form_info(DW_FORM_flag_present)->class, IC_FORM_CLASS_FLAG);
	assert_int_equal(ic_form_info(DW_FORM_rnglistx)->class, IC_FORM_CLASS_INDEX);
	assert_int_equal(ic_form_info(DW_FORM_line_strp)->class, IC_FORM_CLASS_STRING);
}

UNIT_TESTS(dwarf_units_constants)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_code_of_ours_is_the_standards),
		cmocka_unit_test(every_form_of_the_standard_has_a_row),
		cmocka_unit_test(a_form_that_nobody_knows_has_none),
		cmocka_unit_test(what_a_form_means_is_what_the_standard_says),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
