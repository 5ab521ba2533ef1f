#include "types/types.h"

#include "unit_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fixtures/elf.h"
#include "fixtures/lookup.h"

#include "dwarf_constants.h"

// ---- DWARF

static void begin(struct dwarf_builder *dw, uint16_t tag, const char *label, const char *name)
{
	dw_label(dw, label);
	dw_die_begin(dw, tag);
	if (name)
		dw_string(dw, DW_AT_name, name);
}

// A type of that kind made of another; "" for void.
static void put(struct dwarf_builder *dw, uint16_t tag, const char *label, const char *of)
{
	begin(dw, tag, label, NULL);
	if (of[0] != '\0')
		dw_ref4(dw, DW_AT_type, of);
	dw_die_end(dw);
}

static void put_base(struct dwarf_builder *dw, const char *name, uint8_t encoding, uint8_t size)
{
	begin(dw, DW_TAG_base_type, name, name);
	dw_data1(dw, DW_AT_encoding, encoding);
	dw_data1(dw, DW_AT_byte_size, size);
	dw_die_end(dw);
}

static void put_named(struct dwarf_builder *dw, uint16_t tag, const char *label, const char *name,
		      uint8_t size)
{
	begin(dw, tag, label, name);
	if (size > 0)
		dw_data1(dw, DW_AT_byte_size, size);
	dw_die_end(dw);
}

static void put_dimension(struct dwarf_builder *dw, uint16_t attr, uint8_t value)
{
	dw_die_begin(dw, DW_TAG_subrange_type);
	if (attr)
		dw_data1(dw, attr, value);
	dw_die_end(dw);
}

static void put_array(struct dwarf_builder *dw, const char *label, const char *of, uint8_t count)
{
	begin(dw, DW_TAG_array_type, label, NULL);
	dw_ref4(dw, DW_AT_type, of);
	put_dimension(dw, DW_AT_upper_bound, (uint8_t)(count - 1));
	dw_die_end(dw);
}

static void begin_function(struct dwarf_builder *dw, const char *label, const char *result)
{
	begin(dw, DW_TAG_subroutine_type, label, NULL);
	dw_flag_present(dw, DW_AT_prototyped);
	if (result[0] != '\0')
		dw_ref4(dw, DW_AT_type, result);
}

static void put_argument(struct dwarf_builder *dw, const char *type)
{
	dw_die_begin(dw, DW_TAG_formal_parameter);
	dw_ref4(dw, DW_AT_type, type);
	dw_die_end(dw);
}

// ---- What is read

struct fixture {
	struct unit_scan scan;
	struct ic_arena arena;
	struct ic_dies dies;
	struct ic_types types;
};

// Takes the builder over, after its last unit.
static void fixture_open(struct fixture *fixture, struct dwarf_builder *dw, uint16_t language)
{
	*fixture = (struct fixture){ .dies.most = 1000 };
	unit_scan_open(&fixture->scan, dw);
	struct ic_reader *reader = &ic_scan_stream(&fixture->scan.scan, 0)->reader;
	ic_scan_prepare(&fixture->scan.scan);
	assert_true(ic_reader_open(reader, 0));
	fixture->dies.reader = reader;
	fixture->types.dies = &fixture->dies;
	fixture->types.arena = &fixture->arena;
	fixture->types.language = language;
}

static void fixture_close(struct fixture *fixture)
{
	ic_types_free(&fixture->types);
	ic_dies_free(&fixture->dies);
	ic_arena_free(&fixture->arena);
	unit_scan_close(&fixture->scan);
}

static struct ic_type_text type_at(struct fixture *fixture, uint64_t off)
{
	const struct ic_value value = { .number = off,
					.form = DW_FORM_ref_addr,
					.class = IC_FORM_CLASS_REFERENCE };
	const struct ic_die_place place = { fixture->dies.reader->unit, 0 };

	return ic_type_of(&fixture->types, place, &value);
}

