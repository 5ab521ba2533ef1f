#include "code/entries/positions.h"

#include <stdlib.h>

#include "code/entries/source_position.h"

enum { MOST_STRAIGHT = 200 }; // instructions to follow

static bool comes_from_outside(struct ic_host_code *code, uint64_t addr)
{
	const struct ic_flow *flow = &code->function.flow;
	uint32_t node = ic_flow_find(flow, addr);

	if (node == IC_NONE ||
	    !ic_host_code_search(code, flow->firsts[node + 1] - flow->firsts[node]))
		return false;
	for (uint32_t i = flow->firsts[node]; i < flow->firsts[node + 1]; i++)
		if (!ic_host_code_is_own(code, flow->befores[i]))
			return true;
	return flow->firsts[node] == flow->firsts[node + 1];
}

// The address after padding, and after a jump out of the copy that control does not continue after:
// code from elsewhere that was placed before the start.
static uint64_t skip_to_beginning(struct ic_host_code *code, uint64_t addr, uint64_t end)
{
	const struct ic_flow *flow = &code->function.flow;

	for (addr = ic_host_code_skip(code, addr, end); addr < end;
	     addr = ic_host_code_skip(code, addr, end)) {
		uint32_t node = ic_flow_find(flow, addr);
		const struct ic_flow_node *at = node == IC_NONE ? NULL : &flow->nodes.items[node];
		uint64_t next = at ? addr + at->instruction.size : end;
		if (!at || at->instruction.kind != IC_INSTRUCTION_JUMP || next >= end ||
		    (at->branch != IC_NONE && ic_host_code_is_own(code, at->branch)) ||
		    !comes_from_outside(code, next))
			break;
		addr = next;
	}
	return addr;
}

// Keeps the entries whose code comes first in the function, if the position of any is known.
static void keep_first(struct ic_host_code *code, struct ic_ways_in *ways, uint64_t entry)
{
	const uint64_t *first = NULL;
	uint32_t kept = 0;

	for (uint32_t i = 0; i < ways->addrs.count; i++) {
		const uint64_t *addr = &ways->addrs.items[i];
		if (ic_source_position_of(code, code->copy, *addr, NULL).line > 0 &&
		    (!first || ic_source_order(code, *addr, *first) < 0))
			first = addr;
	}
	uint64_t least = first ? *first : entry;
	for (uint32_t i = 0; i < ways->addrs.count; i++) {
		uint64_t addr = ways->addrs.items[i];
		if (first ? ic_source_order(code, addr, least) == 0 : addr == least)
			ways->addrs.items[kept++] = addr;
	}
	ways->addrs.count = kept;
}

// Whether all code from an entry to the end of its range has the same position, or none.
static bool has_one_position(struct ic_host_code *code, uint64_t addr)
{
	const struct ic_unit_model *unit = code->unit;
	const struct ic_range *range = ic_range_set_find(&code->own, addr);
	// Rows further from the start of a range are not kept.
	bool is_one = range && range->end - range->start <= IC_ENTRY_MOST_PADDING;

	for (uint32_t i = ic_unit_model_entry_row(unit, addr);
	     is_one && i < unit->entry_row_count && unit->entry_rows[i].addr < range->end; i++)
		is_one = ic_host_code_search(code, 1) &&
			 (unit->entry_rows[i].line == 0 ||
			  ic_source_order(code, unit->entry_rows[i].addr, addr) == 0);
	return is_one;
}

// Whether each position in the code from one entry to the end of its range also occurs after the
// other.
static bool are_positions_of(struct ic_host_code *code, uint64_t addr, uint64_t other)
{
	const struct ic_unit_model *unit = code->unit;
	const struct ic_range *range = ic_range_set_find(&code->own, addr);
	const struct ic_range *there = ic_range_set_find(&code->own, other);
	const struct ic_entry_row *rows = unit->entry_rows;
	uint32_t first = ic_unit_model_entry_row(unit, other);

	for (uint32_t i = ic_unit_model_entry_row(unit, addr);
	     i < unit->entry_row_count && rows[i].addr < range->end; i++) {
		bool is_there = rows[i].line == 0;
		for (uint32_t j = first; !is_there && j < unit->entry_row_count &&
					 rows[j].addr < there->end && ic_host_code_search(code, 1);
		     j++)
			is_there = rows[j].line > 0 &&
				   ic_source_order(code, rows[i].addr, rows[j].addr) == 0;
		if (!is_there)
			return false;
	}
	return true;
}

// Whether the code from two entries to the ends of their ranges has the same instructions, and not
// only moves.
static bool are_same_operations(struct ic_host_code *code, struct ic_range range,
				struct ic_range there)
{
	const struct ic_keyed *nodes = code->nodes.items;
	uint32_t i = ic_host_code_first(code, range.start);
	uint32_t j = ic_host_code_first(code, there.start);
	bool any = false;

