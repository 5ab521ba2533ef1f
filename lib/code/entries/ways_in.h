// The places where a copy of an inlined function is entered.
#ifndef CODE_ENTRIES_WAYS_IN_H
#define CODE_ENTRIES_WAYS_IN_H

#include "code/flow/host_code.h"

struct ic_ways_in { // zero-initialised is empty
	IC_ARRAY(uint64_t) addrs;
	bool is_counted_elsewhere; // as in struct ic_site_entries
	uint64_t unclear;          // what may be one as well; IC_NO_ADDR for nothing
	IC_ARRAY(bool) is_none;    // of each, while they are judged
};

bool ic_ways_in_add(struct ic_ways_in *ways, uint64_t addr) IC_CHECKED;

// Whether an address is one of them. They must be in order, but for the first.
bool ic_ways_in_has(const struct ic_ways_in *ways, uint64_t addr);

// Puts the entry first, if it is among them, and the others in order, each once.
void ic_ways_in_order(struct ic_ways_in *ways, uint64_t entry);

void ic_ways_in_free(struct ic_ways_in *ways);

// Whether a way in is none.
typedef bool ic_way_in_test(struct ic_host_code *code, const struct ic_ways_in *ways,
			    uint64_t addr);

// Leaves out those that are none. All are judged before; if all are none, they stay, and it tells
// so. False if memory runs out.
bool ic_ways_in_leave_out(struct ic_ways_in *ways, struct ic_host_code *code, ic_way_in_test *test,
			  bool *are_all) IC_CHECKED;

// Leaves out those, but for the entry, that control comes to only on the way on: from the copy's
// own code before it, and straight from where another copy of the function is entered, as if the
// code of two calls goes on in one. The flow of the host has been read. False if memory runs out.
bool ic_ways_in_leave_out_on_the_way(struct ic_ways_in *ways, struct ic_host_code *code) IC_CHECKED;

#endif
