// Which functions of units are one: a function of a header is described in every unit that has
// copies of it.
#ifndef QUERY_FIND_DEFINITIONS_H
#define QUERY_FIND_DEFINITIONS_H

#include "base/array.h"
#include "model/index.h"

// What the symbol of a function is called: its linkage name, else its name, else "". It may be
// NULL.
const char *ic_function_symbol(const struct ic_function *function);

// Orders functions; those of one symbol name, but for what is appended for clones, declared at one
// line of one file, are equal. They may be NULL.
int ic_function_compare(const struct ic_function *left, const struct ic_function *right);

// Functions that have copies, by their numbers; those of one symbol name are neighbours.
struct ic_definitions {
	IC_ARRAY(const struct ic_function *) items; // of each a function of some unit, or NULL
	uint32_t *numbers;                          // by unit and function
	uint64_t *firsts;                           // of each unit in `numbers`
};

// Joins the functions of an index. All copies of one DIE are of one function; it has the name that
// its inlined copies have, if there are any. False if memory is out. Time: O(n + f log f), for n
// instances and f functions.
bool ic_definitions_build(struct ic_definitions *definitions, const struct ic_index *index)
	IC_CHECKED;

// The number of the function of an instance, which is in the unit of that number.
static inline uint32_t ic_definition_of(const struct ic_definitions *definitions, uint32_t unit,
					const struct ic_instance *instance)
{
	// The last one is of all instances of which the function is not known.
	return instance->function == IC_NONE
		       ? definitions->items.count - 1
		       : definitions->numbers[definitions->firsts[unit] + instance->function];
}

void ic_definitions_free(struct ic_definitions *definitions);

#endif
