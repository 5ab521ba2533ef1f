#include "encode/type_adder.h"

#include "dwarf/units/constants.h"

enum {
	DEEPEST = 64, // nesting of types
	MOST_PARAMETERS = 255,
	MOST_DIMENSIONS = 16,
	MANY_TYPES = 1 << 12, // more do not fit in the processor's caches
};

#define UNKNOWN (IC_NONE - 1) // in the map: BTF cannot express the type
#define OPEN    (IC_NONE - 2) // it is being read

enum { // of INT
	INT_SIGNED = 1,
	INT_CHAR = 2,
	INT_BOOL = 4,
};

struct type_die {
	struct ic_die_place place;
	struct ic_full_die die;
	unsigned depth;
};

static bool add_type(struct ic_type_adder *adder, struct ic_die_place place,
		     const struct ic_value *type, unsigned depth, uint32_t *id);

static bool put_type(struct ic_type_adder *adder, const struct ic_btf_new_type *type, uint32_t *id)
{
	*id = ic_btf_more_add(&adder->more, type);
	adder->is_out_of_memory |= *id == IC_NONE;
	return *id != IC_NONE;
}

static const char *name_of(struct ic_type_adder *adder, const struct type_die *of)
{
	return ic_full_die_text(adder->formals->types.dies, of->place, &of->die.attrs.name);
}

static bool size_of(const struct type_die *of, uint32_t *size)
{
	uint64_t number = 0;

	if (!ic_full_die_constant(&of->die.attrs.byte_size, &number) || number > UINT32_MAX)
		return false;
	*size = (uint32_t)number;
	return true;
}

// A type derived from another: a pointer, a qualifier.
static bool add_reference(struct ic_type_adder *adder, const struct type_die *of,
			  enum ic_btf_kind kind, uint32_t *id)
{
	struct ic_btf_new_type type = { .kind = kind };

	return add_type(adder, of->place, &of->die.attrs.type, of->depth + 1, &type.size) &&
	       put_type(adder, &type, id);
}

static bool add_base(struct ic_type_adder *adder, const struct type_die *of, uint32_t *id)
{
	struct ic_btf_new_type type = { .kind = IC_BTF_INT, .name = name_of(adder, of) };
	uint32_t flags = 0, word;

	if (!type.name || !size_of(of, &type.size))
		return false;
	switch (ic_value_constant(&of->die.attrs.encoding)) {
	case DW_ATE_boolean: flags = INT_BOOL; break;
	case DW_ATE_signed: flags = INT_SIGNED; break;
	case DW_ATE_signed_char: flags = INT_SIGNED | INT_CHAR; break;
	case DW_ATE_unsigned_char:
	case DW_ATE_UTF: flags = INT_CHAR; break;
	case DW_ATE_unsigned: break;
	case DW_ATE_float:
	case DW_ATE_complex_float: type.kind = IC_BTF_FLOAT; break;
	default: return false;
	}
	if (type.size == 0 || type.size > 16)
		return false;
	*id = ic_btf_more_named(&adder->more, type.kind, type.name, type.size);
	if (*id != 0)
		return true;
	word = flags << 24 | 8 * type.size;
	if (type.kind == IC_BTF_INT) {
		type.words = &word;
		type.word_count = 1;
	}
	return put_type(adder, &type, id);
}

// An existing type is used if it is the only one of that name and size. Otherwise the type is
// declared; a type without a name gets its size, but no contents.
static bool add_named(struct ic_type_adder *adder, const struct type_die *of, enum ic_btf_kind kind,
		      uint32_t *id)
{
	struct ic_btf_new_type type = { .kind = kind, .name = name_of(adder, of) };
	bool has_size = size_of(of, &type.size);

	*id = type.name && has_size ? ic_btf_more_named(&adder->more, kind, type.name, type.size)
				    : 0;
	if (*id != 0)
		return true;
	if (kind != IC_BTF_ENUM && type.name) {
		type.kind = IC_BTF_FWD;
		type.flag = kind == IC_BTF_UNION;
		type.size = 0;
	} else if (kind == IC_BTF_ENUM && type.size == 0) {
		type.size = 4;
	}
	return put_type(adder, &type, id);
}

