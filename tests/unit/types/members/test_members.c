#include <inlinecall/extra/parameters.h>

#include "unit_test.h"

#include <stdio.h>
#include <stdlib.h>

#include "fixtures/elf.h"
#include "fixtures/scan.h"

#include "dwarf_constants.h"

enum { START = CODE_START, END = CODE_START + 0x100 };

static void put_base(struct dwarf_builder *dw, const char *name, uint8_t encoding, uint8_t size)
{
	dw_label(dw, name);
	dw_die_begin(dw, DW_TAG_base_type);
	dw_string(dw, DW_AT_name, name);
	dw_data1(dw, DW_AT_encoding, encoding);
	dw_data1(dw, DW_AT_byte_size, size);
	dw_die_end(dw);
}

static void put_type(struct dwarf_builder *dw, uint16_t tag, const char *label, const char *of)
{
	dw_label(dw, label);
	dw_die_begin(dw, tag);
	dw_ref4(dw, DW_AT_type, of);
	dw_die_end(dw);
}

static void begin_structure(struct dwarf_builder *dw, const char *label, uint8_t size)
{
	dw_label(dw, label);
	dw_die_begin(dw, DW_TAG_structure_type);
	dw_string(dw, DW_AT_name, label);
	dw_data1(dw, DW_AT_byte_size, size);
}

static void begin_member(struct dwarf_builder *dw, uint16_t tag, const char *name, const char *type)
{
	dw_die_begin(dw, tag);
	if (name)
		dw_string(dw, DW_AT_name, name);
	dw_ref4(dw, DW_AT_type, type);
}

static void put_member(struct dwarf_builder *dw, const char *name, const char *type, uint8_t offset)
{
	begin_member(dw, DW_TAG_member, name, type);
	dw_data1(dw, DW_AT_data_member_location, offset);
	dw_die_end(dw);
}

static void put_array(struct dwarf_builder *dw, const char *label, const char *of, unsigned count,
		      unsigned dimensions)
{
	dw_label(dw, label);
	dw_die_begin(dw, DW_TAG_array_type);
	dw_ref4(dw, DW_AT_type, of);
	for (unsigned i = 0; i < dimensions; i++) {
		dw_die_begin(dw, DW_TAG_subrange_type);
		if (count > 0)
			dw_data1(dw, DW_AT_count, (uint8_t)count);
		dw_die_end(dw);
	}
	dw_die_end(dw);
}

static void put_simple_types(struct dwarf_builder *dw)
{
	put_base(dw, "int", DW_ATE_signed, 4);
	put_base(dw, "long", DW_ATE_signed, 8);
	put_array(dw, "array", "int", 3, 1);
	put_array(dw, "grid", "int", 2, 2);
	put_array(dw, "tail", "int", 0, 1);
	put_type(dw, DW_TAG_pointer_type, "S *", "S");
	put_type(dw, DW_TAG_pointer_type, "S **", "S *");
	put_type(dw, DW_TAG_pointer_type, "int *", "int");
	put_type(dw, DW_TAG_reference_type, "S &", "S");
	put_type(dw, DW_TAG_reference_type, "S *&", "S *");
	put_type(dw, DW_TAG_const_type, "const T", "T");
	dw_label(dw, "void *");
	dw_die_begin(dw, DW_TAG_pointer_type);
	dw_die_end(dw);
}

// union U { long l; int u; }; struct B { int base; };
static void put_parts(struct dwarf_builder *dw)
{
	dw_label(dw, "U");
	dw_die_begin(dw, DW_TAG_union_type);
	dw_data1(dw, DW_AT_byte_size, 8);
	begin_member(dw, DW_TAG_member, "l", "long");
	dw_die_end(dw);
	begin_member(dw, DW_TAG_member, "u", "int");
	dw_die_end(dw);
	dw_die_end(dw);

	begin_structure(dw, "B", 4);
	put_member(dw, "base", "int", 0);
	dw_die_end(dw);
}

