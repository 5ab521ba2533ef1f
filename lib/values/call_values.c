#include "values/call_values.h"

#include "dwarf/expressions/locations.h"
#include "dwarf/expressions/operation.h"
#include "types/dies.h"

enum { MOST_DIES = 1 << 20 }; // that one function may have

struct search {
	struct ic_dies dies;
	struct ic_call_place wanted, function; // the function that contains it
	bool has_faults;
	struct ic_site_values *values;
	struct ic_tail_sites *tail_calls;
};

struct call { // contents of a call's DIE
	struct ic_value origin, return_addr, addr;
	bool is_tail, is_indirect;
};

// Reads a call's DIE. False after a problem.
static bool read_call(struct search *search, struct ic_die_place place, struct call *call)
{
	struct ic_value value;
	struct ic_die die;

	*call = (struct call){ .is_tail = false };
	if (!ic_full_die_begin(&search->dies, place, &die))
		return false;
	for (uint16_t name; (name = ic_die_next(&die, &value));) {
		switch (name) {
		case DW_AT_call_origin:
		case DW_AT_abstract_origin: call->origin = value; break;
		case DW_AT_call_return_pc:
		case DW_AT_low_pc: call->return_addr = value; break;
		case DW_AT_call_pc: call->addr = value; break;
		case DW_AT_call_tail_call:
		case DW_AT_GNU_tail_call: call->is_tail = ic_value_constant(&value) != 0; break;
		case DW_AT_call_target:
		case DW_AT_call_target_clobbered:
		case DW_AT_GNU_call_site_target:
		case DW_AT_GNU_call_site_target_clobbered: call->is_indirect = true; break;
		}
	}
	return ic_full_die_end(&search->dies, place, &die);
}

struct names {
	struct ic_value name, linkage_name, low_pc, origin, specification;
	bool is_external;
};

static bool read_names(struct search *search, struct ic_die_place place, struct names *names)
{
	struct ic_value value;
	struct ic_die die;

	*names = (struct names){ .name = { .form = 0 } };
	if (!ic_full_die_begin(&search->dies, place, &die))
		return false;
	for (uint16_t name; (name = ic_die_next(&die, &value));) {
		switch (name) {
		case DW_AT_name: names->name = value; break;
		case DW_AT_low_pc: names->low_pc = value; break;
		case DW_AT_linkage_name:
		case DW_AT_MIPS_linkage_name: names->linkage_name = value; break;
		case DW_AT_abstract_origin: names->origin = value; break;
		case DW_AT_specification: names->specification = value; break;
		case DW_AT_external: names->is_external = ic_value_constant(&value) != 0; break;
		}
	}
	return ic_full_die_end(&search->dies, place, &die);
}

static uint64_t read_addr(struct search *search, struct ic_die_place place,
			  const struct ic_value *value)
{
	struct ic_error err;
	uint64_t addr;

	if (!ic_value_is_given(value))
		return IC_NO_ADDR;
	if (ic_value_address(value, place.unit, &addr, &err))
		return addr;
	ic_full_die_problem(&search->dies, place, &err);
	return IC_NO_ADDR;
}

// Whether a function without a linkage name has its name as its symbol.
static bool is_c(uint16_t language)
{
	switch (language) {
	case DW_LANG_C89:
	case DW_LANG_C:
	case DW_LANG_C99:
	case DW_LANG_C11:
	case DW_LANG_C17:
	case DW_LANG_C23: return true;
	}
	return false;
}

// Finds the called function: its start, if its DIE has it, and its names, some of which may be in
// its declaration. For clones not described yet, GCC gives only the address.
static void find_callee(struct search *search, struct ic_die_place place, const struct call *call,
			struct ic_callee *callee)
{
	struct names names = { .origin = call->origin };
	bool is_external = false, is_copy = true;

	*callee = (struct ic_callee){ .addr = IC_NO_ADDR, .origin = IC_NO_ADDR };
	if (call->is_indirect)
		return;
	if (call->origin.class == IC_FORM_CLASS_ADDRESS && ic_value_is_given(&call->origin)) {
		callee->addr = read_addr(search, place, &call->origin);
		return;
	}
	for (unsigned i = 0; i < IC_DIE_MOST_LINKS; i++) {
		is_copy &= ic_value_is_given(&names.origin);
		if (!ic_full_die_follow(&search->dies,
					ic_value_is_given(&names.origin) ? &names.origin
									 : &names.specification,
					&place) ||
		    !read_names(search, place, &names))
			break;
		if (i == 0)
			callee->addr = read_addr(search, place, &names.low_pc);
		if (is_copy)
			callee->origin = ic_unit_global_off(place.unit, place.off);
		if (!callee->name)
			callee->name = ic_full_die_text(&search->dies, place, &names.name);
		if (!callee->linkage_name)
			callee->linkage_name =
				ic_full_die_text(&search->dies, place, &names.linkage_name);
		is_external |= names.is_external;
	}
	callee->has_symbol = is_external &&
			     (callee->linkage_name || is_c(place.unit->root.language));
}