static bool add_typedef(struct ic_type_adder *adder, const struct type_die *of, uint32_t *id)
{
	struct ic_dies *dies = adder->formals->types.dies;
	struct ic_btf_new_type type = { .kind = IC_BTF_TYPEDEF, .name = name_of(adder, of) };
	struct ic_die_place place = of->place;
	struct ic_full_die target;
	uint64_t size = 0;
	bool is_signed;

	if (!type.name)
		return false;
	// For an alias of an unnamed type, an existing alias is used if it is the only one of that
	// name and size.
	if (ic_value_is_given(&of->die.attrs.type) &&
	    ic_full_die_follow(dies, &of->die.attrs.type, &place) &&
	    ic_full_die_open(dies, place, &target) && !ic_value_is_given(&target.attrs.name) &&
	    ic_full_die_constant(&target.attrs.byte_size, &size)) {
		*id = ic_btf_more_named(&adder->more, IC_BTF_TYPEDEF, type.name, 0);
		if (*id != 0 && *id < ic_btf_count(adder->more.types) &&
		    ic_btf_type_size(adder->more.types, *id, &is_signed) == size)
			return true;
	}
	return add_type(adder, of->place, &of->die.attrs.type, of->depth + 1, &type.size) &&
	       put_type(adder, &type, id);
}

// The index type: that of another array, or like the one that pahole adds.
static bool add_index_type(struct ic_type_adder *adder, uint32_t *id)
{
	uint32_t word = 32;
	const struct ic_btf_new_type type = { .kind = IC_BTF_INT,
					      .name = "__ARRAY_SIZE_TYPE__",
					      .size = 4,
					      .words = &word,
					      .word_count = 1 };

	*id = ic_btf_more_named(&adder->more, IC_BTF_INT, type.name, type.size);
	return *id != 0 || put_type(adder, &type, id);
}

// The number of elements; 0 if unknown.
static uint32_t count_of(const struct ic_full_die_attrs *attrs)
{
	uint64_t count = 0, upper;

	if (!ic_full_die_constant(&attrs->count, &count) &&
	    ic_full_die_constant(&attrs->upper, &upper))
		count = upper + 1;
	return count <= UINT32_MAX ? (uint32_t)count : 0;
}

static bool add_array(struct ic_type_adder *adder, const struct type_die *of, uint32_t *id)
{
	struct ic_die_place place = of->place;
	uint32_t counts[MOST_DIMENSIONS], count = 0, index;
	struct ic_full_die die = of->die;
	int depth = 0;

	while (ic_full_die_below(adder->formals->types.dies, &place, &die, &depth)) {
		if (depth != 1 || die.die.tag != DW_TAG_subrange_type)
			continue;
		if (count == MOST_DIMENSIONS)
			return false;
		counts[count++] = count_of(&die.attrs);
	}
	if (count == 0 || !add_index_type(adder, &index) ||
	    !add_type(adder, of->place, &of->die.attrs.type, of->depth + 1, id))
		return false;
	while (count > 0) {
		const uint32_t words[] = { *id, index, counts[--count] };
		const struct ic_btf_new_type type = { .kind = IC_BTF_ARRAY,
						      .words = words,
						      .word_count = 3 };
		if (!put_type(adder, &type, id))
			return false;
	}
	return true;
}

static bool add_prototype(struct ic_type_adder *adder, const struct type_die *of, uint32_t *id)
{
	uint32_t words[2 * MOST_PARAMETERS] = { 0 };
	struct ic_btf_new_type type = { .kind = IC_BTF_FUNC_PROTO, .words = words };
	struct ic_die_place place = of->place;
	struct ic_full_die die = of->die;
	int depth = 0;

	if (!add_type(adder, of->place, &of->die.attrs.type, of->depth + 1, &type.size))
		return false;
	while (ic_full_die_below(adder->formals->types.dies, &place, &die, &depth)) {
		bool is_rest = die.die.tag == DW_TAG_unspecified_parameters;
		if (depth != 1 || (die.die.tag != DW_TAG_formal_parameter && !is_rest))
			continue;
		uint32_t *word = &words[type.word_count + 1];
		if (type.word_count == 2 * MOST_PARAMETERS)
			return false;
		if (!is_rest && !add_type(adder, place, &die.attrs.type, of->depth + 1, word))
			return false;
		type.word_count += 2;
	}
	return put_type(adder, &type, id);
}

