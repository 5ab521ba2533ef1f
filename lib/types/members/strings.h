// Strings that know their length, which in Go, Rust and C++ are structures.
#ifndef TYPES_STRINGS_H
#define TYPES_STRINGS_H

#include "types/members/members.h"

struct ic_type_string {
	bool is_string;                     // otherwise the rest is unset
	struct ic_type_member data, length; // a pointer to the first byte, and the number of bytes
};

struct ic_type_strings {         // zero-initialised
	struct ic_map by_formal; // index in `list`, by the numbers of formal parameter and path
	IC_ARRAY(struct ic_type_string) list;
};

enum { IC_NO_PATH = IC_MOST_MEMBERS }; // the formal parameter itself

// The string that a formal parameter, or its member for a path, is or points to; NULL if it is
// something else. Valid until the next call. Each is read once. `*ok` is false if memory runs out.
const struct ic_type_string *ic_type_string_find(struct ic_type_strings *strings,
						 struct ic_type_members *members, uint32_t number,
						 const struct ic_formal *formal, uint32_t path,
						 bool *ok);

// Drops the strings of formal parameters.
void ic_type_strings_forget(struct ic_type_strings *strings);

void ic_type_strings_free(struct ic_type_strings *strings);

#endif
