#include "code/flow/leaving.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum {                     // marks of nodes
	OUTER = 1,         // reached from the start of the function without passing an entry
	FROM_ENTRY = 2,    // reached from an entry
	INSIDE = 4,        // the copy is active
	WATCHED = 8,       // an exit is reported at this node, outside of the copy
	UNKNOWN_PATH = 16, // reached from code that no known path leads to
	AROUND = 32,       // control may leave the function from there without passing an entry
	ENTRY = 64         // an entry of the copy
};

struct finder {
	struct ic_leaving *leaving;
	struct ic_flow *flow;
	const struct ic_range_set *own;
	uint32_t start;
	bool memory_is_out;
};

static struct ic_flow_node *node_of(const struct finder *finder, uint32_t number)
{
	return &finder->flow->nodes.items[number];
}

// Adds an exit; NULL if memory runs out.
static struct ic_exit *add_exit(struct finder *finder, uint64_t addr, enum ic_exit_kind kind,
				uint64_t target)
{
	struct ic_exit *leave = IC_ARRAY_PUSH(&finder->leaving->exits);

	if (leave)
		*leave = (struct ic_exit){
			.addr = addr, .target = target, .kind = kind, .condition = -1
		};
	else
		finder->memory_is_out = true;
	return leave;
}

// ---- Which code is the copy's

static void clear_marks(struct ic_flow *flow)
{
	for (uint32_t i = 0; i < flow->nodes.count; i++)
		flow->nodes.items[i].marks = 0;
}

static bool is_entry(const struct finder *finder, uint32_t number)
{
	return number != IC_NONE && node_of(finder, number)->marks & ENTRY;
}

// Marks the code where the copy is active: its own code that is reached only through an entry, and
// everything on paths from an entry to that code.
static bool mark_inside(struct finder *finder)
{
	struct ic_flow *flow = finder->flow;

	if (!is_entry(finder, finder->start))
		node_of(finder, finder->start)->marks |= OUTER;
	for (uint32_t i = 0; i < flow->nodes.count; i++) {
		struct ic_flow_node *node = &flow->nodes.items[i];
		if (node->marks & ENTRY) {
			node->marks |= FROM_ENTRY;
			continue;
		}
		if (node->is_root)
			node->marks |= UNKNOWN_PATH;
		if ((node->next == IC_NONE && node->branch == IC_NONE) || node->is_next_out ||
		    node->is_branch_out)
			node->marks |= AROUND;
	}
	if (!ic_flow_spread(flow, OUTER, 0, ENTRY, false) ||
	    !ic_flow_spread(flow, FROM_ENTRY, 0, 0, false) ||
	    !ic_flow_spread(flow, UNKNOWN_PATH, 0, ENTRY, false) ||
	    !ic_flow_spread(flow, AROUND, 0, ENTRY, true))
		return false;
	for (uint32_t i = 0; i < flow->nodes.count; i++) {
		struct ic_flow_node *node = &flow->nodes.items[i];
		if ((node->marks & (OUTER | FROM_ENTRY)) == FROM_ENTRY &&
		    ic_range_set_find(finder->own, node->instruction.addr))
			node->marks |= INSIDE;
		if (node->marks & ENTRY)
			node->marks |= INSIDE;
	}
	return ic_flow_spread(flow, INSIDE, FROM_ENTRY, ENTRY, true);
}

static bool is_inside(const struct finder *finder, uint32_t number)
{
	return number != IC_NONE && node_of(finder, number)->marks & INSIDE;
}

static bool leads_out(const struct finder *finder, uint32_t number)
{
	return number != IC_NONE && !is_inside(finder, number);
}

// ---- Doubts

static bool find_why_not(struct finder *finder)
{
	struct ic_leaving *leaving = finder->leaving;

	for (uint32_t i = 0; i < finder->flow->nodes.count; i++) {
		const struct ic_flow_node *node = node_of(finder, i);
		const char *what = NULL;
		if (!(node->marks & INSIDE))
			continue;
		if (node->instruction.kind == IC_INSTRUCTION_UNKNOWN)
			what = "an instruction in it cannot be decoded";
		else if (node->instruction.kind == IC_INSTRUCTION_INDIRECT && !node->is_branch_out)
			what = "the target of a jump in it is unknown";
		if (!what)
			continue;
		snprintf(leaving->why_not, sizeof(leaving->why_not), "%s, at 0x%" PRIx64, what,
			 node->instruction.addr);
		return true;
	}
	return false;
}

// Whether code of the copy is executed without its entry, because the compiler merged the same code
// of several copies. Code moved before the entry does not count, as it leads there.
static bool is_reached_otherwise(const struct finder *finder, const struct ic_flow_node *node)
{
	return (node->marks & (OUTER | AROUND | INSIDE)) == (OUTER | AROUND) &&
	       ic_range_set_find(finder->own, node->instruction.addr);
}

