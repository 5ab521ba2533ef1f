// Which functions of units are one: a function of a header is described in every unit that has
// copies of it.
#ifndef QUERY_FIND_DEFINITIONS_H
#define QUERY_FIND_DEFINITIONS_H

#include "base/array.h"
#include "model/index.h"
#include "query/find/sites.h"

// Orders functions; those of one symbol name, but for what is appended for clones, declared at one
// line of one file, are equal. They may be NULL.
int ic_function_compare(const struct ic_function *left, const struct ic_function *right);

// Functions, by their numbers; those of one symbol name are neighbours.
struct ic_definitions {
	IC_ARRAY(const struct ic_function *) items; // of each a function of some unit, or NULL
	uint32_t *numbers;                          // by unit and function
	uint64_t *firsts;                           // of each unit in `numbers`
};

// Joins the functions of an index that have copies or, if `sites` is not NULL, those of the sites.
// All copies of one DIE are of one function; it has the name that its inlined copies have, if there
// are any. False if memory runs out. Time: O(n + f log f), for n instances or sites, and f
// functions.
bool ic_definitions_build(struct ic_definitions *definitions, const struct ic_index *index,
			  const struct ic_sites *sites) IC_CHECKED;

// The number of function number `function` of a unit, which may be IC_NONE: not known.
static inline uint32_t ic_definition_of_function(const struct ic_definitions *definitions,
						 uint32_t unit, uint32_t function)
{
	// The last one is of all whose function is not known.
	return function == IC_NONE ? definitions->items.count - 1
				   : definitions->numbers[definitions->firsts[unit] + function];
}

// The number of the function of an instance, which is in the unit of that number.
static inline uint32_t ic_definition_of(const struct ic_definitions *definitions, uint32_t unit,
					const struct ic_instance *instance)
{
	return ic_definition_of_function(definitions, unit, instance->function);
}

void ic_definitions_free(struct ic_definitions *definitions);

#endif
