// Direct calls and jumps in machine code, as the layer that reads code hands them to others.
#ifndef BASE_BRANCH_H
#define BASE_BRANCH_H

#include <stdbool.h>
#include <stdint.h>

struct ic_image;

enum { IC_MOST_BRANCHES = 3 };

struct ic_branches { // targets of one instruction: the bytes before an address can be decoded in
		     // several ways
	uint64_t targets[IC_MOST_BRANCHES];
	uint32_t count;
};

// Finds where the instruction at an address, or if `is_after` the one before it, goes if it is a
// direct call or jump, conditional ones included. False if that cannot be known: the file does not
// have the code, or it is that of a processor whose instructions are not known, or not relocated.
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
