// Variables of functions that are in scope at an address.
#ifndef TYPES_VARIABLES_H
#define TYPES_VARIABLES_H

#include "types/formals.h"

// Appends the variables of an instance to its arguments (ic_formals::arguments), in the order of
// the file: those of the function itself, and of the blocks that contain the address. Unreadable
// ones are problems. False if memory runs out.
bool ic_variables_join(struct ic_formals *formals, struct ic_die_place instance, uint64_t addr)
	IC_CHECKED;

#endif
