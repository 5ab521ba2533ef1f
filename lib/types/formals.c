#include "types/formals.h"

#include "dwarf/units/constants.h"
#include "dwarf/units/walk.h"

// ---- The parameters of a DIE

struct child_walk {
	struct ic_walk walk;
	struct ic_die_place place;
	// In functions, but not in their instances, the parameters for those of a variadic template
	// are in a DIE of their own (GCC).
	bool has_packs, in_pack;
	bool is_variadic;
	bool is_cut; // there may be more parameters
};

enum { MOST_WALKED = 1 << 24 }; // bytes of DIEs, for the parameters directly in one

static bool fail_formal(struct ic_formals *formals, struct ic_die_place place, const char *what)
{
	return ic_type_fail(&formals->types, place, what);
}

static bool out_of_memory(struct ic_formals *formals)
{
	formals->types.dies->reader->out_of_memory = true;
	return false;
}

// Handles a DIE at which the walk stopped. False if memory runs out.
static bool take_child(struct ic_formals *formals, struct child_walk *children)
{
	struct ic_walk *walk = &children->walk;
	uint16_t tag = walk->table->kept.items[walk->step->detail].tag;
	bool is_own = walk->depth == 1 || children->in_pack;

	if (is_own && tag == DW_TAG_unspecified_parameters)
		children->is_variadic = true;
	if (is_own && children->has_packs && tag == DW_TAG_GNU_formal_parameter_pack &&
	    walk->step->depth_change > 0) {
		children->in_pack = true;
		walk->leave_depth = 2;
	}
	if (!is_own || tag != DW_TAG_formal_parameter)
		return true;
	struct ic_die_place *place = IC_ARRAY_PUSH(&formals->found);
	if (!place)
		return out_of_memory(formals);
	*place = (struct ic_die_place){ children->place.unit,
					(uint64_t)(walk->entry - walk->unit->dwarf->info.data) };
	return true;
}

// One step. False at the end, after a problem, or if memory runs out.
static bool step_child(struct ic_formals *formals, struct child_walk *children)
{
	struct ic_walk *walk = &children->walk;
	struct ic_error err;

	switch (ic_walk_step(walk)) {
	case IC_WALK_ON: return true;
	case IC_WALK_ENTRY:
		if (!take_child(formals, children))
			return false;
		if (ic_walk_skip(walk))
			return true;
		break;
	case IC_WALK_LEAVE:
		children->in_pack = false;
		walk->leave_depth = 1;
		return walk->depth >= 1;
	case IC_WALK_END: return false;
	case IC_WALK_FAULT: break;
	}
	children->is_cut = true;
	ic_walk_fault(walk, &err);
	ic_full_die_problem(formals->types.dies, children->place, &err);
	return false;
}

// Skips the attributes of the DIE itself; false if it has no children, or after a problem.
static bool enter_child(struct ic_formals *formals, struct child_walk *children)
{
	struct ic_error err;

	const struct ic_die_table *table =
		ic_dies_table(formals->types.dies, children->place.unit, &err);
	children->is_cut = true;
	if (!table) {
		ic_full_die_problem(formals->types.dies, children->place, &err);
		return false;
	}
	struct ic_walk *walk = &children->walk;
	ic_walk_init(walk, children->place.unit, &table->table);
	walk->pos = children->place.unit->dwarf->info.data + children->place.off;
	walk->leave_depth = INT32_MIN;
	if (ic_walk_step(walk) != IC_WALK_ENTRY || !ic_walk_skip(walk)) {
		ic_walk_fault(walk, &err);
		ic_full_die_problem(formals->types.dies, children->place, &err);
		return false;
	}
	children->is_cut = false;
	walk->leave_depth = 1;
	walk->kinds = IC_DIE_PARAMETER;
	return walk->depth == 1;
}

// Whether a walk may continue from here: a file may nest functions, and refer to each. Each walk
// has its own limit, so results do not depend on earlier walks.
static bool may_walk(struct ic_formals *formals, struct child_walk *children, const uint8_t *begin)
{
	if ((uint64_t)(children->walk.pos - begin) <= MOST_WALKED)
		return true;
	children->is_cut = true;
	return fail_formal(formals, children->place,
			   "gave up looking for parameters: the function is too large");
}

