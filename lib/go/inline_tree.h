// The calls that were inlined into a Go function (runtime.inlinedCall): an array with a record for
// each, indexed by the function's values, which alone tell its length.
#ifndef GO_INLINE_TREE_H
#define GO_INLINE_TREE_H

#include "go/pc_values.h"

struct ic_go_memory { // the loaded memory: borrowed, in any order
	const struct ic_go_span {
		uint64_t addr;
		struct ic_bytes bytes;
	} * spans;
	uint32_t count;
};

struct ic_go_inlined {
	uint32_t name_off;  // of the function's name, in the names
	int32_t parent;     // the call around it; -1 if there is none, or if parent_pc locates it
	uint32_t parent_pc; // offset from the function's entry of an instruction at the place of
			    // the call
	bool has_parent_pc; // otherwise `file` and `line` are set
	int32_t file;       // as in the function's values
	uint32_t line;
	uint32_t start_line; // first line of the function; 0 if unknown
};

// The bytes from an address on; empty if nothing is loaded there.
struct ic_bytes ic_go_memory_at(const struct ic_go_memory *memory, uint64_t addr);

// Reads a record. Returns false if it is outside the bytes.
bool ic_go_inlined_read(const struct ic_go_pclntab *table, struct ic_bytes records, uint32_t number,
			struct ic_go_inlined *inlined);

// Sets the table's layout and `gofunc` to the row of its format with which the records of some
// functions make sense, since several releases share a magic number. `module` is the words of the
// module data, or NULL. Returns false if no row does although functions seem to have records; the
// table is then read as having none.
bool ic_go_layout_choose(struct ic_go_pclntab *table, const struct ic_go_memory *memory,
			 const uint64_t *module);

#endif
