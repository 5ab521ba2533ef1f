#include "code/entry_doubts.h"

#include "code/source_position.h"

enum {
	MOST_STRAIGHT = 200, // instructions that are followed
	MOST_DEPTH = 64      // of copies within one another that are looked into
};

struct finder {
	struct ic_host_code *code;
	const struct ic_flow *flow;
	const struct ic_ways_in *ways;
	struct ic_entry_doubts *doubts;
	bool leads_anywhere; // a jump in the copy goes to where a table says
};

const char *ic_entry_doubt_name(enum ic_entry_doubt_kind kind)
{
	static const char *const names[] = { "passed by", "loop", "repeated" };

	return (unsigned)kind < sizeof(names) / sizeof(*names) ? names[kind] : NULL;
}

const char *ic_entry_doubt_text(enum ic_entry_doubt_kind kind)
{
	static const char *const texts[] = {
		"also reached without an entry",
		"entered from code of the copy itself",
		"perhaps begun again inside",
	};

	return (unsigned)kind < sizeof(texts) / sizeof(*texts) ? texts[kind] : NULL;
}

const char *ic_entry_doubt_effect(enum ic_entry_doubt_kind kind)
{
	static const char *const effects[] = { "calls may be missing", "there may be fewer calls",
					       "calls may be missing" };

	return (unsigned)kind < sizeof(effects) / sizeof(*effects) ? effects[kind] : NULL;
}

static const struct ic_flow_node *node_of(const struct finder *finder, uint32_t number)
{
	return &finder->flow->nodes.items[number];
}

static bool put(struct finder *finder, enum ic_entry_doubt_kind kind, uint64_t addr,
		uint64_t target)
{
	struct ic_entry_doubt *doubt = IC_ARRAY_PUSH(&finder->doubts->list);

	if (doubt)
		*doubt = (struct ic_entry_doubt){ kind, addr, target };
	return doubt != NULL;
}

// A doubt about a step of control.
static bool put_step(struct finder *finder, enum ic_entry_doubt_kind kind, uint32_t from,
		     uint32_t to)
{
	return put(finder, kind, node_of(finder, from)->instruction.addr,
		   node_of(finder, to)->instruction.addr);
}

// Takes from the steps that may be made in the code of a host; false if none is left.
static bool take_steps(struct finder *finder, uint64_t count)
{
	struct ic_host_code *code = finder->code;

	finder->doubts->gave_up |= code->steps < count;
	code->steps = code->steps < count ? 0 : code->steps - count;
	return !finder->doubts->gave_up;
}

static uint32_t count_before(const struct finder *finder, uint32_t node)
{
	return finder->flow->firsts[node + 1] - finder->flow->firsts[node];
}

// Whether control comes to an instruction outside straight from the copy: it is mixed with that.
static bool is_mixed(struct finder *finder, uint32_t node)
{
	for (unsigned i = 0; i < MOST_STRAIGHT && take_steps(finder, 1); i++) {
		if (ic_host_code_is_own(finder->code, node))
			return true;
		if (count_before(finder, node) != 1)
			return false;
		uint32_t before = finder->flow->befores[finder->flow->firsts[node]];
		if (node_of(finder, before)->instruction.kind == IC_INSTRUCTION_BRANCH)
			return false;
		node = before;
	}
	return false;
}

// Whether control goes straight on from an instruction to an entry: it was moved before that.
static bool is_before_entry(struct finder *finder, uint32_t node)
{
	for (unsigned i = 0; i < MOST_STRAIGHT && node != IC_NONE && take_steps(finder, 1); i++) {
		const struct ic_flow_node *at = node_of(finder, node);
		if (ic_ways_in_has(finder->ways, at->instruction.addr))
			return true;
		if (at->instruction.kind == IC_INSTRUCTION_BRANCH)
			return false;
		node = at->instruction.kind == IC_INSTRUCTION_JUMP ? at->branch : at->next;
	}
	return false;
}

static bool look_at(struct finder *finder, uint32_t node)
{
	const struct ic_flow *flow = finder->flow;
	uint64_t addr = node_of(finder, node)->instruction.addr;
	bool is_entry = ic_ways_in_has(finder->ways, addr), passes = false;

	for (uint32_t i = flow->firsts[node]; i < flow->firsts[node + 1]; i++) {
		uint32_t before = flow->befores[i];
		bool is_own = ic_host_code_is_own(finder->code, before);
		// Only a way back in the code is a loop: the rounds of an unrolled one follow one
		// another.
		bool is_back = is_own && node_of(finder, before)->instruction.addr >= addr;
		if (is_entry && is_back && !put_step(finder, IC_ENTRY_LOOP, before, node))
			return false;
		if (is_entry || is_own || is_mixed(finder, before))
			continue;
		if (!passes && is_before_entry(finder, node))
			return true;
		passes = true;
		if (!put_step(finder, IC_ENTRY_PASSED_BY, before, node))
			return false;
	}
	// What catches exceptions, or a table leads to.
	return is_entry || finder->leads_anywhere || !node_of(finder, node)->is_root ||
	       is_before_entry(finder, node) || put(finder, IC_ENTRY_PASSED_BY, addr, addr);
}