// Fills in `found` with the parameters directly in a DIE, up to the first unreadable one. False if
// memory runs out.
static bool find_children(struct ic_formals *formals, struct child_walk *children)
{
	formals->found.count = 0;
	if (enter_child(formals, children)) {
		const uint8_t *begin = children->walk.pos;
		while (may_walk(formals, children, begin) && step_child(formals, children)) {}
	}
	return !formals->types.dies->reader->out_of_memory;
}

// ---- Formal parameters

// Reads the properties of a formal parameter from the DIE at a place. False after a problem.
static bool read_formal_die(struct ic_formals *formals, struct ic_formal *formal,
			    struct ic_die_place place, struct ic_value *origin)
{
	struct ic_dies *dies = formals->types.dies;
	struct ic_value value, name = { .form = 0 }, type = { .form = 0 };
	struct ic_die die;

	origin->form = 0;
	if (!ic_full_die_begin(dies, place, &die))
		return false;
	for (uint16_t found; (found = ic_die_next(&die, &value));) {
		switch (found) {
		case DW_AT_name: name = value; break;
		case DW_AT_type: type = value; break;
		case DW_AT_abstract_origin: *origin = value; break;
		case DW_AT_artificial:
			formal->is_artificial |= ic_value_constant(&value) != 0;
			break;
		case DW_AT_variable_parameter:
			formal->is_result |= ic_value_constant(&value) != 0;
			break;
		}
	}
	if (!ic_full_die_end(dies, place, &die))
		return false;
	if (!formal->name)
		formal->name = ic_full_die_text(dies, place, &name);
	if (!ic_value_is_given(&formal->type_value)) {
		formal->type_place = place;
		formal->type_value = type;
	}
	return true;
}

// Reads the properties of a formal parameter, or of the one that it refers to.
static void read_formal(struct ic_formals *formals, struct ic_formal *formal)
{
	struct ic_die_place place = formal->place;
	struct ic_value origin;

	for (unsigned i = 0; read_formal_die(formals, formal, place, &origin); i++) {
		formal->knows_type = ic_value_is_given(&formal->type_value) ||
				     !ic_value_is_given(&origin);
		if (!ic_value_is_given(&origin))
			break;
		if (i == IC_DIE_MOST_LINKS) {
			fail_formal(formals, place,
				    "chain of parameter origins is cyclic or too long");
			break;
		}
		if (!ic_full_die_follow(formals->types.dies, &origin, &place))
			break;
	}
	if (!ic_value_is_given(&formal->type_value))
		return;
	formal->text = ic_type_of(&formals->types, formal->type_place, &formal->type_value);
	formal->type = ic_type_whole(&formals->types, &formal->text);
}

// Appends the formal parameter at a DIE. False if memory runs out.
static bool add_formal(struct ic_formals *formals, struct ic_die_place place)
{
	uint32_t *number = ic_map_at(&formals->by_die, ic_unit_global_off(place.unit, place.off));
	struct ic_formal *formal = number ? IC_ARRAY_PUSH(&formals->list) : NULL;

	if (!formal)
		return out_of_memory(formals);
	*number = formals->list.count - 1;
	*formal = (struct ic_formal){ .place = place };
	read_formal(formals, formal);
	return true;
}

// ---- Whether parameters are described at all

// Whether a function has a type, or is marked as prototyped. For mere declarations, Clang sets the
// latter even if it omits the parameters.
static bool says_prototype(const struct ic_abbrev_table *table, const struct ic_abbrev *abbrev)
{
	bool has_type = false, is_prototyped = false, is_declaration = false;

	for (uint32_t i = 0; i < abbrev->spec_count; i++) {
		uint16_t name = table->specs.items[abbrev->first_spec + i].name;
		has_type |= name == DW_AT_type;
		is_prototyped |= name == DW_AT_prototyped;
		is_declaration |= name == DW_AT_declaration;
	}
	return has_type || (is_prototyped && !is_declaration);
}

