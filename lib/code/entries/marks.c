#include "code/entries/marks.h"

#include "base/search.h"

// The number of copies of a function that start at an address, by the rows of its declarator.
static uint32_t count_heads(struct ic_host_code *code, const struct ic_function *function,
			    uint64_t addr)
{
	const struct ic_unit_model *unit = code->unit;
	uint32_t count = 0;

	for (uint32_t i = ic_unit_model_entry_row(unit, addr);
	     i < unit->entry_row_count && unit->entry_rows[i].addr == addr &&
	     ic_host_code_search(code, 1);
	     i++) {
		const struct ic_entry_row *row = &unit->entry_rows[i];
		count += row->is_stmt && row->line == function->decl_line &&
			 row->column == function->decl_column &&
			 ic_entry_row_is_of(unit, row, function);
	}
	return count;
}

bool ic_entry_marks_are_there(struct ic_host_code *code)
{
	const struct ic_function *function = ic_host_code_function(code, code->copy);
	bool may_be = function && function->decl_column > 0 && code->unit->entry_row_count > 0;

	if (code->marks != IC_MARKS_NOT_SOUGHT)
		return code->marks == IC_MARKS_ARE_THERE;
	code->marks = IC_MARKS_ARE_NOWHERE;
	for (uint32_t i = 0; may_be && i < code->starts.count && ic_host_code_search(code, 1); i++)
		if (count_heads(code, function, code->starts.items[i].addr) > 0) {
			code->marks = IC_MARKS_ARE_THERE;
			break;
		}
	return code->marks == IC_MARKS_ARE_THERE;
}

static uint32_t first_start(const struct ic_host_code *code, uint64_t addr)
{
	return addr == 0 ? 0
			 : ic_search_up_to(code->starts.items, sizeof(*code->starts.items),
					   code->starts.count, addr - 1);
}

// Whether the copy has a mark at one of its starts. If there are fewer marks than copies starting
// there, the copies entered there come first, and of these the innermost.
static bool has_head(struct ic_host_code *code, uint32_t instance, uint64_t addr)
{
	const struct ic_function *function = &code->unit->functions[code->family];
	uint32_t first = first_start(code, addr);

	for (uint32_t i = first; i < code->starts.count && code->starts.items[i].addr == addr &&
				 ic_host_code_search(code, 1);
	     i++)
		if (code->starts.items[i].instance == instance)
			return i - first < count_heads(code, function, addr);
	return false;
}

// Whether control can get from the copy's entry out of the function without executing its own code,
// because it is one of two branches that start with the same code. Takes as many steps as the
// function has instructions.
static bool find_if_passed(struct ic_host_code *code, bool *is_passed)
{
	enum { REACHED = 1, OWN = 2 };
	struct ic_flow *flow = &code->function.flow;

	*is_passed = false;
	if (!ic_host_code_read(code))
		return false;
	uint32_t entry = code->why_not ? IC_NONE
				       : ic_flow_find(flow, ic_host_code_copy(code)->entry);
	if (entry == IC_NONE || code->steps < flow->nodes.count)
		return true;
	code->steps -= flow->nodes.count;
	ic_host_code_mark_own(code, OWN);
	flow->nodes.items[entry].marks |= REACHED;
	if (!ic_flow_spread(flow, REACHED, 0, OWN, false))
		return false;
	for (uint32_t i = 0; i < flow->nodes.count; i++) {
		const struct ic_flow_node *node = &flow->nodes.items[i];
		bool leaves = (node->next == IC_NONE && node->branch == IC_NONE) ||
			      node->is_next_out || node->is_branch_out;
		*is_passed |= leaves && node->marks == REACHED;
	}
	return true;
}

// Whether a sibling copy is entered at the same address, and comes first there: the one with a
// mark, or the one that owns the code.
static bool is_after_another(struct ic_host_code *code, bool is_marked)
{
	const struct ic_instance *copy = ic_host_code_copy(code);
	const struct ic_function *function = &code->unit->functions[code->family];
	uint32_t owner = ic_segments_find(&code->copies, copy->entry);
	uint32_t first = first_start(code, copy->entry);
	uint32_t heads = count_heads(code, function, copy->entry);

	for (uint32_t i = first;
	     i < code->starts.count && code->starts.items[i].addr == copy->entry &&
	     ic_host_code_search(code, 1);
	     i++) {
		uint32_t number = code->starts.items[i].instance;
		const struct ic_instance *other = &code->unit->instances[number];
		bool is_other_marked = i - first < heads;
		if (number == code->copy || other->parent != copy->parent ||
		    other->entry != copy->entry)
			continue;
		if (is_marked ? is_other_marked && number == owner
			      : is_other_marked || number < code->copy)
			return true;
	}
	return false;
}

// Of sibling copies with the same entry address, one without a mark belongs to a call that was
// merged with another. So may one with a mark whose code starts later: if they were called one
// after the other, control would have to go through both.
static bool find_if_merged(struct ic_host_code *code, bool *is_merged)
{
	bool is_marked = has_head(code, code->copy, ic_host_code_copy(code)->entry);

	*is_merged = is_after_another(code, is_marked);
	return !*is_merged || !is_marked || find_if_passed(code, is_merged);
}