static void find_jump_by_table(struct finder *finder, uint32_t first, uint64_t end)
{
	const struct ic_host_code *code = finder->code;

	for (uint32_t i = first;
	     i < code->nodes.count && code->nodes.items[i].key < end && take_steps(finder, 1);
	     i++) {
		const struct ic_flow_node *node = node_of(finder, code->nodes.items[i].number);
		finder->leads_anywhere |= node->instruction.kind == IC_INSTRUCTION_INDIRECT &&
					  !node->is_branch_out;
	}
}

static bool look_at_code(struct finder *finder)
{
	struct ic_host_code *code = finder->code;

	for (uint32_t i = 0; i < code->own.count; i++)
		find_jump_by_table(finder, ic_host_code_first(code, code->own.ranges[i].start),
				   code->own.ranges[i].end);
	for (uint32_t i = 0; i < code->own.count; i++) {
		uint32_t j = ic_host_code_first(code, code->own.ranges[i].start);
		for (; j < code->nodes.count && code->nodes.items[j].key < code->own.ranges[i].end;
		     j++) {
			uint32_t node = code->nodes.items[j].number;
			if (!take_steps(finder, 1 + count_before(finder, node)))
				return true;
			if (!look_at(finder, node))
				return false;
		}
	}
	return true;
}

// ---- Rows

static bool is_same_place(const struct ic_entry_row *a, const struct ic_entry_row *b)
{
	return a->line == b->line && a->column == b->column && a->file == b->file;
}

// Where a copy is entered, or the first range of what is out of line: code of a copy that was moved
// can be before its entry.
static uint64_t start_of(const struct ic_host_code *code)
{
	const struct ic_instance *instance = ic_host_code_copy(code);

	return instance->kind == IC_INSTANCE_INLINED && instance->entry != IC_NO_ADDR
		       ? instance->entry
		       : code->unit->ranges[instance->first_range].start;
}

// The row of the first statement of the instance; NULL if it is not near the start. Rows before the
// declarator there are the caller's. Of one out of line the first row is where the body begins.
static const struct ic_entry_row *find_first_statement(const struct ic_host_code *code)
{
	const struct ic_unit_model *unit = code->unit;
	const struct ic_instance *instance = ic_host_code_copy(code);
	const struct ic_function *function = ic_host_code_function(code, code->copy);
	const struct ic_entry_row *found = NULL;
	uint64_t start = start_of(code);
	uint32_t first = ic_unit_model_entry_row(unit, start);

	for (uint32_t i = first;
	     i < unit->entry_row_count && unit->entry_rows[i].addr - start <= IC_ENTRY_MOST_PADDING;
	     i++) {
		const struct ic_entry_row *row = &unit->entry_rows[i];
		bool is_head = function && row->line == function->decl_line &&
			       row->column == function->decl_column;
		if (found && row->addr > start)
			break;
		if (is_head && row->is_stmt && instance->kind == IC_INSTANCE_INLINED)
			found = NULL;
		// Without columns several statements in one line would be one.
		else if (!found && !is_head && row->is_stmt && row->line > 0 && row->column > 0 &&
			 !(instance->kind == IC_INSTANCE_HOST &&
			   is_same_place(row, &unit->entry_rows[first])))
			found = row;
	}
	return found;
}

// Whether two addresses are in the same calls within the copy. An address has rows of several
// statements, and not all of them are kept: they do not tell.
static bool is_in_same_calls(struct ic_host_code *code, uint64_t a, uint64_t b)
{
	uint32_t copy = code->copy, inner_a, inner_b;

	for (unsigned i = 0; i < MOST_DEPTH; i++) {
		struct ic_source_position at_a = ic_source_position_of(code, copy, a, &inner_a);
		struct ic_source_position at_b = ic_source_position_of(code, copy, b, &inner_b);
		if (inner_a == IC_NONE || inner_b == IC_NONE)
			return inner_a == inner_b;
		if (ic_source_position_compare(at_a, at_b) != 0)
			return false;
		if (inner_a != inner_b)
			return true;
		copy = inner_a;
	}
	return true;
}