// struct T { int x; int bits : 3; struct A { int grid[2][2]; int tail[]; } } : B
static void put_members(struct dwarf_builder *dw)
{
	begin_structure(dw, "T", 40);
	begin_member(dw, DW_TAG_inheritance, NULL, "B");
	dw_expr(dw, DW_AT_data_member_location, DW_BYTES(DW_OP_plus_uconst, 16));
	dw_die_end(dw);
	begin_member(dw, DW_TAG_member, "fixed", "int");
	dw_flag(dw, DW_AT_declaration, 1);
	dw_die_end(dw);
	begin_member(dw, DW_TAG_member, "moving", "int");
	dw_expr(dw, DW_AT_data_member_location, DW_BYTES(DW_OP_dup));
	dw_die_end(dw);
	put_member(dw, "x", "int", 4);
	begin_member(dw, DW_TAG_member, "bits", "int");
	dw_data1(dw, DW_AT_bit_size, 3);
	dw_data1(dw, DW_AT_data_bit_offset, 8 * 8 + 5);
	dw_die_end(dw);
	begin_member(dw, DW_TAG_member, "old", "int");
	dw_data1(dw, DW_AT_bit_size, 3);
	dw_data1(dw, DW_AT_byte_size, 4);
	dw_data1(dw, DW_AT_bit_offset, 32 - 5 - 3);
	dw_data1(dw, DW_AT_data_member_location, 8);
	dw_die_end(dw);
	begin_member(dw, DW_TAG_member, "over", "int");
	dw_data1(dw, DW_AT_bit_size, 7);
	dw_data1(dw, DW_AT_data_bit_offset, 30);
	dw_die_end(dw);
	put_member(dw, "grid", "grid", 20);
	put_member(dw, "tail", "tail", 36);
	dw_die_end(dw);
}

// struct S { int a; struct S *next; const T t; int array[3]; union U; };
static struct dwarf_builder *begin_unit(uint16_t language)
{
	struct dwarf_builder *dw = scan_builder(4);

	scan_unit_of(dw, "a.c", language);
	dw_low_high(dw, START, END);
	put_simple_types(dw);
	put_parts(dw);
	put_members(dw);
	begin_structure(dw, "S", 80);
	put_member(dw, "a", "int", 0);
	put_member(dw, "next", "S *", 8);
	put_member(dw, "t", "const T", 16);
	put_member(dw, "array", "array", 56);
	put_member(dw, NULL, "U", 72);
	dw_die_end(dw);
	return dw;
}

static void put_location(FILE *out, const struct ic_parameter *parameter)
{
	const struct ic_location_text_options options = { .size = parameter->size,
							  .is_signed = parameter->is_signed,
							  .machine = EM_X86_64 };
	char text[256];

	(void)ic_location_text(&parameter->location, &options, text, sizeof(text));
	fprintf(out, "%s %s %s", parameter->type, parameter->name, text);
	if (parameter->bit_size)
		fprintf(out, " %u:%u", parameter->bit_offset, parameter->bit_size);
}

// What an argument `p` of a type has of the members, as text; and the first that it has not.
static char *read_members_in(uint16_t language, const char *type, const void *location, size_t size,
			     const char *members)
{
	const struct ic_parameters_options options = { .members = members };
	struct dwarf_builder *dw = begin_unit(language);
	struct elf_builder *elf = elf_begin(ET_EXEC);
	const struct ic_parameter *list;
	struct ic_index_problem problem;
	struct ic_error err;
	struct scan scan;
	char *text = NULL;
	size_t length;

	scan_host(dw, "g", START, END);
	dw_die_begin(dw, DW_TAG_formal_parameter);
	dw_string(dw, DW_AT_name, "p");
	dw_ref4(dw, DW_AT_type, type);
	if (size > 0)
		dw_expr(dw, DW_AT_location, location, size);
	dw_die_end(dw);
	dw_die_end(dw);
	scan_unit_done(dw);
	elf_add_code(elf, ".text", CODE_START, CODE_END - CODE_START);
	elf_add_dwarf(elf, dw);
	dwarf_builder_free(dw);
	scan_open_path(&scan, elf_end_at(elf, "a.out"), NULL);
	struct ic_symbolizer *symbolizer = ic_symbolizer_new(scan.image, NULL, &err);
	assert_non_null(symbolizer);
	struct ic_parameters *parameters = ic_parameters_open_frames(symbolizer, &options, &err);
	if (!parameters)
		fail_msg("%s", err.message);
	FILE *out = open_memstream(&text, &length);
	for (unsigned i = 0; i < 2; i++) // the second time from what is kept
		assert_true(ic_parameters_find_frame(parameters, START + 8, 0, &err));
	size_t count = ic_parameters_list(parameters, &list);
	for (size_t i = 1; i < count; i++) {
		assert_true(list[i].is_member);
		fputs(i > 1 ? ", " : "", out);
		put_location(out, &list[i]);
	}
	if (ic_parameters_unknown_member(parameters))
		fprintf(out, " not %s", ic_parameters_unknown_member(parameters));
	for (size_t i = 0; ic_parameters_problem_get(parameters, i, &problem); i++)
		fprintf(out, " problem %s", problem.message);
	fclose(out);
	ic_parameters_free(parameters);
	ic_symbolizer_free(symbolizer);
	scan_close(&scan);
	return text;
}

