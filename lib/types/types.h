// Types: their texts in the source language's notation, sizes and encodings.
//
// Each type DIE is read once; its text is composed from those of the types that it refers to.
#ifndef TYPES_TYPES_H
#define TYPES_TYPES_H

#include "types/type_names.h"

// The type that a DIE's DW_AT_type refers to; no value means void. An unreadable type is a problem,
// and its text unknown. Time: reading each type once.
struct ic_type_text ic_type_of(struct ic_types *types, struct ic_die_place place,
			       const struct ic_value *type);

// The whole text, in the arena; NULL if unknown or memory runs out.
const char *ic_type_whole(struct ic_types *types, const struct ic_type_text *text);

// Drops the types that were read, but not their texts.
void ic_types_forget(struct ic_types *types);

void ic_types_free(struct ic_types *types);

#endif