// Instructions mixed with the copy are neither calls nor branches. At a call or branch the copy may
// have been left, and lead back only because it shares code with another one.
static bool is_way_back(const struct finder *finder, uint32_t number)
{
	const struct ic_instruction *instruction = &node_of(finder, number)->instruction;

	return !is_entry(finder, number) && is_inside(finder, number) &&
	       !ic_range_set_find(finder->own, instruction->addr) &&
	       (instruction->kind == IC_INSTRUCTION_CALL ||
		instruction->kind == IC_INSTRUCTION_BRANCH);
}

static void find_doubt(struct finder *finder)
{
	const struct ic_flow *flow = finder->flow;
	struct ic_leaving *leaving = finder->leaving;
	const char *what = NULL;
	uint64_t addr = IC_NO_ADDR;

	for (uint32_t i = 0; i < flow->nodes.count; i++) {
		const struct ic_flow_node *node = node_of(finder, i);
		if (!what && is_reached_otherwise(finder, node)) {
			what = "its code that is reached without its entry is not counted";
			addr = node->instruction.addr;
		}
		if (!(node->marks & INSIDE))
			continue;
		if (!what && is_way_back(finder, i)) {
			what = "code around it that leads back to it is counted";
			addr = node->instruction.addr;
		}
		if (is_entry(finder, node->next) || is_entry(finder, node->branch)) {
			what = "control returns to its entry, which is not an exit";
			addr = node->instruction.addr;
		} else if (!what && node->marks & UNKNOWN_PATH && !is_entry(finder, i)) {
			what = "code that may catch exceptions leads into it";
			addr = node->instruction.addr;
		}
	}
	if (!what && flow->indirect_addr != IC_NO_ADDR) {
		what = "the target of a jump around it is unknown";
		addr = flow->indirect_addr;
	} else if (!what && flow->data_addr != IC_NO_ADDR) {
		what = "an instruction around it cannot be decoded";
		addr = flow->data_addr;
	}
	if (what)
		snprintf(leaving->doubt, sizeof(leaving->doubt), "%s, at 0x%" PRIx64, what, addr);
}

// ---- Exits

// Whether control reaches an instruction outside only from the copy.
static bool is_only_after(const struct finder *finder, uint32_t number)
{
	const struct ic_flow *flow = finder->flow;

	if (number == finder->start || flow->indirect_addr != IC_NO_ADDR ||
	    flow->data_addr != IC_NO_ADDR || node_of(finder, number)->is_root)
		return false;
	for (uint32_t i = flow->firsts[number]; i < flow->firsts[number + 1]; i++)
		if (!is_inside(finder, flow->befores[i]))
			return false;
	return true;
}

static void watch_node(struct finder *finder, uint32_t number)
{
	struct ic_flow_node *node = node_of(finder, number);

	if (node->marks & WATCHED || !is_only_after(finder, number))
		return;
	node->marks |= WATCHED;
	add_exit(finder, node->instruction.addr, IC_EXIT_AFTER, IC_NO_ADDR);
}

static bool is_watched(const struct finder *finder, uint32_t number)
{
	return number != IC_NONE && node_of(finder, number)->marks & WATCHED;
}

// A conditional jump that leaves on only one path, and a call after which the copy ends, are
// observed at the instruction after them, if no other path leads there.
static void watch_after(struct finder *finder)
{
	for (uint32_t i = 0; i < finder->flow->nodes.count; i++) {
		const struct ic_flow_node *node = node_of(finder, i);
		bool next_leaves = node->is_next_out || leads_out(finder, node->next);
		bool branch_leaves = node->is_branch_out || leads_out(finder, node->branch);

		if (!(node->marks & INSIDE))
			continue;
		if (node->instruction.kind == IC_INSTRUCTION_CALL && leads_out(finder, node->next))
			watch_node(finder, node->next);
		if (node->instruction.kind != IC_INSTRUCTION_BRANCH || next_leaves == branch_leaves)
			continue;
		if (leads_out(finder, node->next))
			watch_node(finder, node->next);
		if (leads_out(finder, node->branch))
			watch_node(finder, node->branch);
	}
}