// The bytes of an attribute with an expression; empty if it is something else.
static struct ic_cursor expression_of(const struct ic_full_die_attr *attr)
{
	struct ic_cursor cur = attr->cur, none = attr->cur;

	none.end = none.pos;
	return attr->spec.class == IC_FORM_CLASS_BLOCK ? ic_block_read(&cur, attr->spec.form)
						       : none;
}

static struct ic_bytes expression_bytes(const struct ic_full_die_attr *attr)
{
	struct ic_cursor bytes = expression_of(attr);

	return (struct ic_bytes){ bytes.pos, bytes.fault ? 0 : (size_t)(bytes.end - bytes.pos) };
}

// The register in an expression of one operation; false if it is not a register.
static bool is_register(struct ic_cursor bytes, const struct ic_unit *unit, uint32_t *reg)
{
	struct ic_expression walk = ic_expression_open(bytes, unit);
	struct ic_operation operation;
	bool found = ic_expression_next(&walk, &operation);

	if (found && operation.group == DW_OP_reg0)
		*reg = operation.number;
	else if (found && operation.code == DW_OP_regx && operation.first <= UINT32_MAX)
		*reg = (uint32_t)operation.first;
	else
		found = false;
	return found && !ic_expression_next(&walk, &operation);
}

// The expression in one of two attributes, of DWARF 5 and GCC's earlier one; empty if there is
// none.
static struct ic_bytes find_expression(struct search *search, struct ic_die_place place,
				       uint16_t name, uint16_t gnu_name)
{
	struct ic_full_die_attr attr;

	if ((ic_full_die_find(&search->dies, place, name, &attr) && attr.spec.form != 0) ||
	    (ic_full_die_find(&search->dies, place, gnu_name, &attr) && attr.spec.form != 0))
		return expression_bytes(&attr);
	return (struct ic_bytes){ NULL, 0 };
}

// Adds the value of a register. Arguments on the stack are still there.
static bool add_value(struct search *search, struct ic_die_place place,
		      const struct ic_full_die *die)
{
	uint32_t reg;

	if (die->attrs.location.spec.form == 0 ||
	    !is_register(expression_of(&die->attrs.location), place.unit, &reg))
		return true;
	struct ic_bytes expression =
		find_expression(search, place, DW_AT_call_value, DW_AT_GNU_call_site_value);
	if (expression.size == 0)
		return true;
	struct ic_call_value *value = IC_ARRAY_PUSH(&search->values->list);
	if (value)
		*value = (struct ic_call_value){ reg, expression.data, expression.size };
	return value != NULL;
}

// Whether a DIE is the requested call.
static bool is_wanted(struct search *search, struct ic_die_place place, const struct call *call)
{
	if (call->is_tail != search->wanted.is_tail)
		return false;
	if (call->is_tail && !ic_value_is_given(&call->return_addr))
		return read_addr(search, place, &call->addr) == search->wanted.addr;
	return read_addr(search, place, &call->return_addr) == search->wanted.addr;
}

static bool is_call(uint16_t tag)
{
	return tag == DW_TAG_call_site || tag == DW_TAG_GNU_call_site;
}

static bool find_call(struct search *search, struct ic_die_place place)
{
	struct ic_full_die die;
	struct call call;
	int depth = 0, inside = 0; // depth of the requested call; 0 outside
	bool ok = true;

	if (!ic_full_die_open(&search->dies, place, &die))
		return true;
	search->values->frame_base = expression_bytes(&die.attrs.frame_base);
	while (ok && ic_full_die_below(&search->dies, &place, &die, &depth)) {
		uint16_t tag = die.die.tag;

		if (depth <= inside)
			break;
		if (inside > 0 &&
		    (tag == DW_TAG_call_site_parameter || tag == DW_TAG_GNU_call_site_parameter))
			ok = add_value(search, place, &die);
		if (inside > 0 || !is_call(tag) || !read_call(search, place, &call) ||
		    !is_wanted(search, place, &call))
			continue;
		search->values->is_found = true;
		inside = depth;
		find_callee(search, place, &call, &search->values->callee);
		search->values->target = find_expression(search, place, DW_AT_call_target,
							 DW_AT_GNU_call_site_target);
	}
	return ok;
}

