#include "lint/origin.h"

#include <inttypes.h>

enum { MOST_LINKS = 16 }; // references from a DIE; compilers need three

// The place that a value refers to. False if the reference is invalid.
static bool resolve_reference(struct ic_lint_checker *checker, const struct ic_value *value,
			      struct ic_die_place *place, struct ic_error *err)
{
	const struct ic_read_context *context = checker->reader->context;
	uint64_t off;

	if (value->form == DW_FORM_ref_sig8) {
		if (!ic_units_find_type(context->listed, value->number, &off))
			return ic_fail(err, IC_ERROR_MALFORMED, "no type unit has this signature");
	} else if (!ic_value_reference(value, place->unit, &off, err)) {
		return false;
	}
	if (!ic_unit_has(place->unit, off)) {
		const struct ic_unit *unit = ic_unit_list_find(&context->units, off);
		if (!unit)
			return ic_fail(err, IC_ERROR_MALFORMED, "the offset is outside all units");
		place->unit = &context->units.units.items[unit - context->units.units.items];
	}
	place->off = off - place->unit->dwarf->info_base;
	return true;
}

// The table of the current unit, or of another. NULL if it cannot be read.
static const struct ic_abbrev_table *table_of(struct ic_lint_checker *checker, struct ic_unit *unit,
					      struct ic_error *err)
{
	uint32_t tables_read = checker->dies.next_table;

	if (unit == checker->reader->unit)
		return checker->table;
	struct ic_die_table *other = ic_dies_table(&checker->dies, unit, err);
	if (!other)
		return NULL;
	if (checker->dies.next_table != tables_read &&
	    !ic_lint_spend(checker, IC_LINT_STEPS, other->table.declared)) {
		ic_fail(err, IC_ERROR_MALFORMED, "too many units are referenced");
		return NULL;
	}
	return &other->table;
}

static bool open_die(struct ic_lint_checker *checker, struct ic_die_place place, struct ic_die *die,
		     struct ic_error *err)
{
	const struct ic_abbrev_table *table = table_of(checker, place.unit, err);

	return table && ic_die_open(die, place.unit, table, place.off, err);
}

struct link { // contents of a DIE, and its references
	uint16_t tag;
	struct ic_value name, next, inlined;
};

static bool read_link(struct ic_lint_checker *checker, struct ic_die_place place, struct link *link,
		      struct ic_error *err)
{
	struct ic_value value;
	struct ic_die die;

	if (!open_die(checker, place, &die, err))
		return false;
	*link = (struct link){ .tag = die.tag };
	for (uint16_t name; (name = ic_die_next(&die, &value));) {
		switch (name) {
		case DW_AT_name: link->name = value; break;
		case DW_AT_inline: link->inlined = value; break;
		case DW_AT_abstract_origin: link->next = value; break;
		case DW_AT_specification:
			if (!ic_value_is_given(&link->next))
				link->next = value;
			break;
		}
	}
	return ic_cursor_ok(&die.cur, err);
}

// Follows a target to the end of its own origins. Unreadable ones are not reported here: their own
// units are checked too.
static void complete_target(struct ic_lint_checker *checker, struct ic_lint_target *target,
			    struct ic_error *err)
{
	struct ic_die_place place = target->place;
	uint64_t passed[MOST_LINKS];
	struct link link;

	for (unsigned i = 0; i < MOST_LINKS; i++) {
		uint64_t off = ic_unit_global_off(place.unit, place.off);
		for (unsigned j = 0; j < i; j++)
			target->is_cycle |= passed[j] == off;
		if (target->is_cycle || !read_link(checker, place, &link, err))
			return;
		passed[i] = target->root = off;
		if (i == 0) {
			target->tag = link.tag;
			target->is_readable = true;
		}
		if (ic_value_is_given(&link.inlined) && !target->has_inline) {
			target->has_inline = true;
			target->inline_value = ic_value_constant(&link.inlined);
		}
		if (ic_value_is_given(&link.name) && !target->has_name) {
			target->has_name = true;
			if (!ic_value_string(&link.name, place.unit, &target->name, err))
				target->name = NULL; // a missing name is not the error
		}
		if (!ic_value_is_given(&link.next)) {
			target->is_followed = true;
			return;
		}
		if (!resolve_reference(checker, &link.next, &place, err))
			return;
	}
	ic_fail(err, IC_ERROR_MALFORMED, "origin chain is longer than %d DIEs", MOST_LINKS);
	ic_reader_problem(checker->reader,
			  ic_unit_global_off(target->place.unit, target->place.off), err);
}

