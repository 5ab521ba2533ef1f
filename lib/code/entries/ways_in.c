#include "code/entries/ways_in.h"

#include <stdlib.h>
#include <string.h>

#include "base/search.h"

enum { MOST_STRAIGHT = 200 }; // instructions to follow

bool ic_ways_in_add(struct ic_ways_in *ways, uint64_t addr)
{
	return IC_ARRAY_ADD(&ways->addrs, addr);
}

bool ic_ways_in_has(const struct ic_ways_in *ways, uint64_t addr)
{
	const uint64_t *addrs = ways->addrs.items;
	uint32_t count = ways->addrs.count;

	if (count == 0 || addrs[0] == addr)
		return count > 0;
	uint32_t up_to = ic_search_up_to(addrs + 1, sizeof(*addrs), count - 1, addr);
	return up_to > 0 && addrs[up_to] == addr;
}

static int compare_addrs(const void *left, const void *right)
{
	const uint64_t *a = left, *b = right;

	return *a < *b ? -1 : *a > *b;
}

void ic_ways_in_order(struct ic_ways_in *ways, uint64_t entry)
{
	uint64_t *addrs = ways->addrs.items;
	uint32_t count = ways->addrs.count, kept = 0, at = 0;

	if (count < 2)
		return;
	qsort(addrs, count, sizeof(*addrs), compare_addrs);
	for (uint32_t i = 0; i < count; i++) {
		if (kept > 0 && addrs[kept - 1] == addrs[i])
			continue;
		if (addrs[i] == entry)
			at = kept;
		addrs[kept++] = addrs[i];
	}
	ways->addrs.count = kept;
	uint64_t first = addrs[at];
	memmove(addrs + 1, addrs, at * sizeof(*addrs));
	addrs[0] = first;
}

bool ic_ways_in_leave_out(struct ic_ways_in *ways, struct ic_host_code *code, ic_way_in_test *test,
			  bool *are_all)
{
	uint64_t *addrs = ways->addrs.items;
	uint32_t count = ways->addrs.count, kept = 0, none = 0;

	ways->is_none.count = 0;
	if (!IC_ARRAY_RESERVE(&ways->is_none, count))
		return false;
	for (uint32_t i = 0; i < count; i++) {
		*IC_ARRAY_PUSH(&ways->is_none) = test(code, ways, addrs[i]);
		none += ways->is_none.items[i];
	}
	*are_all = none > 0 && none == count;
	for (uint32_t i = 0; none < count && i < count; i++)
		if (!ways->is_none.items[i])
			addrs[kept++] = addrs[i];
	if (kept > 0)
		ways->addrs.count = kept;
	return true;
}

void ic_ways_in_free(struct ic_ways_in *ways)
{
	IC_ARRAY_FREE(&ways->addrs);
	IC_ARRAY_FREE(&ways->is_none);
}

// ---- Addresses that control only passes through

// Whether control reaches a node straight from the entry of another copy.
static bool follows_another(struct ic_host_code *code, uint32_t node)
{
	const struct ic_flow *flow = &code->function.flow;

	for (unsigned i = 0; i < MOST_STRAIGHT && ic_host_code_search(code, 1); i++) {
		const struct ic_instruction *at = &flow->nodes.items[node].instruction;
		uint32_t owner = ic_segments_find(&code->copies, at->addr);
		if (at->kind == IC_INSTRUCTION_BRANCH || at->kind == IC_INSTRUCTION_CALL ||
		    owner == IC_NONE || owner == code->copy)
			return false;
		if (code->unit->instances[owner].entry == at->addr)
			return true;
		if (flow->firsts[node + 1] - flow->firsts[node] != 1)
			return false;
		node = flow->befores[flow->firsts[node]];
	}
	return false;
}

// Whether control only passes through an address: it comes from the copy's own code before it, and
// straight from the entry of another copy, because the code of two calls continues in one.
static bool is_on_the_way(struct ic_host_code *code, const struct ic_ways_in *ways, uint64_t addr)
{
	(void)ways;
	const struct ic_flow *flow = &code->function.flow;
	uint32_t node = ic_flow_find(flow, addr);
	bool any = false;

	if (addr == ic_host_code_copy(code)->entry || node == IC_NONE ||
	    !ic_host_code_search(code, flow->firsts[node + 1] - flow->firsts[node]))
		return false;
	for (uint32_t i = flow->firsts[node]; i < flow->firsts[node + 1]; i++) {
		uint32_t before = flow->befores[i];
		bool is_own = ic_host_code_is_own(code, before);
		if (is_own ? flow->nodes.items[before].instruction.addr >= addr
			   : !follows_another(code, before))
			return false;
		any |= !is_own;
	}
	return any;
}

bool ic_ways_in_leave_out_on_the_way(struct ic_ways_in *ways, struct ic_host_code *code)
{
	bool are_all;

	return ic_ways_in_leave_out(ways, code, is_on_the_way, &are_all);
}
