#include "types/type_names.h"

#include <string.h>

#include "dwarf/units/constants.h"

enum ic_type_spelling ic_types_spelling(const struct ic_types *types)
{
	switch (types->language) {
	case DW_LANG_C89:
	case DW_LANG_C:
	case DW_LANG_C99:
	case DW_LANG_C11:
	case DW_LANG_C17:
	case DW_LANG_C23:
	case DW_LANG_ObjC:
	case DW_LANG_UPC:
	case DW_LANG_OpenCL:
	case DW_LANG_Mips_Assembler: return IC_TYPE_SPELLING_C;
	case DW_LANG_C_plus_plus:
	case DW_LANG_C_plus_plus_03:
	case DW_LANG_C_plus_plus_11:
	case DW_LANG_C_plus_plus_14:
	case DW_LANG_C_plus_plus_17:
	case DW_LANG_C_plus_plus_20:
	case DW_LANG_C_plus_plus_23:
	case DW_LANG_CPP_for_OpenCL:
	case DW_LANG_HIP:
	case DW_LANG_ObjC_plus_plus: return IC_TYPE_SPELLING_CPP;
	}
	return IC_TYPE_SPELLING_OTHER;
}

// ---- Text

void ic_type_put(struct ic_types *types, const char *text)
{
	size_t length = strlen(text);
	uint32_t count = types->scratch.count;

	// Longer texts than a type may have are truncated, and detected later.
	if (length > IC_TYPES_LONGEST + 1)
		length = IC_TYPES_LONGEST + 1;
	if (length == 0)
		return;
	if (!IC_ARRAY_RESERVE(&types->scratch, count + length)) {
		types->dies->reader->out_of_memory = true;
		return;
	}
	memcpy(types->scratch.items + count, text, length);
	types->scratch.count += (uint32_t)length;
}

const char *ic_type_keep(struct ic_types *types, uint32_t mark)
{
	uint32_t length = types->scratch.count - mark;
	char *text = ic_arena_alloc(types->arena, length + 1ull);

	types->scratch.count = mark;
	if (!text) {
		types->dies->reader->out_of_memory = true;
		return NULL;
	}
	if (length > 0)
		memcpy(text, types->scratch.items + mark, length);
	text[length] = '\0';
	return text;
}

bool ic_type_fail(struct ic_types *types, struct ic_die_place place, const char *what)
{
	struct ic_error err;

	ic_fail(&err, IC_ERROR_MALFORMED, "%s", what);
	ic_full_die_problem(types->dies, place, &err);
	return false;
}

// Takes the text since the mark; false after a problem if it is too long.
bool ic_type_take(struct ic_types *types, const struct ic_type_die *of, uint32_t mark,
		  const char **part)
{
	if (types->scratch.count - mark <= IC_TYPES_LONGEST) {
		*part = ic_type_keep(types, mark);
		return *part != NULL;
	}
	types->scratch.count = mark;
	return ic_type_fail(types, of->place, "type name is too long");
}

bool ic_type_join(struct ic_types *types, const struct ic_type_die *of, const char **part,
		  const char *first, const char *second, const char *third)
{
	uint32_t mark = types->scratch.count;

	if (second[0] == '\0' && third[0] == '\0') {
		*part = first;
		return true;
	}
	ic_type_put(types, first);
	ic_type_put(types, second);
	ic_type_put(types, third);
	return ic_type_take(types, of, mark, part);
}

// Whether a name or pointer follows the prefix without a space.
bool ic_type_is_closed(const char *prefix)
{
	size_t length = strlen(prefix);

	return length == 0 || strchr("*&(", prefix[length - 1]) != NULL;
}

// ---- Names

// Where a type is declared: in a type unit the definition is outside all scopes, and refers to a
// declaration inside them.
static struct ic_die_place declaration_of(struct ic_types *types, const struct ic_type_die *of)
{
	struct ic_die_place place = of->place;
	struct ic_value link = of->die.attrs.specification;
	struct ic_full_die die;

	for (unsigned i = 0; i < IC_DIE_MOST_LINKS && ic_value_is_given(&link); i++) {
		if (!ic_full_die_follow(types->dies, &link, &place) ||
		    !ic_full_die_open(types->dies, place, &die))
			break;
		link = die.attrs.specification;
	}
	return place;
}

bool ic_type_put_scopes(struct ic_types *types, const struct ic_type_die *of)
{
	struct ic_die_place place = declaration_of(types, of);
	const struct ic_type_scope *scope = ic_type_scope_of(&types->scopes, types->dies, place);
	const char *chain[IC_DIE_MOST_LINKS];
	uint32_t count = 0;

	for (; scope && !scope->is_function; scope = ic_type_scope_around(&types->scopes, scope)) {
		const char *name = ic_type_scope_name(types->dies, place, scope);
		if (!name && !scope->is_namespace)
			continue;
		if (count == IC_DIE_MOST_LINKS)
			return ic_type_fail(types, of->place, "type is nested in too many scopes");
		chain[count++] = name ? name : "(anonymous namespace)";
	}
	while (count-- > 0) {
		ic_type_put(types, chain[count]);
		ic_type_put(types, "::");
	}
	return true;
}

// The C keyword before the name; NULL if the type has none.
static const char *keyword_of(uint16_t tag)
{
	switch (tag) {
	case DW_TAG_structure_type: return "struct";
	case DW_TAG_union_type: return "union";
	case DW_TAG_enumeration_type: return "enum";
	case DW_TAG_class_type:
	case DW_TAG_interface_type: return "class";
	}
	return NULL;
}

// The DIE with the name: a class may have it in its type unit, or where it is declared.
static const char *find_name(struct ic_types *types, struct ic_type_die *of)
{
	for (unsigned i = 0; i < IC_DIE_MOST_LINKS; i++) {
		const struct ic_full_die_attrs *attrs = &of->die.attrs;
		if (ic_value_is_given(&attrs->name))
			return ic_full_die_text(types->dies, of->place, &attrs->name);
		const struct ic_value link = ic_value_is_given(&attrs->signature)
						     ? attrs->signature
						     : attrs->specification;
		if (!ic_full_die_follow(types->dies, &link, &of->place) ||
		    !ic_full_die_open(types->dies, of->place, &of->die))
			return NULL;
	}
	ic_type_fail(types, of->place, "chain of type declarations is cyclic or too long");
	return NULL;
}

bool ic_type_spell_named(struct ic_types *types, const struct ic_type_die *of,
			 struct ic_type_text *text)
{
	enum ic_type_spelling spelling = ic_types_spelling(types);
	const char *keyword = keyword_of(of->die.die.tag);
	struct ic_type_die named = *of;
	const char *name = find_name(types, &named);
	uint32_t mark = types->scratch.count;
	bool ok = true;

	text->suffix = "";
	if (keyword && (spelling == IC_TYPE_SPELLING_C || !name)) {
		ic_type_put(types, keyword);
		ic_type_put(types, " ");
	}
	if (name && spelling == IC_TYPE_SPELLING_CPP && of->die.die.tag != DW_TAG_base_type)
		ok = ic_type_put_scopes(types, &named);
	if (name)
		ic_type_put(types, name);
	else if (keyword)
		ic_type_put(types, "{...}");
	else
		ok = false; // other languages have such types
	if (ok)
		return ic_type_take(types, of, mark, &text->prefix);
	types->scratch.count = mark;
	return false;
}
