// The code that units claim, most by their root DIEs (DWARF 5, 3.1.1).
#ifndef INDEX_CLAIMS_H
#define INDEX_CLAIMS_H

#include "base/segments.h"
#include "index/scan.h"

struct ic_claims { // owners are unit numbers; zero-initialised is empty
	IC_ARRAY(struct ic_layer) list;
	// Numbers of units that may have more code than they claim, or whose claims cannot be read:
	// they must be decoded to find out, and to report why.
	IC_ARRAY(uint32_t) unsure;
	bool wants_unplaced;   // units that say nothing of their code are also unsure
	uint64_t outside_addr; // the lowest of all units: see ic_unit_model
};

// Adds that a unit claims a range; if several claim an address, the lowest rank comes first. Empty
// ranges are ignored. False if memory runs out, or there are 2^30 claims.
bool ic_claims_add(struct ic_claims *claims, struct ic_range range, uint64_t rank, uint32_t unit);

// Reads the claims of the units of these numbers, on several threads, and adds the code that they
// claim, without what the linker discarded; the rank is `first_rank` plus the unit's number.
// Units that cannot be read are unsure. Returns false only if out of memory.
bool ic_claims_read(struct ic_claims *claims, struct ic_scan *scan, const uint32_t *numbers,
		    uint32_t count, uint64_t first_rank, struct ic_error *err) IC_CHECKED;

void ic_claims_free(struct ic_claims *claims);

#endif