// Whether a row is that of the first statement again: not of one in another copy within.
static bool is_repeat(const struct finder *finder, const struct ic_entry_row *row,
		      const struct ic_entry_row *first)
{
	struct ic_host_code *code = finder->code;
	const struct ic_function *function = ic_host_code_function(code, code->copy);
	bool has_column = function && function->decl_column > 0;

	if (row->addr == first->addr || !(has_column ? row->is_stmt : row->may_be_stmt) ||
	    !is_same_place(row, first) || ic_ways_in_has(finder->ways, row->addr))
		return false;
	return is_in_same_calls(code, row->addr, first->addr);
}

bool ic_entry_repeats_find(struct ic_host_code *code, const struct ic_ways_in *ways,
			   struct ic_entry_doubts *doubts)
{
	struct finder finder = { .code = code, .ways = ways, .doubts = doubts };
	const struct ic_unit_model *unit = code->unit;
	const struct ic_range_set *own = &code->own;
	const struct ic_entry_row *first = find_first_statement(code);
	uint64_t last = IC_NO_ADDR;

	for (uint32_t i = 0; first && i < own->count; i++) {
		uint32_t j = ic_unit_model_entry_row(unit, own->ranges[i].start);
		for (; j < unit->entry_row_count && unit->entry_rows[j].addr < own->ranges[i].end &&
		       ic_host_code_search(code, 1);
		     j++) {
			const struct ic_entry_row *row = &unit->entry_rows[j];
			if (!ic_host_code_search(code, 1)) {
				doubts->gave_up = true;
				return true;
			}
			if (row->addr == last || !is_repeat(&finder, row, first))
				continue;
			last = row->addr;
			if (!put(&finder, IC_ENTRY_REPEATED, row->addr, row->addr))
				return false;
		}
	}
	return true;
}

// The first instruction to which control also comes from elsewhere, straight from the entry;
// IC_NONE if there is none.
static uint32_t find_join(const struct finder *finder, uint64_t entry)
{
	uint32_t node = ic_flow_find(finder->flow, entry);

	for (unsigned i = 0; i < MOST_STRAIGHT && node != IC_NONE; i++) {
		const struct ic_flow_node *at = node_of(finder, node);
		if (count_before(finder, node) > (i > 0))
			return node;
		if (at->instruction.kind == IC_INSTRUCTION_BRANCH ||
		    at->instruction.kind == IC_INSTRUCTION_CALL)
			return IC_NONE;
		node = at->instruction.kind == IC_INSTRUCTION_JUMP ? at->branch : at->next;
	}
	return IC_NONE;
}

// Whether control comes back to a node: from which one before it, or IC_NONE. Takes as many steps
// as the function has instructions.
static bool find_way_back(struct finder *finder, uint32_t node, uint32_t *from)
{
	enum { REACHED = 1 };
	struct ic_host_code *code = finder->code;
	struct ic_flow *flow = &code->function.flow;

	*from = IC_NONE;
	if (code->steps < flow->nodes.count)
		return true;
	code->steps -= flow->nodes.count;
	for (uint32_t i = 0; i < flow->nodes.count; i++)
		flow->nodes.items[i].marks = i == node ? REACHED : 0;
	if (!ic_flow_spread(flow, REACHED, 0, 0, false))
		return false;
	for (uint32_t i = flow->firsts[node]; i < flow->firsts[node + 1]; i++)
		if (flow->nodes.items[flow->befores[i]].marks & REACHED)
			*from = flow->befores[i];
	return true;
}

bool ic_entry_recursion_find(struct ic_host_code *code, const struct ic_ways_in *ways,
			     struct ic_entry_doubts *doubts)
{
	struct finder finder = {
		.code = code, .flow = &code->function.flow, .ways = ways, .doubts = doubts
	};
	const struct ic_function *function = ic_host_code_function(code, code->copy);
	const struct ic_entry_row *first = find_first_statement(code);
	uint32_t node, from;

	// LLVM does not mark where statements begin in the line of another one.
	if (function && function->decl_column == 0)
		node = find_join(&finder, ways->addrs.items[0]);
	else
		node = first ? ic_flow_find(finder.flow, first->addr) : IC_NONE;
	return node == IC_NONE ||
	       (find_way_back(&finder, node, &from) &&
		(from == IC_NONE || put_step(&finder, IC_ENTRY_REPEATED, from, node)));
}

bool ic_entry_doubts_find(struct ic_host_code *code, const struct ic_ways_in *ways,
			  struct ic_entry_doubts *doubts)
{
	struct finder finder = {
		.code = code, .flow = &code->function.flow, .ways = ways, .doubts = doubts
	};

	return look_at_code(&finder) && ic_entry_repeats_find(code, ways, doubts);
}
