// Positions in the source of code in copies, as far as their rows were kept for entries.
#ifndef CODE_ENTRIES_SOURCE_POSITION_H
#define CODE_ENTRIES_SOURCE_POSITION_H

#include "code/flow/host_code.h"

struct ic_source_position { // line 0 if it is not known
	uint32_t line, column;
};

// The position, in the function of an instance, of its code at an address: where a copy in it was
// called, whose number is in *inner then (which may be NULL, and is IC_NONE for none); or that of
// the row.
struct ic_source_position ic_source_position_of(struct ic_host_code *code, uint32_t instance,
						uint64_t addr, uint32_t *inner);

int ic_source_position_compare(struct ic_source_position a, struct ic_source_position b);

// Which of two addresses in the copy that was chosen comes first in the source: as compare
// functions say it. In one copy within, it is the order there.
int ic_source_order(struct ic_host_code *code, uint64_t a, uint64_t b);

#endif
