// The entries of an inlined copy.
#ifndef CODE_ENTRIES_WAYS_IN_H
#define CODE_ENTRIES_WAYS_IN_H

#include "code/flow/host_code.h"

struct ic_ways_in { // zero-initialised is empty
	IC_ARRAY(uint64_t) addrs;
	bool is_counted_elsewhere; // see struct ic_site_entries
	uint64_t unclear;          // an address that may also be one; IC_NO_ADDR if there is none
	IC_ARRAY(bool) is_none;    // by entry, while they are being judged: it is not an entry
};

bool ic_ways_in_add(struct ic_ways_in *ways, uint64_t addr) IC_CHECKED;

// Whether an address is an entry. They must be sorted, except the first.
bool ic_ways_in_has(const struct ic_ways_in *ways, uint64_t addr);

// Sorts the addresses and removes duplicates, with `entry` first if it is among them.
void ic_ways_in_order(struct ic_ways_in *ways, uint64_t entry);

void ic_ways_in_free(struct ic_ways_in *ways);

// Returns whether an address is not an entry after all.
typedef bool ic_way_in_test(struct ic_host_code *code, const struct ic_ways_in *ways,
			    uint64_t addr);

// Removes the addresses for which the test returns true. All are tested first; if it is true for
// all, they stay, and *are_all is set. False if memory runs out.
bool ic_ways_in_leave_out(struct ic_ways_in *ways, struct ic_host_code *code, ic_way_in_test *test,
			  bool *are_all) IC_CHECKED;

// Removes the addresses, except `entry`, that control only passes through: it comes from the copy's
// own code before them, and straight from the entry of another copy of the function, because the
// code of two calls continues in one. The flow of the host must have been read. False if memory
// runs out.
bool ic_ways_in_leave_out_on_the_way(struct ic_ways_in *ways, struct ic_host_code *code) IC_CHECKED;

#endif