static void check_in(uint16_t language, const char *type, const void *location, size_t size,
		     const char *members, const char *expected)
{
	char *text = read_members_in(language, type, location, size, members);

	assert_string_equal(text, expected);
	free(text);
}

#define CHECK(type, members, expected, ...) \
	check_in(DW_LANG_C_plus_plus, type, DW_BYTES(__VA_ARGS__), members, expected)

TEST(members_are_where_their_structure_is)
{
	CHECK("S", "a,t.x", "int p.a *(s32 *)(%rbx), int p.t.x *(s32 *)(%rbx+20)", DW_OP_breg0 + 3,
	      0);
	CHECK("S", "next->next", "S * p.next->next *(u64 *)(*(u64 *)(%rbx+8)+8)", DW_OP_breg0 + 3,
	      0);
}

TEST(members_are_behind_pointers)
{
	CHECK("S *", "a,next.t->x",
	      "int p->a *(s32 *)(%rbx), "
	      "int p->next->t.x *(s32 *)(*(u64 *)(%rbx+8)+20)",
	      DW_OP_reg0 + 3);
	CHECK("S *", "t.x", "int p->t.x *(s32 *)(*(u64 *)(%rbx+16)+20)", DW_OP_breg0 + 3, 16);
	CHECK("S *", "t.x", "int p->t.x *(s32 *)(%rbx+36)", DW_OP_breg0 + 3, 16, DW_OP_stack_value);
	CHECK("S *", "t.x", "int p->t.x *(s32 *)(0x40+20)", DW_OP_lit0 + 16, DW_OP_const1u, 48,
	      DW_OP_plus, DW_OP_stack_value);
	CHECK("S *", "t.x", "int p->t.x *(s32 *)(entry(%rbx)+20)", DW_OP_entry_value, 1,
	      DW_OP_reg0 + 3, DW_OP_stack_value);
	CHECK("S *", "a", "int p->a unavailable (no address)", DW_OP_breg0 + 3, 0, DW_OP_neg,
	      DW_OP_stack_value);
	CHECK("S &", "a", "int p.a *(s32 *)(%rbx)", DW_OP_reg0 + 3);
	CHECK("S *&", "t", "const T p->t *(u8 (*)[40])(*(u64 *)(%rbx)+16)", DW_OP_reg0 + 3);
}

TEST(too_many_pointers_are_no_address)
{
	CHECK("S *", "next.next.next.next.a",
	      "int p->next->next->next->next->a "
	      "*(s32 *)(*(u64 *)(*(u64 *)(*(u64 *)(*(u64 *)(%rbx+8)+8)+8)+8))",
	      DW_OP_reg0 + 3);
	CHECK("S *", "next.next.next.next.a",
	      "int p->next->next->next->next->a unavailable (no address)", DW_OP_breg0 + 3, 0);
	CHECK("S *", "next.next.next.next.next.a", " not next.next.next.next.next.a",
	      DW_OP_reg0 + 3);
}

TEST(members_of_what_has_no_name_and_of_bases_are_members)
{
	CHECK("S *", "l,u,t.base",
	      "long p->l *(s64 *)(%rbx+72), int p->u *(s32 *)(%rbx+72), "
	      "int p->t.base *(s32 *)(%rbx+32)",
	      DW_OP_reg0 + 3);
	CHECK("S *", "t.fixed", " not t.fixed", DW_OP_reg0 + 3);
	CHECK("S *", "t.moving", " not t.moving", DW_OP_reg0 + 3);
}

