#include <inlinecall/extra/parameters.h>

#include "unit_test.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fixtures/elf.h"
#include "fixtures/scan.h"

#include "dwarf_constants.h"

enum { START = CODE_START, END = CODE_START + 0x100 };

static void put_int(struct dwarf_builder *dw)
{
	dw_label(dw, "int");
	dw_die_begin(dw, DW_TAG_base_type);
	dw_string(dw, DW_AT_name, "int");
	dw_data1(dw, DW_AT_encoding, DW_ATE_signed);
	dw_data1(dw, DW_AT_byte_size, 4);
	dw_die_end(dw);
}

static void put_problems(FILE *out, const struct ic_parameters *parameters)
{
	struct ic_index_problem problem;

	for (size_t i = 0; ic_parameters_problem_get(parameters, i, &problem); i++)
		fprintf(out, "problem %s\n", problem.message);
}

static struct ic_symbolizer *open_symbolizer(struct scan *scan, struct dwarf_builder *dw)
{
	struct elf_builder *elf = elf_begin(ET_EXEC);
	struct ic_error err = { .message = "" };

	elf_add_code(elf, ".text", CODE_START, CODE_END - CODE_START);
	elf_add_dwarf(elf, dw);
	dwarf_builder_free(dw);
	scan_open_path(scan, elf_end_at(elf, "a.out"), NULL);
	struct ic_symbolizer *symbolizer = ic_symbolizer_new(scan->image, NULL, &err);
	if (!symbolizer)
		fail_msg("%s", err.message);
	return symbolizer;
}

static void put_enumerator(struct dwarf_builder *dw, const char *name, int64_t value)
{
	dw_die_begin(dw, DW_TAG_enumerator);
	dw_string(dw, DW_AT_name, name);
	dw_sdata(dw, DW_AT_const_value, value);
	dw_die_end(dw);
}

static void begin_enumeration(struct dwarf_builder *dw, const char *name)
{
	dw_label(dw, name);
	dw_die_begin(dw, DW_TAG_enumeration_type);
	dw_string(dw, DW_AT_name, name);
	dw_data1(dw, DW_AT_byte_size, 4);
}

static void put_alias(struct dwarf_builder *dw, uint16_t tag, const char *label, const char *of)
{
	dw_label(dw, label);
	dw_die_begin(dw, tag);
	dw_string(dw, DW_AT_name, label);
	dw_ref4(dw, DW_AT_type, of);
	dw_die_end(dw);
}

// The enumerations of the parameters of a function with a parameter of each type.
static char *read_enumerations(struct dwarf_builder *dw, const char *const *types, size_t count)
{
	struct ic_enumeration enumeration;
	struct ic_error err;
	struct scan scan;
	char *text = NULL;
	size_t size;

	scan_host(dw, "g", START, END);
	for (size_t i = 0; i < count; i++) {
		dw_die_begin(dw, DW_TAG_formal_parameter);
		dw_ref4(dw, DW_AT_type, types[i]);
		dw_die_end(dw);
	}
	dw_die_end(dw);
	scan_unit_done(dw);
	struct ic_symbolizer *symbolizer = open_symbolizer(&scan, dw);
	struct ic_parameters *parameters = ic_parameters_open_frames(symbolizer, NULL, &err);
	assert_true(ic_parameters_enumeration(parameters, 0, &enumeration, &err));
	assert_int_equal(enumeration.count, 0); // nothing was found yet
	assert_true(ic_parameters_find_frame(parameters, START, 0, &err));
	FILE *out = open_memstream(&text, &size);
	for (size_t i = 0; i <= count; i++) {
		assert_true(ic_parameters_enumeration(parameters, i, &enumeration, &err));
		for (size_t j = 0; j < enumeration.count; j++)
			fprintf(out, "%s%s=%" PRId64 " ", enumeration.scope,
				enumeration.list[j].name, (int64_t)enumeration.list[j].value);
		fprintf(out, "%s\n", enumeration.is_flags ? "flags" : "");
	}
	put_problems(out, parameters);
	fclose(out);
	ic_parameters_free(parameters);
	ic_symbolizer_free(symbolizer);
	scan_close(&scan);
	return text;
}

