#include "code/flow/flow.h"

#include <stdlib.h>

enum { MOST_INSTRUCTIONS = 1 << 20 }; // in one function

uint32_t ic_flow_find(const struct ic_flow *flow, uint64_t addr)
{
	const uint32_t *number = ic_map_find(&flow->by_addr, addr);

	return number ? *number : IC_NONE;
}

// The bytes in the same range of the function.
static struct ic_bytes code_at(const struct ic_flow_source *source, const struct ic_range_set *code,
			       uint64_t addr)
{
	const struct ic_range *range = ic_range_set_find(code, addr);
	struct ic_bytes bytes = range ? source->bytes(source->context, addr)
				      : (struct ic_bytes){ NULL, 0 };

	if (range && bytes.size > range->end - addr)
		bytes.size = (size_t)(range->end - addr);
	return bytes;
}

// The node at an address, added if it does not exist. False if memory runs out or there are too
// many.
static bool add_node(struct ic_flow *flow, const struct ic_flow_source *source,
		     const struct ic_range_set *code, uint64_t addr, uint32_t *node,
		     struct ic_error *err)
{
	uint32_t *number = ic_map_at(&flow->by_addr, addr);

	if (!number)
		return ic_fail_memory(err);
	if (*number == IC_NONE) {
		if (flow->nodes.count == MOST_INSTRUCTIONS)
			return ic_fail(err, IC_ERROR_LIMIT,
				       "the function has more than %d instructions",
				       (int)MOST_INSTRUCTIONS);
		*number = flow->nodes.count;
		struct ic_flow_node *added = IC_ARRAY_PUSH(&flow->nodes);
		uint32_t *work = IC_ARRAY_PUSH(&flow->work);
		if (!added || !work)
			return ic_fail_memory(err);
		*work = *number;
		*added = (struct ic_flow_node){ .instruction = ic_instruction_read(
							source->disassembler,
							code_at(source, code, addr), addr),
						.next = IC_NONE,
						.branch = IC_NONE };
	}
	*node = *number;
	return true;
}

// Where control may go from an instruction: to the next one, and to its target.
static void find_ways(const struct ic_flow_source *source, const struct ic_instruction *from,
		      bool *goes_on, bool *jumps)
{
	*goes_on = from->kind == IC_INSTRUCTION_PLAIN || from->kind == IC_INSTRUCTION_PADDING ||
		   from->kind == IC_INSTRUCTION_BRANCH ||
		   (from->kind == IC_INSTRUCTION_CALL && source->returns(source->context, from));
	*jumps = from->kind == IC_INSTRUCTION_JUMP || from->kind == IC_INSTRUCTION_BRANCH;
}

static bool expand_node(struct ic_flow *flow, const struct ic_flow_source *source,
			const struct ic_range_set *code, uint32_t number, struct ic_error *err)
{
	// A copy, because nodes move when others are added.
	struct ic_flow_node node = flow->nodes.items[number];
	const struct ic_instruction *from = &node.instruction;
	uint64_t after = from->addr + from->size;
	uint32_t before = flow->nodes.count;
	bool is_indirect = from->kind == IC_INSTRUCTION_INDIRECT;
	bool goes_on, jumps;

	find_ways(source, from, &goes_on, &jumps);
	// No compiler lets control continue from a call into another function.
	if (from->kind == IC_INSTRUCTION_CALL && !ic_range_set_find(code, after))
		goes_on = false;
	node.is_next_out = goes_on && !ic_range_set_find(code, after);
	node.is_branch_out = (jumps && !ic_range_set_find(code, from->target)) ||
			     (is_indirect && from->slot != IC_NO_ADDR);
	if (is_indirect && from->slot == IC_NO_ADDR && !node.is_unknown)
		flow->indirect_addr = from->addr;
	if (from->kind == IC_INSTRUCTION_UNKNOWN && !node.is_unknown)
		flow->data_addr = from->addr;
	bool ok = (!goes_on || node.is_next_out ||
		   add_node(flow, source, code, after, &node.next, err)) &&
		  (!jumps || node.is_branch_out ||
		   add_node(flow, source, code, from->target, &node.branch, err));
	flow->nodes.items[number] = node;
	for (uint32_t i = before; i < flow->nodes.count; i++)
		flow->nodes.items[i].is_unknown = node.is_unknown;
	return ok;
}

static bool read_from(struct ic_flow *flow, const struct ic_flow_source *source,
		      const struct ic_range_set *code, uint64_t root, bool is_unknown,
		      struct ic_error *err)
{
	uint32_t node, before = flow->nodes.count;
	bool ok = add_node(flow, source, code, root, &node, err);

	if (ok && flow->nodes.count > before)
		flow->nodes.items[node].is_unknown = flow->nodes.items[node].is_root = is_unknown;
	while (ok && flow->work.count > 0)
		ok = expand_node(flow, source, code, flow->work.items[--flow->work.count], err);
	return ok;
}

