// The places where a copy of an inlined function is entered.
#ifndef CODE_WAYS_IN_H
#define CODE_WAYS_IN_H

#include "code/host_code.h"

struct ic_ways_in { // zero-initialised is empty
	IC_ARRAY(uint64_t) addrs;
	bool is_counted_elsewhere; // as in struct ic_site_entries
};

bool ic_ways_in_add(struct ic_ways_in *ways, uint64_t addr) IC_CHECKED;

// Whether an address is one of them. They must be in order, but for the first.
bool ic_ways_in_has(const struct ic_ways_in *ways, uint64_t addr);

// Puts the entry first, if it is among them, and the others in order, each once.
void ic_ways_in_order(struct ic_ways_in *ways, uint64_t entry);

#endif
