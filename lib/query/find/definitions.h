// Which functions of units are the same: a header's function is described in every unit that has
// copies of it.
#ifndef QUERY_FIND_DEFINITIONS_H
#define QUERY_FIND_DEFINITIONS_H

#include "base/array.h"
#include "model/index.h"
#include "query/find/sites.h"

// Orders functions. They are equal if they have the same symbol name, without clone suffixes, and
// are declared at the same line of the same file. May be NULL.
int ic_function_compare(const struct ic_function *left, const struct ic_function *right);

// Functions, by number; those with the same symbol name are adjacent.
struct ic_definitions {
	IC_ARRAY(const struct ic_function *) items; // for each, a function of some unit, or NULL
	uint32_t *numbers;                          // indexed by unit and function
	uint64_t *firsts;                           // the start of each unit in `numbers`
};

// Merges the functions of an index that have copies or, if `sites` is not NULL, those of the sites.
// All copies of one DIE belong to one function, which has the name of its inlined copies, if there
// are any: a destructor may be ~D4Ev here, and ~D0Ev where its own code is printed. False if memory
// runs out. Time: O(n + f log f), for n instances or sites, and f functions.
bool ic_definitions_build(struct ic_definitions *definitions, const struct ic_index *index,
			  const struct ic_sites *sites) IC_CHECKED;

// The number of a unit's function, whose index may be IC_NONE: unknown.
static inline uint32_t ic_definition_of_function(const struct ic_definitions *definitions,
						 uint32_t unit, uint32_t function)
{
	// the last one stands for all unknown functions
	return function == IC_NONE ? definitions->items.count - 1
				   : definitions->numbers[definitions->firsts[unit] + function];
}

// The number of an instance's function; the instance is in the unit with that number.
static inline uint32_t ic_definition_of(const struct ic_definitions *definitions, uint32_t unit,
					const struct ic_instance *instance)
{
	return ic_definition_of_function(definitions, unit, instance->function);
}

// Whether an instance of a unit, which has that number, is inside of another one of the same
// function.
bool ic_definition_is_nested(const struct ic_definitions *definitions,
			     const struct ic_unit_model *unit, uint32_t unit_number,
			     uint32_t instance);

void ic_definitions_free(struct ic_definitions *definitions);

#endif
