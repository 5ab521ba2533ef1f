#include "symbolize/function_scopes.h"

#include "read/unit.h"

enum { MOST_DIES = 1 << 10 }; // per function, not counting those of its unit that are scopes

// Lists the scopes around a DIE, except functions. If there are none, the list stays unchanged.
static bool list_around(struct ic_function_scopes *scopes, struct ic_dies *dies,
			struct ic_die_place place)
{
	const struct ic_type_scope *scope = ic_type_scope_of(&scopes->known, dies, place);
	bool is_first = true;

	for (; scope; scope = ic_type_scope_around(&scopes->known, scope)) {
		if (scope->is_function)
			continue;
		if (is_first)
			scopes->list.count = 0;
		is_first = false;
		struct ic_scope *kept = IC_ARRAY_PUSH(&scopes->list);
		if (!kept)
			return false;
		*kept = (struct ic_scope){ .name = ic_type_scope_name(dies, place, scope),
					   .parent = scopes->list.count,
					   .decl_line = scope->decl_line,
					   .is_namespace = scope->is_namespace };
	}
	if (!is_first)
		scopes->list.items[scopes->list.count - 1].parent = IC_NONE;
	return true;
}

// Follows a copy to its origin, and a definition to its declaration, which is in the scopes.
static bool follow_origin(struct ic_function_scopes *scopes, struct ic_dies *dies,
			  struct ic_die_place place)
{
	struct ic_full_die die;

	for (unsigned i = 0; i < IC_DIE_MOST_LINKS; i++) {
		if (!list_around(scopes, dies, place))
			return false;
		if (!ic_full_die_open(dies, place, &die))
			return true;
		const struct ic_value *next = ic_value_is_given(&die.attrs.origin)
						      ? &die.attrs.origin
						      : &die.attrs.specification;
		if (!ic_full_die_follow(dies, next, &place))
			return true;
	}
	return true;
}

bool ic_function_scopes_find(struct ic_function_scopes *scopes, struct ic_scan *scan,
			     const struct ic_function *function, struct ic_problems *problems,
			     struct ic_error *err)
{
	struct ic_die_place place;

	scopes->list.count = 0;
	if (!ic_full_die_place_at(&scan->context, function->die_off, &place))
		return true;
	uint32_t number = (uint32_t)(place.unit - scan->context.units.units.items);
	bool is_reported = scan->context.index->units[number].problem_count > 0;
	struct ic_reader *reader;
	bool is_open = ic_scan_begin_unit(scan, number, &reader);
	struct ic_dies dies = { .reader = reader, .most = MOST_DIES };
	bool ok = !is_open || ic_unit_is_flat(place.unit) || follow_origin(scopes, &dies, place);

	ic_dies_free(&dies);
	return ic_scan_end_unit(reader, is_reported ? NULL : problems, err) &&
	       (ok || ic_fail_memory(err));
}

void ic_function_scopes_free(struct ic_function_scopes *scopes)
{
	ic_type_scopes_free(&scopes->known);
	IC_ARRAY_FREE(&scopes->list);
}