	for (; i < code->nodes.count && nodes[i].key < range.end; i++, j++) {
		if (j == code->nodes.count || nodes[j].key >= there.end ||
		    !ic_host_code_search(code, 1))
			return false;
		const struct ic_flow_node *flow = code->function.flow.nodes.items;
		const struct ic_instruction *a = &flow[nodes[i].number].instruction;
		const struct ic_instruction *b = &flow[nodes[j].number].instruction;
		if (a->operation == 0 || a->operation != b->operation)
			return false;
		any |= !a->is_move;
	}
	return any && (j == code->nodes.count || nodes[j].key >= there.end);
}

// Whether the code at two entries is two rounds of an unrolled loop: it has the same positions, not
// only that of the function's start; otherwise it has the same instructions.
static bool are_rounds(struct ic_host_code *code, uint64_t addr, uint64_t other)
{
	const struct ic_range *range = ic_range_set_find(&code->own, addr);
	const struct ic_range *there = ic_range_set_find(&code->own, other);

	if (!range || !there)
		return false;
	if (has_one_position(code, addr))
		return has_one_position(code, other) &&
		       are_same_operations(code, (struct ic_range){ addr, range->end },
					   (struct ic_range){ other, there->end });
	return are_positions_of(code, addr, other) && are_positions_of(code, other, addr);
}

// Follows the only path from a node. Returns the node of the first entry on it, or the branch or
// call that ends it; IC_NONE if neither is near.
static uint32_t follow_jumps(const struct ic_host_code *code, const struct ic_ways_in *ways,
			     uint32_t node)
{
	const struct ic_flow *flow = &code->function.flow;

	for (unsigned i = 0; i < MOST_STRAIGHT && node != IC_NONE; i++) {
		const struct ic_flow_node *at = &flow->nodes.items[node];
		if (ic_ways_in_has(ways, at->instruction.addr) ||
		    at->instruction.kind == IC_INSTRUCTION_BRANCH ||
		    at->instruction.kind == IC_INSTRUCTION_CALL)
			return node;
		node = at->instruction.kind == IC_INSTRUCTION_JUMP ? at->branch : at->next;
	}
	return IC_NONE;
}

static bool is_way(const struct ic_host_code *code, const struct ic_ways_in *ways, uint32_t node)
{
	return node != IC_NONE &&
	       ic_ways_in_has(ways, code->function.flow.nodes.items[node].instruction.addr);
}

// Whether an address is only code that was moved before another entry, and starts no call: out of a
// loop, or before a branch because both of its paths start with it, or to prepare registers. Of
// several in a row, the last one is an entry.
static bool is_moved(struct ic_host_code *code, const struct ic_ways_in *ways, uint64_t addr)
{
	const struct ic_flow_node *nodes = code->function.flow.nodes.items;
	uint32_t node = ic_flow_find(&code->function.flow, addr);

	if (node == IC_NONE || nodes[node].instruction.kind == IC_INSTRUCTION_BRANCH ||
	    nodes[node].instruction.kind == IC_INSTRUCTION_CALL)
		return false;
	node = follow_jumps(code, ways,
			    nodes[node].instruction.kind == IC_INSTRUCTION_JUMP ? nodes[node].branch
										: nodes[node].next);
	if (is_way(code, ways, node))
		return !are_rounds(code, addr, nodes[node].instruction.addr);
	if (node == IC_NONE || nodes[node].instruction.kind != IC_INSTRUCTION_BRANCH ||
	    ic_host_code_is_own(code, node) || !has_one_position(code, addr))
		return false;
	const uint32_t both[] = { follow_jumps(code, ways, nodes[node].next),
				  follow_jumps(code, ways, nodes[node].branch) };
	for (unsigned i = 0; i < 2; i++)
		if (is_way(code, ways, both[i]) &&
		    !has_one_position(code, nodes[both[i]].instruction.addr))
			return true;
	return false;
}

// Whether a call may be one of those whose code LLVM merged into another one's. It leaves out what
// the calls do not have in common: the line, or only the column.
static bool is_of_merged(const struct ic_instance *merged, const struct ic_instance *other)
{
	if (other->parent != merged->parent || other->call_line == 0)
		return false;
	return merged->call_line == 0 || (merged->call_line == other->call_line &&
					  merged->call_column == 0 && other->call_column > 0);
}

// Whether the copy is code merged from several calls. If at least two of them are its siblings,
// they have the code before it.
static bool is_merged(struct ic_host_code *code)
{
	const struct ic_instance *copy = ic_host_code_copy(code);
	uint32_t last = IC_NONE;
	unsigned others = 0;

	if ((copy->call_line > 0 && copy->call_column > 0) ||
	    !ic_host_code_search(code, code->starts.count))
		return false;
	for (uint32_t i = 0; i < code->starts.count; i++) {
		uint32_t number = code->starts.items[i].instance;
		const struct ic_instance *other = &code->unit->instances[number];
		if (number == last || other->entry != code->starts.items[i].addr)
			continue;
		last = number;
		others += is_of_merged(copy, other);
	}
	return others > 1;
}

