// The calls that were inlined into a Go function, runtime.inlinedCall: an array of records, one for
// each, which the function's values number. How many there are, only the values tell.
#ifndef GO_INLINE_TREE_H
#define GO_INLINE_TREE_H

#include "go/pc_values.h"

struct ic_go_memory { // what is loaded where: borrowed, in any order
	const struct ic_go_span {
		uint64_t addr;
		struct ic_bytes bytes;
	} * spans;
	uint32_t count;
};

struct ic_go_inlined {
	uint32_t name_off;  // of the function, in the names
	int32_t parent;     // the call around it, -1 if none; also if parent_pc tells it
	uint32_t parent_pc; // from the function's entry: an instruction at the place of the call
	bool has_parent_pc; // else file and line of the call are the next two
	int32_t file;       // as a function's values have it
	uint32_t line;
	uint32_t start_line; // of the function; 0 if unknown
};

// The bytes from an address on; none if nothing is loaded there.
struct ic_bytes ic_go_memory_at(const struct ic_go_memory *memory, uint64_t addr);

// Reads a record. False if it is not within the bytes.
bool ic_go_inlined_read(const struct ic_go_pclntab *table, struct ic_bytes records, uint32_t number,
			struct ic_go_inlined *inlined);

// Sets the table's layout, and gofunc, to the row of its format by which the records of some of its
// functions make sense: several releases share a magic number. `module` are the words of the module
// data, or NULL. Returns false if none does though functions seem to have records; the table then
// has none.
bool ic_go_layout_choose(struct ic_go_pclntab *table, const struct ic_go_memory *memory,
			 const uint64_t *module);

#endif
