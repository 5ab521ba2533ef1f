// The enumerators of enumerations: the names of their values.
//
// Each enumeration is read once.
#ifndef TYPES_ENUMERATORS_H
#define TYPES_ENUMERATORS_H

#include "types/types.h"

struct ic_enumerations {      // zero-initialised is empty
	struct ic_map by_die; // by offset and way of spelling: in `list`
	IC_ARRAY(struct ic_enumeration) list;
	IC_ARRAY(struct ic_enumerator) found; // of the one that is being read
};

// The enumeration that a reference leads to, through names and qualifiers; one without enumerators
// if it leads to something else. Texts are in the arena of the types. What cannot be read is a
// problem, and the enumeration has no enumerators then. False if memory runs out.
bool ic_enumeration_of(struct ic_enumerations *enumerations, struct ic_types *types,
		       struct ic_die_place place, const struct ic_value *type,
		       struct ic_enumeration *enumeration) IC_CHECKED;

// Forgets the enumerations that were read, but not their names.
void ic_enumerations_forget(struct ic_enumerations *enumerations);

void ic_enumerations_free(struct ic_enumerations *enumerations);

#endif
