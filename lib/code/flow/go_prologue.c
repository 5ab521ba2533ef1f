#include "code/flow/go_prologue.h"

#include <string.h>

enum { MOST_STEPS = 64 }; // in the code that grows the stack, and in the check

static bool grows_stack(const struct ic_host_code *code, const struct ic_instruction *call)
{
	struct ic_symbol symbol;

	return call->kind == IC_INSTRUCTION_CALL && call->target != IC_NO_ADDR &&
	       ic_index_symbol_of(code->function.index,
				  (struct ic_range){ call->target, call->target + 1 }, NULL,
				  &symbol) &&
	       strncmp(symbol.name, "runtime.morestack", strlen("runtime.morestack")) == 0;
}

// The start of the code that grows the stack and jumps back to the entry; IC_NONE if there is none.
// Arguments in registers are spilled around the call.
static uint32_t find_growth(const struct ic_host_code *code, uint32_t entry)
{
	const struct ic_flow *flow = &code->function.flow;

	for (uint32_t i = flow->firsts[entry]; i < flow->firsts[entry + 1]; i++) {
		uint32_t node = flow->befores[i];
		bool grows = false;
		for (unsigned j = 0; j < MOST_STEPS; j++) {
			uint32_t count = flow->firsts[node + 1] - flow->firsts[node];
			uint32_t before = count == 1 ? flow->befores[flow->firsts[node]] : IC_NONE;
			grows |= grows_stack(code, &flow->nodes.items[node].instruction);
			if (before == IC_NONE || flow->nodes.items[before].branch == node)
				break;
			node = before;
		}
		if (grows)
			return node;
	}
	return IC_NONE;
}

uint64_t ic_go_prologue_end(const struct ic_host_code *code, uint64_t entry)
{
	const struct ic_flow *flow = &code->function.flow;
	uint32_t node = ic_flow_find(flow, entry);
	uint32_t growth = code->function.is_go && node != IC_NONE ? find_growth(code, node)
								  : IC_NONE;

	for (unsigned i = 0; i < MOST_STEPS && growth != IC_NONE && node != IC_NONE; i++) {
		const struct ic_flow_node *at = &flow->nodes.items[node];
		if (at->branch == growth && at->next != IC_NONE)
			return flow->nodes.items[at->next].instruction.addr;
		node = at->instruction.kind == IC_INSTRUCTION_BRANCH ? IC_NONE : at->next;
	}
	return entry;
}