// Whether an address is only a jump to another entry, or to where another copy starts.
static bool is_only_jump(struct ic_host_code *code, const struct ic_ways_in *ways, uint64_t addr)
{
	enum { MOST_STEPS = 16 };
	const struct ic_flow *flow = &code->function.flow;
	uint32_t node = ic_flow_find(flow, addr);
	bool is_own = true;

	for (unsigned i = 0; node != IC_NONE && i < MOST_STEPS; i++) {
		const struct ic_flow_node *at = &flow->nodes.items[node];
		uint64_t here = at->instruction.addr;
		if (i > 0 && ic_ways_in_has(ways, here))
			return true;
		// At an empty range there is an instruction of the caller.
		if (i == 0)
			is_own = ic_host_code_is_own(code, node);
		else if (is_own && !ic_host_code_is_own(code, node)) {
			uint32_t first = first_start(code, here);
			return first < code->starts.count && code->starts.items[first].addr == here;
		}
		if (at->instruction.kind == IC_INSTRUCTION_JUMP)
			node = at->branch;
		else if (at->instruction.kind == IC_INSTRUCTION_PADDING)
			node = at->next;
		else
			return false;
	}
	return false;
}

static bool has_statement(struct ic_host_code *code)
{
	const struct ic_unit_model *unit = code->unit;

	for (uint32_t i = 0; i < code->own.count; i++) {
		uint32_t j = ic_unit_model_entry_row(unit, code->own.ranges[i].start);
		for (; j < unit->entry_row_count &&
		       unit->entry_rows[j].addr < code->own.ranges[i].end &&
		       ic_host_code_search(code, 1);
		     j++)
			if (unit->entry_rows[j].is_stmt)
				return true;
	}
	return false;
}

static bool is_same_function(const struct ic_host_code *code, uint32_t a, uint32_t b)
{
	const struct ic_function *of_a = ic_host_code_function(code, a);
	const struct ic_function *of_b = ic_host_code_function(code, b);

	return of_a && of_b && of_a->die_off == of_b->die_off;
}

// Whether another copy has the mark for the call: if no statement starts in this one, it is code of
// that call, or of several, that was moved; if both are of one call, GCC has split the function
// around them.
static bool is_rest(struct ic_host_code *code)
{
	const struct ic_instance *copy = ic_host_code_copy(code);
	bool begins = has_statement(code);

	for (uint32_t i = 0; i < code->starts.count && ic_host_code_search(code, 1); i++) {
		uint32_t number = code->starts.items[i].instance;
		const struct ic_instance *other = &code->unit->instances[number];
		bool is_same_call = other->call_line == copy->call_line &&
				    other->call_column == copy->call_column &&
				    other->parent != copy->parent &&
				    is_same_function(code, other->parent, copy->parent);
		if (number != code->copy && (!begins || is_same_call) &&
		    has_head(code, number, code->starts.items[i].addr))
			return true;
	}
	return false;
}

static bool add_start(struct ic_host_code *code, struct ic_ways_in *ways, uint64_t addr)
{
	return !has_head(code, code->copy, addr) || ic_ways_in_add(ways, addr);
}

// Adds the starts of the copy that have a mark.
static bool add_starts(struct ic_host_code *code, struct ic_ways_in *ways)
{
	const struct ic_unit_model *unit = code->unit;
	const struct ic_instance *copy = ic_host_code_copy(code);
	bool ok = true;

	for (uint32_t i = 0; ok && i < copy->range_count; i++)
		ok = add_start(code, ways, unit->ranges[copy->first_range + i].start);
	for (uint32_t i = ic_host_code_first_empty(unit, code->copy);
	     ok && i < unit->empty_range_count && unit->empty_ranges[i].instance == code->copy; i++)
		ok = add_start(code, ways, unit->empty_ranges[i].addr);
	return ok;
}

bool ic_entry_marks_find(struct ic_host_code *code, struct ic_ways_in *ways)
{
	uint64_t entry = ic_host_code_copy(code)->entry;
	bool any = has_head(code, code->copy, entry);

	if (!find_if_merged(code, &ways->is_counted_elsewhere))
		return false;
	if (ways->is_counted_elsewhere)
		return true;
	if (!ic_ways_in_add(ways, entry) || !add_starts(code, ways))
		return false;
	ic_ways_in_order(ways, entry);
	any |= ways->addrs.count > 1;
	if (!ic_host_code_read(code))
		return false;
	if (code->why_not)
		return true;
	if (!ic_ways_in_leave_out_on_the_way(ways, code) ||
	    !ic_ways_in_leave_out(ways, code, is_only_jump, &ways->is_counted_elsewhere))
		return false;
	ways->is_counted_elsewhere |= !any &&
				      (ic_host_code_is_continued(code, entry) || is_rest(code));
	if (ways->is_counted_elsewhere)
		ways->addrs.count = 0;
	return true;
}
