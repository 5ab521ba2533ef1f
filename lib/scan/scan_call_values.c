#include "scan/scan_call_values.h"

#include "dwarf/locations.h"
#include "dwarf/operation.h"
#include "scan/scan_dies.h"

enum { // tags and attributes that nothing else looks at (DWARF 5, 7.5.3 and 7.5.4)
	TAG_CALL_SITE_PARAMETER = 0x49,
	TAG_GNU_CALL_SITE_PARAMETER = 0x410a,
	AT_CALL_ALL_CALLS = 0x7a,
	AT_CALL_ALL_TAIL_CALLS = 0x7c,
	AT_CALL_VALUE = 0x7e,
	AT_GNU_CALL_SITE_VALUE = 0x2111,
	AT_GNU_ALL_TAIL_CALL_SITES = 0x2116,
	AT_GNU_ALL_CALL_SITES = 0x2117,
};

enum { MOST_DIES = 1 << 20 }; // that one function may have

struct search {
	struct ic_scan_dies dies;
	uint64_t return_addr;
	struct ic_scan_call_values *values;
};

struct call { // what a DIE of a call says
	struct ic_value origin, return_addr;
	bool is_tail;
};

// Reads a DIE of a call. False after a problem.
static bool read_call(struct search *search, struct ic_scan_die_place place, struct call *call)
{
	struct ic_value value;
	struct ic_die die;

	*call = (struct call){ .is_tail = false };
	if (!ic_scan_die_begin(&search->dies, place, &die))
		return false;
	for (uint16_t name; (name = ic_die_next(&die, &value));) {
		switch (name) {
		case DW_AT_call_origin:
		case DW_AT_abstract_origin: call->origin = value; break;
		case DW_AT_call_return_pc:
		case DW_AT_low_pc: call->return_addr = value; break;
		case DW_AT_call_tail_call:
		case DW_AT_GNU_tail_call: call->is_tail = ic_value_constant(&value) != 0; break;
		}
	}
	return ic_scan_die_end(&search->dies, place, &die);
}

struct names {
	struct ic_value name, linkage_name, low_pc, link;
};

static bool read_names(struct search *search, struct ic_scan_die_place place, struct names *names)
{
	struct ic_value value;
	struct ic_die die;

	*names = (struct names){ .name = { .form = 0 } };
	if (!ic_scan_die_begin(&search->dies, place, &die))
		return false;
	for (uint16_t name; (name = ic_die_next(&die, &value));) {
		switch (name) {
		case DW_AT_name: names->name = value; break;
		case DW_AT_low_pc: names->low_pc = value; break;
		case DW_AT_linkage_name:
		case DW_AT_MIPS_linkage_name: names->linkage_name = value; break;
		case DW_AT_abstract_origin:
		case DW_AT_specification: names->link = value; break;
		}
	}
	return ic_scan_die_end(&search->dies, place, &die);
}

// Where the function that is called begins, if the DIE says so, and its names, some of which its
// declaration may have.
static void find_callee(struct search *search, struct ic_scan_die_place place,
			const struct ic_value *origin)
{
	struct ic_scan_call_values *values = search->values;
	struct names names = { .link = *origin };

	for (unsigned i = 0; i < SCAN_DIE_MOST_LINKS; i++) {
		if (!ic_scan_die_follow(&search->dies, &names.link, &place) ||
		    !read_names(search, place, &names))
			return;
		struct ic_error err;
		if (i == 0 && ic_value_is_given(&names.low_pc) &&
		    !ic_value_address(&names.low_pc, place.unit, &values->callee_addr, &err)) {
			values->callee_addr = IC_NO_ADDR;
			ic_scan_die_problem(&search->dies, place, &err);
		}
		if (!values->callee)
			values->callee = ic_scan_die_text(&search->dies, place, &names.name);
		if (!values->callee_linkage_name)
			values->callee_linkage_name =
				ic_scan_die_text(&search->dies, place, &names.linkage_name);
	}
}

// The bytes of an attribute that is an expression; none if it is something else.
static struct ic_cursor expression_of(const struct ic_scan_die_attr *attr)
{
	struct ic_cursor cur = attr->cur, none = attr->cur;

	none.end = none.pos;
	return attr->spec.class == IC_FORM_CLASS_BLOCK ? ic_block_read(&cur, attr->spec.form)
						       : none;
}

// The register that an expression is, of one operation; false if it is no register.
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

