// Calls of a function that were not inlined, and the values of registers at these calls: read with
// all attributes, because the query is rare. Nothing is cached.
#ifndef VALUES_CALL_VALUES_H
#define VALUES_CALL_VALUES_H

#include "index/scan.h"

#include <inlinecall/extra/call_values.h>

struct ic_call_place {
	uint32_t unit, die_off; // offset of the function's DIE from the start of its unit
	uint64_t addr;
	bool is_tail;
};

struct ic_callee {                       // the target of a call
	const char *name, *linkage_name; // NULL if it has none
	uint64_t addr;   // start of its code; IC_NO_ADDR if the DIE does not have it
	uint64_t origin; // see struct ic_function; IC_NO_ADDR if the callee is unknown
	bool has_symbol; // its symbol is the linkage name or, without one, the name
};

struct ic_site_values { // zero-initialised is empty
	bool is_found;  // the call was found
	struct ic_callee callee;
	// Expressions; empty if there are none.
	struct ic_bytes frame_base; // of the function
	struct ic_bytes target;     // target of a call through a pointer
	IC_ARRAY(struct ic_call_value) list;
	uint32_t die_count; // number of DIEs read
};

// Finds the call that returns to an address, among those of the DIE at an offset from its unit's
// start; if `is_tail`, the tail call with that address in a list of tail calls. The scan must have
// read its units. Unreadable DIEs are problems. False if memory runs out.
bool ic_site_values_find(struct ic_site_values *values, struct ic_scan *scan,
			 struct ic_call_place place, struct ic_problems *problems,
			 struct ic_error *err) IC_CHECKED;

void ic_site_values_free(struct ic_site_values *values);

struct ic_tail_site { // a call that does not return to its function
	struct ic_callee callee;
	uint64_t addr; // of the jump or, if `is_after`, of the next instruction; IC_NO_ADDR if
		       // unknown
	bool is_after;
};

struct ic_tail_sites {    // zero-initialised is empty
	bool is_complete; // the function makes no others
	IC_ARRAY(struct ic_tail_site) list;
	uint32_t die_count; // number of DIEs read
};

// Reads the tail calls of the DIE at an offset from its unit's start, as above.
bool ic_tail_sites_read(struct ic_tail_sites *calls, struct ic_scan *scan, uint32_t unit,
			uint32_t die_off, struct ic_problems *problems, struct ic_error *err)
	IC_CHECKED;

void ic_tail_sites_free(struct ic_tail_sites *calls);

#endif
