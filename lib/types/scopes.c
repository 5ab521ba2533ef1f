#include "types/scopes.h"

#include "base/bytes.h"
#include "base/search.h"
#include "dwarf/units/constants.h"
#include "dwarf/units/walk.h"
#include "read/stream.h"

struct scope_walk {
	struct ic_type_scopes *scopes;
	struct ic_dies *dies;
	struct ic_walk walk;
	struct ic_die_place place;
	uint32_t first;                // index of the unit's first
	uint32_t open;                 // the innermost open scope, IC_NONE if there is none
	IC_ARRAY(int32_t) open_depths; // depths of the children of the open scopes
	bool is_deep;                  // excessive depth was reported
};

static uint64_t here_off(const struct scope_walk *walk)
{
	return (uint64_t)(walk->walk.pos - walk->walk.unit->dwarf->info.data);
}

// Starts the scope at which the walk stopped. False if it cannot be read, or memory runs out.
static bool begin_scope(struct scope_walk *walk)
{
	uint16_t tag = walk->walk.table->kept.items[walk->walk.step->detail].tag;
	struct ic_type_scope scope = { .parent = walk->open,
				       .is_namespace = tag == DW_TAG_namespace,
				       .is_function = tag == DW_TAG_subprogram };
	struct ic_value value;
	struct ic_error err;
	struct ic_die die;

	ic_die_at_walk(&die, &walk->walk);
	walk->place.off = die.off;
	for (uint16_t name; (name = ic_die_next(&die, &value));)
		if (name == DW_AT_name && !scope.is_function)
			scope.name = ic_full_die_text(walk->dies, walk->place, &value);
		else if (name == DW_AT_decl_line)
			scope.decl_line = ic_value_small(&value);
		else if (name == DW_AT_signature && value.form == DW_FORM_ref_sig8)
			scope.signature = value.number;
	if (!ic_cursor_ok(&die.cur, &err)) {
		ic_full_die_problem(walk->dies, walk->place, &err);
		return false;
	}
	ic_walk_pass(&walk->walk, die.cur.pos);
	scope.start = here_off(walk);
	scope.end = walk->place.unit->end_off;
	int32_t *depth = IC_ARRAY_PUSH(&walk->open_depths);
	struct ic_type_scope *kept = depth ? IC_ARRAY_PUSH(&walk->scopes->list) : NULL;
	if (!kept) { // the items in the list stay
		walk->dies->reader->out_of_memory = true;
		return false;
	}
	*kept = scope;
	*depth = walk->walk.leave_depth = walk->walk.depth;
	walk->open = walk->scopes->list.count - 1;
	return true;
}

static void leave_scope(struct scope_walk *walk)
{
	uint32_t *count = &walk->open_depths.count;

	while (*count > 0 && walk->open_depths.items[*count - 1] > walk->walk.depth) {
		struct ic_type_scope *scope = &walk->scopes->list.items[walk->open];
		scope->end = here_off(walk);
		walk->open = scope->parent;
		--*count;
	}
	walk->walk.leave_depth = *count > 0 ? walk->open_depths.items[*count - 1] : INT32_MIN;
}

// DIEs at excessive depth belong to the scope around them.
static bool is_too_deep(struct scope_walk *walk)
{
	struct ic_error err;

	if (walk->open_depths.count < IC_DEEPEST_NESTING)
		return false;
	if (!walk->is_deep) {
		ic_fail(&err, IC_ERROR_MALFORMED,
			"namespaces and classes are nested more than %d deep", IC_DEEPEST_NESTING);
		ic_full_die_problem(walk->dies, walk->place, &err);
	}
	return walk->is_deep = true;
}

static bool take_entry(struct scope_walk *walk)
{
	struct ic_error err;

	if (walk->walk.step->depth_change > 0 && !is_too_deep(walk))
		return begin_scope(walk);
	if (ic_walk_skip(&walk->walk))
		return true;
	ic_walk_fault(&walk->walk, &err);
	ic_full_die_problem(walk->dies, walk->place, &err);
	return false;
}

