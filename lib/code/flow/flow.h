// The control flow of a function: its instructions, and their possible successors, as far as the
// instructions show them. Only what a path reaches is read as code; data between the instructions
// is not.
#ifndef CODE_FLOW_FLOW_H
#define CODE_FLOW_FLOW_H

#include "base/array.h"
#include "base/map.h"
#include "base/range.h"
#include "instructions/disassembler.h"

struct ic_flow_source { // source of the code
	struct ic_disassembler *disassembler;
	// The bytes of code from an address on; empty if there are none.
	struct ic_bytes (*bytes)(void *context, uint64_t addr);
	// Whether a call may return.
	bool (*returns)(void *context, const struct ic_instruction *call);
	void *context;
};

struct ic_flow_node {
	struct ic_instruction instruction;
	// The following instruction, if control may continue there; otherwise IC_NONE.
	uint32_t next;
	uint32_t branch;    // the target; IC_NONE if it is outside, or unknown
	bool is_next_out;   // control continues after it, outside the function
	bool is_branch_out; // it branches to another function
	bool is_unknown;    // no known path leads here
	bool is_root;       // the same, and no path from other such code read before
	uint8_t marks;      // for the caller's use
};

struct ic_flow { // zero-initialised is empty
	IC_ARRAY(struct ic_flow_node) nodes;
	struct ic_map by_addr;
	IC_ARRAY(uint32_t) work;    // nodes whose successors have not been read yet
	uint32_t *firsts, *befores; // the predecessors of node n start at befores[firsts[n]]
	// Of a jump through a table, or any other with unknown targets; IC_NO_ADDR if there is
	// none.
	uint64_t indirect_addr;
	uint64_t data_addr; // of something that cannot be decoded although a path leads there;
			    // otherwise IC_NO_ADDR
};

// Reads the flow of a function with code in `code`, from its start; then also code that no path
// reaches, which may be data, except padding. Fails if memory runs out, or the function is too
// large (IC_ERROR_LIMIT).
bool ic_flow_read(struct ic_flow *flow, const struct ic_flow_source *source,
		  const struct ic_range_set *code, uint64_t start, struct ic_error *err) IC_CHECKED;

// The node of the instruction at an address; IC_NONE if there is none.
uint32_t ic_flow_find(const struct ic_flow *flow, uint64_t addr);

// Spreads a mark from the nodes that have it to all nodes that control can reach from them, only
// over nodes with the mark `within`, and not beyond nodes with the mark `barrier`. Either may be 0:
// all nodes, and no barrier. `back` follows the flow backwards. False if memory runs out.
bool ic_flow_spread(struct ic_flow *flow, uint8_t mark, uint8_t within, uint8_t barrier, bool back)
	IC_CHECKED;

// Empties a flow, but keeps its memory.
void ic_flow_clear(struct ic_flow *flow);

void ic_flow_free(struct ic_flow *flow);

#endif
