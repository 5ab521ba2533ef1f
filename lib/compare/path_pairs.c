#include "compare/path_pairs.h"

#include <stdlib.h>

static uint64_t lesser_of(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

// How much larger a number is; 0 if it is not.
static uint64_t excess_over(uint64_t number, uint64_t other)
{
	return number > other ? number - other : 0;
}

// ---- Pairs

static bool add_before(struct ic_path_pairs *pairs)
{
	const struct ic_build *before = pairs->before;

	if (!IC_ARRAY_RESERVE(&pairs->items, before->paths.count))
		return false;
	for (uint32_t i = 0; i < before->paths.count; i++)
		pairs->items.items[i] = (struct ic_path_pair){
			.parent = before->paths.items[i].parent,
			.function = before->paths.items[i].function,
			.before = i,
			.after = IC_NONE,
		};
	pairs->items.count = before->paths.count;
	return true;
}

// The older build's path to a function from a pair; IC_NONE if it has none.
static uint32_t find_before(const struct ic_path_pairs *pairs, uint32_t parent, uint32_t function)
{
	const struct ic_build *before = pairs->before;

	if ((parent != IC_NONE && parent >= before->paths.count) ||
	    function >= before->functions.count)
		return IC_NONE;
	const uint32_t *number = ic_map_find(&before->by_place, (uint64_t)parent << 32 | function);
	return number ? *number : IC_NONE;
}

static bool add_after(struct ic_path_pairs *pairs)
{
	const struct ic_build *after = pairs->after;

	for (uint32_t i = 0; i < after->paths.count; i++) {
		const struct ic_built_path *path = &after->paths.items[i];
		uint32_t parent = path->parent == IC_NONE ? IC_NONE : pairs->of_after[path->parent];
		uint32_t function = ic_path_pairs_function(pairs, path->function);
		uint32_t number = find_before(pairs, parent, function);
		if (number == IC_NONE) {
			const struct ic_path_pair pair = { parent, function, IC_NONE, IC_NONE };
			number = pairs->items.count;
			if (!IC_ARRAY_ADD(&pairs->items, pair))
				return false;
		}
		pairs->items.items[number].after = i;
		pairs->of_after[i] = number;
	}
	return true;
}

bool ic_path_pairs_make(struct ic_path_pairs *pairs, const struct ic_build *before,
			const struct ic_build *after, const struct ic_build_match *functions)
{
	*pairs = (struct ic_path_pairs){ .before = before, .after = after, .functions = functions };
	pairs->of_after = ic_items_alloc(after->paths.count + 1ull, sizeof(*pairs->of_after));
	return pairs->of_after && add_before(pairs) && add_after(pairs);
}

void ic_path_pairs_free(struct ic_path_pairs *pairs)
{
	IC_ARRAY_FREE(&pairs->items);
	free(pairs->of_after);
}

static struct ic_built_path path_of(const struct ic_build *build, uint32_t number)
{
	return number == IC_NONE ? (struct ic_built_path){ .parent = IC_NONE, .function = IC_NONE }
				 : build->paths.items[number];
}

struct ic_built_path ic_path_pair_before(const struct ic_path_pairs *pairs, uint32_t number)
{
	return path_of(pairs->before, pairs->items.items[number].before);
}

struct ic_built_path ic_path_pair_after(const struct ic_path_pairs *pairs, uint32_t number)
{
	return path_of(pairs->after, pairs->items.items[number].after);
}

// ---- What became of copies

// Of `changed` copies of a path, the number of those that came, or went, with copies of the path
// around it. `larger` is the path in the build that has more copies of it.
static uint64_t count_inside(const struct ic_path_pairs *pairs, uint32_t parent, uint64_t changed,
			     const struct ic_built_path *larger, bool has_come)
{
	const struct ic_built_path before = ic_path_pair_before(pairs, parent);
	const struct ic_built_path after = ic_path_pair_after(pairs, parent);
	uint64_t old_count = ic_built_path_count(&before), new_count = ic_built_path_count(&after);
	uint64_t more = has_come ? new_count : old_count, fewer = has_come ? old_count : new_count;

	if (fewer == 0)
		return changed;
	uint64_t in_each = more == 0 ? 0 : (larger->copies + more - 1) / more;
	return lesser_of(changed, in_each * excess_over(more, fewer));
}

struct ic_path_fate ic_path_pair_fate(const struct ic_path_pairs *pairs, uint32_t number,
				      bool has_calls)
{
	const struct ic_built_path before = ic_path_pair_before(pairs, number);
	const struct ic_built_path after = ic_path_pair_after(pairs, number);
	const struct ic_path_pair *pair = &pairs->items.items[number];
	uint32_t parent = pair->parent;
	// Code of a function of which GCC only kept a part is no copy, but may be new, too.
	bool is_in_both = pair->before != IC_NONE && pair->after != IC_NONE;
	int64_t size = (int64_t)(after.size - before.size);
	uint64_t gained = excess_over(after.copies, before.copies);
	uint64_t lost = excess_over(before.copies, after.copies);
	struct ic_path_fate fate = { 0 };

	if (parent == IC_NONE) {
		*(gained + lost == 0 && is_in_both ? &fate.grown : &fate.explained) = size;
		return fate;
	}
	fate.filled = lesser_of(gained, excess_over(before.emptied, after.emptied));
	fate.emptied = lesser_of(lost, excess_over(after.emptied, before.emptied));
	gained -= fate.filled;
	lost -= fate.emptied;
	*(gained + lost == 0 ? &fate.grown : &fate.explained) = size;
	fate.came = count_inside(pairs, parent, gained, &after, true);
	fate.went = count_inside(pairs, parent, lost, &before, false);
	gained -= fate.came;
	lost -= fate.went;
	fate.inlined = has_calls ? lesser_of(gained, excess_over(before.calls, after.calls)) : 0;
	fate.outlined = has_calls ? lesser_of(lost, excess_over(after.calls, before.calls)) : 0;
	fate.added = gained - fate.inlined;
	fate.removed = lost - fate.outlined;
	return fate;
}
