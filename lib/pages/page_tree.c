#include "pages/page_tree.h"

#include <stdlib.h>

#include "base/sort.h"

enum { MOST_NODES = 50000 };

bool ic_page_tree_add(struct ic_page_tree *tree, const struct ic_page_node *node)
{
	uint32_t count = tree->nodes.count;
	uint32_t deepest = count > 0 ? tree->nodes.items[count - 1].depth + 1 : 0;
	struct ic_page_node *place = IC_ARRAY_PUSH(&tree->nodes);

	if (!place)
		return false;
	*place = *node;
	if (place->depth > deepest)
		place->depth = deepest;
	return true;
}

static void add_bytes(uint64_t *sum, uint64_t number)
{
	if (__builtin_add_overflow(*sum, number, sum))
		*sum = UINT64_MAX;
}

// `below` is, by depth, the total of nodes whose parent is still to come.
static void add_totals(struct ic_page_tree *tree, uint64_t *below)
{
	for (uint32_t i = tree->nodes.count; i > 0; i--) {
		struct ic_page_node *node = &tree->nodes.items[i - 1];
		node->total = node->self;
		add_bytes(&node->total, below[node->depth + 1]);
		below[node->depth + 1] = 0;
		add_bytes(&below[node->depth], node->total);
	}
}

// Adds the nodes that are left out to their parents. `parents` is the last node of each depth.
static void add_small(struct ic_page_tree *tree, uint32_t *parents)
{
	for (uint32_t i = 0; i < tree->nodes.count; i++) {
		const struct ic_page_node *node = &tree->nodes.items[i];
		parents[node->depth] = i;
		if (node->is_there)
			continue;
		struct ic_page_node *parent =
			node->depth > 0 ? &tree->nodes.items[parents[node->depth - 1]] : NULL;
		if (!parent)
			add_bytes(&tree->small, node->total);
		else if (parent->is_there)
			add_bytes(&parent->small, node->total);
	}
}

bool ic_page_tree_choose(struct ic_page_tree *tree)
{
	uint32_t count = tree->nodes.count;
	struct ic_keyed *sorted = ic_items_alloc(count + 1ull, sizeof(*sorted));
	uint64_t *below = ic_items_zeroed(count + 2ull, sizeof(*below));
	uint32_t *parents = ic_items_alloc(count + 1ull, sizeof(*parents));
	bool ok = sorted && below && parents;

	if (ok)
		add_totals(tree, below);
	for (uint32_t i = 0; ok && i < count; i++)
		sorted[i] = (struct ic_keyed){ UINT64_MAX - tree->nodes.items[i].total, i };
	// Of equal ones, the first comes first: a node's parent precedes it, and is no smaller.
	ok = ok && ic_keyed_sort(sorted, count);
	for (uint32_t i = 0; ok && i < count && i < MOST_NODES; i++)
		tree->nodes.items[sorted[i].number].is_there = true;
	if (ok && count > MOST_NODES) {
		tree->left_out = count - MOST_NODES;
		add_small(tree, parents);
	}
	free(sorted);
	free(below);
	free(parents);
	return ok;
}

static void write_node(struct ic_output *output, bool is_first, uint32_t depth, int64_t name,
		       unsigned flags, uint64_t self)
{
	ic_output_text(output, is_first ? "" : ",\n");
	ic_output_decimal(output, depth);
	ic_output_char(output, ',');
	ic_page_number(output, name);
	ic_output_char(output, ',');
	ic_output_decimal(output, flags);
	ic_output_char(output, ',');
	ic_output_decimal(output, self);
}

void ic_page_tree_write(const struct ic_page_tree *tree, const uint32_t *places,
			struct ic_page_text *texts, struct ic_output *output)
{
	int64_t small = -1 - ic_page_text_number(texts, "(too small to be shown)");
	bool is_first = true;

	for (uint32_t i = 0; i < tree->nodes.count; i++) {
		const struct ic_page_node *node = &tree->nodes.items[i];
		if (!node->is_there)
			continue;
		write_node(output, is_first, node->depth,
			   node->function == IC_NONE ? -1 - node->text : places[node->function],
			   node->flags, node->self);
		is_first = false;
		if (node->small > 0)
			write_node(output, false, node->depth + 1, small, IC_PAGE_SMALL,
				   node->small);
	}
	if (tree->small > 0)
		write_node(output, is_first, 0, small, IC_PAGE_SMALL, tree->small);
}

void ic_page_tree_free(struct ic_page_tree *tree)
{
	IC_ARRAY_FREE(&tree->nodes);
}