TEST(arrays_and_pointers_have_items)
{
	CHECK("S *", "array[2],t.tail[9]",
	      "int p->array[2] *(s32 *)(%rbx+64), int p->t.tail[9] *(s32 *)(%rbx+88)",
	      DW_OP_reg0 + 3);
	CHECK("S *", "array[3]", " not array[3]", DW_OP_reg0 + 3);
	CHECK("S *", "t.grid[0]", " not t.grid[0]", DW_OP_reg0 + 3);
	CHECK("S *", "[1].a", "int p[1].a *(s32 *)(%rbx+80)", DW_OP_reg0 + 3);
	CHECK("S **", "[1]->a,a", "int p[1]->a *(s32 *)(*(u64 *)(%rbx+8)) not a", DW_OP_reg0 + 3);
	CHECK("int *", "[2],a", "int p[2] *(s32 *)(%rbx+8) not a", DW_OP_reg0 + 3);
	CHECK("void *", "[0]", " not [0]", DW_OP_reg0 + 3);
	CHECK("int", "[0]", " not [0]", DW_OP_reg0 + 3);
	CHECK("S *", "[18446744073709551615]", " not [18446744073709551615]", DW_OP_reg0 + 3);
}

TEST(bit_fields_are_bits_of_bytes)
{
	CHECK("S *", "t.bits,t.old,t.over,t.bits.a",
	      "int p->t.bits *(s32 *)(%rbx+24) 5:3, int p->t.old *(s32 *)(%rbx+24) 5:3, "
	      "int p->t.over *(s32 *)(%rbx+19) 6:7 not t.bits.a",
	      DW_OP_reg0 + 3);
}

TEST(parts_of_values_are_bits_of_registers)
{
	CHECK("S", "a,next,t.x", "int p.a %rax, S * p.next %rdx, int p.t.x %rcx 32:32", DW_OP_reg0,
	      DW_OP_piece, 8, DW_OP_reg0 + 1, DW_OP_piece, 8, DW_OP_reg0 + 2, DW_OP_piece, 8);
}

TEST(what_is_not_available_has_no_members_that_are)
{
	check_in(DW_LANG_C_plus_plus, "S *", NULL, 0, "a", "int p->a unavailable (optimised out)");
}

TEST(languages_spell_their_members)
{
	check_in(DW_LANG_Rust, "S *", DW_BYTES(DW_OP_reg0), "next->a",
		 "int p.next.a *(s32 *)(*(u64 *)(%rax+8))");
}

TEST(what_is_no_path_is_refused)
{
	static const char *const none[] = { "",
					    ",a",
					    "a,",
					    "a..b",
					    ".a",
					    "a[",
					    "a[]",
					    "a[x]",
					    "a]",
					    "a->",
					    "a-b",
					    "a[1",
					    "a[99999999999999999999]" };
	struct scan scan;
	struct ic_error err;

	struct dwarf_builder *dw = begin_unit(DW_LANG_C99);
	struct elf_builder *elf = elf_begin(ET_EXEC);
	scan_unit_done(dw);
	elf_add_dwarf(elf, dw);
	dwarf_builder_free(dw);
	scan_open_path(&scan, elf_end_at(elf, "a.out"), NULL);
	struct ic_symbolizer *symbolizer = ic_symbolizer_new(scan.image, NULL, &err);
	assert_non_null(symbolizer);
	for (size_t i = 0; i < sizeof(none) / sizeof(*none); i++) {
		const struct ic_parameters_options options = { .members = none[i] };
		assert_null(ic_parameters_open_frames(symbolizer, &options, &err));
		assert_int_equal(err.code, IC_ERROR_ARGUMENT);
	}
	ic_symbolizer_free(symbolizer);
	scan_close(&scan);
}

UNIT_TESTS(types_members_members)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(members_are_where_their_structure_is),
		cmocka_unit_test(members_are_behind_pointers),
		cmocka_unit_test(too_many_pointers_are_no_address),
		cmocka_unit_test(members_of_what_has_no_name_and_of_bases_are_members),
		cmocka_unit_test(arrays_and_pointers_have_items),
		cmocka_unit_test(bit_fields_are_bits_of_bytes),
		cmocka_unit_test(parts_of_values_are_bits_of_registers),
		cmocka_unit_test(what_is_not_available_has_no_members_that_are),
		cmocka_unit_test(languages_spell_their_members),
		cmocka_unit_test(what_is_no_path_is_refused),
	};

	return cmocka_run_group_tests(tests, temp_dir_make, temp_dir_remove);
}
