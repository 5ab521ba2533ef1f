#include "types/enumerators.h"

#include <stdlib.h>

#include "base/sort.h"
#include "dwarf/units/constants.h"

// A value that is not a number, such as one of 16 bytes, drops all names: the rest might be
// mistaken for the complete list.
static bool read_enumerator(struct ic_enumerations *enumerations, struct ic_types *types,
			    struct ic_die_place place, const struct ic_full_die *die)
{
	const char *name = ic_full_die_text(types->dies, place, &die->attrs.name);
	uint64_t value;

	if (!name || !ic_full_die_constant(&die->attrs.const_value, &value))
		return false;
	if (!IC_ARRAY_ADD(&enumerations->found, (struct ic_enumerator){ value, name })) {
		types->dies->reader->out_of_memory = true;
		return false;
	}
	return true;
}

static bool read_enumerators(struct ic_enumerations *enumerations, struct ic_types *types,
			     struct ic_die_place place, struct ic_full_die die)
{
	int depth = 0;

	enumerations->found.count = 0;
	while (ic_full_die_below(types->dies, &place, &die, &depth))
		if (depth == 1 && die.die.tag == DW_TAG_enumerator &&
		    !read_enumerator(enumerations, types, place, &die))
			return false;
	return depth <= 0; // otherwise a DIE could not be read
}

// The prefix of the names: in C++ the scope of the enumeration, and its own name if it is a class
// (DWARF 5, 5.7). NULL if unknown.
static const char *scope_of(struct ic_types *types, const struct ic_type_die *of)
{
	uint32_t mark = types->scratch.count;
	struct ic_type_text text;
	const char *scope = NULL;

	if (ic_value_constant(&of->die.attrs.enum_class) != 0)
		return ic_type_spell_named(types, of, &text) &&
				       ic_type_join(types, of, &scope, text.prefix, "::", "")
			       ? scope
			       : NULL;
	if (ic_types_spelling(types) != IC_TYPE_SPELLING_CPP)
		return "";
	if (ic_type_put_scopes(types, of) && ic_type_take(types, of, mark, &scope))
		return scope;
	types->scratch.count = mark;
	return NULL;
}

// Fills in the list with the results, sorted. False if memory runs out.
static bool keep_sorted(const struct ic_enumerations *enumerations, struct ic_arena *arena,
			struct ic_enumeration *enumeration)
{
	uint32_t count = enumerations->found.count;
	struct ic_enumerator *list = ic_arena_alloc(arena, (uint64_t)count * sizeof(*list));
	struct ic_keyed *order = ic_items_alloc(count, sizeof(*order));

	for (uint32_t i = 0; order && i < count; i++)
		order[i] = (struct ic_keyed){ enumerations->found.items[i].value, i };
	bool ok = list && order && ic_keyed_sort(order, count);
	enumeration->is_flags = ok;
	for (uint32_t i = 0; ok && i < count; i++) {
		list[i] = enumerations->found.items[order[i].number];
		enumeration->is_flags &= (list[i].value & (list[i].value - 1)) == 0;
	}
	free(order);
	enumeration->list = list;
	enumeration->count = ok ? count : 0;
	return ok;
}

static bool read_enumeration(struct ic_enumerations *enumerations, struct ic_types *types,
			     const struct ic_type_die *of, struct ic_enumeration *enumeration)
{
	const char *scope = scope_of(types, of);

	*enumeration = (struct ic_enumeration){ .scope = "" };
	if (!scope || !read_enumerators(enumerations, types, of->place, of->die) ||
	    enumerations->found.count == 0)
		return !types->dies->reader->out_of_memory;
	enumeration->scope = scope;
	return keep_sorted(enumerations, types->arena, enumeration);
}

bool ic_enumeration_of(struct ic_enumerations *enumerations, struct ic_types *types,
		       struct ic_die_place place, const struct ic_value *type,
		       struct ic_enumeration *enumeration)
{
	struct ic_type_die of = { .place = place };

	if (!ic_full_die_type(types->dies, &of.place, type, &of.die) ||
	    of.die.die.tag != DW_TAG_enumeration_type)
		return !types->dies->reader->out_of_memory;
	uint64_t key = ic_unit_global_off(of.place.unit, of.place.off) * IC_TYPE_SPELLING_COUNT +
		       ic_types_spelling(types);
	uint32_t *number = ic_map_at(&enumerations->by_die, key);
	if (!number)
		return false;
	if (*number == IC_NONE) {
		struct ic_enumeration *made = IC_ARRAY_PUSH(&enumerations->list);
		if (!made)
			return false;
		*number = enumerations->list.count - 1;
		if (!read_enumeration(enumerations, types, &of, made))
			return false;
	}
	*enumeration = enumerations->list.items[*number];
	return true;
}

void ic_enumerations_forget(struct ic_enumerations *enumerations)
{
	ic_map_clear(&enumerations->by_die);
	enumerations->list.count = 0;
}

void ic_enumerations_free(struct ic_enumerations *enumerations)
{
	ic_map_free(&enumerations->by_die);
	IC_ARRAY_FREE(&enumerations->list);
	IC_ARRAY_FREE(&enumerations->found);
}
