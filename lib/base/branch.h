// Direct calls and jumps in machine code, in the form in which the layer that reads code provides
// them to others.
#ifndef BASE_BRANCH_H
#define BASE_BRANCH_H

#include <stdbool.h>
#include <stdint.h>

struct ic_image;

enum { IC_MOST_BRANCHES = 3 };

struct ic_branches { // targets of one instruction: the bytes before an address may have several
		     // decodings
	uint64_t targets[IC_MOST_BRANCHES];
	uint32_t count;
};

// Finds the target of a direct call or jump, which may be conditional: the instruction at an
// address or, if `is_after`, the one before it. Returns false if it is unknown: the file does not
// contain the code, the processor's instructions are not supported, or they are not relocated.
typedef bool ic_branch_finder(const struct ic_image *image, uint64_t addr, bool is_after,
			      struct ic_branches *branches);

static inline bool ic_branches_have(const struct ic_branches *branches, uint64_t target)
{
	for (uint32_t i = 0; i < branches->count; i++)
		if (branches->targets[i] == target)
			return true;
	return false;
}

#endif
