// Types: their texts as the source language spells them, sizes and encodings.
//
// Each DIE of a type is read once, and its text made of those of the types that it is made of.
#ifndef TYPES_TYPES_H
#define TYPES_TYPES_H

#include "types/type_names.h"

// The type that a DIE's DW_AT_type refers to; no value means void. An unreadable type is a problem,
// and its text unknown. Time: that of reading each type once.
struct ic_type_text ic_type_of(struct ic_types *types, struct ic_die_place place,
			       const struct ic_value *type);

// The whole text, in the arena; NULL if it is not known or memory runs out.
const char *ic_type_whole(struct ic_types *types, const struct ic_type_text *text);

// Forgets the types that were read, but not their texts.
void ic_types_forget(struct ic_types *types);

void ic_types_free(struct ic_types *types);

#endif
