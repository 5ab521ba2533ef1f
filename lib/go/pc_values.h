// The tables of values by address that Go's functions have: of files, lines, and inlined calls.
// Each is a sequence of pairs of varints: the change of the value, and the number of bytes of code,
// in quanta, that have it.
#ifndef GO_PC_VALUES_H
#define GO_PC_VALUES_H

#include "base/array.h"
#include "go/pclntab.h"

struct ic_go_run {    // code with one value, from the end of the previous run
	uint32_t end; // offset from the function's entry
	int32_t value;
};

typedef IC_ARRAY(struct ic_go_run) ic_go_runs;

enum ic_go_values_end { // how reading ended
	IC_GO_VALUES_OK,
	IC_GO_VALUES_FAULT, // the rest is unreadable
	IC_GO_VALUES_STEPS, // more steps than allowed
	IC_GO_VALUES_MEMORY,
};

// Replaces `runs` by those of a function of `size` bytes, whose values begin at offset `off`; empty
// if that is 0. Consecutive runs of the same value are joined, and those beyond the function are
// cut off. Each pair read takes one of *steps. Runs before a fault are kept. Time: O(n) for n
// pairs; a function has at most one for each of its instructions.
enum ic_go_values_end ic_go_runs_read(const struct ic_go_pclntab *table, uint32_t off,
				      uint32_t size, ic_go_runs *runs, uint64_t *steps);

// The value at an offset in the function; -1 if there is none, which is also how "no value" is
// encoded. Time: O(log n).
int32_t ic_go_runs_at(const ic_go_runs *runs, uint32_t pc);

#endif
