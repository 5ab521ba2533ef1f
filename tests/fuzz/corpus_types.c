// A program with types of every kind, and arguments that are everywhere.
#include "corpus.h"
#include "dwarf_constants.h"

#include <stdio.h>

// A type of that kind made of another; of void if that is NULL.
static void put(struct dwarf_builder *dw, uint16_t tag, const char *label, const char *of)
{
	dw_label(dw, label);
	dw_die_begin(dw, tag);
	if (of)
		dw_ref4(dw, DW_AT_type, of);
	dw_die_end(dw);
}

static void begin_named(struct dwarf_builder *dw, uint16_t tag, const char *name, uint8_t size)
{
	dw_label(dw, name);
	dw_die_begin(dw, tag);
	dw_string(dw, DW_AT_name, name);
	if (size > 0)
		dw_data1(dw, DW_AT_byte_size, size);
}

static void put_base(struct dwarf_builder *dw, const char *name, uint8_t encoding, uint8_t size)
{
	begin_named(dw, DW_TAG_base_type, name, size);
	dw_data1(dw, DW_AT_encoding, encoding);
	dw_die_end(dw);
}

static void put_array(struct dwarf_builder *dw, const char *label, const char *of, uint8_t bound)
{
	dw_label(dw, label);
	dw_die_begin(dw, DW_TAG_array_type);
	dw_ref4(dw, DW_AT_type, of);
	dw_die_begin(dw, DW_TAG_subrange_type);
	dw_data1(dw, DW_AT_upper_bound, bound);
	dw_die_end(dw);
	dw_die_begin(dw, DW_TAG_subrange_type);
	dw_data1(dw, DW_AT_count, 2);
	dw_die_end(dw);
	dw_die_end(dw);
}

static void put_vector(struct dwarf_builder *dw)
{
	dw_label(dw, "vector");
	dw_die_begin(dw, DW_TAG_array_type);
	dw_ref4(dw, DW_AT_type, "float");
	dw_flag(dw, DW_AT_GNU_vector, 1);
	dw_die_begin(dw, DW_TAG_subrange_type);
	dw_data1(dw, DW_AT_count, 4);
	dw_die_end(dw);
	dw_die_end(dw);
}

static void put_function(struct dwarf_builder *dw, const char *label, const char *result,
			 const char *argument)
{
	dw_label(dw, label);
	dw_die_begin(dw, DW_TAG_subroutine_type);
	dw_flag(dw, DW_AT_prototyped, 1);
	if (result)
		dw_ref4(dw, DW_AT_type, result);
	dw_die_begin(dw, DW_TAG_formal_parameter);
	dw_ref4(dw, DW_AT_type, argument);
	dw_flag(dw, DW_AT_artificial, 1);
	dw_die_end(dw);
	dw_die_begin(dw, DW_TAG_formal_parameter);
	dw_ref4(dw, DW_AT_type, "int");
	dw_die_end(dw);
	dw_die_begin(dw, DW_TAG_unspecified_parameters);
	dw_die_end(dw);
	dw_die_end(dw);
}

// Types in a namespace, in a class, in a function and without a name.
static void put_scopes(struct dwarf_builder *dw)
{
	begin_named(dw, DW_TAG_namespace, "ns", 0);
	begin_named(dw, DW_TAG_class_type, "Box<int>", 8);
	begin_named(dw, DW_TAG_enumeration_type, "Color", 4);
	dw_ref4(dw, DW_AT_type, "int");
	dw_flag_present(dw, DW_AT_enum_class);
	begin_named(dw, DW_TAG_enumerator, "RED", 0);
	dw_sdata(dw, DW_AT_const_value, -1);
	dw_die_end(dw);
	dw_die_end(dw);
	dw_die_end(dw);
	dw_die_begin(dw, DW_TAG_namespace);
	begin_named(dw, DW_TAG_structure_type, "hidden", 16);
	dw_die_end(dw);
	dw_die_end(dw);
	dw_die_end(dw);
	dw_label(dw, "unnamed");
	dw_die_begin(dw, DW_TAG_union_type);
	dw_data1(dw, DW_AT_byte_size, 8);
	dw_die_end(dw);
	begin_named(dw, DW_TAG_structure_type, "declared", 0);
	dw_flag(dw, DW_AT_declaration, 1);
	dw_die_end(dw);
}

static void put_member(struct dwarf_builder *dw, uint16_t tag, const char *name, const char *type,
		       uint8_t offset)
{
	dw_die_begin(dw, tag);
	if (name)
		dw_string(dw, DW_AT_name, name);
	dw_ref4(dw, DW_AT_type, type);
	dw_data1(dw, DW_AT_data_member_location, offset);
	dw_die_end(dw);
}