// Whether a unit describes the parameters or the result of any function. For line tables only, and
// for stacks (-g1), compilers omit all of that; a function without either then looks like one
// without parameters. A unit that cannot be read, or is only a part of one (dwz), is not examined.
static bool look_through(struct ic_formals *formals, struct ic_unit *unit)
{
	struct ic_error err;
	const struct ic_die_table *table = ic_dies_table(formals->types.dies, unit, &err);
	bool in_function = false;
	struct ic_full_die root;
	struct ic_walk walk;

	if (!table ||
	    !ic_full_die_open(formals->types.dies, (struct ic_die_place){ unit, unit->die_off },
			      &root) ||
	    root.die.tag == DW_TAG_partial_unit)
		return true;
	ic_walk_init(&walk, unit, &table->table);
	walk.kinds = IC_DIE_SCOPE | IC_DIE_PARAMETER;
	walk.leave_depth = INT32_MIN;
	for (;;) {
		enum ic_walk_event event = ic_walk_step(&walk);
		if (event == IC_WALK_LEAVE) {
			in_function = false;
			walk.leave_depth = INT32_MIN;
		} else if (event == IC_WALK_ENTRY) {
			const struct ic_abbrev *abbrev = &walk.table->kept.items[walk.step->detail];
			bool is_said = in_function && walk.depth == walk.leave_depth &&
				       walk.step->kind & IC_DIE_PARAMETER;
			if (abbrev->tag == DW_TAG_subprogram) {
				in_function = abbrev->has_children;
				walk.leave_depth = in_function ? walk.depth + 1 : INT32_MIN;
				is_said = says_prototype(walk.table, abbrev);
			}
			if (is_said || !ic_walk_skip(&walk))
				return true;
		} else if (event != IC_WALK_ON) {
			return event == IC_WALK_FAULT;
		}
	}
}

// Whether the function, or one that its DIE refers to, has a type or a prototype, or others in its
// unit do.
static bool is_described(struct ic_formals *formals, struct ic_die_place place)
{
	struct ic_dies *dies = formals->types.dies;
	struct ic_unit *unit = place.unit;
	struct ic_full_die die;

	for (unsigned i = 0; i < IC_DIE_MOST_LINKS; i++) {
		if (!ic_full_die_open(dies, place, &die) || ic_value_is_given(&die.attrs.type) ||
		    ic_value_is_given(&die.attrs.prototyped))
			return true;
		const struct ic_value *next = ic_value_is_given(&die.attrs.origin)
						      ? &die.attrs.origin
						      : &die.attrs.specification;
		if (!ic_value_is_given(next) || !ic_full_die_follow(dies, next, &place))
			break;
	}
	uint32_t *known = ic_map_at(&formals->by_unit, ic_unit_global_off(unit, unit->off));
	if (!known)
		return !out_of_memory(formals);
	if (*known == IC_NONE)
		*known = look_through(formals, unit);
	return *known;
}

static bool read_signature(struct ic_formals *formals, uint64_t function_off,
			   struct ic_signature *signature)
{
	struct child_walk children = { .has_packs = true };

	signature->first = formals->list.count;
	signature->is_described = true;
	if (!ic_full_die_place_at(formals->types.dies->reader->context, function_off,
				  &children.place))
		return true;
	bool ok = find_children(formals, &children);
	signature->is_variadic = children.is_variadic;
	signature->is_cut = children.is_cut;
	for (uint32_t i = 0; ok && i < formals->found.count; i++)
		ok = add_formal(formals, formals->found.items[i]);
	signature->count = formals->list.count - signature->first;
	if (ok && signature->count == 0 && !signature->is_variadic)
		signature->is_described = is_described(formals, children.place);
	return ok && !formals->types.dies->reader->out_of_memory;
}

