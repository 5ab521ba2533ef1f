// The names of types, and how the texts of types are put together.
#ifndef TYPES_TYPE_NAMES_H
#define TYPES_TYPE_NAMES_H

#include "base/map.h"
#include "types/dies.h"
#include "types/scopes.h"

#include <inlinecall/parameters.h>

enum {
	IC_TYPES_LONGEST = 4096, // bytes of the text of a type
};

struct ic_type_text { // a type; what declares something of it puts the name in between
	const char *prefix, *suffix; // "int (*", ")(void)"; both NULL if unknown
	uint64_t size, item_size;    // in bytes
	uint8_t encoding;            // enum ic_type_encoding
	// Of the items of an array of one dimension, or of what a pointer leads to; else 0.
	uint8_t item_encoding;
	bool has_size, is_signed, item_is_signed;
	bool ends_in_pointer; // the prefix does: a qualifier goes after it
	bool is_outer;        // an array or a function: a pointer to it needs parentheses
	bool is_open;         // it is being read
};

struct ic_types { // zero-initialised but for the first three
	struct ic_dies *dies;
	struct ic_arena *arena; // gets the texts
	uint16_t language;      // DW_LANG_* of the code that uses the types
	struct ic_map by_die;   // by offset and way of spelling: in `list`
	IC_ARRAY(struct ic_type_text) list;
	IC_ARRAY(char) scratch;
	struct ic_type_scopes scopes;
};

enum ic_type_spelling { // whose way it is
	IC_TYPE_SPELLING_C,
	IC_TYPE_SPELLING_CPP,
	IC_TYPE_SPELLING_OTHER, // a type has a name, or looks as in C
	IC_TYPE_SPELLING_COUNT,
};

struct ic_type_die { // a DIE of a type while its text is made
	struct ic_die_place place;
	struct ic_full_die die;
	unsigned depth; // of types in types
};

enum ic_type_spelling ic_types_spelling(const struct ic_types *types);

// Appends to the scratch, in which a text is made from a mark on: its count before.
void ic_type_put(struct ic_types *types, const char *text);

// Moves what was put since the mark to the arena. False after a problem if it is too long, or if
// memory runs out.
bool ic_type_take(struct ic_types *types, const struct ic_type_die *of, uint32_t mark,
		  const char **part);

// The same whatever its length; NULL if memory runs out.
const char *ic_type_keep(struct ic_types *types, uint32_t mark);

// Takes the three texts as one.
bool ic_type_join(struct ic_types *types, const struct ic_type_die *of, const char **part,
		  const char *first, const char *second, const char *third);

// Whether what follows the prefix needs no space.
bool ic_type_is_closed(const char *prefix);

// Appends the namespaces and classes around a type as C++ spells them, each with the "::" after it.
// False after a problem.
bool ic_type_put_scopes(struct ic_types *types, const struct ic_type_die *of);

// Adds a problem; returns false.
bool ic_type_fail(struct ic_types *types, struct ic_die_place place, const char *what);

// Fills in the text by the name of the DIE, or by what it is if it has none. False if it is not
// known.
bool ic_type_spell_named(struct ic_types *types, const struct ic_type_die *of,
			 struct ic_type_text *text);

#endif
