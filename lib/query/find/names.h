// The names of functions, as in DWARF and as displayed.
#ifndef QUERY_FIND_NAMES_H
#define QUERY_FIND_NAMES_H

#include "base/map.h"
#include "model/index.h"

#include <inlinecall/demangle.h>

// The name, or the linkage name if there is none; NULL if there is neither.
const char *ic_function_name(const struct ic_function *function);

// The symbol name of a function: its linkage name, or else its name, or "". It may be NULL.
const char *ic_function_symbol(const struct ic_function *function);

// The name qualified by its scopes, "ns::Class::method", in `text` (of `size` bytes, truncated if
// too long); false if it is in no scope.
bool ic_function_qualified_name(const struct ic_index *index, const struct ic_function *function,
				char *text, size_t size);

// The same for a name in scope number `scope` of `scopes`.
void ic_name_qualify(const struct ic_scope *scopes, uint32_t scope, const char *name, char *text,
		     size_t size);

enum { IC_LONGEST_NAME = 4096 }; // bytes, of names with their scopes

// Names for display, each made once and cached.
struct ic_names {
	const struct ic_index *index; // of the functions
	enum ic_demangle_style style;
	struct ic_arena arena;
	struct ic_map made; // by the address of the function or of the symbol's name
	IC_ARRAY(const char *) texts;
	bool out_of_memory; // some names may be wrong
};

// The demangled linkage name, or else the qualified name, or else the name; NULL if there is none.
// If memory runs out, returns some name and sets names->out_of_memory.
const char *ic_names_display(struct ic_names *names, const struct ic_function *function);

// The name of a symbol in the source, or the symbol if it is not mangled.
const char *ic_names_demangled(struct ic_names *names, const char *symbol);

// The slot of a key's text, for names made by the caller: *text is NULL if it is new. NULL if
// memory runs out. Valid until the next call.
const char **ic_names_slot(struct ic_names *names, const void *key);

// A copy of a text, as long-lived as the names; NULL if memory runs out.
const char *ic_names_keep(struct ic_names *names, const char *text);

void ic_names_free(struct ic_names *names);

#endif
