// The code that units claim, mostly in their root DIEs (DWARF 5, 3.1.1).
#ifndef INDEX_CLAIMS_H
#define INDEX_CLAIMS_H

#include "base/segments.h"
#include "index/scan.h"

struct ic_claims { // owners are unit numbers; empty if zero-initialised
	IC_ARRAY(struct ic_layer) list;
	// Numbers of units that may have more code than they claim, or whose claims are unreadable:
	// these must be decoded to find out, or to report why.
	IC_ARRAY(uint32_t) unsure;
	bool wants_unplaced;   // units that do not declare their code also count as unsure
	uint64_t outside_addr; // the lowest of all units: see ic_unit_model
};

// Adds a unit's claim to a range; if several claim an address, the lowest rank comes first. Empty
// ranges are ignored. Returns false if memory runs out, or there are 2^30 claims.
bool ic_claims_add(struct ic_claims *claims, struct ic_range range, uint64_t rank, uint32_t unit);

// Reads the claims of the units with these numbers, using several threads, and adds the code that
// they claim, except what the linker discarded; their rank is `first_rank` plus the unit's number.
// Unreadable units become unsure. Returns false only if memory runs out.
bool ic_claims_read(struct ic_claims *claims, struct ic_scan *scan, const uint32_t *numbers,
		    uint32_t count, uint64_t first_rank, struct ic_error *err) IC_CHECKED;

void ic_claims_free(struct ic_claims *claims);

#endif