// A structure with members of every kind.
static void put_structure(struct dwarf_builder *dw)
{
	begin_named(dw, DW_TAG_union_type, "either", 4);
	put_member(dw, DW_TAG_member, "u", "int", 0);
	dw_die_end(dw);
	dw_label(dw, "row");
	dw_die_begin(dw, DW_TAG_array_type);
	dw_ref4(dw, DW_AT_type, "int");
	dw_die_begin(dw, DW_TAG_subrange_type);
	dw_data1(dw, DW_AT_count, 2);
	dw_die_end(dw);
	dw_die_end(dw);
	begin_named(dw, DW_TAG_structure_type, "node", 32);
	put_member(dw, DW_TAG_member, "n", "to node", 0);
	put_member(dw, DW_TAG_member, NULL, "either", 8);
	put_member(dw, DW_TAG_inheritance, NULL, "hidden", 12);
	put_member(dw, DW_TAG_member, "v", "row", 16);
	dw_die_begin(dw, DW_TAG_member);
	dw_string(dw, DW_AT_name, "b");
	dw_ref4(dw, DW_AT_type, "int");
	dw_data1(dw, DW_AT_bit_size, 3);
	dw_data1(dw, DW_AT_data_bit_offset, 200);
	dw_die_end(dw);
	dw_die_begin(dw, DW_TAG_member);
	dw_string(dw, DW_AT_name, "o");
	dw_ref4(dw, DW_AT_type, "int");
	dw_data1(dw, DW_AT_bit_size, 3);
	dw_data1(dw, DW_AT_bit_offset, 20);
	dw_expr(dw, DW_AT_data_member_location, DW_BYTES(DW_OP_plus_uconst, 28));
	dw_die_end(dw);
	dw_die_end(dw);
	put(dw, DW_TAG_pointer_type, "to node", "node");
}

static void put_types(struct dwarf_builder *dw, bool has_circle)
{
	put_base(dw, "int", DW_ATE_signed, 4);
	put_base(dw, "char", DW_ATE_signed_char, 1);
	put_base(dw, "float", DW_ATE_float, 4);
	put_scopes(dw);
	put_structure(dw);
	put(dw, DW_TAG_const_type, "const", "Box<int>");
	put(dw, DW_TAG_pointer_type, "this", "const");
	put(dw, DW_TAG_const_type, "const this", "this");
	put(dw, DW_TAG_volatile_type, "volatile", "int");
	put(dw, DW_TAG_restrict_type, "restrict", "this");
	put(dw, DW_TAG_pointer_type, "nothing", NULL);
	put(dw, DW_TAG_reference_type, "reference", "hidden");
	put(dw, DW_TAG_rvalue_reference_type, "rvalue", "Box<int>");
	put_array(dw, "array", "char", 15);
	put(dw, DW_TAG_pointer_type, "to array", "array");
	put_vector(dw);
	put_function(dw, "method", "to array", "this");
	put(dw, DW_TAG_pointer_type, "callback", "method");
	put_function(dw, "returns callback", "callback", "nothing");
	put(dw, DW_TAG_pointer_type, "to that", "returns callback");
	dw_label(dw, "member");
	dw_die_begin(dw, DW_TAG_ptr_to_member_type);
	dw_ref4(dw, DW_AT_type, "method");
	dw_ref4(dw, DW_AT_containing_type, "Box<int>");
	dw_die_end(dw);
	begin_named(dw, DW_TAG_typedef, "alias", 0);
	dw_ref4(dw, DW_AT_type, "to that");
	dw_die_end(dw);
	begin_named(dw, DW_TAG_pointer_type, "*const u8", 0);
	dw_ref4(dw, DW_AT_type, "char");
	dw_die_end(dw);
	// A type that is made of itself is a problem, after which less is promised.
	put(dw, DW_TAG_const_type, "circle", has_circle ? "circle" : "int");
}

static const char *const types[] = {
	"int",       "Color",  "hidden",  "unnamed", "declared", "const this", "volatile",
	"restrict",  "float",  "nothing", "rvalue",  "array",    "to that",    "member",
	"*const u8", "circle", "vector",  "node",    "to node",
};

enum { TYPES = sizeof(types) / sizeof(*types) };

// A function with a parameter of each type, labelled by its letter.
static void put_declared(struct dwarf_builder *dw)
{
	dw_label(dw, "function");
	dw_die_begin(dw, DW_TAG_subprogram);
	dw_string(dw, DW_AT_name, "f");
	dw_data1(dw, DW_AT_inline, DW_INL_inlined);
	for (char i = 0; i < TYPES; i++) {
		const char name[] = { (char)('a' + i), 0 };
		dw_label(dw, name);
		dw_die_begin(dw, DW_TAG_formal_parameter);
		dw_string(dw, DW_AT_name, name);
		dw_ref4(dw, DW_AT_type, types[(int)i]);
		dw_die_end(dw);
	}
	dw_die_begin(dw, DW_TAG_unspecified_parameters);
	dw_die_end(dw);
	dw_die_end(dw);
}

