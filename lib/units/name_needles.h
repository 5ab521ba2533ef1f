// What to search sections for, to find the units that can have functions of some names.
//
// A function's name is a string in .debug_str or .debug_line_str, or in the unit itself. The
// needles are the offsets of the strings that can be the name, or a symbol that demangles to it,
// and the first bytes of its text.
#ifndef UNITS_NAME_NEEDLES_H
#define UNITS_NAME_NEEDLES_H

#include "base/offset_set.h"
#include "dwarf/units/form.h"
#include "dwarf/units/unit.h"
#include "text/byte_search.h"

struct ic_sought_name {
	const char *pattern; // as the caller gave it
	size_t stem_length;  // of the pattern without what compilers append to names of clones
	// The first letters, digits and underscores of the last part of the name: the function's
	// name begins with it, and its symbol, if mangled, contains it.
	const char *word;
	size_t length;
	char follows;       // the character after the word in the pattern; 0 at its end
	size_t seen;        // in the strings: what begins before it was looked at for symbols
	bool is_destructor; // a tilde precedes the word
	char count[24]; // what comes before the word in mangled symbols, its length; empty if the
			// word may be less than an identifier
};

struct ic_name_needles {              // zero-initialised: no names
	struct ic_byte_search words;  // their first bytes; `of` is the number of a name
	struct ic_offset_set offsets; // of strings; of 64-bit ones the lower half
	const struct ic_dwarf *dwarf; // whose strings these are; NULL if none were collected
	IC_ARRAY(struct ic_sought_name) names;
	// Whether all spellings of the names are known, those in DW_AT_name and those in symbols.
	bool are_names_clear, are_symbols_clear;
};

// Takes the names, of a list that NULL ends; they are borrowed. False if memory runs out.
bool ic_name_needles_analyse(struct ic_name_needles *needles, const char *const *names) IC_CHECKED;

// Collects the offsets for the sections of one file, instead of those that were there. False if
// memory runs out.
//
// Time: that of reading .debug_str and .debug_line_str.
bool ic_name_needles_collect(struct ic_name_needles *needles, const struct ic_dwarf *dwarf)
	IC_CHECKED;

// Whether the word of a needle is at `position`, where its first bytes were found.
bool ic_name_needles_has_word(const struct ic_name_needles *needles, const struct ic_needle *needle,
			      struct ic_bytes bytes, size_t position);

// Whether a text contains the word of a name. Time: that of reading it.
bool ic_name_needles_are_in(const struct ic_name_needles *needles, const char *text);

// Whether a string attribute may be one of the names, whose spellings there are clear. Does not
// read the text if it is one of the collected strings.
bool ic_name_needles_may_be(const struct ic_name_needles *needles, const struct ic_unit *unit,
			    const struct ic_value *value);

void ic_name_needles_free(struct ic_name_needles *needles);

#endif
