#include "types/types.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "dwarf/units/constants.h"

static bool spell_reference(struct ic_types *types, struct ic_die_place place,
			    const struct ic_value *type, unsigned depth, struct ic_type_text *text);

// ---- Types composed of others

static bool spell_pointer(struct ic_types *types, const struct ic_type_die *of, const char *sign,
			  struct ic_type_text *text)
{
	struct ic_type_text to;

	text->ends_in_pointer = true;
	bool ok = spell_reference(types, of->place, &of->die.attrs.type, of->depth + 1, &to);
	if (to.has_size) {
		text->item_size = to.size;
		text->item_encoding = to.encoding;
		text->item_is_signed = to.is_signed;
	}
	if (!ok)
		return false;
	const char *between = to.is_outer ? " (" : ic_type_is_closed(to.prefix) ? "" : " ";
	if (to.is_outer && ic_type_is_closed(to.prefix))
		between = "(";
	return ic_type_join(types, of, &text->prefix, to.prefix, between, sign) &&
	       ic_type_join(types, of, &text->suffix, to.is_outer ? ")" : "", to.suffix, "");
}

static bool spell_qualified(struct ic_types *types, const struct ic_type_die *of,
			    const char *qualifier, struct ic_type_text *text)
{
	struct ic_type_text inner;

	if (!spell_reference(types, of->place, &of->die.attrs.type, of->depth + 1, &inner)) {
		text->has_size = inner.has_size;
		text->size = inner.size;
		return false;
	}
	struct ic_type_text known = *text;
	*text = inner;
	if (known.has_size) {
		text->has_size = true;
		text->size = known.size;
	}
	if (qualifier[0] == '\0')
		return true;
	if (inner.ends_in_pointer)
		return ic_type_join(types, of, &text->prefix, inner.prefix,
				    ic_type_is_closed(inner.prefix) ? "" : " ", qualifier);
	return ic_type_join(types, of, &text->prefix, qualifier, " ", inner.prefix);
}

// The number of elements of a dimension; false if it is only known at run time.
static bool count_of(const struct ic_full_die_attrs *attrs, uint64_t *count)
{
	uint64_t lower = 0, upper;

	if (ic_full_die_constant(&attrs->count, count))
		return true;
	if (!ic_full_die_constant(&attrs->upper, &upper))
		return false;
	if (ic_value_is_given(&attrs->lower) && !ic_full_die_constant(&attrs->lower, &lower))
		return false;
	*count = upper - lower + 1; // 0 if the upper bound is -1
	return true;
}

// Appends the dimensions of an array, and multiplies the size by each. Returns their number, or a
// larger one if the items are not contiguous.
static unsigned put_dimensions(struct ic_types *types, const struct ic_type_die *of,
			       struct ic_type_text *text)
{
	struct ic_die_place place = of->place;
	struct ic_full_die die = of->die;
	char number[32];
	unsigned dimensions = ic_value_is_given(&of->die.attrs.stride);
	uint64_t count;
	int depth = 0;

	while (types->scratch.count <= 2 * IC_TYPES_LONGEST &&
	       ic_full_die_below(types->dies, &place, &die, &depth)) {
		if (depth != 1 ||
		    (die.die.tag != DW_TAG_subrange_type && die.die.tag != DW_TAG_enumeration_type))
			continue;
		bool is_known = count_of(&die.attrs, &count);
		text->has_size = text->has_size && is_known &&
				 !__builtin_mul_overflow(text->size, count, &text->size);
		snprintf(number, sizeof(number), "[%" PRIu64 "]", is_known ? count : 0);
		ic_type_put(types, is_known ? number : "[]");
		dimensions += ic_value_is_given(&die.attrs.stride) ? 2 : 1;
	}
	return dimensions;
}

// GNU C's vectors are arrays that behave as values.
static bool spell_vector(struct ic_types *types, const struct ic_type_die *of,
			 const struct ic_type_text *element, struct ic_type_text *text)
{
	char attribute[64];

	snprintf(attribute, sizeof(attribute), " __attribute__((vector_size(%" PRIu64 ")))",
		 text->has_size ? text->size : 0);
	text->encoding = IC_TYPE_VECTOR;
	text->suffix = element->suffix;
	return ic_type_join(types, of, &text->prefix, element->prefix, attribute, "");
}

static bool spell_array(struct ic_types *types, const struct ic_type_die *of,
			struct ic_type_text *text)
{
	struct ic_type_text element, own = *text;
	uint32_t mark = types->scratch.count;

