// Source positions of code in copies, as far as their rows were kept for entries.
#ifndef CODE_ENTRIES_SOURCE_POSITION_H
#define CODE_ENTRIES_SOURCE_POSITION_H

#include "code/flow/host_code.h"

struct ic_source_position { // line 0 if unknown
	uint32_t line, column;
};

// The position, within an instance's function, of the code at an address: that of the call of the
// copy inside it that contains the address, whose number is stored in *inner (which may be NULL);
// otherwise that of the row, and *inner is IC_NONE.
struct ic_source_position ic_source_position_of(struct ic_host_code *code, uint32_t instance,
						uint64_t addr, uint32_t *inner);

int ic_source_position_compare(struct ic_source_position a, struct ic_source_position b);

// Which of two addresses in the chosen copy comes first in the source, as a comparison function. If
// both are in one copy inside it, their order there decides.
int ic_source_order(struct ic_host_code *code, uint64_t a, uint64_t b);

#endif