TEST(an_enumeration_has_the_names_of_its_values)
{
	struct dwarf_builder *dw = scan_builder(5);

	scan_unit_of(dw, "a.c", DW_LANG_C99);
	dw_low_high(dw, START, END);
	put_int(dw);
	begin_enumeration(dw, "color");
	put_enumerator(dw, "BLUE", 7);
	put_enumerator(dw, "AGAIN", 7);
	put_enumerator(dw, "MINUS", -1);
	put_enumerator(dw, "RED", 0);
	dw_die_end(dw);
	begin_enumeration(dw, "flags");
	put_enumerator(dw, "NONE", 0);
	put_enumerator(dw, "HIGH", 1u << 31);
	dw_die_end(dw);
	begin_enumeration(dw, "empty");
	dw_die_end(dw);
	put_alias(dw, DW_TAG_typedef, "alias", "color");
	put_alias(dw, DW_TAG_const_type, "const alias", "alias");
	put_alias(dw, DW_TAG_typedef, "itself", "itself");
	char *text = read_enumerations(
		dw, (const char *[]){ "const alias", "int", "flags", "color", "empty" }, 5);
	assert_string_equal(text, "RED=0 BLUE=7 AGAIN=7 MINUS=-1 \n\nNONE=0 HIGH=2147483648 flags\n"
				  "RED=0 BLUE=7 AGAIN=7 MINUS=-1 \n\n\n");
	free(text);
}

TEST(names_of_values_are_in_scopes_as_the_language_has_them)
{
	struct dwarf_builder *dw = scan_builder(5);

	scan_unit_of(dw, "a.cc", DW_LANG_C_plus_plus_14);
	dw_low_high(dw, START, END);
	dw_die_begin(dw, DW_TAG_namespace);
	dw_string(dw, DW_AT_name, "ns");
	begin_enumeration(dw, "Plain");
	put_enumerator(dw, "ONE", 1);
	dw_die_end(dw);
	begin_enumeration(dw, "Class");
	dw_flag_present(dw, DW_AT_enum_class);
	put_enumerator(dw, "THREE", 3);
	dw_die_end(dw);
	dw_die_end(dw);
	char *text = read_enumerations(dw, (const char *[]){ "Plain", "Class" }, 2);
	assert_string_equal(text, "ns::ONE=1 flags\nns::Class::THREE=3 \n\n");
	free(text);
}

TEST(an_enumeration_that_cannot_be_read_whole_has_no_names)
{
	struct dwarf_builder *dw = scan_builder(5);

	scan_unit_of(dw, "a.c", DW_LANG_C99);
	dw_low_high(dw, START, END);
	begin_enumeration(dw, "wide"); // as GCC writes values of more than 8 bytes
	put_enumerator(dw, "ONE", 1);
	dw_die_begin(dw, DW_TAG_enumerator);
	dw_string(dw, DW_AT_name, "MANY");
	dw_block(dw, DW_AT_const_value, DW_FORM_block1, "0123456789abcdef", 16);
	dw_die_end(dw);
	dw_die_end(dw);
	begin_enumeration(dw, "damaged");
	put_enumerator(dw, "ONE", 1);
	dw_die_begin(dw, DW_TAG_enumerator);
	dw_value(dw, DW_AT_name, DW_FORM_strp, 0x10000000);
	dw_sdata(dw, DW_AT_const_value, 2);
	dw_die_end(dw);
	dw_die_end(dw);
	char *text = read_enumerations(dw, (const char *[]){ "wide", "damaged" }, 2);
	if (strncmp(text, "\n\n\nproblem ", 11) != 0)
		fail_msg("%s", text);
	free(text);
}

UNIT_TESTS(types_enumerators)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_enumeration_has_the_names_of_its_values),
		cmocka_unit_test(names_of_values_are_in_scopes_as_the_language_has_them),
		cmocka_unit_test(an_enumeration_that_cannot_be_read_whole_has_no_names),
	};

	return cmocka_run_group_tests(tests, temp_dir_make, temp_dir_remove);
}