static bool add_die(struct ic_type_adder *adder, const struct type_die *of, uint32_t *id)
{
	switch (of->die.die.tag) {
	case DW_TAG_base_type: return add_base(adder, of, id);
	case DW_TAG_pointer_type:
	case DW_TAG_reference_type:
	case DW_TAG_rvalue_reference_type: return add_reference(adder, of, IC_BTF_PTR, id);
	case DW_TAG_const_type: return add_reference(adder, of, IC_BTF_CONST, id);
	case DW_TAG_volatile_type: return add_reference(adder, of, IC_BTF_VOLATILE, id);
	case DW_TAG_restrict_type: return add_reference(adder, of, IC_BTF_RESTRICT, id);
	case DW_TAG_typedef: return add_typedef(adder, of, id);
	case DW_TAG_class_type:
	case DW_TAG_structure_type: return add_named(adder, of, IC_BTF_STRUCT, id);
	case DW_TAG_union_type: return add_named(adder, of, IC_BTF_UNION, id);
	case DW_TAG_enumeration_type: return add_named(adder, of, IC_BTF_ENUM, id);
	case DW_TAG_array_type: return add_array(adder, of, id);
	case DW_TAG_subroutine_type: return add_prototype(adder, of, id);
	default: return false;
	}
}

// No type means void.
static bool add_type(struct ic_type_adder *adder, struct ic_die_place place,
		     const struct ic_value *type, unsigned depth, uint32_t *id)
{
	struct ic_dies *dies = adder->formals->types.dies;
	struct type_die of = { .place = place, .depth = depth };

	*id = 0;
	if (!ic_value_is_given(type))
		return true;
	if (depth > DEEPEST || !ic_full_die_follow(dies, type, &of.place))
		return false;
	uint64_t off = ic_unit_global_off(of.place.unit, of.place.off);
	uint32_t *known = ic_map_at(&adder->by_die, off);
	if (!known) {
		adder->is_out_of_memory = true;
		return false;
	}
	if (*known != IC_NONE) {
		*id = *known;
		return *known < OPEN;
	}
	*known = OPEN;
	bool ok = ic_full_die_open(dies, of.place, &of.die) && add_die(adder, &of, id);
	known = ic_map_at(&adder->by_die, off); // others were added meanwhile
	if (known)
		*known = ok ? *id : UNKNOWN;
	return ok;
}

// Adds the result type of the function at a DIE, or of one that it refers to.
static bool add_result(struct ic_type_adder *adder, struct ic_die_place place, uint32_t *id)
{
	struct ic_dies *dies = adder->formals->types.dies;
	struct ic_full_die die;

	*id = 0;
	for (unsigned i = 0; i < IC_DIE_MOST_LINKS && ic_full_die_open(dies, place, &die); i++) {
		if (ic_value_is_given(&die.attrs.type))
			return add_type(adder, place, &die.attrs.type, 0, id);
		const struct ic_value *next = ic_value_is_given(&die.attrs.origin)
						      ? &die.attrs.origin
						      : &die.attrs.specification;
		if (!ic_value_is_given(next))
			return true;
		if (!ic_full_die_follow(dies, next, &place))
			return false;
	}
	return false;
}

bool ic_type_adder_add(struct ic_type_adder *adder, uint64_t function_off, const char *name,
		       uint32_t *id)
{
	const struct ic_signature *found = ic_formals_of(adder->formals, function_off);
	uint32_t words[2 * MOST_PARAMETERS]; // only the used items are set
	const char *names[MOST_PARAMETERS];
	struct ic_btf_new_type type = { .kind = IC_BTF_FUNC_PROTO, .words = words, .names = names };
	struct ic_btf_new_type function = { .kind = IC_BTF_FUNC, .name = name };
	struct ic_die_place place;

	if (!found || !ic_full_die_place_at(adder->formals->types.dies->reader->context,
					    function_off, &place)) {
		adder->is_out_of_memory |= !found;
		return false;
	}
	const struct ic_signature signature = *found;
	if (!signature.is_described || signature.count + signature.is_variadic > MOST_PARAMETERS ||
	    !add_result(adder, place, &type.size))
		return false;
	for (uint32_t i = 0; i < signature.count; i++) {
		const struct ic_formal *formal = &adder->formals->list.items[signature.first + i];
		names[i] = formal->name;
		words[2 * i] = 0; // no name
		if (!formal->knows_type ||
		    !add_type(adder, formal->type_place, &formal->type_value, 0, &words[2 * i + 1]))
			return false;
	}
	if (signature.is_variadic) {
		names[signature.count] = NULL;
		words[2 * signature.count] = words[2 * signature.count + 1] = 0;
	}
	type.word_count = 2 * (signature.count + signature.is_variadic);
	return put_type(adder, &type, &function.size) && put_type(adder, &function, id);
}

void ic_type_adder_forget(struct ic_type_adder *adder)
{
	if (adder->by_die.count > MANY_TYPES)
		ic_map_clear(&adder->by_die);
}

void ic_type_adder_free(struct ic_type_adder *adder)
{
	ic_btf_more_free(&adder->more);
	ic_map_free(&adder->by_die);
}
