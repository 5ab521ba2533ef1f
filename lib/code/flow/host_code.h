// The code of a function, and of the copies inlined into it.
#ifndef CODE_FLOW_HOST_CODE_H
#define CODE_FLOW_HOST_CODE_H

#include "base/segments.h"
#include "base/sort.h"
#include "code/flow/function_flow.h"

struct ic_copy_start { // a place where an inlined copy, or a part of it, starts
	uint64_t addr;
	uint32_t instance;
	uint32_t depth; // number of instances around it
	bool is_entry;  // it is the entry address according to DWARF
};

struct ic_host_code {
	struct ic_function_flow function;
	const struct ic_unit_model *unit;
	uint32_t unit_number, host;
	// By instance of the unit: its host and, for a host, the last instance in it.
	IC_ARRAY(uint32_t) hosts, lasts;
	IC_ARRAY(struct ic_keyed) by_function; // its copies that have code; empty until needed
	uint64_t searches; // searches still allowed in the host's data; damaged files can have very
			   // many
	// The flow has been read, unless `host_why_not` is set.
	bool is_read;
	const char *host_why_not; // why it cannot be read: static, or in the function
	struct ic_error fault;
	IC_ARRAY(struct ic_keyed) nodes; // of the flow, sorted by address
	uint64_t steps;                  // steps still allowed over the nodes

	// For the copies of one function.
	uint32_t family;                       // its number in the unit; IC_NONE if none is chosen
	IC_ARRAY(struct ic_copy_start) starts; // sorted by address; at one address, entries before
					       // others, then inner before outer
	struct ic_segments copies;             // owners are the innermost instances
	enum {
		IC_MARKS_NOT_SOUGHT,
		IC_MARKS_ARE_NOWHERE,
		IC_MARKS_ARE_THERE
	} marks;               // whether rows mark the starts of copies
	struct ic_arena arena; // owns the above

	// For one copy.
	uint32_t copy;
	bool is_left_out;    // do not read the flow for it
	const char *why_not; // why its flow is unknown; NULL if it is known
	IC_ARRAY(struct ic_range) ranges;
	struct ic_range_set own;
};

// Moves to a host. False if memory runs out.
bool ic_host_code_enter(struct ic_host_code *code, uint32_t unit, uint32_t host) IC_CHECKED;

// Finds the copies of an instance's function, and its own ranges. False if memory runs out.
bool ic_host_code_choose(struct ic_host_code *code, uint32_t instance, bool is_left_out) IC_CHECKED;

// Reads the flow of the host, unless it was already read or is left out. False if memory runs out.
bool ic_host_code_read(struct ic_host_code *code) IC_CHECKED;

// Takes `count` from the searches allowed in a host; false if there are not enough left.
bool ic_host_code_search(struct ic_host_code *code, uint64_t count);

// The first empty range that belongs to an instance or a later one.
uint32_t ic_host_code_first_empty(const struct ic_unit_model *unit, uint32_t instance);

// The chosen instance.
const struct ic_instance *ic_host_code_copy(const struct ic_host_code *code);

// The function of an instance; NULL if unknown.
const struct ic_function *ic_host_code_function(const struct ic_host_code *code, uint32_t instance);

// Whether a row's file is the one that declares a function, which may be NULL. The path of one file
// may be spelled in two ways.
bool ic_entry_row_is_of(const struct ic_unit_model *unit, const struct ic_entry_row *row,
			const struct ic_function *function);

// Whether control reaches an address in the copy only from other copies of its function.
bool ic_host_code_is_continued(struct ic_host_code *code, uint64_t addr);

// Whether the host is a deleting destructor (D0 in the Itanium C++ ABI, 5.1.4.3): it calls the
// complete object destructor, or has a copy of it.
bool ic_host_code_is_freeing(const struct ic_host_code *code);

// Whether a node is code of the copy.
bool ic_host_code_is_own(const struct ic_host_code *code, uint32_t node);

// Sets a mark on the nodes in the copy's code, and clears the marks of all others.
void ic_host_code_mark_own(struct ic_host_code *code, uint8_t mark);

// Index in `nodes` of the first node at or after an address.
uint32_t ic_host_code_first(const struct ic_host_code *code, uint64_t addr);

// The address after the padding at an address; `end` if there is only padding before it.
uint64_t ic_host_code_skip(const struct ic_host_code *code, uint64_t addr, uint64_t end);

void ic_host_code_free(struct ic_host_code *code);

#endif
