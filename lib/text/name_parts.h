// The parts of a function's name, and matching it by a name that leaves some out.
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
	// The parts that "::" separates outside brackets, the last IC_NAME_MOST_PARTS of them: for
	// "int ns::A<b::c>::f<d>(e) const", "ns", "A<b::c>" and "f<d>"; for Rust's "<a::B<C> as
	// D>::f::<E>", "a", "B<C>" and "f::<E>". They borrow from the name.
	struct ic_name_part parts[IC_NAME_MOST_PARTS];
	uint32_t count;             // at least one
	struct ic_name_part params; // from the parenthesis on, "(e) const"; empty if there are none
};

void ic_name_parts_split(struct ic_name_parts *parts, const char *name);

// Whether `wanted` matches a name: it may leave out outer scopes, arguments of templates and
// generics in any part, and parameters. If both have parameters, they are compared.
bool ic_name_parts_match(const struct ic_name_parts *wanted, const struct ic_name_parts *name);

// Whether a name is its first `length` characters and arguments of a template or generics, "<...>".
bool ic_name_has_only_arguments(const char *name, size_t length);

// How many characters of a part all its spellings have in common: those before the arguments of
// templates and generics, of an operator its symbol, and "operator" of a conversion. 0 for lambdas
// and closures, which DWARF and symbols call otherwise. At most `most` are read.
size_t ic_name_stem_length(const char *part, size_t most);

#endif