	bool ok = spell_reference(types, of->place, &of->die.attrs.type, of->depth + 1, &element);
	if (!text->has_size) {
		text->size = element.size;
		text->has_size = element.has_size;
	}
	if (put_dimensions(types, of, text) == 1 && element.has_size) {
		text->item_size = element.size;
		text->item_encoding = element.encoding;
		text->item_is_signed = element.is_signed;
	}
	if (own.has_size) {
		text->size = own.size;
		text->has_size = true;
	}
	if (!ok || ic_value_constant(&of->die.attrs.is_vector) != 0) {
		types->scratch.count = mark;
		return ok && spell_vector(types, of, &element, text);
	}
	ic_type_put(types, element.suffix);
	text->prefix = element.prefix;
	text->ends_in_pointer = element.ends_in_pointer;
	text->is_outer = true;
	return ic_type_take(types, of, mark, &text->suffix);
}

struct arguments { // for a function type
	uint32_t count;
	const char *qualifier; // of the object, for a member function
};

static bool put_argument(struct ic_types *types, const struct ic_type_die *of,
			 struct ic_die_place place, const struct ic_full_die *die,
			 struct arguments *arguments)
{
	struct ic_type_text type;

	if (die->die.tag == DW_TAG_unspecified_parameters) {
		ic_type_put(types, arguments->count++ > 0 ? ", ..." : "...");
		return true;
	}
	if (die->die.tag != DW_TAG_formal_parameter)
		return true;
	if (!spell_reference(types, place, &die->attrs.type, of->depth + 1, &type))
		return false;
	if (ic_value_constant(&die->attrs.artificial) != 0) { // `this`: a pointer to the object
		if (strncmp(type.prefix, "const volatile ", 15) == 0)
			arguments->qualifier = " const volatile";
		else if (strncmp(type.prefix, "const ", 6) == 0)
			arguments->qualifier = " const";
		else if (strncmp(type.prefix, "volatile ", 9) == 0)
			arguments->qualifier = " volatile";
		return true;
	}
	if (arguments->count++ > 0)
		ic_type_put(types, ", ");
	ic_type_put(types, type.prefix);
	if (type.suffix[0] == '(' && !ic_type_is_closed(type.prefix))
		ic_type_put(types, " ");
	ic_type_put(types, type.suffix);
	return true;
}

static bool put_arguments(struct ic_types *types, const struct ic_type_die *of)
{
	struct arguments arguments = { .qualifier = "" };
	struct ic_die_place place = of->place;
	struct ic_full_die die = of->die;
	uint32_t mark = types->scratch.count;
	int depth = 0;

	ic_type_put(types, "(");
	while (ic_full_die_below(types->dies, &place, &die, &depth)) {
		if (depth == 1 && !put_argument(types, of, place, &die, &arguments))
			return false;
		if (types->scratch.count - mark > IC_TYPES_LONGEST)
			return true; // ic_type_take() will fail
	}
	if (arguments.count == 0 && ic_types_spelling(types) == IC_TYPE_SPELLING_C &&
	    ic_value_constant(&of->die.attrs.prototyped) != 0)
		ic_type_put(types, "void");
	ic_type_put(types, ")");
	ic_type_put(types, arguments.qualifier);
	return true;
}

static bool spell_function(struct ic_types *types, const struct ic_type_die *of,
			   struct ic_type_text *text)
{
	uint32_t mark = types->scratch.count;
	struct ic_type_text result;

	text->is_outer = true;
	if (!spell_reference(types, of->place, &of->die.attrs.type, of->depth + 1, &result))
		return false;
	text->prefix = result.prefix;
	text->ends_in_pointer = result.ends_in_pointer;
	if (!put_arguments(types, of)) {
		types->scratch.count = mark;
		return false;
	}
	ic_type_put(types, result.suffix);
	return ic_type_take(types, of, mark, &text->suffix);
}

// A pointer to a data member is an offset, one to a member function two words.
static bool spell_member_pointer(struct ic_types *types, const struct ic_type_die *of,
				 struct ic_type_text *text)
{
	struct ic_type_text class, member;
	const char *sign;

	bool ok = spell_reference(types, of->place, &of->die.attrs.containing_type, of->depth + 1,
				  &class);
	ok &= spell_reference(types, of->place, &of->die.attrs.type, of->depth + 1, &member);
	text->has_size = true;
	if (text->size == 0)
		text->size =
			(member.encoding == IC_TYPE_FUNCTION ? 2u : 1u) * of->place.unit->addr_size;
	if (!ok || !ic_type_join(types, of, &sign, class.prefix, "::*", ""))
		return false;
	const char *between = !member.is_outer                   ? " "
			      : ic_type_is_closed(member.prefix) ? "("
								 : " (";
	text->ends_in_pointer = true;
	return ic_type_join(types, of, &text->prefix, member.prefix, between, sign) &&
	       ic_type_join(types, of, &text->suffix, member.is_outer ? ")" : "", member.suffix,
			    "");
}

// ---- A DIE