// Adds what a register held. Arguments on the stack are still there.
static bool add_value(struct search *search, struct ic_scan_die_place place,
		      const struct ic_scan_die *die)
{
	struct ic_scan_die_attr attr;
	uint32_t reg;

	if (die->attrs.location.spec.form == 0 ||
	    !is_register(expression_of(&die->attrs.location), place.unit, &reg) ||
	    ((!ic_scan_die_find(&search->dies, place, AT_CALL_VALUE, &attr) ||
	      attr.spec.form == 0) &&
	     (!ic_scan_die_find(&search->dies, place, AT_GNU_CALL_SITE_VALUE, &attr) ||
	      attr.spec.form == 0)))
		return true;
	struct ic_cursor expression = expression_of(&attr);
	struct ic_call_value *value = ic_cursor_more(&expression) && !expression.fault
					      ? IC_ARRAY_PUSH(&search->values->list)
					      : NULL;
	if (value)
		*value = (struct ic_call_value){ reg, expression.pos,
						 (size_t)(expression.end - expression.pos) };
	return value || !ic_cursor_more(&expression) || expression.fault;
}

// Whether a DIE is the call that is looked for.
static bool is_wanted(struct search *search, struct ic_scan_die_place place,
		      const struct call *call)
{
	struct ic_error err;
	uint64_t addr;

	if (!ic_value_is_given(&call->return_addr))
		return false;
	if (ic_value_address(&call->return_addr, place.unit, &addr, &err))
		return addr == search->return_addr;
	ic_scan_die_problem(&search->dies, place, &err);
	return false;
}

// Whether all tail calls of a function are described.
static bool has_all_tail_calls(struct search *search, struct ic_scan_die_place place)
{
	struct ic_value value;
	struct ic_die die;
	bool found = false;

	if (!ic_scan_die_begin(&search->dies, place, &die))
		return false;
	for (uint16_t name; (name = ic_die_next(&die, &value));)
		if ((name >= AT_CALL_ALL_CALLS && name <= AT_CALL_ALL_TAIL_CALLS) ||
		    name == AT_GNU_ALL_TAIL_CALL_SITES || name == AT_GNU_ALL_CALL_SITES)
			found |= ic_value_constant(&value) != 0;
	return ic_scan_die_end(&search->dies, place, &die) && found;
}

static bool walk(struct search *search, struct ic_scan_die_place place)
{
	struct ic_scan_die die;
	struct call call;
	int depth = 0, inside = 0; // of the call that is looked for; 0: of none
	bool ok = true;

	search->values->has_tail_calls = !has_all_tail_calls(search, place);
	if (!ic_scan_die_open(&search->dies, place, &die))
		return true;
	while (ok && ic_scan_die_below(&search->dies, &place, &die, &depth)) {
		uint16_t tag = die.die.tag;

		if (depth <= inside)
			inside = 0;
		if (inside > 0 &&
		    (tag == TAG_CALL_SITE_PARAMETER || tag == TAG_GNU_CALL_SITE_PARAMETER))
			ok = add_value(search, place, &die);
		if (tag != DW_TAG_call_site && tag != DW_TAG_GNU_call_site)
			continue;
		if (!read_call(search, place, &call))
			call = (struct call){ .is_tail = true }; // for all that is known
		search->values->has_tail_calls |= call.is_tail;
		if (search->values->is_found || call.is_tail || !is_wanted(search, place, &call))
			continue;
		search->values->is_found = true;
		inside = depth;
		find_callee(search, place, &call.origin);
	}
	return ok;
}

bool ic_scan_call_values_find(struct ic_scan_call_values *values, struct ic_scan *scan,
			      uint32_t unit, uint32_t die_off, uint64_t return_addr,
			      struct ic_problems *problems, struct ic_error *err)
{
	ic_scan_prepare(scan);
	struct ic_scan_reader *reader = &scan->workers[0].streams[0].reader;
	struct search search = { .dies = { .reader = reader, .most = MOST_DIES },
				 .return_addr = return_addr,
				 .values = values };
	bool ok = true;

	values->callee_addr = IC_NO_ADDR;
	values->has_tail_calls = true; // until all calls are read
	bool is_open = ic_scan_unit_open(reader, unit);
	struct ic_problems said = ic_scan_problems_take(reader); // reported already
	IC_ARRAY_FREE(&said.list);
	if (is_open && reader->source->has_dies)
		ok = walk(&search,
			  (struct ic_scan_die_place){ reader->unit, reader->unit->off + die_off });
	uint32_t faults = reader->problems.list.count;
	values->has_tail_calls |= search.dies.gave_up || faults > 0;
	ic_scan_dies_free(&search.dies);
	struct ic_problems of_unit = ic_scan_problems_take(reader);
	ic_problems_append(problems, &of_unit);
	return (ok && !reader->out_of_memory) || ic_fail_memory(err);
}

void ic_scan_call_values_free(struct ic_scan_call_values *values)
{
	IC_ARRAY_FREE(&values->list);
}