// Whether the copy starts after DWARF's entry: some of its code was moved before that.
static bool begins_later(struct ic_host_code *code, uint64_t entry)
{
	for (uint32_t i = 0; i < code->own.count; i++) {
		uint64_t addr = code->own.ranges[i].start;
		if (addr != entry && comes_from_outside(code, addr) &&
		    ic_source_order(code, addr, entry) < 0)
			return true;
	}
	return false;
}

// Whether control reaches a node only from other copies that start before a source position, or
// through a few moves after their code, which LLVM merges with it; and from at least one.
static bool comes_from_earlier(struct ic_host_code *code, uint32_t node,
			       struct ic_source_position here, unsigned moves)
{
	const struct ic_flow *flow = &code->function.flow;
	bool any = false;

	if (!ic_host_code_search(code, 1 + flow->firsts[node + 1] - flow->firsts[node]))
		return false;
	for (uint32_t i = flow->firsts[node]; i < flow->firsts[node + 1]; i++) {
		uint32_t before = flow->befores[i];
		const struct ic_instruction *instruction = &flow->nodes.items[before].instruction;
		uint32_t owner = ic_segments_find(&code->copies, instruction->addr);
		if (owner == code->copy)
			continue;
		any = true;
		if (owner == IC_NONE) {
			if (moves == 0 || !instruction->is_move ||
			    !comes_from_earlier(code, before, here, moves - 1))
				return false;
			continue;
		}
		struct ic_source_position there = ic_source_position_of(
			code, owner, code->unit->instances[owner].entry, NULL);
		if (there.line == 0 || ic_source_position_compare(there, here) >= 0)
			return false;
	}
	return any;
}

// Whether control reaches the entry only from other copies that start earlier in the source: their
// code continues in this one.
static bool is_behind_others(struct ic_host_code *code)
{
	enum { MOST_MOVES = 3 };
	uint64_t entry = ic_host_code_copy(code)->entry;
	uint32_t node = ic_flow_find(&code->function.flow, entry);
	struct ic_source_position here = ic_source_position_of(code, code->copy, entry, NULL);

	return node != IC_NONE && here.line > 0 &&
	       comes_from_earlier(code, node, here, MOST_MOVES) && !begins_later(code, entry);
}

// Whether the rows at the possible entries of the copy have columns.
static bool has_columns(const struct ic_host_code *code)
{
	const struct ic_unit_model *unit = code->unit;

	for (uint32_t i = 0; i < code->own.count; i++) {
		uint32_t row = ic_unit_model_entry_row(unit, code->own.ranges[i].start);
		if (row < unit->entry_row_count && unit->entry_rows[row].column > 0)
			return true;
	}
	return false;
}

// Another address where a part of the copy starts, at no later line than its entry, and control
// comes from outside; IC_NO_ADDR if there is none.
static uint64_t find_other_start(struct ic_host_code *code, uint64_t entry)
{
	for (uint32_t i = 0; i < code->own.count; i++) {
		uint64_t start = code->own.ranges[i].start;
		if (start != entry && comes_from_outside(code, start) &&
		    ic_source_order(code, start, entry) <= 0)
			return start;
	}
	return IC_NO_ADDR;
}

bool ic_entry_positions_find(struct ic_host_code *code, struct ic_ways_in *ways)
{
	const struct ic_range_set *own = &code->own;
	const struct ic_range *around = ic_range_set_find(own, ic_host_code_copy(code)->entry);
	uint64_t entry = ic_host_code_copy(code)->entry;
	uint64_t after = around ? skip_to_beginning(code, entry, around->end) : entry;
	bool are_all;

	if (is_merged(code) || is_behind_others(code)) {
		ways->is_counted_elsewhere = true;
		return true;
	}
	if (around && after < around->end)
		entry = after;
	if (!around)
		return ic_ways_in_add(ways, entry);
	if (!has_columns(code)) { // it is unknown whether a part is the start again
		ways->unclear = find_other_start(code, entry);
		return ic_ways_in_add(ways, entry);
	}
	for (uint32_t i = 0; i < own->count; i++) {
		uint64_t end = own->ranges[i].end;
		uint64_t addr = skip_to_beginning(code, own->ranges[i].start, end);
		if (addr < end && (addr == entry || comes_from_outside(code, addr)) &&
		    !ic_ways_in_add(ways, addr))
			return false;
	}
	if (ways->addrs.count == 0) // only code that looks like padding, such as room for a tracer
		return ic_ways_in_add(ways, entry);
	keep_first(code, ways, entry);
	return ic_ways_in_leave_out_on_the_way(ways, code) &&
	       ic_ways_in_leave_out(ways, code, is_moved, &are_all);
}
