// Which code the units say is theirs, by their root entries (DWARF 5, 3.1.1).
#ifndef SCAN_SCAN_CLAIMS_H
#define SCAN_SCAN_CLAIMS_H

#include "base/segments.h"
#include "scan/scan.h"

struct ic_scan_claims { // owners are the numbers of units; zero-initialised is empty
	IC_ARRAY(struct ic_layer) list;
	// Numbers of units that may have more code than they claim, or whose root DIE cannot be
	// read: these must be decoded to know, and to report why.
	IC_ARRAY(uint32_t) unsure;
	bool wants_unplaced;   // units whose root DIE has no addresses at all are unsure as well
	uint64_t outside_addr; // the lowest of the units': see ic_unit_model
};

// Adds that a unit claims a range; of several that claim an address the lowest rank is in front.
// Empty ranges are left out. False where memory is out, or there are 2^30 claims.
bool ic_scan_claims_add(struct ic_scan_claims *claims, struct ic_range range, uint64_t rank,
			uint32_t unit);

// Reads the root entries of the units of these numbers, on several threads, and adds the code that
// they claim, with their numbers beyond `first_rank` for ranks; what the linker threw away is left
// out. Units that cannot be read are unsure. Returns false only if out of memory.
bool ic_scan_claims_read(struct ic_scan_claims *claims, struct ic_scan *scan,
			 const uint32_t *numbers, uint32_t count, uint64_t first_rank,
			 struct ic_error *err) IC_CHECKED;

void ic_scan_claims_free(struct ic_scan_claims *claims);

#endif