static void set_base(const struct ic_type_die *of, struct ic_type_text *text)
{
	uint64_t encoding = ic_value_constant(&of->die.attrs.encoding);

	switch (encoding) {
	case DW_ATE_address: text->encoding = IC_TYPE_POINTER; break;
	case DW_ATE_boolean: text->encoding = IC_TYPE_BOOLEAN; break;
	case DW_ATE_complex_float:
	case DW_ATE_imaginary_float: text->encoding = IC_TYPE_COMPLEX; break;
	case DW_ATE_float: text->encoding = IC_TYPE_FLOAT; break;
	case DW_ATE_signed:
	case DW_ATE_unsigned: text->encoding = IC_TYPE_INTEGER; break;
	case DW_ATE_signed_char:
	case DW_ATE_unsigned_char:
	case DW_ATE_UTF:
	case DW_ATE_UCS:
	case DW_ATE_ASCII: text->encoding = IC_TYPE_CHARACTER; break;
	default: text->encoding = IC_TYPE_OTHER; break;
	}
	text->is_signed = encoding == DW_ATE_signed || encoding == DW_ATE_signed_char ||
			  encoding == DW_ATE_signed_fixed;
}

// The definition of a type in a type unit, with its size; the DIE itself if it has the size.
static struct ic_type_die definition_of(struct ic_types *types, const struct ic_type_die *of,
					struct ic_type_text *text)
{
	struct ic_type_die defined = *of;

	if (text->has_size || !ic_value_is_given(&of->die.attrs.signature) ||
	    !ic_full_die_follow(types->dies, &of->die.attrs.signature, &defined.place) ||
	    !ic_full_die_open(types->dies, defined.place, &defined.die))
		return *of;
	text->has_size = ic_full_die_constant(&defined.die.attrs.byte_size, &text->size);
	return defined;
}

// An enumeration has an encoding, or a type that has one (DWARF 5, 5.7).
static void set_enumeration(struct ic_types *types, const struct ic_type_die *of,
			    struct ic_type_text *text)
{
	const struct ic_type_die defined = definition_of(types, of, text);
	const struct ic_full_die_attrs *attrs = &defined.die.attrs;
	struct ic_type_text underlying;

	text->encoding = IC_TYPE_ENUMERATION;
	if (ic_value_is_given(&attrs->encoding)) {
		uint64_t encoding = ic_value_constant(&attrs->encoding);
		text->is_signed = encoding == DW_ATE_signed || encoding == DW_ATE_signed_char;
	} else if (ic_value_is_given(&attrs->type) &&
		   spell_reference(types, defined.place, &attrs->type, of->depth + 1,
				   &underlying)) {
		text->is_signed = underlying.is_signed;
	}
}

static void set_class(struct ic_types *types, const struct ic_type_die *of,
		      struct ic_type_text *text)
{
	text->encoding = IC_TYPE_STRUCTURE;
	(void)definition_of(types, of, text);
}

// A name for the type that its DIE refers to, which has the size and encoding.
static bool spell_alias(struct ic_types *types, const struct ic_type_die *of,
			struct ic_type_text *text)
{
	struct ic_type_text inner;

	(void)spell_reference(types, of->place, &of->die.attrs.type, of->depth + 1, &inner);
	text->encoding = inner.encoding;
	text->is_signed = inner.is_signed;
	text->item_size = inner.item_size;
	text->item_encoding = inner.item_encoding;
	text->item_is_signed = inner.item_is_signed;
	if (!text->has_size) {
		text->has_size = inner.has_size;
		text->size = inner.size;
	}
	return ic_type_spell_named(types, of, text);
}

static bool spell_plain(struct ic_types *types, const struct ic_type_die *of,
			struct ic_type_text *text)
{
	switch (of->die.die.tag) {
	case DW_TAG_typedef:
	case DW_TAG_template_alias: return spell_alias(types, of, text);
	case DW_TAG_subrange_type:
		return ic_value_is_given(&of->die.attrs.name)
			       ? spell_alias(types, of, text)
			       : spell_qualified(types, of, "", text);
	case DW_TAG_base_type: set_base(of, text); break;
	case DW_TAG_enumeration_type: set_enumeration(types, of, text); break;
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
	case DW_TAG_interface_type:
	case DW_TAG_union_type: set_class(types, of, text); break;
	default: text->encoding = IC_TYPE_OTHER; break;
	}
	return ic_type_spell_named(types, of, text);
}

static bool spell_die(struct ic_types *types, const struct ic_type_die *of,
		      struct ic_type_text *text)
{
	bool has_name = ic_value_is_given(&of->die.attrs.name);

