#include "code/entries/doubts.h"

#include <string.h>

#include "code/entries/first_statement.h"
#include "code/entries/marks.h"
#include "code/entries/source_position.h"

enum {
	MOST_STRAIGHT = 200, // instructions to follow
	MOST_DEPTH = 64      // nesting of copies to examine
};

struct finder {
	struct ic_host_code *code;
	const struct ic_flow *flow;
	const struct ic_ways_in *ways;
	struct ic_entry_doubts *doubts;
	bool leads_anywhere; // a jump in the copy goes through a table
};

const char *ic_entry_doubt_name(enum ic_entry_doubt_kind kind)
{
	static const char *const names[] = { "passed by", "loop", "repeated", "packed" };

	return (unsigned)kind < sizeof(names) / sizeof(*names) ? names[kind] : NULL;
}

const char *ic_entry_doubt_text(enum ic_entry_doubt_kind kind)
{
	static const char *const texts[] = {
		"also reached without an entry",
		"entered from within the copy",
		"possibly restarted inside",
		"possibly run once for several calls",
	};

	return (unsigned)kind < sizeof(texts) / sizeof(*texts) ? texts[kind] : NULL;
}

const char *ic_entry_doubt_effect(enum ic_entry_doubt_kind kind)
{
	static const char *const effects[] = {
		"calls may be missing",
		"there may be fewer calls, or more if the function calls itself",
		"calls may be missing",
		"calls may be missing",
	};

	return (unsigned)kind < sizeof(effects) / sizeof(*effects) ? effects[kind] : NULL;
}

static const struct ic_flow_node *node_of(const struct finder *finder, uint32_t number)
{
	return &finder->flow->nodes.items[number];
}

static bool put_doubt(struct finder *finder, enum ic_entry_doubt_kind kind, uint64_t addr,
		      uint64_t target)
{
	return IC_ARRAY_ADD(&finder->doubts->list, (struct ic_entry_doubt){ kind, addr, target });
}

// Adds a doubt about a step of control.
static bool put_step(struct finder *finder, enum ic_entry_doubt_kind kind, uint32_t from,
		     uint32_t to)
{
	return put_doubt(finder, kind, node_of(finder, from)->instruction.addr,
			 node_of(finder, to)->instruction.addr);
}

// Takes from the steps allowed in the code of a host; false if there are not enough left.
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

// Whether control reaches an instruction outside straight from the copy: it is mixed with the copy.
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

// Whether control continues straight from an instruction to an entry: it was moved before the
// entry.
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

// Whether a step to an entry belongs to a call that was entered before. A step backwards in the
// copy's code does: the rounds of an unrolled loop follow one another. A branch right after another
// entry may: if the compiler knows its outcome on some paths, it leads these past the branch, and
// marks the start of the call on each.
static bool is_within_call(struct finder *finder, uint32_t before, uint64_t entry)
{
	uint32_t node = before;

	if (node_of(finder, before)->instruction.addr >= entry)
		return true;
	if (node_of(finder, before)->instruction.kind != IC_INSTRUCTION_BRANCH)
		return false;
	for (unsigned i = 0; i < MOST_STRAIGHT && take_steps(finder, 1); i++) {
		if (!ic_host_code_is_own(finder->code, node))
			return false;
		if (ic_ways_in_has(finder->ways, node_of(finder, node)->instruction.addr))
			return true;
		if (count_before(finder, node) != 1)
			return false;
		node = finder->flow->befores[finder->flow->firsts[node]];
		if (node_of(finder, node)->instruction.kind == IC_INSTRUCTION_BRANCH)
			return false;
	}
	return false;
}

static bool look_at_entry(struct finder *finder, uint64_t addr)
{
	const struct ic_flow *flow = finder->flow;
	uint32_t node = ic_flow_find(flow, addr);

	if (node == IC_NONE || !take_steps(finder, 1 + count_before(finder, node)))
		return true;
	for (uint32_t i = flow->firsts[node]; i < flow->firsts[node + 1]; i++)
		if (ic_host_code_is_own(finder->code, flow->befores[i]) &&
		    is_within_call(finder, flow->befores[i], addr) &&
		    !put_step(finder, IC_ENTRY_LOOP, flow->befores[i], node))
			return false;
	return true;
}