uint32_t ic_lint_origin_of(struct ic_lint_checker *checker, const struct ic_lint_die *die)
{
	const struct ic_value *value = ic_value_is_given(&die->origin) ? &die->origin
								       : &die->specification;
	struct ic_die_place place = { checker->reader->unit, die->off };
	struct ic_error err = { .code = IC_ERROR_NONE };

	if (!ic_value_is_given(value))
		return IC_NONE;
	if (!resolve_reference(checker, value, &place, &err)) {
		if (!ic_dwarf_is_reported(checker->reader->unit->dwarf, &err))
			ic_lint_found(checker, IC_LINT_RULE_ORIGIN_NOWHERE, die, IC_NONE,
				      "invalid origin: %s", err.message);
		return IC_NONE;
	}
	uint32_t *number =
		ic_map_at(&checker->target_of, ic_unit_global_off(place.unit, place.off));
	struct ic_lint_target *target =
		number && *number == IC_NONE ? IC_ARRAY_PUSH(&checker->targets) : NULL;
	if (!number || (*number == IC_NONE && !target)) {
		checker->reader->out_of_memory = true;
		return IC_NONE;
	}
	if (target) {
		*number = checker->targets.count - 1;
		*target = (struct ic_lint_target){ .place = place };
		complete_target(checker, target, &err);
	}
	target = &checker->targets.items[*number];
	if (!target->is_readable) {
		ic_lint_found(checker, IC_LINT_RULE_ORIGIN_NOWHERE, die, IC_NONE,
			      "origin 0x%" PRIx64 " is not a DIE", place.off);
		return IC_NONE;
	}
	if (target->is_cycle)
		ic_lint_found(checker, IC_LINT_RULE_ORIGIN_CYCLE, die, IC_NONE,
			      "origin 0x%" PRIx64 " leads into a reference cycle", place.off);
	return *number;
}

void ic_lint_origin_check_tag(struct ic_lint_checker *checker, const struct ic_lint_die *die,
			      uint32_t target)
{
	uint16_t wanted = die->tag == DW_TAG_inlined_subroutine ? DW_TAG_subprogram : die->tag;

	if (target == IC_NONE || checker->targets.items[target].tag == wanted)
		return;
	ic_lint_found(checker, IC_LINT_RULE_ORIGIN_TAG, die, target,
		      "origin 0x%" PRIx64 " has tag 0x%x, expected 0x%x",
		      checker->targets.items[target].place.off, checker->targets.items[target].tag,
		      wanted);
}

void ic_lint_origin_check_function(struct ic_lint_checker *checker, const struct ic_lint_die *die,
				   uint32_t number)
{
	const struct ic_lint_target *target;

	if (number == IC_NONE) {
		if (!ic_value_is_given(&die->origin))
			ic_lint_found(checker, IC_LINT_RULE_ORIGIN_MISSING, die, IC_NONE,
				      "no DW_AT_abstract_origin");
		return;
	}
	target = &checker->targets.items[number];
	if (!target->has_name && target->is_followed)
		ic_lint_found(checker, IC_LINT_RULE_NAME_MISSING, die, number,
			      "origin 0x%" PRIx64 " has no name", target->place.off);
	if (!target->has_inline && target->is_followed)
		ic_lint_found(checker, IC_LINT_RULE_ORIGIN_NOT_ABSTRACT, die, number,
			      "origin 0x%" PRIx64 " has no DW_AT_inline", target->place.off);
	if (target->has_inline && (target->inline_value == 0 || target->inline_value == 2))
		ic_lint_found(checker, IC_LINT_RULE_INLINED_DENIED, die, number,
			      "origin 0x%" PRIx64 " has DW_AT_inline %" PRIu64, target->place.off,
			      target->inline_value);
}

