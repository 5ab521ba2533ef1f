// Variables of a function: its DIE and those below it are read with all attributes. Nothing is
// cached, because the query is rare.
#ifndef VALUES_LOCALS_H
#define VALUES_LOCALS_H

#include "dwarf/expressions/locations.h"
#include "index/scan.h"

#include <inlinecall/extra/locals.h>

struct ic_function_locals {                          // zero-initialised is empty
	const struct ic_location_sections *sections; // of the unit; needed for the search
	IC_ARRAY(struct ic_local) list;
};

// Appends the variables of the DIE at an offset from its unit's start. The scan must have read its
// units. Unreadable DIEs are problems. False if memory runs out.
bool ic_function_locals_find(struct ic_function_locals *locals, struct ic_scan *scan, uint32_t unit,
			     uint32_t die_off, struct ic_problems *problems, struct ic_error *err)
	IC_CHECKED;

void ic_function_locals_free(struct ic_function_locals *locals);

#endif
