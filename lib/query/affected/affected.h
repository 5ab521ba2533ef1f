// Out-of-line functions with code of other functions. The public part is
// inlinecall/extra/affected.h.
#ifndef QUERY_AFFECTED_AFFECTED_H
#define QUERY_AFFECTED_AFFECTED_H

#include "base/arena.h"
#include "base/array.h"
#include "model/index.h"

#include <inlinecall/extra/affected.h>

struct ic_affected_item { // a function
	struct ic_affected_function function;
	const struct ic_function *source; // NULL if only a name is known
	uint32_t first_holding;
};

struct ic_affected_holding { // an out-of-line function with code of a function
	uint32_t item;       // the function
	uint32_t unit, host; // the instance
	bool is_function;
	uint64_t copies, without_code, size;
	const char *const *symbols; // in the arena
	uint32_t symbol_count;
};

struct ic_affected {
	const struct ic_index *index;
	IC_ARRAY(struct ic_affected_item) items;
	IC_ARRAY(struct ic_affected_holding) holdings; // by function, then by address
	struct ic_arena arena;
};

// The out-of-line function of a holding; NULL if unknown.
static inline const struct ic_function *ic_affected_holder(
	const struct ic_affected *affected, const struct ic_affected_holding *holding)
{
	const struct ic_unit_model *unit = &affected->index->units[holding->unit];
	uint32_t function = unit->instances[holding->host].function;

	return function == IC_NONE ? NULL : &unit->functions[function];
}

#endif
