// Facts about functions, as sets of bits.
#ifndef QUERY_COUNTS_FACTS_H
#define QUERY_COUNTS_FACTS_H

#include "query/find/definitions.h"
#include "query/find/parts.h"

#include <inlinecall/extra/statistics.h>

enum ic_fact {
	IC_FACT_HAS_CODE = 1,   // an out-of-line copy, or a symbol
	IC_FACT_IS_INLINED = 2, // somewhere in the file, with code
	IC_FACT_IS_WANTED = 4,  // selected by a query
	IC_FACT_HAS_COPIES = 8, // has inlined copies with code that the query selects
	IC_FACT_IS_CALLER = 16, // contains such copies
};

// Records the first two facts for each selected definition. Symbols are looked up for selected
// functions without an out-of-line copy. False if memory runs out.
bool ic_facts_note(uint8_t *facts, const struct ic_definitions *definitions,
		   struct ic_parts *parts);

// Whether a function with these facts was inlined.
enum ic_inlined ic_facts_inlined(uint8_t facts);

#endif
