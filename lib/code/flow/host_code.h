// The code of a function, and of the copies that were inlined into it.
#ifndef CODE_FLOW_HOST_CODE_H
#define CODE_FLOW_HOST_CODE_H

#include "base/segments.h"
#include "base/sort.h"
#include "code/flow/function_flow.h"

struct ic_copy_start { // a place where an inlined copy, or a part of it, starts
	uint64_t addr;
	uint32_t instance;
	uint32_t depth; // instances around it
	bool is_entry;  // it is where DWARF says that the copy is entered
};

struct ic_host_code {
	struct ic_function_flow function;
	const struct ic_unit_model *unit;
	uint32_t unit_number, host;
	// By instance of the unit: its host; and, of a host, the last instance in it.
	IC_ARRAY(uint32_t) hosts, lasts;
	IC_ARRAY(struct ic_keyed) by_function; // its copies that have code; empty until needed
	uint64_t searches; // that may still be made in what is known of it; damaged files have many
	// Its flow, unless that cannot be read, for this reason.
	bool is_read;
	const char *host_why_not; // static, or in the function
	struct ic_error fault;
	IC_ARRAY(struct ic_keyed) nodes; // of the flow, by address
	uint64_t steps;                  // that may be taken to look at them

	// Of the copies of one function.
	uint32_t family;                       // its number in the unit; IC_NONE for none
	IC_ARRAY(struct ic_copy_start) starts; // by address; entries first, then inner ones
	struct ic_segments copies;             // owners are instances, the innermost
	enum {
		IC_MARKS_NOT_SOUGHT,
		IC_MARKS_ARE_NOWHERE,
		IC_MARKS_ARE_THERE
	} marks;               // rows that say where copies begin
	struct ic_arena arena; // that these are in

	// Of one copy.
	uint32_t copy;
	bool is_left_out;    // the flow is not to be read for it
	const char *why_not; // the flow is not known for it; NULL if it is
	IC_ARRAY(struct ic_range) ranges;
	struct ic_range_set own;
};

// Enters a host. False if memory runs out.
bool ic_host_code_enter(struct ic_host_code *code, uint32_t unit, uint32_t host) IC_CHECKED;

// Finds the copies of the function of an instance, and its own ranges. False if memory runs out.
bool ic_host_code_choose(struct ic_host_code *code, uint32_t instance, bool is_left_out) IC_CHECKED;

// Reads the flow of the host, unless it was read or is left out. False if memory runs out.
bool ic_host_code_read(struct ic_host_code *code) IC_CHECKED;

// Takes from the searches that may be made in a host; false if there are not so many left.
bool ic_host_code_search(struct ic_host_code *code, uint64_t count);

// The first empty range of an instance, or of those after it.
uint32_t ic_host_code_first_empty(const struct ic_unit_model *unit, uint32_t instance);

// The instance that was chosen.
const struct ic_instance *ic_host_code_copy(const struct ic_host_code *code);

// The function of an instance; NULL if it is not known.
const struct ic_function *ic_host_code_function(const struct ic_host_code *code, uint32_t instance);

// Whether a row is of the file that declares a function, which may be NULL. Paths of one file may
// be spelled in two ways.
bool ic_entry_row_is_of(const struct ic_unit_model *unit, const struct ic_entry_row *row,
			const struct ic_function *function);

// Whether control comes to an address in the copy from other copies of its function, and from
// nowhere else.
bool ic_host_code_is_continued(struct ic_host_code *code, uint64_t addr);

// Whether the host is a destructor that also frees the object (D0 in the Itanium C++ ABI, 5.1.4.3):
// it calls the one that does not, or has a copy of that.
bool ic_host_code_is_freeing(const struct ic_host_code *code);

// Whether a node is code of the copy.
bool ic_host_code_is_own(const struct ic_host_code *code, uint32_t node);

// Gives the nodes in code of the copy a mark, and all others none.
void ic_host_code_mark_own(struct ic_host_code *code, uint8_t mark);

// The node of the flow that is the first at or after an address, as a number in `nodes`.
uint32_t ic_host_code_first(const struct ic_host_code *code, uint64_t addr);

// The address after the padding at an address; `end` if there is nothing else before that.
uint64_t ic_host_code_skip(const struct ic_host_code *code, uint64_t addr, uint64_t end);

void ic_host_code_free(struct ic_host_code *code);

#endif
