// The namespaces and classes around a function, for those few whose whole names are asked for: a
// look-up of addresses reads no scopes.
#ifndef SYMBOLIZE_FUNCTION_SCOPES_H
#define SYMBOLIZE_FUNCTION_SCOPES_H

#include "base/array.h"
#include "index/scan.h"
#include "types/scopes.h"

struct ic_function_scopes { // zero-initialised is empty
	struct ic_type_scopes known;
	IC_ARRAY(struct ic_scope) list; // what was found last, the innermost first
};

// Finds the scopes that an index would have of a function (struct ic_function): none, if it is in
// none, or not described by a DIE. Each is the parent of the one before it. Unreadable DIEs are
// problems. False if memory runs out.
//
// Time: the first question about a unit walks through it; O(log n) after that, for n scopes.
bool ic_function_scopes_find(struct ic_function_scopes *scopes, struct ic_scan *scan,
			     const struct ic_function *function, struct ic_problems *problems,
			     struct ic_error *err) IC_CHECKED;

void ic_function_scopes_free(struct ic_function_scopes *scopes);

#endif
