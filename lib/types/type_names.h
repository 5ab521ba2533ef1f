// Names of types, and the assembly of type texts.
#ifndef TYPES_TYPE_NAMES_H
#define TYPES_TYPE_NAMES_H

#include "base/map.h"
#include "types/dies.h"
#include "types/scopes.h"

#include <inlinecall/parameters.h>

enum {
	IC_TYPES_LONGEST = 4096, // bytes of the text of a type
};

struct ic_type_text {                // a type; a declarator puts its name between prefix and suffix
	const char *prefix, *suffix; // "int (*", ")(void)"; both NULL if unknown
	uint64_t size, item_size;    // in bytes
	uint8_t encoding;            // enum ic_type_encoding
	// Of the items of a one-dimensional array, or the target of a pointer; otherwise 0.
	uint8_t item_encoding;
	bool has_size, is_signed, item_is_signed;
	bool ends_in_pointer; // the prefix does: a qualifier follows it
	bool is_outer;        // an array or a function: a pointer to it needs parentheses
	bool is_open;         // it is being read
};

struct ic_types { // zero-initialised except the first three
	struct ic_dies *dies;
	struct ic_arena *arena; // owns the texts
	uint16_t language;      // DW_LANG_* of the code that uses the types
	struct ic_map by_die;   // index in `list`, by offset and spelling
	IC_ARRAY(struct ic_type_text) list;
	IC_ARRAY(char) scratch;
	struct ic_type_scopes scopes;
};

enum ic_type_spelling { // the language's notation
	IC_TYPE_SPELLING_C,
	IC_TYPE_SPELLING_CPP,
	IC_TYPE_SPELLING_OTHER, // types have names, or are written as in C
	IC_TYPE_SPELLING_COUNT,
};

struct ic_type_die { // a DIE of a type whose text is being made
	struct ic_die_place place;
	struct ic_full_die die;
	unsigned depth; // nesting of types
};

enum ic_type_spelling ic_types_spelling(const struct ic_types *types);

// Appends to the scratch buffer; a mark, its count before, is the start of a text.
void ic_type_put(struct ic_types *types, const char *text);

// Moves the text since the mark to the arena. False after a problem if it is too long, or if memory
// runs out.
bool ic_type_take(struct ic_types *types, const struct ic_type_die *of, uint32_t mark,
		  const char **part);

// The same for any length; NULL if memory runs out.
const char *ic_type_keep(struct ic_types *types, uint32_t mark);

// Concatenates the three texts.
bool ic_type_join(struct ic_types *types, const struct ic_type_die *of, const char **part,
		  const char *first, const char *second, const char *third);

// Whether the prefix needs no space after it.
bool ic_type_is_closed(const char *prefix);

// Appends the namespaces and classes around a type in C++ notation, each followed by "::". False
// after a problem.
bool ic_type_put_scopes(struct ic_types *types, const struct ic_type_die *of);

// Adds a problem; returns false.
bool ic_type_fail(struct ic_types *types, struct ic_die_place place, const char *what);

// Fills in the text from the DIE's name, or a description if it has none. False if unknown.
bool ic_type_spell_named(struct ic_types *types, const struct ic_type_die *of,
			 struct ic_type_text *text);

#endif