static const char *text_at(struct fixture *fixture, uint64_t off)
{
	struct ic_type_text type = type_at(fixture, off);
	const char *text = ic_type_whole(&fixture->types, &type);

	return text ? text : "?";
}

static const char *problem(const struct fixture *fixture)
{
	const struct ic_problems *problems = &fixture->dies.reader->problems;

	return problems->list.count > 0 ? problems->list.items[0].message : "";
}

struct expectation {
	const char *label, *text; // "?": not known
	uint64_t size;            // 0: not known
	enum ic_type_encoding encoding;
	uint64_t off; // set by check()
};

// Ends the open unit and takes the builder over. Returns the first problem, to be freed.
static char *check(struct dwarf_builder *dw, uint16_t language, struct expectation *wanted,
		   size_t count)
{
	struct fixture fixture;

	scan_unit_done(dw);
	for (size_t i = 0; i < count; i++)
		wanted[i].off = dw_label_off(dw, wanted[i].label);
	fixture_open(&fixture, dw, language);
	for (size_t i = 0; i < 2 * count; i++) { // the second time as it was kept
		const struct expectation *of = &wanted[i % count];
		struct ic_type_text type = type_at(&fixture, of->off);
		assert_string_equal(text_at(&fixture, of->off), of->text);
		assert_int_equal(type.has_size ? type.size : 0, of->size);
		assert_int_equal(type.encoding, of->encoding);
	}
	char *message = strdup(problem(&fixture));
	assert_non_null(message);
	fixture_close(&fixture);
	return message;
}

#define CHECK(dw, language, ...)                                   \
	check(dw, language, (struct expectation[]){ __VA_ARGS__ }, \
	      sizeof((struct expectation[]){ __VA_ARGS__ }) / sizeof(struct expectation))

static void no_problem(char *message)
{
	assert_string_equal(message, "");
	free(message);
}

static void one_problem(char *message, const char *wanted)
{
	if (!strstr(message, wanted))
		fail_msg("'%s' is not in '%s'", wanted, message);
	free(message);
}

static void put_c_types(struct dwarf_builder *dw)
{
	put_base(dw, "int", DW_ATE_signed, 4);
	put_base(dw, "char", DW_ATE_signed_char, 1);
	put_base(dw, "unsigned int", DW_ATE_unsigned, 4);
	put_named(dw, DW_TAG_structure_type, "page", "page", 64);
	put(dw, DW_TAG_const_type, "const page", "page");
	put(dw, DW_TAG_pointer_type, "page pointer", "const page");
	put(dw, DW_TAG_const_type, "const pointer", "page pointer");
	put(dw, DW_TAG_pointer_type, "pointer pointer", "const pointer");
	put(dw, DW_TAG_restrict_type, "restrict pointer", "page pointer");
	put(dw, DW_TAG_pointer_type, "void pointer", "");
	put_array(dw, "array", "char", 16);
	put_array(dw, "pointers", "page pointer", 3);
	put(dw, DW_TAG_pointer_type, "array pointer", "array");
	begin(dw, DW_TAG_array_type, "matrix", NULL);
	dw_ref4(dw, DW_AT_type, "int");
	put_dimension(dw, DW_AT_count, 2);
	put_dimension(dw, DW_AT_upper_bound, 2);
	put_dimension(dw, 0, 0);
	dw_die_end(dw);
	begin(dw, DW_TAG_typedef, "u32", "u32");
	dw_ref4(dw, DW_AT_type, "unsigned int");
	dw_die_end(dw);
	put_named(dw, DW_TAG_enumeration_type, "color", "color", 4);
	put_named(dw, DW_TAG_structure_type, "unnamed", NULL, 8);
	put_named(dw, DW_TAG_union_type, "declared", "declared", 0);
	begin_function(dw, "callback", "int");
	put_argument(dw, "void pointer");
	put_argument(dw, "u32");
	dw_die_end(dw);
	put(dw, DW_TAG_pointer_type, "callback pointer", "callback");
	begin_function(dw, "returns callback", "callback pointer");
	dw_die_end(dw);
	put(dw, DW_TAG_pointer_type, "to that", "returns callback");
	begin_function(dw, "variadic", "page pointer");
	put_argument(dw, "array pointer");
	dw_die_begin(dw, DW_TAG_unspecified_parameters);
	dw_die_end(dw);
	dw_die_end(dw);
	put(dw, DW_TAG_volatile_type, "volatile int", "int");
}