// Whether all tail calls of a function are described.
static bool has_all_tail_calls(struct search *search, struct ic_die_place place)
{
	struct ic_value value;
	struct ic_die die;
	bool found = false;

	if (!ic_full_die_begin(&search->dies, place, &die))
		return false;
	for (uint16_t name; (name = ic_die_next(&die, &value));)
		if ((name >= DW_AT_call_all_calls && name <= DW_AT_call_all_tail_calls) ||
		    name == DW_AT_GNU_all_tail_call_sites || name == DW_AT_GNU_all_call_sites)
			found |= ic_value_constant(&value) != 0;
	return ic_full_die_end(&search->dies, place, &die) && found;
}

static bool add_tail_call(struct search *search, struct ic_die_place place, const struct call *call)
{
	struct ic_tail_site *tail_call = IC_ARRAY_PUSH(&search->tail_calls->list);

	if (!tail_call)
		return false;
	tail_call->is_after = ic_value_is_given(&call->return_addr);
	tail_call->addr =
		read_addr(search, place, tail_call->is_after ? &call->return_addr : &call->addr);
	find_callee(search, place, call, &tail_call->callee);
	return true;
}

// The calls of functions inside the function are not its own.
static bool list_tail_calls(struct search *search, struct ic_die_place place)
{
	struct ic_full_die die;
	struct call call;
	int depth = 0, other = 0; // depth of a nested function; 0 outside
	bool ok = true;

	search->tail_calls->is_complete = has_all_tail_calls(search, place);
	if (!ic_full_die_open(&search->dies, place, &die))
		return true;
	while (ok && ic_full_die_below(&search->dies, &place, &die, &depth)) {
		if (depth <= other)
			other = 0;
		if (other == 0 && die.die.tag == DW_TAG_subprogram)
			other = depth;
		if (other == 0 && is_call(die.die.tag) && read_call(search, place, &call) &&
		    call.is_tail)
			ok = add_tail_call(search, place, &call);
	}
	return ok;
}

typedef bool search_walk(struct search *search, struct ic_die_place place);

// Walks the DIE of search->function; sets search->has_faults if some could not be read.
static bool run_search(struct search *search, search_walk *walk, struct ic_scan *scan,
		       struct ic_problems *problems, struct ic_error *err)
{
	struct ic_reader *reader;
	bool is_open = ic_scan_begin_unit(scan, search->function.unit, &reader);

	search->dies = (struct ic_dies){ .reader = reader, .most = MOST_DIES };
	bool ok =
		!is_open ||
		walk(search, (struct ic_die_place){ reader->unit,
						    reader->unit->off + search->function.die_off });
	search->has_faults = search->dies.gave_up || reader->problems.list.count > 0;
	ic_dies_free(&search->dies);
	return ic_scan_end_unit(reader, problems, err) && (ok || ic_fail_memory(err));
}

bool ic_site_values_find(struct ic_site_values *values, struct ic_scan *scan,
			 struct ic_call_place place, struct ic_problems *problems,
			 struct ic_error *err)
{
	struct search search = { .wanted = place, .function = place, .values = values };

	values->callee = (struct ic_callee){ .addr = IC_NO_ADDR, .origin = IC_NO_ADDR };
	bool ok = run_search(&search, find_call, scan, problems, err);
	values->die_count = search.dies.count;
	return ok;
}

void ic_site_values_free(struct ic_site_values *values)
{
	IC_ARRAY_FREE(&values->list);
}

bool ic_tail_sites_read(struct ic_tail_sites *calls, struct ic_scan *scan, uint32_t unit,
			uint32_t die_off, struct ic_problems *problems, struct ic_error *err)
{
	struct search search = { .tail_calls = calls,
				 .function = { .unit = unit, .die_off = die_off } };
	bool ok = run_search(&search, list_tail_calls, scan, problems, err);

	calls->is_complete &= !search.has_faults;
	calls->die_count = search.dies.count;
	return ok;
}

void ic_tail_sites_free(struct ic_tail_sites *calls)
{
	IC_ARRAY_FREE(&calls->list);
}
