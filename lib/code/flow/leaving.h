// Where control leaves a copy of a function.
//
// A copy is active from an entry on, as long as control can reach more of its code without passing
// an entry again. Between its ranges there may be instructions of surrounding code, which compilers
// mix in; these do not end it. Code of it that is also reached without an entry, such as
// instructions moved before it, does not count: it cannot be attributed to a call. So control gets
// in only by the entries, and out once each time it gets in.
#ifndef CODE_FLOW_LEAVING_H
#define CODE_FLOW_LEAVING_H

#include "code/flow/flow.h"

#include <inlinecall/extra/exits.h>

struct ic_leaving {                     // zero-initialised is empty
	IC_ARRAY(struct ic_exit) exits; // sorted by address
	char why_not[128];              // empty if the exits are known
	char doubt[160];                // empty if nothing is uncertain
};

// Finds the exits of a copy with code in `own`, entered at `entries`. The flow is that of the
// function around it, read from `start`. False if memory runs out; the exits are then those found
// before.
bool ic_leaving_find(struct ic_leaving *leaving, struct ic_flow *flow, uint64_t start,
		     const uint64_t *entries, size_t entry_count, const struct ic_range_set *own)
	IC_CHECKED;

#endif