TEST(types_are_spelt_as_in_c)
{
	struct dwarf_builder *dw = scan_builder(5);

	scan_unit_of(dw, "a.c", DW_LANG_C99);
	put_c_types(dw);
	no_problem(CHECK(
		dw, DW_LANG_C99, { "int", "int", 4, IC_TYPE_INTEGER, 0 },
		{ "char", "char", 1, IC_TYPE_CHARACTER, 0 },
		{ "u32", "u32", 4, IC_TYPE_INTEGER, 0 },
		{ "page", "struct page", 64, IC_TYPE_STRUCTURE, 0 },
		{ "page pointer", "const struct page *", 8, IC_TYPE_POINTER, 0 },
		{ "const pointer", "const struct page *const", 8, IC_TYPE_POINTER, 0 },
		{ "pointer pointer", "const struct page *const *", 8, IC_TYPE_POINTER, 0 },
		{ "restrict pointer", "const struct page *restrict", 8, IC_TYPE_POINTER, 0 },
		{ "void pointer", "void *", 8, IC_TYPE_POINTER, 0 },
		{ "array", "char[16]", 16, IC_TYPE_ARRAY, 0 },
		{ "pointers", "const struct page *[3]", 24, IC_TYPE_ARRAY, 0 },
		{ "array pointer", "char (*)[16]", 8, IC_TYPE_POINTER, 0 },
		{ "matrix", "int[2][3][]", 0, IC_TYPE_ARRAY, 0 },
		{ "color", "enum color", 4, IC_TYPE_ENUMERATION, 0 },
		{ "unnamed", "struct {...}", 8, IC_TYPE_STRUCTURE, 0 },
		{ "declared", "union declared", 0, IC_TYPE_STRUCTURE, 0 },
		{ "callback", "int (void *, u32)", 0, IC_TYPE_FUNCTION, 0 },
		{ "callback pointer", "int (*)(void *, u32)", 8, IC_TYPE_POINTER, 0 },
		{ "to that", "int (*(*)(void))(void *, u32)", 8, IC_TYPE_POINTER, 0 },
		{ "variadic", "const struct page *(char (*)[16], ...)", 0, IC_TYPE_FUNCTION, 0 },
		{ "volatile int", "volatile int", 4, IC_TYPE_INTEGER, 0 }));
}

