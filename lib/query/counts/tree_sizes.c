// A sweep over the addresses. Between two consecutive addresses where any range starts or ends, the
// same instances cover all bytes: the open ones. In forest order, each of them has a follower among
// the open ones, or none:
//
// - a byte is an instance's own if its follower is not inside it;
// - a byte belongs to an instance if that or any instance inside it is open. So it is counted once
//   for each open one, and subtracted once for the innermost instance around each two neighbours;
//   the sum over everything inside an instance is then 1 if any is open, otherwise 0.
//
// Bytes and pairs are not counted one by one: a pair has a start and an end address.
#include "query/counts/tree_sizes.h"

#include <stdlib.h>

#include "base/number_set.h"

struct edge { // of a range
	uint64_t addr;
	uint32_t item;
	bool is_end;
};

struct sweep {
	struct ic_tree_item *items;
	uint32_t count;
	struct ic_number_set open;
	uint32_t *opened; // by item: the number of its open ranges
	uint64_t *since;  // by item: the address since which its follower is the same
	// By item: the first item after everything inside it.
	uint32_t *ends;
	// The minimum of the parents in a run of items, as a tree of minima, with the items' own
	// parents from `count` on. 0 stands for no parent, and n + 1 for item n.
	uint32_t *minima;
	struct edge *edges;
};

static uint32_t lesser_of(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

// All items after `item`, up to and including `other`, are inside the innermost instance around
// both, and at least one of them is directly inside it: its number is the minimum of their parents.
static uint32_t innermost_around(const struct sweep *sweep, uint32_t item, uint32_t other)
{
	uint32_t least = UINT32_MAX;
	uint64_t from = (uint64_t)item + 1 + sweep->count;
	uint64_t to = (uint64_t)other + 1 + sweep->count;

	for (; from < to; from /= 2, to /= 2) {
		if (from % 2)
			least = lesser_of(least, sweep->minima[from++]);
		if (to % 2)
			least = lesser_of(least, sweep->minima[--to]);
	}
	return least == 0 ? IC_NONE : least - 1;
}

// Counts the bytes for which `other`, or IC_NONE, was the item's follower.
static void end_pair(struct sweep *sweep, uint32_t item, uint32_t other, uint64_t addr)
{
	uint64_t bytes = addr - sweep->since[item];

	sweep->since[item] = addr;
	if (bytes == 0)
		return;
	sweep->items[item].size += bytes;
	if (other == IC_NONE || other >= sweep->ends[item])
		sweep->items[item].own_size += bytes;
	uint32_t around = other == IC_NONE ? IC_NONE : innermost_around(sweep, item, other);
	if (around != IC_NONE)
		sweep->items[around].size -= bytes; // may be temporarily below 0
}

static void pass_edge(struct sweep *sweep, const struct edge *edge)
{
	uint32_t item = edge->item;

	if (edge->is_end ? --sweep->opened[item] > 0 : sweep->opened[item]++ > 0)
		return; // another range of it is open
	uint32_t before = ic_number_set_previous(&sweep->open, item);
	uint32_t behind = ic_number_set_next(&sweep->open, item);
	if (edge->is_end) {
		end_pair(sweep, item, behind, edge->addr);
		if (before != IC_NONE)
			end_pair(sweep, before, item, edge->addr);
		ic_number_set_remove(&sweep->open, item);
	} else {
		if (before != IC_NONE)
			end_pair(sweep, before, behind, edge->addr);
		sweep->since[item] = edge->addr;
		ic_number_set_add(&sweep->open, item);
	}
}

static int compare_edges(const void *left, const void *right)
{
	const struct edge *a = left, *b = right;

	return (a->addr > b->addr) - (a->addr < b->addr);
}

static void prepare_items(struct sweep *sweep)
{
	for (uint32_t i = 0; i < sweep->count; i++) {
		struct ic_tree_item *item = &sweep->items[i];

		item->size = item->own_size = 0;
		sweep->ends[i] = i + 1;
		sweep->minima[(uint64_t)sweep->count + i] =
			item->parent == IC_NONE ? 0 : item->parent + 1;
	}
	for (uint32_t i = sweep->count; i-- > 0;) {
		uint32_t parent = sweep->items[i].parent;
		if (parent != IC_NONE && sweep->ends[parent] < sweep->ends[i])
			sweep->ends[parent] = sweep->ends[i];
	}
	for (uint32_t i = sweep->count; i-- > 1;)
		sweep->minima[i] = lesser_of(sweep->minima[2ull * i], sweep->minima[2ull * i + 1]);
}

static bool allocate_sweep(struct sweep *sweep, uint32_t range_count)
{
	size_t count = sweep->count;

	sweep->opened = calloc(count, sizeof(*sweep->opened));
	sweep->since = calloc(count, sizeof(*sweep->since));
	sweep->ends = calloc(count, sizeof(*sweep->ends));
	sweep->minima = calloc(count, 2 * sizeof(*sweep->minima));
	sweep->edges = calloc(range_count, 2 * sizeof(*sweep->edges));
	bool has_set = ic_number_set_init(&sweep->open, sweep->count);
	return has_set && sweep->opened && sweep->since && sweep->ends && sweep->minima &&
	       (sweep->edges || range_count == 0);
}

static void release_sweep(struct sweep *sweep)
{
	free(sweep->opened);
	free(sweep->since);
	free(sweep->ends);
	free(sweep->minima);
	free(sweep->edges);
	ic_number_set_deinit(&sweep->open);
}

static void run_sweep(struct sweep *sweep, const struct ic_tree_range *ranges, uint32_t range_count)
{
	size_t count = 2 * (size_t)range_count;

	prepare_items(sweep);
	for (uint32_t i = 0; i < range_count; i++) {
		const struct ic_tree_range *from = &ranges[i];
		sweep->edges[2 * (size_t)i] = (struct edge){ from->range.start, from->item, false };
		sweep->edges[2 * (size_t)i + 1] =
			(struct edge){ from->range.end, from->item, true };
	}
	if (count > 0)
		qsort(sweep->edges, count, sizeof(*sweep->edges), compare_edges);
	for (size_t i = 0; i < count; i++)
		pass_edge(sweep, &sweep->edges[i]);
	for (uint32_t i = sweep->count; i-- > 0;)
		if (sweep->items[i].parent != IC_NONE)
			sweep->items[sweep->items[i].parent].size += sweep->items[i].size;
}

bool ic_tree_sizes_count(struct ic_tree_item *items, uint32_t item_count,
			 const struct ic_tree_range *ranges, uint32_t range_count)
{
	struct sweep sweep = { .items = items, .count = item_count };

	if (item_count == 0)
		return true;
	bool allocated = allocate_sweep(&sweep, range_count);
	if (allocated)
		run_sweep(&sweep, ranges, range_count);
	release_sweep(&sweep);
	return allocated;
}
