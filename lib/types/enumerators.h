// The enumerators of enumerations: the names of their values.
//
// Each enumeration is read once.
#ifndef TYPES_ENUMERATORS_H
#define TYPES_ENUMERATORS_H

#include "types/types.h"

struct ic_enumerations {      // zero-initialised is empty
	struct ic_map by_die; // index in `list`, by offset and spelling
	IC_ARRAY(struct ic_enumeration) list;
	IC_ARRAY(struct ic_enumerator) found; // of the enumeration being read
};

// The enumeration that a reference leads to, through names and qualifiers; without enumerators if
// it leads to something else. Texts are in the arena of the types. If it cannot be read, that is a
// problem, and it has no enumerators. False if memory runs out.
bool ic_enumeration_of(struct ic_enumerations *enumerations, struct ic_types *types,
		       struct ic_die_place place, const struct ic_value *type,
		       struct ic_enumeration *enumeration) IC_CHECKED;

// Drops the enumerations that were read, but not their names.
void ic_enumerations_forget(struct ic_enumerations *enumerations);

void ic_enumerations_free(struct ic_enumerations *enumerations);

#endif
