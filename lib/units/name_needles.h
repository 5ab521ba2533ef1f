// What to search sections for, to find units that may have functions of certain names.
//
// A function's name is a string in .debug_str or .debug_line_str, or in the unit itself. The
// needles are the offsets of the strings that may be the name, or a symbol that demangles to it,
// and the first bytes of its text.
#ifndef UNITS_NAME_NEEDLES_H
#define UNITS_NAME_NEEDLES_H

#include "base/offset_set.h"
#include "dwarf/units/form.h"
#include "dwarf/units/unit.h"
#include "text/byte_search.h"

struct ic_sought_name {
	const char *pattern; // as the caller specified it
	size_t stem_length;  // length of the pattern without the suffix of a clone
	// The first letters, digits and underscores of the name's last part: the function's name
	// begins with it, and a mangled symbol contains it.
	const char *word;
	size_t length;
	char follows;       // the character after the word in the pattern; 0 if none
	size_t seen;        // offset in the strings up to which symbols have been searched for
	bool is_destructor; // a tilde precedes the word
	char count[24];     // the word's length, which precedes it in mangled symbols; empty if the
			    // word may be less than an identifier
};

struct ic_name_needles {              // no names if zero-initialised
	struct ic_byte_search words;  // their first bytes; `of` is the index of a name
	struct ic_offset_set offsets; // of strings; for 64-bit ones the lower half
	const struct ic_dwarf *dwarf; // owner of these strings; NULL if none were collected
	IC_ARRAY(struct ic_sought_name) names;
	// Whether all spellings of the names are known: those in DW_AT_name, and those in symbols.
	bool are_names_clear, are_symbols_clear;
};

// Analyses a NULL-terminated list of names, which are borrowed. Returns false if memory runs out.
bool ic_name_needles_analyse(struct ic_name_needles *needles, const char *const *names) IC_CHECKED;

// Collects the offsets for the sections of one file, replacing those collected before. Returns
// false if memory runs out.
//
// Time: as for reading .debug_str and .debug_line_str.
bool ic_name_needles_collect(struct ic_name_needles *needles, const struct ic_dwarf *dwarf)
	IC_CHECKED;

// Whether the word of a needle is at `position`, where its first bytes were found.
bool ic_name_needles_has_word(const struct ic_name_needles *needles, const struct ic_needle *needle,
			      struct ic_bytes bytes, size_t position);

// Whether a text contains the word of a name. Time: as for reading it.
bool ic_name_needles_are_in(const struct ic_name_needles *needles, const char *text);

// Whether a string attribute may be one of the names, whose spellings there must be known. If it is
// one of the collected strings, its text is not read.
bool ic_name_needles_may_be(const struct ic_name_needles *needles, const struct ic_unit *unit,
			    const struct ic_value *value);

void ic_name_needles_free(struct ic_name_needles *needles);

#endif
