// Finds the namespaces and classes around a function, for the few whose qualified names are needed:
// looking up addresses reads no scopes.
#ifndef SYMBOLIZE_FUNCTION_SCOPES_H
#define SYMBOLIZE_FUNCTION_SCOPES_H

#include "base/array.h"
#include "index/scan.h"
#include "types/scopes.h"

struct ic_function_scopes { // empty if zero-initialised
	struct ic_type_scopes known;
	IC_ARRAY(struct ic_scope) list; // the last result, innermost first
};

// Finds the scopes that an index would have for a function (struct ic_function): none if it is in
// none, or has no DIE. Each is the parent of the previous one. Unreadable DIEs become problems.
// Returns false if memory runs out.
//
// Time: the first query about a unit walks all of it; then O(log n) for n scopes.
bool ic_function_scopes_find(struct ic_function_scopes *scopes, struct ic_scan *scan,
			     const struct ic_function *function, struct ic_problems *problems,
			     struct ic_error *err) IC_CHECKED;

void ic_function_scopes_free(struct ic_function_scopes *scopes);

#endif