// Code that no path reaches: exception handlers, targets of jump tables, or data.
static bool read_rest(struct ic_flow *flow, const struct ic_flow_source *source,
		      const struct ic_range_set *code, struct ic_error *err)
{
	for (uint32_t i = 0; i < code->count; i++) {
		uint64_t addr = code->ranges[i].start;
		while (addr < code->ranges[i].end) {
			uint32_t node = ic_flow_find(flow, addr);
			struct ic_bytes bytes = code_at(source, code, addr);
			if (node == IC_NONE && bytes.size == 0)
				break; // the file has no more bytes
			struct ic_instruction found =
				node == IC_NONE
					? ic_instruction_read(source->disassembler, bytes, addr)
					: flow->nodes.items[node].instruction;
			if (node == IC_NONE && found.kind != IC_INSTRUCTION_PADDING &&
			    !read_from(flow, source, code, addr, true, err))
				return false;
			addr += found.size;
		}
	}
	return true;
}

static bool list_befores(struct ic_flow *flow, struct ic_error *err)
{
	uint32_t count = flow->nodes.count;
	const struct ic_flow_node *nodes = flow->nodes.items;

	flow->firsts = ic_items_zeroed(count + 2ull, sizeof(*flow->firsts));
	flow->befores = ic_items_alloc(2ull * count + 1, sizeof(*flow->befores));
	if (!flow->firsts || !flow->befores)
		return ic_fail_memory(err);
	for (uint32_t i = 0; i < count; i++) { // count them, two slots ahead
		if (nodes[i].next != IC_NONE)
			flow->firsts[nodes[i].next + 2]++;
		if (nodes[i].branch != IC_NONE)
			flow->firsts[nodes[i].branch + 2]++;
	}
	for (uint32_t i = 2; i < count + 2; i++)
		flow->firsts[i] += flow->firsts[i - 1];
	for (uint32_t i = 0; i < count; i++) { // each takes the next slot of its successor
		if (nodes[i].next != IC_NONE)
			flow->befores[flow->firsts[nodes[i].next + 1]++] = i;
		if (nodes[i].branch != IC_NONE)
			flow->befores[flow->firsts[nodes[i].branch + 1]++] = i;
	}
	return true;
}

bool ic_flow_read(struct ic_flow *flow, const struct ic_flow_source *source,
		  const struct ic_range_set *code, uint64_t start, struct ic_error *err)
{
	ic_flow_clear(flow);
	return read_from(flow, source, code, start, false, err) &&
	       read_rest(flow, source, code, err) && list_befores(flow, err);
}

// Marks a node that does not have the mark yet; false if memory runs out.
static bool mark_one(struct ic_flow *flow, uint32_t number, uint8_t mark, uint8_t within,
		     uint8_t barrier)
{
	struct ic_flow_node *node = number == IC_NONE ? NULL : &flow->nodes.items[number];

	if (!node || node->marks & mark || (node->marks & within) != within)
		return true;
	node->marks |= mark;
	if (node->marks & barrier)
		return true;
	return IC_ARRAY_ADD(&flow->work, number);
}

bool ic_flow_spread(struct ic_flow *flow, uint8_t mark, uint8_t within, uint8_t barrier, bool back)
{
	flow->work.count = 0;
	if (!IC_ARRAY_RESERVE(&flow->work, flow->nodes.count))
		return false;
	for (uint32_t i = 0; i < flow->nodes.count; i++)
		if (flow->nodes.items[i].marks & mark && !(flow->nodes.items[i].marks & barrier))
			*IC_ARRAY_PUSH(&flow->work) = i;
	while (flow->work.count > 0) {
		uint32_t number = flow->work.items[--flow->work.count];
		const struct ic_flow_node node = flow->nodes.items[number];
		bool ok = true;

		if (!back)
			ok = mark_one(flow, node.next, mark, within, barrier) &&
			     mark_one(flow, node.branch, mark, within, barrier);
		for (uint32_t i = flow->firsts[number]; back && ok && i < flow->firsts[number + 1];
		     i++)
			ok = mark_one(flow, flow->befores[i], mark, within, barrier);
		if (!ok)
			return false;
	}
	return true;
}

void ic_flow_clear(struct ic_flow *flow)
{
	flow->nodes.count = 0;
	flow->work.count = 0;
	ic_map_clear(&flow->by_addr);
	free(flow->firsts);
	free(flow->befores);
	flow->firsts = flow->befores = NULL;
	flow->indirect_addr = flow->data_addr = IC_NO_ADDR;
}

void ic_flow_free(struct ic_flow *flow)
{
	IC_ARRAY_FREE(&flow->nodes);
	IC_ARRAY_FREE(&flow->work);
	ic_map_free(&flow->by_addr);
	free(flow->firsts);
	free(flow->befores);
	*flow = (struct ic_flow){ .by_addr = { .count = 0 } };
}
