// The call paths of two builds, side by side.
#ifndef COMPARE_PATH_PAIRS_H
#define COMPARE_PATH_PAIRS_H

#include "compare/match.h"

// A call path of either build or of both.
struct ic_path_pair {
	uint32_t parent;        // the pair around it, with a lower number; IC_NONE for a host
	uint32_t function;      // as numbered by ic_path_pairs_function()
	uint32_t before, after; // its number in each build; IC_NONE if it is not in the build
};

struct ic_path_pairs {
	const struct ic_build *before, *after;
	const struct ic_build_match *functions;
	IC_ARRAY(struct ic_path_pair) items;
	uint32_t *of_after; // by path of the newer build: its pair
};

// Pairs the paths of two builds that go through the same functions. False if memory runs out; must
// be freed in any case. Time: O(n).
bool ic_path_pairs_make(struct ic_path_pairs *pairs, const struct ic_build *before,
			const struct ic_build *after, const struct ic_build_match *functions)
	IC_CHECKED;

void ic_path_pairs_free(struct ic_path_pairs *pairs);

// Functions of both builds have one number: that in the older build, or else that in the newer one,
// counted from the end of the older one's.
static inline uint32_t ic_path_pairs_function(const struct ic_path_pairs *pairs,
					      uint32_t function_after)
{
	uint32_t before = pairs->functions->old_of_new[function_after];

	return before != IC_NONE ? before : pairs->before->functions.count + function_after;
}

// The path of a pair in each build; one without copies if it is not there.
struct ic_built_path ic_path_pair_before(const struct ic_path_pairs *pairs, uint32_t number);
struct ic_built_path ic_path_pair_after(const struct ic_path_pairs *pairs, uint32_t number);

// What became of the copies of a path: each one that came or went counts once. See struct
// ic_change.
struct ic_path_fate {
	uint64_t inlined, outlined, added, removed, came, went, emptied, filled;
	int64_t explained, grown; // bytes
};

// `has_calls`: both builds have call sites.
struct ic_path_fate ic_path_pair_fate(const struct ic_path_pairs *pairs, uint32_t number,
				      bool has_calls);

// Whether copies came or went in functions or copies that both builds have.
static inline bool ic_path_fate_is_change(const struct ic_path_fate *fate)
{
	return fate->inlined + fate->outlined + fate->added + fate->removed > 0;
}

#endif