TEST(arrays_and_pointers_are_of_items_whatever_they_are_called)
{
	static const struct {
		const char *label;
		uint64_t size;
		enum ic_type_encoding encoding;
	} wanted[] = { { "array", 1, IC_TYPE_CHARACTER },
		       { "name", 1, IC_TYPE_CHARACTER },
		       { "const name", 1, IC_TYPE_CHARACTER },
		       { "page pointer", 64, IC_TYPE_STRUCTURE },
		       { "pointer pointer", 8, IC_TYPE_POINTER },
		       { "array pointer", 16, IC_TYPE_ARRAY },
		       { "void pointer", 0, IC_TYPE_UNKNOWN },
		       { "int", 0, IC_TYPE_UNKNOWN } };
	uint64_t offs[COUNT_OF(wanted)];
	struct dwarf_builder *dw = scan_builder(5);
	struct fixture fixture;

	scan_unit_of(dw, "a.c", DW_LANG_C99);
	put_c_types(dw);
	begin(dw, DW_TAG_typedef, "letter", "letter");
	dw_ref4(dw, DW_AT_type, "char");
	dw_die_end(dw);
	put(dw, DW_TAG_const_type, "const letter", "letter");
	put(dw, DW_TAG_pointer_type, "letters", "const letter");
	begin(dw, DW_TAG_typedef, "name", "name");
	dw_ref4(dw, DW_AT_type, "letters");
	dw_die_end(dw);
	put(dw, DW_TAG_const_type, "const name", "name");
	scan_unit_done(dw);
	for (size_t i = 0; i < COUNT_OF(wanted); i++)
		offs[i] = dw_label_off(dw, wanted[i].label);
	fixture_open(&fixture, dw, DW_LANG_C99);
	for (size_t i = 0; i < COUNT_OF(wanted); i++) {
		struct ic_type_text type = type_at(&fixture, offs[i]);
		assert_int_equal(type.item_size, wanted[i].size);
		assert_int_equal(type.item_encoding, wanted[i].encoding);
	}
	assert_string_equal(problem(&fixture), "");
	fixture_close(&fixture);
}

TEST(types_are_spelt_as_in_cpp)
{
	struct dwarf_builder *dw = scan_builder(5);

	scan_unit_of(dw, "a.cc", DW_LANG_C_plus_plus_14);
	put_base(dw, "int", DW_ATE_signed, 4);
	begin(dw, DW_TAG_namespace, "ns", "ns");
	begin(dw, DW_TAG_class_type, "S", "S");
	dw_data1(dw, DW_AT_byte_size, 4);
	put_named(dw, DW_TAG_enumeration_type, "E", "E", 4);
	dw_die_end(dw);
	begin(dw, DW_TAG_namespace, "hidden", NULL);
	put_named(dw, DW_TAG_structure_type, "V", "V<int>", 1);
	dw_die_end(dw);
	dw_die_begin(dw, DW_TAG_subprogram);
	dw_string(dw, DW_AT_name, "f");
	put_named(dw, DW_TAG_structure_type, "local", "local", 1);
	dw_die_end(dw);
	dw_die_end(dw);
	put(dw, DW_TAG_const_type, "const S", "S");
	put(dw, DW_TAG_reference_type, "S ref", "const S");
	put(dw, DW_TAG_rvalue_reference_type, "S rref", "S");
	put(dw, DW_TAG_pointer_type, "this", "const S");
	begin_function(dw, "method", "int");
	dw_die_begin(dw, DW_TAG_formal_parameter);
	dw_ref4(dw, DW_AT_type, "this");
	dw_flag_present(dw, DW_AT_artificial);
	dw_die_end(dw);
	put_argument(dw, "int");
	dw_die_end(dw);
	begin(dw, DW_TAG_ptr_to_member_type, "method pointer", NULL);
	dw_ref4(dw, DW_AT_type, "method");
	dw_ref4(dw, DW_AT_containing_type, "S");
	dw_die_end(dw);
	begin(dw, DW_TAG_ptr_to_member_type, "member pointer", NULL);
	dw_ref4(dw, DW_AT_type, "int");
	dw_ref4(dw, DW_AT_containing_type, "S");
	dw_die_end(dw);
	begin_function(dw, "nothing", "");
	dw_die_end(dw);
	no_problem(CHECK(
		dw, DW_LANG_C_plus_plus_14, { "S", "ns::S", 4, IC_TYPE_STRUCTURE, 0 },
		{ "E", "ns::S::E", 4, IC_TYPE_ENUMERATION, 0 },
		{ "V", "ns::(anonymous namespace)::V<int>", 1, IC_TYPE_STRUCTURE, 0 },
		{ "local", "local", 1, IC_TYPE_STRUCTURE, 0 },
		{ "S ref", "const ns::S &", 8, IC_TYPE_REFERENCE, 0 },
		{ "S rref", "ns::S &&", 8, IC_TYPE_REFERENCE, 0 },
		{ "method pointer", "int (ns::S::*)(int) const", 16, IC_TYPE_MEMBER_POINTER, 0 },
		{ "member pointer", "int ns::S::*", 8, IC_TYPE_MEMBER_POINTER, 0 },
		{ "nothing", "void ()", 0, IC_TYPE_FUNCTION, 0 }));
}

