// What is mapped in address spaces, each of which begins as a copy of another: a copy costs
// nothing, and what both have is kept once.
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

struct ic_mapped_node { // of a treap; one that several spaces have is not changed any more
	struct ic_mapped mapped;
	uint32_t left, right; // IC_NONE if there is none
	uint32_t owner;       // the one space that may change it
};

struct ic_mappings { // of all spaces; zero-initialised is empty
	IC_ARRAY(struct ic_mapped_node) nodes;
	uint32_t last_owner, last_version;
	uint64_t seed; // of the priorities
	bool out_of_memory;
};

struct ic_mapping_space {
	uint32_t root; // IC_NONE if nothing is mapped
	uint32_t owner;
	uint32_t version; // another one after each change; 0 if nothing was ever mapped
};

#define IC_MAPPING_SPACE_EMPTY ((struct ic_mapping_space){ IC_NONE, 0, 0 })

// Maps a part of a file instead of what is mapped there. If memory runs out, `mappings` says so,
// and the space has nothing that can be relied on.
void ic_mappings_put(struct ic_mappings *mappings, struct ic_mapping_space *space,
		     const struct ic_mapped *mapped);

// A copy of a space: from now on each of the two has its own changes.
struct ic_mapping_space ic_mappings_copy(struct ic_mappings *mappings,
					 struct ic_mapping_space *space);

// What is mapped at an address; NULL if nothing is. Until the next change.
const struct ic_mapped *ic_mappings_find(const struct ic_mappings *mappings,
					 struct ic_mapping_space space, uint64_t addr);

// Calls a function with all that is mapped, by address, until it returns false; whether it never
// did.
bool ic_mappings_each(const struct ic_mappings *mappings, struct ic_mapping_space space,
		      bool (*each)(void *context, const struct ic_mapped *mapped), void *context)
	IC_CHECKED;

void ic_mappings_free(struct ic_mappings *mappings);

#endif