const struct ic_signature *ic_formals_of(struct ic_formals *formals, uint64_t function_off)
{
	uint32_t *slot = ic_map_at(&formals->by_function, function_off);

	if (slot && *slot != IC_NONE)
		return &formals->functions.items[*slot];
	struct ic_signature *signature = slot ? IC_ARRAY_PUSH(&formals->functions) : NULL;
	if (!signature) {
		out_of_memory(formals);
		return NULL;
	}
	*slot = formals->functions.count - 1;
	*signature = (struct ic_signature){ .count = 0 };
	return read_signature(formals, function_off, signature) ? signature : NULL;
}

// ---- Parameters of an instance

// Reads an argument's data from its DIE, and its origin. False after a problem.
static bool read_argument(struct ic_formals *formals, struct ic_argument *argument,
			  struct ic_value *origin)
{
	struct ic_dies *dies = formals->types.dies;
	struct ic_value value;
	struct ic_die die;

	argument->value.spec.form = argument->views.form = origin->form = 0;
	if (!ic_full_die_begin(dies, argument->place, &die))
		return false;
	for (;;) {
		const uint8_t *pos = die.cur.pos;
		switch (ic_die_next(&die, &value)) {
		case 0: return ic_full_die_end(dies, argument->place, &die);
		case DW_AT_abstract_origin: *origin = value; break;
		case DW_AT_GNU_locviews: argument->views = value; break;
		case DW_AT_location:
			argument->value = ic_full_die_attr_at(&die, pos);
			argument->is_constant = false;
			break;
		case DW_AT_const_value:
			if (argument->value.spec.form != 0)
				break;
			argument->value = ic_full_die_attr_at(&die, pos);
			argument->is_constant = true;
			break;
		}
	}
}

// The formal parameter that a DIE of an instance refers to, by its origin; IC_NONE if a function
// does not declare it.
static uint32_t find_formal(struct ic_formals *formals, struct ic_die_place place,
			    struct ic_value origin)
{
	struct ic_dies *dies = formals->types.dies;
	struct ic_full_die next;

	for (unsigned i = 0; i < IC_DIE_MOST_LINKS && ic_value_is_given(&origin); i++) {
		if (!ic_full_die_follow(dies, &origin, &place))
			return IC_NONE;
		const uint32_t *number =
			ic_map_find(&formals->by_die, ic_unit_global_off(place.unit, place.off));
		if (number)
			return *number;
		if (!ic_full_die_open(dies, place, &next))
			return IC_NONE;
		origin = next.attrs.origin;
	}
	return IC_NONE;
}

static bool has_location(const struct ic_argument *argument)
{
	return argument->has_die && argument->value.spec.form != 0;
}

static bool push_argument(struct ic_formals *formals, const struct ic_argument *argument)
{
	if (!IC_ARRAY_ADD(&formals->arguments, *argument))
		return out_of_memory(formals);
	return true;
}

// Puts the parameter of an instance's DIE at its index in the function, or at the end.
static bool place_argument(struct ic_formals *formals, const struct ic_signature *signature,
			   struct ic_die_place place)
{
	struct ic_argument argument = { .has_die = true, .place = place };
	struct ic_value origin;

	if (!read_argument(formals, &argument, &origin)) {
		formals->lacks_dies = true;
		return !formals->types.dies->reader->out_of_memory;
	}
	// DWARF 5, 3.3.8.2: all parameters of an instance have an origin, and only those count.
	if (!ic_value_is_given(&origin))
		return true;
	argument.formal = find_formal(formals, place, origin);
	uint32_t number = argument.formal - signature->first;
	if (argument.formal == IC_NONE) { // of no function, or with an unreadable origin
		formals->lacks_dies |= formals->types.dies->gave_up;
		if (!add_formal(formals, place))
			return false;
		argument.formal = formals->list.count - 1;
	} else if (number < signature->count) {
		// GCC may write two DIEs for one parameter, one of which has a location.
		struct ic_argument *declared = &formals->arguments.items[number];
		if (!has_location(declared) && (!declared->has_die || has_location(&argument)))
			*declared = argument;
		return true;
	}
	return push_argument(formals, &argument);
}

// Starts with the parameters that the function declares, none of which has a DIE yet.
static bool begin_arguments(struct ic_formals *formals, uint64_t function_off,
			    struct ic_signature *signature)
{
	const struct ic_signature *found = ic_formals_of(formals, function_off);
	bool ok = found != NULL;

