// The calls of a function that were not inlined, and what registers held when they were made: read
// with all their attributes, since the query is rare. Nothing is kept.
#ifndef SCAN_SCAN_CALL_VALUES_H
#define SCAN_SCAN_CALL_VALUES_H

#include "scan/scan.h"

#include <inlinecall/call_values.h>

struct ic_scan_call_values { // zero-initialised is empty
	bool is_found;       // the call
	const char *callee, *callee_linkage_name;
	uint64_t callee_addr; // where its code begins; IC_NO_ADDR if the DIE does not say
	bool has_tail_calls;  // in the function, or not all calls are described
	IC_ARRAY(struct ic_call_value) list;
};

// Finds the call that returns to an address, among those of the DIE at an offset from its unit's
// start. The scan must have read its units. Unreadable DIEs are problems. False if memory is out.
bool ic_scan_call_values_find(struct ic_scan_call_values *values, struct ic_scan *scan,
			      uint32_t unit, uint32_t die_off, uint64_t return_addr,
			      struct ic_problems *problems, struct ic_error *err) IC_CHECKED;

void ic_scan_call_values_free(struct ic_scan_call_values *values);

#endif