static void put_list(struct dwarf_builder *dw, uint16_t version)
{
	dw_loc_list_begin(dw, "list");
	if (version >= 5)
		dw_lle(dw, DW_LLE_start_end, 0x1010, 0x1018);
	else
		dw_range_addrs(dw, 0x1010, 0x1018);
	dw_loc_expr(dw, DW_BYTES(DW_OP_fbreg, 0x70));
	if (version >= 5)
		dw_lle(dw, DW_LLE_end_of_list, 0, 0);
	else
		dw_range_pair(dw, 0, 0);
	dw_loc_list_end(dw);
}

static void begin_argument(struct dwarf_builder *dw, const char *origin)
{
	dw_die_begin(dw, DW_TAG_formal_parameter);
	dw_ref4(dw, DW_AT_abstract_origin, origin);
}

static void put_argument(struct dwarf_builder *dw, const char *origin, const void *expression,
			 size_t size)
{
	begin_argument(dw, origin);
	dw_expr(dw, DW_AT_location, expression, size);
	dw_die_end(dw);
}

// Arguments in registers, in memory, in parts, constants, by entries, twice, of no function and
// in a pack.
static void put_arguments(struct dwarf_builder *dw)
{
	put_argument(dw, "c", DW_BYTES(DW_OP_reg0, DW_OP_piece, 4, DW_OP_piece, 4));
	put_argument(dw, "a", DW_BYTES(DW_OP_reg0 + 5));
	put_argument(dw, "e", DW_BYTES(DW_OP_breg0 + 4, 8, DW_OP_deref, DW_OP_stack_value));
	put_argument(dw, "k", DW_BYTES(DW_OP_call_frame_cfa, DW_OP_plus_uconst, 8));
	put_argument(dw, "i", DW_BYTES(DW_OP_implicit_value, 4, 0, 0, 0x80, 0x3f));
	begin_argument(dw, "b");
	dw_sdata(dw, DW_AT_const_value, -1);
	dw_die_end(dw);
	begin_argument(dw, "l");
	dw_block(dw, DW_AT_const_value, DW_FORM_block1, DW_BYTES(1, 2, 3, 4));
	dw_die_end(dw);
	begin_argument(dw, "j");
	dw_sec_offset(dw, DW_AT_location, "list");
	dw_die_end(dw);
	begin_argument(dw, "a");
	dw_die_end(dw);
	dw_die_begin(dw, DW_TAG_formal_parameter);
	dw_ref4(dw, DW_AT_type, "alias");
	dw_die_end(dw);
	dw_die_begin(dw, DW_TAG_GNU_formal_parameter_pack);
	put_argument(dw, "f", DW_BYTES(DW_OP_lit0 + 1, DW_OP_stack_value));
	dw_die_end(dw);
}

struct dwarf_builder *corpus_types(struct dwarf_format format, uint16_t language)
{
	struct dwarf_builder *dw = dwarf_builder_new(format);

	put_list(dw, format.version);
	dw_unit_begin(dw, DW_UT_compile);
	dw_die_begin(dw, DW_TAG_compile_unit);
	dw_string(dw, DW_AT_name, "a.cc");
	dw_data2(dw, DW_AT_language, language);
	dw_low_high(dw, 0x1000, 0x1100);
	put_types(dw, format.version == 3);
	put_declared(dw);
	dw_die_begin(dw, DW_TAG_subprogram);
	dw_string(dw, DW_AT_name, "main");
	dw_low_high(dw, 0x1000, 0x1100);
	dw_expr(dw, DW_AT_frame_base, DW_BYTES(DW_OP_call_frame_cfa));
	dw_die_begin(dw, DW_TAG_formal_parameter);
	dw_string(dw, DW_AT_name, "argc");
	dw_ref4(dw, DW_AT_type, "int");
	dw_die_end(dw);
	dw_die_begin(dw, DW_TAG_inlined_subroutine);
	dw_ref4(dw, DW_AT_abstract_origin, "function");
	dw_low_high(dw, 0x1010, 0x1020);
	put_arguments(dw);
	dw_die_end(dw);
	dw_die_end(dw);
	dw_die_end(dw);
	dw_unit_end(dw);
	return dw;
}

void corpus_write_types(const struct corpus *corpus)
{
	static const struct dwarf_format formats[] = {
		{ 3, 4, 4, false, DWARF_RELOCS_NONE },
		{ 4, 4, 8, true, DWARF_RELOCS_NONE },
		{ 5, 4, 8, false, DWARF_RELOCS_NONE },
		{ 5, 8, 8, false, DWARF_RELOCS_NONE },
	};
	static const uint16_t languages[] = { DW_LANG_C99, DW_LANG_C_plus_plus_14, DW_LANG_Rust };
	char name[32];

	for (size_t i = 0; i < sizeof(formats) / sizeof(*formats); i++)
		for (size_t j = 0; j < sizeof(languages) / sizeof(*languages); j++) {
			snprintf(name, sizeof(name), "types-%zu-%zu", i, j);
			corpus_put_dwarf(corpus, "fuzz_types", name, formats[i].big_endian,
					 corpus_types(formats[i], languages[j]));
		}
}