	switch (of->die.die.tag) {
	case DW_TAG_pointer_type:
	case DW_TAG_reference_type:
	case DW_TAG_rvalue_reference_type:
		text->encoding = of->die.die.tag == DW_TAG_pointer_type ? IC_TYPE_POINTER
									: IC_TYPE_REFERENCE;
		text->size = text->has_size ? text->size : of->place.unit->addr_size;
		text->has_size = true;
		if (has_name) // for Rust and Go
			return ic_type_spell_named(types, of, text);
		return spell_pointer(types, of,
				     of->die.die.tag == DW_TAG_pointer_type     ? "*"
				     : of->die.die.tag == DW_TAG_reference_type ? "&"
										: "&&",
				     text);
	case DW_TAG_ptr_to_member_type:
		text->encoding = IC_TYPE_MEMBER_POINTER;
		return spell_member_pointer(types, of, text);
	case DW_TAG_const_type: return spell_qualified(types, of, "const", text);
	case DW_TAG_volatile_type: return spell_qualified(types, of, "volatile", text);
	case DW_TAG_restrict_type: return spell_qualified(types, of, "restrict", text);
	case DW_TAG_atomic_type: return spell_qualified(types, of, "_Atomic", text);
	case DW_TAG_packed_type:
	case DW_TAG_shared_type:
	case DW_TAG_immutable_type:
	case DW_TAG_LLVM_ptrauth_type: return spell_qualified(types, of, "", text);
	case DW_TAG_array_type:
		text->encoding = IC_TYPE_ARRAY;
		return spell_array(types, of, text) &&
		       (!has_name || ic_type_spell_named(types, of, text));
	case DW_TAG_subroutine_type:
		text->encoding = IC_TYPE_FUNCTION;
		return has_name ? ic_type_spell_named(types, of, text)
				: spell_function(types, of, text);
	}
	return spell_plain(types, of, text);
}

static bool spell_type(struct ic_types *types, const struct ic_type_die *of,
		       struct ic_type_text *text)
{
	text->has_size = ic_full_die_constant(&of->die.attrs.byte_size, &text->size);
	bool ok = spell_die(types, of, text);
	if (!ok)
		text->prefix = text->suffix = NULL;
	return ok;
}

static bool spell_reference(struct ic_types *types, struct ic_die_place place,
			    const struct ic_value *type, unsigned depth, struct ic_type_text *text)
{
	struct ic_type_die of = { .depth = depth };

	*text = (struct ic_type_text){ .prefix = "void", .suffix = "", .encoding = IC_TYPE_VOID };
	if (!ic_value_is_given(type))
		return true;
	*text = (struct ic_type_text){ .encoding = IC_TYPE_UNKNOWN };
	if (!ic_full_die_follow(types->dies, type, &place))
		return false;
	if (depth == IC_DIE_MOST_LINKS)
		return ic_type_fail(types, place, "type is nested too deeply");
	uint64_t key = ic_unit_global_off(place.unit, place.off) * IC_TYPE_SPELLING_COUNT +
		       ic_types_spelling(types);
	uint32_t *slot = ic_map_at(&types->by_die, key), number = slot ? *slot : 0;
	if (slot && number != IC_NONE) {
		*text = types->list.items[number];
		return text->is_open
			       ? ic_type_fail(types, place, "type is defined in terms of itself")
			       : text->prefix != NULL;
	}
	struct ic_type_text *item = slot ? IC_ARRAY_PUSH(&types->list) : NULL;
	if (!item) {
		types->dies->reader->out_of_memory = true;
		return false;
	}
	*slot = number = types->list.count - 1;
	*item = (struct ic_type_text){ .is_open = true };
	of.place = place;
	bool ok = ic_full_die_open(types->dies, place, &of.die) && spell_type(types, &of, text);
	types->list.items[number] = *text;
	return ok;
}

struct ic_type_text ic_type_of(struct ic_types *types, struct ic_die_place place,
			       const struct ic_value *type)
{
	struct ic_type_text text;

	(void)spell_reference(types, place, type, 0, &text);
	return text;
}

const char *ic_type_whole(struct ic_types *types, const struct ic_type_text *text)
{
	uint32_t mark = types->scratch.count;

	if (!text->prefix || text->suffix[0] == '\0')
		return text->prefix;
	ic_type_put(types, text->prefix);
	if (text->suffix[0] == '(' && !ic_type_is_closed(text->prefix))
		ic_type_put(types, " ");
	ic_type_put(types, text->suffix);
	return ic_type_keep(types, mark);
}

void ic_types_forget(struct ic_types *types)
{
	ic_map_clear(&types->by_die);
	types->list.count = 0;
}

void ic_types_free(struct ic_types *types)
{
	ic_map_free(&types->by_die);
	IC_ARRAY_FREE(&types->list);
	IC_ARRAY_FREE(&types->scratch);
	ic_type_scopes_free(&types->scopes);
}