static void put_branch(struct finder *finder, const struct ic_flow_node *node)
{
	bool next_leaves = node->is_next_out || leads_out(finder, node->next);
	bool branch_leaves = node->is_branch_out || leads_out(finder, node->branch);
	bool next_is_left = next_leaves && !is_watched(finder, node->next);
	bool branch_is_left = branch_leaves && !is_watched(finder, node->branch);
	uint64_t addr = node->instruction.addr;

	if (next_is_left && branch_is_left)
		add_exit(finder, addr, IC_EXIT_JUMP, node->instruction.target);
	if (next_is_left == branch_is_left)
		return;
	uint64_t target = next_is_left ? addr + node->instruction.size : node->instruction.target;
	struct ic_exit *leave = add_exit(finder, addr, IC_EXIT_PERHAPS, target);
	if (leave) {
		leave->condition = node->instruction.condition;
		leave->leaves_if_taken = branch_is_left;
	}
}

static void put_exit(struct finder *finder, const struct ic_flow_node *node)
{
	const struct ic_instruction *last = &node->instruction;

	switch ((enum ic_instruction_kind)last->kind) {
	case IC_INSTRUCTION_BRANCH: put_branch(finder, node); break;
	case IC_INSTRUCTION_RETURN: add_exit(finder, last->addr, IC_EXIT_RETURN, IC_NO_ADDR); break;
	case IC_INSTRUCTION_TRAP:
		add_exit(finder, last->addr, IC_EXIT_NO_RETURN, IC_NO_ADDR);
		break;
	case IC_INSTRUCTION_INDIRECT:
		add_exit(finder, last->addr, IC_EXIT_TAIL_CALL, IC_NO_ADDR);
		break;
	case IC_INSTRUCTION_JUMP:
		if (node->is_branch_out)
			add_exit(finder, last->addr, IC_EXIT_TAIL_CALL, last->target);
		else if (leads_out(finder, node->branch) && !is_watched(finder, node->branch))
			add_exit(finder, last->addr, IC_EXIT_JUMP, last->target);
		break;
	case IC_INSTRUCTION_CALL:
		if (node->next == IC_NONE && !node->is_next_out) {
			add_exit(finder, last->addr, IC_EXIT_NO_RETURN, last->target);
			break;
		} // fall through
	default:
		if (node->is_next_out ||
		    (leads_out(finder, node->next) && !is_watched(finder, node->next)))
			add_exit(finder, last->addr, IC_EXIT_END, last->addr + last->size);
	}
}

static bool fail_leaving(struct ic_leaving *leaving, const char *why)
{
	snprintf(leaving->why_not, sizeof(leaving->why_not), "%s", why);
	return true;
}

// Whether the copy continues after the instructions at its entries.
static bool has_more_inside(const struct finder *finder)
{
	for (uint32_t i = 0; i < finder->flow->nodes.count; i++)
		if (!is_entry(finder, i) && is_inside(finder, i))
			return true;
	return false;
}

// Marks the entries; false if one is not an instruction of the function.
static bool mark_entries(struct finder *finder, const uint64_t *addrs, size_t count)
{
	clear_marks(finder->flow);
	for (size_t i = 0; i < count; i++) {
		uint32_t entry = ic_flow_find(finder->flow, addrs[i]);
		if (entry == IC_NONE)
			return false;
		node_of(finder, entry)->marks |= ENTRY;
	}
	return count > 0;
}

static bool is_in_any(const struct ic_range_set *own, const uint64_t *addrs, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (ic_range_set_find(own, addrs[i]))
			return true;
	return false;
}

static int compare_exits(const void *left, const void *right)
{
	const struct ic_exit *a = left, *b = right;

	return a->addr < b->addr ? -1 : a->addr > b->addr;
}

bool ic_leaving_find(struct ic_leaving *leaving, struct ic_flow *flow, uint64_t start,
		     const uint64_t *entries, size_t entry_count, const struct ic_range_set *own)
{
	struct finder finder = {
		.leaving = leaving, .flow = flow, .own = own, .start = ic_flow_find(flow, start)
	};

	leaving->exits.count = 0;
	leaving->why_not[0] = leaving->doubt[0] = 0;
	if (finder.start == IC_NONE || !mark_entries(&finder, entries, entry_count))
		return fail_leaving(leaving, "its entry is not in the function around it");
	if (!mark_inside(&finder))
		return false;
	// GCC makes copies that are entered before their first range, at a surrounding instruction.
	if (!is_in_any(own, entries, entry_count) && !has_more_inside(&finder))
		return fail_leaving(leaving, "none of its code is reached only through its entry");
	if (find_why_not(&finder))
		return true;
	find_doubt(&finder);
	watch_after(&finder);
	for (uint32_t i = 0; i < flow->nodes.count; i++)
		if (is_inside(&finder, i))
			put_exit(&finder, node_of(&finder, i));
	if (leaving->exits.count > 0)
		qsort(leaving->exits.items, leaving->exits.count, sizeof(*leaving->exits.items),
		      compare_exits);
	return !finder.memory_is_out;
}
