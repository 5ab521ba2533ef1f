// Types: their texts as the source language spells them, sizes and encodings.
//
// Each DIE of a type is read once, and its text made of those of the types that it is made of.
#ifndef SCAN_SCAN_TYPES_H
#define SCAN_SCAN_TYPES_H

#include "base/map.h"
#include "scan/scan_dies.h"
#include "scan/scan_type_scopes.h"

#include <inlinecall/parameters.h>

enum {
	SCAN_TYPES_LONGEST = 4096, // bytes of the text of a type
};

struct ic_scan_type_text { // a type; what declares something of it puts the name in between
	const char *prefix, *suffix; // "int (*", ")(void)"; both NULL if unknown
	uint64_t size;               // in bytes
	uint8_t encoding;            // enum ic_type_encoding
	bool has_size, is_signed;
	bool ends_in_pointer; // the prefix does: a qualifier goes after it
	bool is_outer;        // an array or a function: a pointer to it needs parentheses
	bool is_open;         // it is being read
};

struct ic_scan_types { // zero-initialised but for the first three
	struct ic_scan_dies *dies;
	struct ic_arena *arena; // gets the texts
	uint16_t language;      // DW_LANG_* of the code that uses the types
	struct ic_map by_die;   // by offset and way of spelling: in `list`
	IC_ARRAY(struct ic_scan_type_text) list;
	IC_ARRAY(char) scratch;
	struct ic_scan_type_scopes scopes;
};

// The type that a DIE's DW_AT_type refers to; no value means void. An unreadable type is a problem,
// and its text unknown. Time: that of reading each type once.
struct ic_scan_type_text ic_scan_type_of(struct ic_scan_types *types,
					 struct ic_scan_die_place place,
					 const struct ic_value *type);

// The whole text, in the arena; NULL if it is not known or memory is out.
const char *ic_scan_type_whole(struct ic_scan_types *types, const struct ic_scan_type_text *text);

void ic_scan_types_free(struct ic_scan_types *types);

#endif