	formals->arguments.count = 0;
	if (found)
		*signature = *found;
	formals->declared_count = signature->count;
	formals->is_variadic = signature->is_variadic;
	formals->is_described = signature->is_described;
	formals->is_cut = signature->is_cut;
	formals->lacks_dies = false;
	for (uint32_t i = 0; ok && i < signature->count; i++)
		ok = push_argument(formals,
				   &(struct ic_argument){ .formal = signature->first + i });
	return ok;
}

// Whether the DIE of the instance is also the function's: it declares its own parameters.
static bool is_function(struct ic_die_place instance, uint64_t function_off)
{
	return ic_unit_global_off(instance.unit, instance.off) == function_off;
}

static bool take_declared(struct ic_formals *formals)
{
	for (uint32_t i = 0; i < formals->arguments.count; i++) {
		struct ic_argument *argument = &formals->arguments.items[i];
		struct ic_value origin;
		argument->place = formals->list.items[argument->formal].place;
		argument->has_die = read_argument(formals, argument, &origin);
		argument->is_unread = !argument->has_die;
	}
	return !formals->types.dies->reader->out_of_memory;
}

// Unreadable DIEs of the instance may be those of the parameters without a DIE.
static bool end_arguments(struct ic_formals *formals, bool ok)
{
	for (uint32_t i = 0; ok && i < formals->arguments.count && formals->lacks_dies; i++)
		formals->arguments.items[i].is_unread = !formals->arguments.items[i].has_die;
	return ok;
}

bool ic_formals_join(struct ic_formals *formals, uint64_t function_off,
		     struct ic_die_place instance, const struct ic_parameter_die *dies,
		     uint32_t count)
{
	struct ic_signature signature = { .count = 0 };
	bool ok = begin_arguments(formals, function_off, &signature);

	if (is_function(instance, function_off))
		return ok && take_declared(formals);
	for (uint32_t i = 0; ok && i < count; i++)
		ok = place_argument(formals, &signature,
				    (struct ic_die_place){ instance.unit,
							   instance.unit->off + dies[i].die_off });
	return end_arguments(formals, ok);
}

bool ic_formals_join_unread(struct ic_formals *formals, uint64_t function_off,
			    struct ic_die_place instance)
{
	struct child_walk children = { .place = instance };
	struct ic_signature signature = { .count = 0 };
	bool ok = begin_arguments(formals, function_off, &signature);

	if (is_function(instance, function_off))
		return ok && take_declared(formals);
	ok = ok && find_children(formals, &children);
	formals->lacks_dies |= children.is_cut;
	for (uint32_t i = 0; ok && i < formals->found.count; i++)
		ok = place_argument(formals, &signature, formals->found.items[i]);
	return end_arguments(formals, ok);
}

bool ic_formals_push(struct ic_formals *formals, struct ic_die_place place)
{
	struct ic_argument argument = { .has_die = true, .place = place };
	struct ic_value origin;

	if (!read_argument(formals, &argument, &origin))
		return !formals->types.dies->reader->out_of_memory;
	argument.formal = find_formal(formals, place, origin);
	if (argument.formal == IC_NONE) {
		if (!add_formal(formals, place))
			return false;
		argument.formal = formals->list.count - 1;
	}
	return push_argument(formals, &argument);
}

void ic_formals_forget(struct ic_formals *formals)
{
	ic_types_forget(&formals->types);
	ic_map_clear(&formals->by_function);
	ic_map_clear(&formals->by_die);
	formals->functions.count = formals->list.count = 0;
}

void ic_formals_free(struct ic_formals *formals)
{
	ic_types_free(&formals->types);
	ic_map_free(&formals->by_function);
	ic_map_free(&formals->by_die);
	ic_map_free(&formals->by_unit);
	IC_ARRAY_FREE(&formals->functions);
	IC_ARRAY_FREE(&formals->list);
	IC_ARRAY_FREE(&formals->found);
	IC_ARRAY_FREE(&formals->arguments);
}