// Moves to the next parameter among the children of the walk's first DIE, or in a pack of them
// (GCC's). False after the last.
static bool next_formal(struct ic_lint_checker *checker, struct ic_walk *walk, bool *in_pack,
			uint64_t *off)
{
	const struct ic_unit *unit = walk->unit;

	while (walk->depth > 0 && ic_lint_spend(checker, IC_LINT_STEPS, 1)) {
		enum ic_walk_event event = ic_walk_step(walk);
		if (event == IC_WALK_END || event == IC_WALK_FAULT)
			return false;
		if (event != IC_WALK_ENTRY)
			continue;
		uint16_t tag = walk->table->kept.items[walk->step->detail].tag;
		bool is_child = walk->depth == 1 || (walk->depth == 2 && *in_pack);
		if (walk->depth == 1)
			*in_pack = tag == DW_TAG_GNU_formal_parameter_pack;
		*off = ic_unit_global_off(unit, (uint64_t)(walk->entry - unit->dwarf->info.data));
		if (!ic_walk_skip(walk))
			return false;
		if (is_child && tag == DW_TAG_formal_parameter)
			return true;
	}
	return false;
}

// Lists the parameters of a function; false if that is impossible.
static bool list_formals(struct ic_lint_checker *checker, struct ic_lint_target *target)
{
	struct ic_error unwanted;
	struct ic_walk walk;
	bool in_pack = false;
	uint64_t off;

	if (target->are_formals_known)
		return target->has_formals;
	target->are_formals_known = true;
	target->first_formal = checker->formals.count;
	const struct ic_abbrev_table *table = table_of(checker, target->place.unit, &unwanted);
	if (!table)
		return false;
	ic_walk_init(&walk, target->place.unit, table);
	walk.pos = target->place.unit->dwarf->info.data + target->place.off;
	if (ic_walk_step(&walk) != IC_WALK_ENTRY || !ic_walk_skip(&walk))
		return false;
	while (next_formal(checker, &walk, &in_pack, &off)) {
		if (!IC_ARRAY_ADD(&checker->formals, off)) {
			checker->reader->out_of_memory = true;
			return false;
		}
	}
	target->formal_count = checker->formals.count - target->first_formal;
	return target->has_formals = !checker->gave_up[IC_LINT_STEPS];
}

// The index of a parameter among those of the function, from 1; 0 if it is not one of them.
static uint32_t place_of(struct ic_lint_checker *checker, const struct ic_lint_target *function,
			 const struct ic_lint_target *formal)
{
	uint64_t off = ic_unit_global_off(formal->place.unit, formal->place.off);

	for (uint32_t i = 0; i < function->formal_count; i++) {
		uint64_t known = checker->formals.items[function->first_formal + i];
		if (known == off || known == formal->root)
			return i + 1;
	}
	return 0;
}

void ic_lint_origin_check_formal(struct ic_lint_checker *checker, const struct ic_lint_die *die,
				 struct ic_lint_scope *scope, uint32_t origin)
{
	struct ic_lint_target *function = &checker->targets.items[scope->target];
	const struct ic_lint_target *formal;

	if (!ic_value_is_given(&die->origin)) {
		ic_lint_found(checker, IC_LINT_RULE_PARAMETER_WITHOUT_ORIGIN, die, scope->target,
			      "no DW_AT_abstract_origin");
		return;
	}
	if (origin == IC_NONE)
		return;
	formal = &checker->targets.items[origin];
	if (formal->tag != DW_TAG_formal_parameter || function->tag != DW_TAG_subprogram ||
	    !list_formals(checker, function) ||
	    !ic_lint_spend(checker, IC_LINT_COMPARISONS, function->formal_count))
		return;
	uint32_t place = place_of(checker, function, formal);
	if (place == 0 && !formal->is_followed)
		return;
	if (place == 0) {
		ic_lint_found(checker, IC_LINT_RULE_PARAMETER_OF_OTHER, die, scope->target,
			      "origin 0x%" PRIx64 " is not a parameter of 0x%" PRIx64,
			      formal->place.off, function->place.off);
		return;
	}
	for (uint32_t i = scope->first_seen; i < checker->seen.count; i++) {
		if (checker->seen.items[i] == place) {
			ic_lint_found(checker, IC_LINT_RULE_PARAMETER_TWICE, die, scope->target,
				      "parameter %" PRIu32 " is repeated", place);
			return;
		}
	}
	if (place < scope->last_formal && !scope->is_disordered) {
		scope->is_disordered = true;
		ic_lint_found(checker, IC_LINT_RULE_PARAMETER_ORDER, die, scope->target,
			      "parameter %" PRIu32 " comes after parameter %" PRIu32, place,
			      scope->last_formal);
	}
	scope->last_formal = place;
	if (!IC_ARRAY_ADD(&checker->seen, place))
		checker->reader->out_of_memory = true;
}
