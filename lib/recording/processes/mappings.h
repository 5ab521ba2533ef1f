// Mappings of address spaces, each of which starts as a copy of another: a copy costs nothing, and
// unchanged parts are shared.
#ifndef RECORDING_PROCESSES_MAPPINGS_H
#define RECORDING_PROCESSES_MAPPINGS_H

#include "base/array.h"
#include "base/bytes.h"
#include "base/error.h"

struct ic_mapped { // a part of a file
	uint64_t start, end;
	uint64_t offset; // in the file, of the byte at `start`
	uint32_t file;   // the caller's number
};

struct ic_mapped_node { // of a treap; a node shared by several spaces is immutable
	struct ic_mapped mapped;
	uint32_t left, right; // IC_NONE if there is none
	uint32_t owner;       // the only space that may change it
};

struct ic_mappings { // for all spaces; zero-initialised is empty
	IC_ARRAY(struct ic_mapped_node) nodes;
	uint32_t last_owner, last_version;
	uint64_t seed; // for the priorities
	bool out_of_memory;
};

struct ic_mapping_space {
	uint32_t root; // IC_NONE if nothing is mapped
	uint32_t owner;
	uint32_t version; // changes with each modification; 0 if nothing was ever mapped
};

#define IC_MAPPING_SPACE_EMPTY ((struct ic_mapping_space){ IC_NONE, 0, 0 })

// Maps a part of a file, replacing what is mapped there. If memory runs out,
// mappings->out_of_memory is set, and the contents of the space are undefined.
void ic_mappings_put(struct ic_mappings *mappings, struct ic_mapping_space *space,
		     const struct ic_mapped *mapped);

// Copies a space: later changes to either do not affect the other.
struct ic_mapping_space ic_mappings_copy(struct ic_mappings *mappings,
					 struct ic_mapping_space *space);

// The mapping that contains an address; NULL if there is none. Valid until the next change.
const struct ic_mapped *ic_mappings_find(const struct ic_mappings *mappings,
					 struct ic_mapping_space space, uint64_t addr);

// Calls a function for each mapping, by address, until it returns false; returns whether it never
// did.
bool ic_mappings_each(const struct ic_mappings *mappings, struct ic_mapping_space space,
		      bool (*each)(void *context, const struct ic_mapped *mapped), void *context)
	IC_CHECKED;

void ic_mappings_free(struct ic_mappings *mappings);

#endif