TEST(other_languages_name_their_types)
{
	struct dwarf_builder *dw = scan_builder(5);

	scan_unit_of(dw, "a.rs", DW_LANG_Rust);
	put_base(dw, "u8", DW_ATE_unsigned, 1);
	begin(dw, DW_TAG_namespace, "core", "core");
	put_named(dw, DW_TAG_structure_type, "str", "&str", 16);
	begin(dw, DW_TAG_pointer_type, "pointer", "*const u8");
	dw_ref4(dw, DW_AT_type, "u8");
	dw_die_end(dw);
	dw_die_end(dw);
	put_array(dw, "array", "u8", 4);
	begin(dw, DW_TAG_array_type, "named", "[4]uint8");
	dw_ref4(dw, DW_AT_type, "u8");
	put_dimension(dw, DW_AT_count, 4);
	dw_die_end(dw);
	no_problem(CHECK(dw, DW_LANG_Rust, { "str", "&str", 16, IC_TYPE_STRUCTURE, 0 },
			 { "pointer", "*const u8", 8, IC_TYPE_POINTER, 0 },
			 { "array", "u8[4]", 4, IC_TYPE_ARRAY, 0 },
			 { "named", "[4]uint8", 4, IC_TYPE_ARRAY, 0 }));
}

TEST(a_class_may_have_its_name_and_size_in_a_type_unit)
{
	struct dwarf_builder *dw = scan_builder(5);

	scan_unit_of(dw, "a.cc", DW_LANG_C_plus_plus_14);
	dw_label(dw, "S");
	dw_die_begin(dw, DW_TAG_structure_type);
	dw_flag_present(dw, DW_AT_declaration);
	dw_ref_sig8(dw, DW_AT_signature, 7);
	dw_die_end(dw);
	dw_label(dw, "pointer");
	dw_die_begin(dw, DW_TAG_pointer_type);
	dw_ref_sig8(dw, DW_AT_type, 7);
	dw_die_end(dw);
	scan_unit_done(dw);
	dw_unit_begin_with(dw,
			   (struct dw_unit){ .type = DW_UT_type, .id = 7, .type_die = "defined" });
	dw_die_begin(dw, DW_TAG_type_unit);
	dw_data2(dw, DW_AT_language, DW_LANG_C_plus_plus_14);
	begin(dw, DW_TAG_namespace, "ns", "ns");
	put_named(dw, DW_TAG_structure_type, "defined", "S", 12);
	dw_die_end(dw);
	no_problem(CHECK(dw, DW_LANG_C_plus_plus_14, { "S", "ns::S", 12, IC_TYPE_STRUCTURE, 0 },
			 { "pointer", "ns::S *", 8, IC_TYPE_POINTER, 0 }));
}