static bool look_at(struct finder *finder, uint32_t node)
{
	const struct ic_flow *flow = finder->flow;
	uint64_t addr = node_of(finder, node)->instruction.addr;
	bool passes = false;

	if (ic_ways_in_has(finder->ways, addr))
		return true;
	for (uint32_t i = flow->firsts[node]; i < flow->firsts[node + 1]; i++) {
		uint32_t before = flow->befores[i];
		if (ic_host_code_is_own(finder->code, before) || is_mixed(finder, before))
			continue;
		if (!passes && is_before_entry(finder, node))
			return true;
		passes = true;
		if (!put_step(finder, IC_ENTRY_PASSED_BY, before, node))
			return false;
	}
	// Code that catches exceptions, or that a table leads to.
	return finder->leads_anywhere || !node_of(finder, node)->is_root ||
	       is_before_entry(finder, node) || put_doubt(finder, IC_ENTRY_PASSED_BY, addr, addr);
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
	for (uint32_t i = 0; i < finder->ways->addrs.count; i++)
		if (!look_at_entry(finder, finder->ways->addrs.items[i]))
			return false;
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

typedef bool node_test(const struct finder *finder, const struct ic_flow_node *node);

// The first instruction of the copy that passes a test; IC_NONE if none does.
static uint32_t find_own(struct finder *finder, node_test *test)
{
	const struct ic_host_code *code = finder->code;

	for (uint32_t i = 0; i < code->own.count; i++) {
		uint32_t j = ic_host_code_first(code, code->own.ranges[i].start);
		for (; j < code->nodes.count &&
		       code->nodes.items[j].key < code->own.ranges[i].end && take_steps(finder, 1);
		     j++)
			if (test(finder, node_of(finder, code->nodes.items[j].number)))
				return code->nodes.items[j].number;
	}
	return IC_NONE;
}

// Every loop has such a jump.
static bool jumps_back(const struct finder *finder, const struct ic_flow_node *node)
{
	(void)finder;
	return node->branch != IC_NONE && node->instruction.target <= node->instruction.addr;
}

// Whether control returns to a node within the copy's code: *from is the last predecessor that it
// returns from, or IC_NONE. Takes as many steps as the function has instructions.
static bool find_way_back(struct finder *finder, uint32_t node, uint32_t *from)
{
	enum { REACHED = 1, OWN = 2 };
	struct ic_host_code *code = finder->code;
	struct ic_flow *flow = &code->function.flow;

	*from = IC_NONE;
	if (find_own(finder, jumps_back) == IC_NONE || !take_steps(finder, flow->nodes.count))
		return true;
	ic_host_code_mark_own(code, OWN);
	flow->nodes.items[node].marks |= REACHED;
	if (!ic_flow_spread(flow, REACHED, OWN, 0, false))
		return false;
	for (uint32_t i = flow->firsts[node]; i < flow->firsts[node + 1]; i++)
		if (flow->nodes.items[flow->befores[i]].marks & REACHED)
			*from = flow->befores[i];
	return true;
}

// Whether two addresses are in the same calls within the copy. An address can have rows of several
// statements, not all of which are kept, so its own rows are not compared.
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

// Whether control reaches the first statement from an entry before it. The entry address in the
// DWARF need not be an entry.
static bool is_behind_entry(const struct finder *finder, uint64_t addr)
{
	const struct ic_ways_in *ways = finder->ways;
	uint64_t start = ic_first_statement_start(finder->code);
	bool any = ic_host_code_copy(finder->code)->kind == IC_INSTANCE_HOST;

	for (uint32_t i = 0; !any && i < ways->addrs.count; i++)
		any = ways->addrs.items[i] >= start && ways->addrs.items[i] <= addr;
	return any;
}

// Whether a row repeats the first statement: not one in another copy inside.
static bool is_repeat(const struct finder *finder, const struct ic_entry_row *row,
		      const struct ic_entry_row *first)
{
	struct ic_host_code *code = finder->code;
	const struct ic_function *function = ic_host_code_function(code, code->copy);
	bool has_column = function && function->decl_column > 0;

	if ((first->is_stmt && !(has_column ? row->is_stmt : row->may_be_stmt)) ||
	    !ic_entry_row_is_same_place(row, first) || ic_ways_in_has(finder->ways, row->addr) ||
	    (row->addr == first->addr && is_behind_entry(finder, row->addr)))
		return false;
	return is_in_same_calls(code, row->addr, first->addr);
}

// Whether an instruction is in a loop of the copy: code that is only mixed in has the same
// positions too.
static bool look_for_loop(struct finder *finder, uint64_t addr, bool *is_in_loop)
{
	uint32_t from, node = finder->code->why_not ? IC_NONE : ic_flow_find(finder->flow, addr);

	if (node != IC_NONE && !find_way_back(finder, node, &from))
		return false;
	*is_in_loop = node != IC_NONE && from != IC_NONE;
	return true;
}

bool ic_entry_repeats_find(struct ic_host_code *code, const struct ic_ways_in *ways,
			   struct ic_entry_doubts *doubts)
{
	struct finder finder = {
		.code = code, .flow = &code->function.flow, .ways = ways, .doubts = doubts
	};
	const struct ic_unit_model *unit = code->unit;
	const struct ic_range_set *own = &code->own;
	const struct ic_entry_row *first = ic_first_statement_find(code);
	uint64_t last = IC_NO_ADDR;
	bool is_in_loop = true;

	for (uint32_t i = 0; first && i < own->count; i++) {
		uint32_t j = ic_unit_model_entry_row(unit, own->ranges[i].start);
		for (; j < unit->entry_row_count && unit->entry_rows[j].addr < own->ranges[i].end;
		     j++) {
			const struct ic_entry_row *row = &unit->entry_rows[j];
			if (!ic_host_code_search(code, 1)) {
				doubts->gave_up = true;
				return true;
			}
			if (row->addr == last || !is_repeat(&finder, row, first))
				continue;
			last = row->addr;
			if (!first->is_stmt && !look_for_loop(&finder, row->addr, &is_in_loop))
				return false;
			if (is_in_loop &&
			    !put_doubt(&finder, IC_ENTRY_REPEATED, row->addr, row->addr))
				return false;
		}
	}
	return true;
}

// Whether code is in a copy inside the copy that does not contain the entry.
static bool is_in_another(struct ic_host_code *code, uint64_t addr, uint64_t entry)
{
	uint32_t inner, inner_of_entry;

	(void)ic_source_position_of(code, code->copy, addr, &inner);
	(void)ic_source_position_of(code, code->copy, entry, &inner_of_entry);
	return inner != IC_NONE && inner != inner_of_entry;
}

// Whether code of the copy itself, excluding what was inlined into it, has a row with another
// position than its entry. Rows far after the entry are not kept.
static bool has_other_row(struct ic_host_code *code, uint64_t entry, uint64_t end)
{
	const struct ic_unit_model *unit = code->unit;

	for (uint32_t i = ic_unit_model_entry_row(unit, entry);
	     i < unit->entry_row_count && unit->entry_rows[i].addr < end; i++)
		if (!ic_host_code_search(code, 1) ||
		    (unit->entry_rows[i].line > 0 &&
		     !is_in_another(code, unit->entry_rows[i].addr, entry) &&
		     ic_source_order(code, unit->entry_rows[i].addr, entry) != 0))
			return true;
	return false;
}

// Without marks, the rounds of an unrolled loop around a function with a single expression have the
// same position, for which LLVM makes one row. But then the first instruction occurs again. Most
// code has several moves: these only count if there is nothing else.
static bool find_repeated_operation(struct finder *finder, uint64_t entry)
{
	enum { LEAST_MOVES = 3 };
	struct ic_host_code *code = finder->code;
	const struct ic_range *range = ic_range_set_find(&code->own, entry);
	uint32_t first = ic_flow_find(finder->flow, entry), others = 0, same = 0;
	uint64_t again = IC_NO_ADDR;

	if (!range || first == IC_NONE)
		return true;
	const struct ic_instruction *begin = &node_of(finder, first)->instruction;
	for (uint32_t i = ic_host_code_first(code, entry + begin->size);
	     i < code->nodes.count && code->nodes.items[i].key < range->end &&
	     code->nodes.items[i].key - entry <= IC_ENTRY_MOST_PADDING;
	     i++) {
		uint64_t addr = code->nodes.items[i].key;
		if (!take_steps(finder, 1) || ic_ways_in_has(finder->ways, addr) ||
		    has_other_row(code, entry, addr + 1))
			break;
		if (is_in_another(code, addr, entry))
			continue;
		if (node_of(finder, code->nodes.items[i].number)->instruction.operation !=
		    begin->operation)
			others++;
		else if (same++ == 0)
			again = addr;
	}
	bool tells = begin->is_move ? others == 0 && same + 1 >= LEAST_MOVES
				    : begin->operation > 0 && same > 0;
	return !tells || put_doubt(finder, IC_ENTRY_REPEATED, again, again);
}

// Whether control reaches a node from code of the copy, ignoring the node `but`.
static bool comes_from_own(const struct finder *finder, uint32_t node, uint32_t but)
{
	const struct ic_flow *flow = finder->flow;

	for (uint32_t i = flow->firsts[node]; i < flow->firsts[node + 1]; i++)
		if (flow->befores[i] != but && ic_host_code_is_own(finder->code, flow->befores[i]))
			return true;
	return false;
}

// The first instruction, straight after the entry, that control also reaches from elsewhere in the
// copy; IC_NONE if there is none.
static uint32_t find_join(struct finder *finder, uint64_t entry)
{
	uint32_t node = ic_flow_find(finder->flow, entry), last = IC_NONE;

	for (unsigned i = 0; i < MOST_STRAIGHT && node != IC_NONE; i++) {
		const struct ic_flow_node *at = node_of(finder, node);
		if (!take_steps(finder, count_before(finder, node)))
			break;
		if (comes_from_own(finder, node, last))
			return node;
		if (at->instruction.kind == IC_INSTRUCTION_BRANCH ||
		    at->instruction.kind == IC_INSTRUCTION_CALL)
			break;
		last = node;
		node = at->instruction.kind == IC_INSTRUCTION_JUMP ? at->branch : at->next;
	}
	return IC_NONE;
}

static bool calls_copy(const struct finder *finder, const struct ic_flow_node *node)
{
	return node->instruction.kind == IC_INSTRUCTION_CALL &&
	       node->instruction.target == finder->ways->addrs.items[0];
}

bool ic_entry_recursion_find(struct ic_host_code *code, const struct ic_ways_in *ways,
			     struct ic_entry_doubts *doubts)
{
	struct finder finder = {
		.code = code, .flow = &code->function.flow, .ways = ways, .doubts = doubts
	};
	const struct ic_entry_row *first = ic_first_statement_find(code);
	uint32_t node, from;

	// Compilers that make no marks also do not mark statements that start in the same line as
	// another.
	if (!ic_entry_marks_are_there(code))
		node = find_join(&finder, ways->addrs.items[0]);
	else
		node = first ? ic_flow_find(finder.flow, first->addr) : IC_NONE;
	// Without columns it is unknown where statements start.
	if (node == IC_NONE && !first && find_own(&finder, calls_copy) != IC_NONE) {
		from = find_own(&finder, jumps_back);
		return from == IC_NONE ||
		       put_step(&finder, IC_ENTRY_REPEATED, from, node_of(&finder, from)->branch);
	}
	return node == IC_NONE ||
	       (find_way_back(&finder, node, &from) &&
		(from == IC_NONE || put_step(&finder, IC_ENTRY_REPEATED, from, node)));
}

// ---- Instructions for several values

// Whether the code at an address is of a function for one such instruction, as in <immintrin.h> and
// Rust's core::arch: the copy itself, or one inside it.
static bool is_of_intrinsic(struct ic_host_code *code, uint64_t addr)
{
	static const char *const places[] = { "intrin.h", "arm_neon.h", "arm_sve.h",
					      "/core_arch/" };
	uint32_t copy = code->copy;

	for (unsigned i = 0; i < MOST_DEPTH && copy != IC_NONE; i++) {
		const struct ic_function *function = ic_host_code_function(code, copy);
		const char *file = function ? function->decl_file : NULL;
		for (size_t j = 0; file && j < sizeof(places) / sizeof(*places); j++)
			if (strstr(file, places[j]))
				return true;
		(void)ic_source_position_of(code, copy, addr, &copy);
	}
	return false;
}

// Compilers combine several rounds of a loop into one, which then executes several calls inlined
// into it at once. If the whole loop is in the copy, it is the function's own loop, which may be
// followed by such instructions to sum up the result.
static bool look_for_packed(struct finder *finder)
{
	enum { MOST_LOOKED_AT = 16 };
	struct ic_host_code *code = finder->code;
	uint64_t first = IC_NO_ADDR;
	unsigned count = 0;

	for (uint32_t i = 0; i < code->own.count; i++) {
		uint32_t j = ic_host_code_first(code, code->own.ranges[i].start);
		for (; j < code->nodes.count && code->nodes.items[j].key < code->own.ranges[i].end;
		     j++) {
			uint32_t from, node = code->nodes.items[j].number;
			uint64_t addr = code->nodes.items[j].key;
			if (!take_steps(finder, 1))
				return true;
			if (!node_of(finder, node)->instruction.is_packed ||
			    count == MOST_LOOKED_AT || is_of_intrinsic(code, addr))
				continue;
			count++;
			if (!find_way_back(finder, node, &from))
				return false;
			if (from != IC_NONE)
				return true;
			if (first == IC_NO_ADDR)
				first = addr;
		}
	}
	return first == IC_NO_ADDR || put_doubt(finder, IC_ENTRY_PACKED, first, first);
}

bool ic_entry_doubts_find(struct ic_host_code *code, const struct ic_ways_in *ways,
			  struct ic_entry_doubts *doubts)
{
	struct finder finder = {
		.code = code, .flow = &code->function.flow, .ways = ways, .doubts = doubts
	};
	bool has_marks = ic_entry_marks_are_there(code);

	for (uint32_t i = 0; !has_marks && i < ways->addrs.count; i++)
		if (!find_repeated_operation(&finder, ways->addrs.items[i]))
			return false;
	if (ways->unclear != IC_NO_ADDR &&
	    !put_doubt(&finder, IC_ENTRY_REPEATED, ways->unclear, ways->unclear))
		return false;
	if (ic_host_code_copy(code)->kind == IC_INSTANCE_INLINED && !look_for_packed(&finder))
		return false;
	return look_at_code(&finder) && ic_entry_repeats_find(code, ways, doubts);
}