static void walk_unit(struct scope_walk *walk)
{
	struct ic_error err;

	for (;;) {
		switch (ic_walk_step(&walk->walk)) {
		case IC_WALK_ON: break;
		case IC_WALK_ENTRY:
			if (!take_entry(walk))
				return;
			break;
		case IC_WALK_LEAVE: leave_scope(walk); break;
		case IC_WALK_END: return;
		case IC_WALK_FAULT:
			ic_walk_fault(&walk->walk, &err);
			ic_full_die_problem(walk->dies, walk->place, &err);
			return;
		}
	}
}

static void read_unit(struct ic_type_scopes *scopes, struct ic_dies *dies,
		      struct ic_die_place place, struct ic_unit_scopes *of_unit)
{
	struct scope_walk walk = { .scopes = scopes,
				   .dies = dies,
				   .place = { place.unit, place.unit->die_off },
				   .first = scopes->list.count,
				   .open = IC_NONE };
	struct ic_error err;

	const struct ic_die_table *table = ic_dies_table(dies, place.unit, &err);
	if (!table) {
		ic_full_die_problem(dies, place, &err);
		return;
	}
	ic_walk_init(&walk.walk, place.unit, &table->table);
	walk.walk.leave_depth = INT32_MIN;
	walk.walk.kinds = IC_DIE_SCOPE;
	walk_unit(&walk);
	IC_ARRAY_FREE(&walk.open_depths);
	*of_unit = (struct ic_unit_scopes){ walk.first, scopes->list.count - walk.first };
}

// The scopes of a unit; NULL if memory runs out.
static const struct ic_unit_scopes *scopes_of(struct ic_type_scopes *scopes, struct ic_dies *dies,
					      struct ic_die_place place)
{
	uint64_t unit = ic_unit_global_off(place.unit, place.unit->off);
	uint32_t *number = ic_map_at(&scopes->by_unit, unit);

	if (number && *number != IC_NONE)
		return &scopes->units.items[*number];
	struct ic_unit_scopes *of_unit = number ? IC_ARRAY_PUSH(&scopes->units) : NULL;
	if (!of_unit) {
		dies->reader->out_of_memory = true;
		return NULL;
	}
	*number = scopes->units.count - 1;
	*of_unit = (struct ic_unit_scopes){ .count = 0 };
	read_unit(scopes, dies, place, of_unit);
	return of_unit;
}

const struct ic_type_scope *ic_type_scope_of(struct ic_type_scopes *scopes, struct ic_dies *dies,
					     struct ic_die_place place)
{
	const struct ic_unit_scopes *of_unit = scopes_of(scopes, dies, place);
	uint32_t next;

	if (!of_unit || of_unit->count == 0)
		return NULL;
	// Of those that start at or before the DIE, the last one is inside all that surround it.
	const struct ic_type_scope *items = scopes->list.items + of_unit->first;
	IC_SEARCH(next, of_unit->count, at, items[at].start <= place.off);
	const struct ic_type_scope *scope = next > 0 ? &items[next - 1] : NULL;
	while (scope && scope->end <= place.off)
		scope = ic_type_scope_around(scopes, scope);
	return scope;
}

const struct ic_type_scope *ic_type_scope_around(const struct ic_type_scopes *scopes,
						 const struct ic_type_scope *scope)
{
	return scope->parent == IC_NONE ? NULL : &scopes->list.items[scope->parent];
}

const char *ic_type_scope_name(struct ic_dies *dies, struct ic_die_place place,
			       const struct ic_type_scope *scope)
{
	const struct ic_value signature = { .form = DW_FORM_ref_sig8,
					    .class = IC_FORM_CLASS_REFERENCE,
					    .number = scope->signature };
	struct ic_full_die die;

	if (scope->name || scope->signature == 0 || !ic_full_die_follow(dies, &signature, &place) ||
	    !ic_full_die_open(dies, place, &die))
		return scope->name;
	return ic_full_die_text(dies, place, &die.attrs.name);
}

void ic_type_scopes_free(struct ic_type_scopes *scopes)
{
	ic_map_free(&scopes->by_unit);
	IC_ARRAY_FREE(&scopes->units);
	IC_ARRAY_FREE(&scopes->list);
}
