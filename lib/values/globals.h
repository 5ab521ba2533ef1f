// Variables with a static address, looked up by it.
#ifndef VALUES_GLOBALS_H
#define VALUES_GLOBALS_H

#include "index/scan.h"

#include <inlinecall/extra/locals.h>

struct ic_global {
	uint64_t addr;
	uint64_t off; // of the DIE, from the start of its unit
	uint32_t unit;
};

struct ic_globals {                      // zero-initialised is empty
	IC_ARRAY(struct ic_global) list; // sorted by address
};

// Reads the variables of all units. Unreadable DIEs are problems, except root DIEs, which are
// reported already. False if memory runs out.
bool ic_globals_read(struct ic_globals *globals, struct ic_scan *scan, struct ic_problems *problems,
		     struct ic_error *err) IC_CHECKED;

struct ic_found_variable {
	bool is_found;
	struct ic_local variable;
};

// Finds the variable that contains an address, if there is one. Unreadable DIEs are problems. False
// if memory runs out.
bool ic_globals_find(const struct ic_globals *globals, struct ic_scan *scan, uint64_t addr,
		     struct ic_found_variable *found, struct ic_problems *problems,
		     struct ic_error *err) IC_CHECKED;

void ic_globals_free(struct ic_globals *globals);

#endif
