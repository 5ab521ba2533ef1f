// The names of functions, as DWARF has them and as readers write them.
#ifndef QUERY_NAMES_H
#define QUERY_NAMES_H

#include "base/map.h"
#include "model/index.h"

// The name, or the linkage name where there is no other; NULL where there is none.
const char *ic_function_name(const struct ic_function *function);

// The name behind its scopes, "ns::Class::method", in `text` (of `size` bytes, cut where it is too
// long); false where it is in no scope.
bool ic_function_qualified_name(const struct ic_index *index, const struct ic_function *function,
				char *text, size_t size);

// Names for a reader, each made once and kept.
struct ic_names {
	const struct ic_index *index;
	struct ic_arena arena;
	struct ic_map made; // by the address of the function or of the symbol's name
	IC_ARRAY(const char *) texts;
	bool out_of_memory; // some name is not what it should be
};

// The demangled linkage name with its parameters, else the name behind its scopes, else the name;
// NULL where there is none. Where memory is out, some name, and names->out_of_memory.
const char *ic_names_display(struct ic_names *names, const struct ic_function *function);

// A symbol as the source has it, or as it is where it is not mangled.
const char *ic_names_demangled(struct ic_names *names, const char *symbol);

void ic_names_free(struct ic_names *names);

#endif
