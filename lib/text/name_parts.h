// Splits a function's name into parts, and matches it with a name that omits some.
#ifndef TEXT_NAME_PARTS_H
#define TEXT_NAME_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { IC_NAME_MOST_PARTS = 64 };

struct ic_name_part {
	const char *start;
	size_t length;
};

struct ic_name_parts {
	// The parts separated by "::" outside of brackets, or the last IC_NAME_MOST_PARTS of them:
	// for "int ns::A<b::c>::f<d>(e) const" these are "ns", "A<b::c>" and "f<d>"; for Rust's
	// "<a::B<C> as D>::f::<E>", "a", "B<C>" and "f::<E>". They borrow from the name.
	struct ic_name_part parts[IC_NAME_MOST_PARTS];
	uint32_t count; // at least one
	// From the parenthesis on, such as "(e) const"; empty if there are none.
	struct ic_name_part params;
};

void ic_name_parts_split(struct ic_name_parts *parts, const char *name);

// Whether `wanted` matches a name: it may omit outer scopes, arguments of templates and generics in
// any part, and parameters. If both have parameters, these are compared.
bool ic_name_parts_match(const struct ic_name_parts *wanted, const struct ic_name_parts *name);

// Whether a name consists of its first `length` characters and arguments of a template or generics,
// "<...>".
bool ic_name_has_only_arguments(const char *name, size_t length);

// The number of characters at the start of a part that all its spellings share: those before the
// arguments of templates and generics; for an operator, up to its symbol; for a conversion,
// "operator". 0 for lambdas and closures, whose names in DWARF and symbols differ. Reads at most
// `most` characters.
size_t ic_name_stem_length(const char *part, size_t most);

#endif
