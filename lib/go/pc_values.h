// The tables of values by address that Go's functions have: of files, lines, and inlined calls.
// Pairs of a change of the value and a number of instructions' bytes, each a varint.
#ifndef GO_PC_VALUES_H
#define GO_PC_VALUES_H

#include "base/array.h"
#include "go/pclntab.h"

struct ic_go_run {    // of one value, from the end of the run before
	uint32_t end; // bytes from the function's entry
	int32_t value;
};

typedef IC_ARRAY(struct ic_go_run) ic_go_runs;

enum ic_go_values_end { // how reading them ended
	IC_GO_VALUES_OK,
	IC_GO_VALUES_FAULT, // the rest cannot be read
	IC_GO_VALUES_STEPS, // more than were allowed
	IC_GO_VALUES_MEMORY,
};

// Replaces `runs` by those of a function of `size` bytes, whose values begin at `off`: none if that
// is 0. Runs of the same value are joined; what reaches beyond the function is cut. Takes the pairs
// read from *steps. Runs read before a fault stay. Time: O(n) for n pairs, of which a function has
// at most one for each of its instructions.
enum ic_go_values_end ic_go_runs_read(const struct ic_go_pclntab *table, uint32_t off,
				      uint32_t size, ic_go_runs *runs, uint64_t *steps);

// The value at an offset in the function; -1 if there is none, which is also what no value is.
// Time: O(log n).
int32_t ic_go_runs_at(const ic_go_runs *runs, uint32_t pc);

#endif