TEST(a_type_in_a_type_unit_is_in_the_scopes_of_its_declaration)
{
	struct dwarf_builder *dw = scan_builder(5);

	scan_unit_of(dw, "a.cc", DW_LANG_C_plus_plus_14);
	dw_label(dw, "pointer");
	dw_die_begin(dw, DW_TAG_pointer_type);
	dw_ref_sig8(dw, DW_AT_type, 7);
	dw_die_end(dw);
	dw_die_begin(dw, DW_TAG_structure_type); // whose name is in its type unit
	dw_flag_present(dw, DW_AT_declaration);
	dw_ref_sig8(dw, DW_AT_signature, 7);
	put_named(dw, DW_TAG_enumeration_type, "E", "E", 4);
	dw_die_end(dw);
	scan_unit_done(dw);
	dw_unit_begin_with(dw,
			   (struct dw_unit){ .type = DW_UT_type, .id = 7, .type_die = "defined" });
	dw_die_begin(dw, DW_TAG_type_unit);
	dw_data2(dw, DW_AT_language, DW_LANG_C_plus_plus_14);
	begin(dw, DW_TAG_namespace, "ns", "ns");
	begin(dw, DW_TAG_structure_type, "declared", "S");
	dw_flag_present(dw, DW_AT_declaration);
	dw_die_end(dw);
	dw_die_end(dw);
	begin(dw, DW_TAG_structure_type, "defined", "S");
	dw_ref4(dw, DW_AT_specification, "declared");
	dw_data1(dw, DW_AT_byte_size, 12);
	dw_die_end(dw);
	no_problem(CHECK(dw, DW_LANG_C_plus_plus_14,
			 { "pointer", "ns::S *", 8, IC_TYPE_POINTER, 0 },
			 { "E", "S::E", 4, IC_TYPE_ENUMERATION, 0 }));
}

TEST(an_enumeration_may_have_its_size_and_sign_in_a_type_unit)
{
	struct dwarf_builder *dw = scan_builder(5);

	scan_unit_of(dw, "a.cc", DW_LANG_C_plus_plus_14);
	dw_label(dw, "E");
	dw_die_begin(dw, DW_TAG_enumeration_type);
	dw_flag_present(dw, DW_AT_declaration);
	dw_ref_sig8(dw, DW_AT_signature, 7);
	dw_die_end(dw);
	scan_unit_done(dw);
	dw_unit_begin_with(dw,
			   (struct dw_unit){ .type = DW_UT_type, .id = 7, .type_die = "defined" });
	dw_die_begin(dw, DW_TAG_type_unit);
	dw_data2(dw, DW_AT_language, DW_LANG_C_plus_plus_14);
	begin(dw, DW_TAG_enumeration_type, "defined", "E");
	dw_data1(dw, DW_AT_byte_size, 2);
	dw_data1(dw, DW_AT_encoding, DW_ATE_signed);
	dw_die_end(dw);
	no_problem(CHECK(dw, DW_LANG_C_plus_plus_14, { "E", "E", 2, IC_TYPE_ENUMERATION, 1 }));
}

TEST(numbers_that_are_not_binary_are_of_other_types)
{
	struct dwarf_builder *dw = scan_builder(5);

	scan_unit_of(dw, "a.c", DW_LANG_C99);
	put_base(dw, "_Decimal64", DW_ATE_decimal_float, 8);
	put_base(dw, "_Fract", DW_ATE_signed_fixed, 2);
	put_base(dw, "unsigned _Fract", DW_ATE_unsigned_fixed, 2);
	no_problem(CHECK(dw, DW_LANG_C99, { "_Decimal64", "_Decimal64", 8, IC_TYPE_OTHER, 0 },
			 { "_Fract", "_Fract", 2, IC_TYPE_OTHER, 1 },
			 { "unsigned _Fract", "unsigned _Fract", 2, IC_TYPE_OTHER, 0 }));
}

TEST(a_type_that_is_made_of_itself_is_a_problem)
{
	struct dwarf_builder *dw = scan_builder(5);

	scan_unit_of(dw, "a.c", DW_LANG_C99);
	put(dw, DW_TAG_pointer_type, "ping", "pong");
	put(dw, DW_TAG_const_type, "pong", "ping");
	put(dw, DW_TAG_array_type, "self", "self");
	one_problem(CHECK(dw, DW_LANG_C99, { "ping", "?", 8, IC_TYPE_POINTER, 0 },
			  { "self", "?", 0, IC_TYPE_ARRAY, 0 }),
		    "type is defined in terms of itself");
}

