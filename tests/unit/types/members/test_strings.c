#include <inlinecall/extra/parameters.h>

#include "unit_test.h"

#include <stdlib.h>

#include "fixtures/elf.h"
#include "fixtures/scan.h"

#include "dwarf_constants.h"

enum { START = CODE_START, END = CODE_START + 0x100, GO_KIND_STRING = 24 };

struct string_type { // of a structure with a pointer and a length
	const char *name, *data, *length;
	uint8_t byte_size;   // of what the pointer points to; 0 for 1
	uint8_t go_kind;     // 0 for none
	const char *pointer; // the parameter is a pointer to it, of this tag
};

static void put_base(struct dwarf_builder *dw, const char *label, uint8_t size)
{
	dw_label(dw, label);
	dw_die_begin(dw, DW_TAG_base_type);
	dw_string(dw, DW_AT_name, label);
	dw_data1(dw, DW_AT_encoding, DW_ATE_unsigned);
	dw_data1(dw, DW_AT_byte_size, size);
	dw_die_end(dw);
}

static void put_pointer(struct dwarf_builder *dw, const char *label, const char *to)
{
	dw_label(dw, label);
	dw_die_begin(dw, DW_TAG_pointer_type);
	dw_ref4(dw, DW_AT_type, to);
	dw_die_end(dw);
}

static void put_member(struct dwarf_builder *dw, const char *name, const char *type, uint8_t offset)
{
	dw_die_begin(dw, DW_TAG_member);
	dw_string(dw, DW_AT_name, name);
	dw_ref4(dw, DW_AT_type, type);
	dw_data1(dw, DW_AT_data_member_location, offset);
	dw_die_end(dw);
}

static struct dwarf_builder *build(const struct string_type *type)
{
	struct dwarf_builder *dw = scan_builder(4);

	scan_unit_of(dw, "a.c", DW_LANG_C_plus_plus);
	dw_low_high(dw, START, END);
	put_base(dw, "byte", type->byte_size ? type->byte_size : 1);
	put_base(dw, "size", 8);
	put_pointer(dw, "byte *", "byte");
	dw_label(dw, "string");
	dw_die_begin(dw, DW_TAG_structure_type);
	dw_string(dw, DW_AT_name, type->name);
	dw_data1(dw, DW_AT_byte_size, 16);
	if (type->go_kind > 0)
		dw_data1(dw, DW_AT_GO_kind, type->go_kind);
	put_member(dw, type->length, "size", 0);
	put_member(dw, type->data, "byte *", 8);
	dw_die_end(dw);
	put_pointer(dw, "string *", "string");
	scan_host(dw, "g", START, END);
	dw_die_begin(dw, DW_TAG_formal_parameter);
	dw_string(dw, DW_AT_name, "p");
	dw_ref4(dw, DW_AT_type, type->pointer ? type->pointer : "string");
	dw_expr(dw, DW_AT_location, DW_BYTES(DW_OP_breg0 + 3, 4));
	dw_die_end(dw);
	dw_die_end(dw);
	scan_unit_done(dw);
	return dw;
}

static char *text_of(const struct ic_parameter *part)
{
	const struct ic_location_text_options options = { .size = part->size,
							  .machine = EM_X86_64 };
	char text[256];

	(void)ic_location_text(&part->location, &options, text, sizeof(text));
	return strdup(text);
}

// The locations of the address and the length of argument `p`; NULL if it is no string.
static void check(struct string_type type, const char *data, const char *length)
{
	const struct ic_parameters_options options = { .strings = true };
	struct dwarf_builder *dw = build(&type);
	struct elf_builder *elf = elf_begin(ET_EXEC);
	const struct ic_parameter *list;
	struct ic_error err;
	struct scan scan;

	elf_add_code(elf, ".text", CODE_START, CODE_END - CODE_START);
	elf_add_dwarf(elf, dw);
	dwarf_builder_free(dw);
	scan_open_path(&scan, elf_end_at(elf, "a.out"), NULL);
	struct ic_symbolizer *symbolizer = ic_symbolizer_new(scan.image, NULL, &err);
	struct ic_parameters *parameters = ic_parameters_open_frames(symbolizer, &options, &err);
	assert_non_null(parameters);
	assert_true(ic_parameters_find_frame(parameters, START + 8, 0, &err));
	assert_int_equal(ic_parameters_list(parameters, &list), 1);
	assert_true((list[0].string != NULL) == (data != NULL));
	for (int i = 0; data && i < 2; i++) {
		char *text = text_of(&list[0].string[i]);
		assert_string_equal(text, i == 0 ? data : length);
		free(text);
	}
	ic_parameters_free(parameters);
	ic_symbolizer_free(symbolizer);
	scan_close(&scan);
}

#define CHECK(data_at, length_at, ...) \
	check((struct string_type){ __VA_ARGS__ }, data_at, length_at)
#define CHECK_NONE(...) CHECK(NULL, NULL, __VA_ARGS__)

TEST(a_string_has_an_address_and_a_length)
{
	const char *data = "*(u64 *)(%rbx+12)", *length = "*(u64 *)(%rbx+4)";

	CHECK(data, length, .name = "basic_string_view<char>", .data = "_M_str",
	      .length = "_M_len");
	CHECK(data, length, .name = "basic_string_view", .data = "_M_str", .length = "_M_len");
	CHECK(data, length, .name = "&str", .data = "data_ptr", .length = "length");
	CHECK(data, length, .name = "main.Name", .data = "str", .length = "len",
	      .go_kind = GO_KIND_STRING);
}

TEST(a_pointer_leads_to_a_string)
{
	CHECK("*(u64 *)(*(u64 *)(%rbx+4)+8)", "*(u64 *)(*(u64 *)(%rbx+4))", .name = "&str",
	      .data = "data_ptr", .length = "length", .pointer = "string *");
}

TEST(other_structures_are_no_strings)
{
	CHECK_NONE(.name = "basic_string_view<int>", .data = "_M_str", .length = "_M_len",
		   .byte_size = 4);
	CHECK_NONE(.name = "basic_string_view<char16_t>", .data = "_M_str", .length = "_M_len");
	CHECK_NONE(.name = "basic_string_view<char>", .data = "str", .length = "_M_len");
	CHECK_NONE(.name = "main.Name", .data = "str", .length = "len",
		   .go_kind = GO_KIND_STRING + 1);
	CHECK_NONE(.name = "main.Name", .data = "str", .length = "len");
}

UNIT_TESTS(types_members_strings)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_string_has_an_address_and_a_length),
		cmocka_unit_test(a_pointer_leads_to_a_string),
		cmocka_unit_test(other_structures_are_no_strings),
	};

	return cmocka_run_group_tests(tests, temp_dir_make, temp_dir_remove);
}
