// The namespaces and classes around types; a DIE itself does not know its parents.
#ifndef TYPES_SCOPES_H
#define TYPES_SCOPES_H

#include "base/map.h"
#include "types/dies.h"

struct ic_type_scope {
	const char *name;    // NULL if it has none
	uint64_t signature;  // of the type unit that has the name; 0 if none
	uint64_t start, end; // range of its DIEs, in their section
	uint32_t parent;     // IC_NONE if outermost
	uint32_t decl_line;  // 0 if unknown
	bool is_namespace, is_function;
};

struct ic_unit_scopes {
	uint32_t first, count; // range of scopes, in DIE order
};

struct ic_type_scopes {        // zero-initialised is empty
	struct ic_map by_unit; // index in `units`, by unit offset
	IC_ARRAY(struct ic_unit_scopes) units;
	IC_ARRAY(struct ic_type_scope) list;
};

// The innermost scope around a DIE, NULL if there is none. The first query about a unit walks
// through it. Unreadable DIEs are problems.
const struct ic_type_scope *ic_type_scope_of(struct ic_type_scopes *scopes, struct ic_dies *dies,
					     struct ic_die_place place);

// The scope around a scope, NULL if there is none.
const struct ic_type_scope *ic_type_scope_around(const struct ic_type_scopes *scopes,
						 const struct ic_type_scope *scope);

// The name of a scope around the DIE, NULL if it has none: a class defined in a type unit has its
// name there.
const char *ic_type_scope_name(struct ic_dies *dies, struct ic_die_place place,
			       const struct ic_type_scope *scope);

void ic_type_scopes_free(struct ic_type_scopes *scopes);

#endif