TEST(a_type_may_be_made_of_so_many_others_and_no_more)
{
	struct dwarf_builder *dw = scan_builder(5);
	char label[16], next[16];

	scan_unit_of(dw, "a.c", DW_LANG_C99);
	put_base(dw, "p0", DW_ATE_signed, 4);
	for (int i = 1; i <= IC_DIE_MOST_LINKS + 1; i++) {
		snprintf(label, sizeof(label), "p%d", i);
		snprintf(next, sizeof(next), "p%d", i - 1);
		put(dw, DW_TAG_pointer_type, label, next);
	}
	one_problem(CHECK(dw, DW_LANG_C99, { "p33", "?", 8, IC_TYPE_POINTER, 0 }),
		    "type is nested too deeply");
}

TEST(a_text_that_is_too_long_is_a_problem)
{
	struct dwarf_builder *dw = scan_builder(5);
	char name[IC_TYPES_LONGEST + 1];

	memset(name, 'x', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	scan_unit_of(dw, "a.c", DW_LANG_C99);
	put_named(dw, DW_TAG_base_type, "long", name, 4);
	put(dw, DW_TAG_pointer_type, "longer", "long");
	begin_function(dw, "function", "");
	for (int i = 0; i < 5000; i++)
		put_argument(dw, "void");
	dw_die_end(dw);
	put(dw, DW_TAG_const_type, "void", "");
	one_problem(CHECK(dw, DW_LANG_C99, { "long", name, 4, IC_TYPE_OTHER, 0 },
			  { "longer", "?", 8, IC_TYPE_POINTER, 0 },
			  { "function", "?", 0, IC_TYPE_FUNCTION, 0 }),
		    "type name is too long");
}

TEST(a_name_may_be_empty)
{
	struct dwarf_builder *dw = scan_builder(5);

	scan_unit_of(dw, "a.c", DW_LANG_C99);
	put_named(dw, DW_TAG_base_type, "empty", "", 4);
	no_problem(CHECK(dw, DW_LANG_C99, { "empty", "", 4, IC_TYPE_OTHER, 0 }));
}

TEST(vectors_are_values)
{
	struct dwarf_builder *dw = scan_builder(5);

	scan_unit_of(dw, "a.c", DW_LANG_C99);
	put_base(dw, "float", DW_ATE_float, 4);
	begin(dw, DW_TAG_array_type, "vector", NULL);
	dw_flag_present(dw, DW_AT_GNU_vector);
	dw_ref4(dw, DW_AT_type, "float");
	put_dimension(dw, DW_AT_upper_bound, 3);
	dw_die_end(dw);
	no_problem(CHECK(
		dw, DW_LANG_C99,
		{ "vector", "float __attribute__((vector_size(16)))", 16, IC_TYPE_VECTOR, 0 }));
}

UNIT_TESTS(types_types)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(types_are_spelt_as_in_c),
		cmocka_unit_test(arrays_and_pointers_are_of_items_whatever_they_are_called),
		cmocka_unit_test(types_are_spelt_as_in_cpp),
		cmocka_unit_test(other_languages_name_their_types),
		cmocka_unit_test(a_class_may_have_its_name_and_size_in_a_type_unit),
		cmocka_unit_test(a_type_in_a_type_unit_is_in_the_scopes_of_its_declaration),
		cmocka_unit_test(an_enumeration_may_have_its_size_and_sign_in_a_type_unit),
		cmocka_unit_test(numbers_that_are_not_binary_are_of_other_types),
		cmocka_unit_test(a_type_that_is_made_of_itself_is_a_problem),
		cmocka_unit_test(a_type_may_be_made_of_so_many_others_and_no_more),
		cmocka_unit_test(a_text_that_is_too_long_is_a_problem),
		cmocka_unit_test(a_name_may_be_empty),
		cmocka_unit_test(vectors_are_values),
	};

	return cmocka_run_group_tests(tests, temp_dir_make, temp_dir_remove);
}
