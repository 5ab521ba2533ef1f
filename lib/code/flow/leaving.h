// Where control leaves a copy of a function.
//
// A copy is under way from an entry on, as long as control can get to more of its code without
// passing through an entry again. Between its ranges may be instructions of the code around it,
// which compilers mix; these do not end it. Code of it that is reached without an entry too, such
// as instructions that were moved before it, is not counted: nobody could say whose it is. So
// control gets in only by the entries, and out once for each time that it gets in.
#ifndef CODE_FLOW_LEAVING_H
#define CODE_FLOW_LEAVING_H

#include "code/flow/flow.h"

#include <inlinecall/extra/exits.h>

struct ic_leaving {                     // zero-initialised is empty
	IC_ARRAY(struct ic_exit) exits; // by address
	char why_not[128];              // empty if the exits are known
	char doubt[160];                // empty if there is none
};

// Finds the exits of a copy with code in `own`, which is entered at `entries`. The flow is that of
// the function around it, read from `start`. False if memory runs out; the exits are then
// those found before.
bool ic_leaving_find(struct ic_leaving *leaving, struct ic_flow *flow, uint64_t start,
		     const uint64_t *entries, size_t entry_count, const struct ic_range_set *own)
	IC_CHECKED;

#endif
