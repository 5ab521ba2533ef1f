// The flow of control in a function: its instructions, and which may follow each, as far as they
// say. Only what a path reaches is read as code: data between the instructions is not.
#ifndef CODE_FLOW_FLOW_H
#define CODE_FLOW_FLOW_H

#include "base/array.h"
#include "base/map.h"
#include "base/range.h"
#include "code/instructions/disassembler.h"

struct ic_flow_source { // what a flow is read from
	struct ic_disassembler *disassembler;
	// The bytes of code from an address on; none if there are none.
	struct ic_bytes (*bytes)(void *context, uint64_t addr);
	// Whether a call may return.
	bool (*returns)(void *context, const struct ic_instruction *call);
	void *context;
};

struct ic_flow_node {
	struct ic_instruction instruction;
	uint32_t next;      // the instruction after it, if control may go on there; else IC_NONE
	uint32_t branch;    // the target; IC_NONE if it is outside, or not known
	bool is_next_out;   // control goes on after it, outside of the function
	bool is_branch_out; // to another function
	bool is_unknown;    // no path that is known leads here
	bool is_root;       // nor one from other such code, as far as was read before
	uint8_t marks;      // for users
};

struct ic_flow { // zero-initialised is empty
	IC_ARRAY(struct ic_flow_node) nodes;
	struct ic_map by_addr;
	IC_ARRAY(uint32_t) work;    // nodes whose successors are not read yet
	uint32_t *firsts, *befores; // by node: its predecessors are befores[firsts[n]]...
	// Of jumps by a table, or anything else whose targets are not known; IC_NO_ADDR if none.
	uint64_t indirect_addr;
	uint64_t data_addr; // of what cannot be decoded, but a path leads there; likewise
};

// Reads the flow of a function whose code is in `code`, from its start on. Then also code that no
// path from there reaches, which may be data, but for padding. Fails if memory runs out, or the
// function is too large (IC_ERROR_LIMIT).
bool ic_flow_read(struct ic_flow *flow, const struct ic_flow_source *source,
		  const struct ic_range_set *code, uint64_t start, struct ic_error *err) IC_CHECKED;

// The node of the instruction at an address; IC_NONE if there is none.
uint32_t ic_flow_find(const struct ic_flow *flow, uint64_t addr);

// Sets a mark on all nodes that control can get to from those that have it, without going on from
// nodes with the mark `barrier`. Only to nodes with the mark `within`. Both may be 0, for none and
// all. `back` goes against the flow. False if memory runs out.
bool ic_flow_spread(struct ic_flow *flow, uint8_t mark, uint8_t within, uint8_t barrier, bool back)
	IC_CHECKED;

// Empties a flow, and keeps its memory.
void ic_flow_clear(struct ic_flow *flow);

void ic_flow_free(struct ic_flow *flow);

#endif
