// The parts of a function's name, and whether a name is meant by another that leaves some out.
#ifndef BASE_NAME_PARTS_H
#define BASE_NAME_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { IC_NAME_MOST_PARTS = 64 };

struct ic_name_part {
	const char *start;
	size_t length;
};

struct ic_name_parts {
	// What "::" separates outside of brackets, the last IC_NAME_MOST_PARTS of them: of
	// "int ns::A<b::c>::f<d>(e) const", "ns", "A<b::c>" and "f<d>"; of Rust's
	// "<a::B<C> as D>::f::<E>", "a", "B<C>" and "f::<E>". They borrow from the name.
	struct ic_name_part parts[IC_NAME_MOST_PARTS];
	uint32_t count;             // at least one
	struct ic_name_part params; // from the parenthesis on, "(e) const"; empty if there are none
};

void ic_name_parts_split(struct ic_name_parts *parts, const char *name);

// Whether a name is meant by another, `wanted`, that may leave out outer scopes, arguments of
// templates and generics in any part, and parameters. Parameters that it has are compared if the
// name has any.
bool ic_name_parts_match(const struct ic_name_parts *wanted, const struct ic_name_parts *name);

#endif
