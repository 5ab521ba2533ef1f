#include "recording/processes/mappings.h"

// A treap: a search tree by address that is also a heap by priorities, which are hashes of the
// addresses. So its depth is that of a randomly built tree: some 2.5 log2 n.

static uint64_t node_priority(const struct ic_mappings *mappings, uint32_t node)
{
	// A file can choose the addresses, but not the seed. The results do not depend on the
	// tree's shape.
	uint64_t mixed =
		(mappings->nodes.items[node].mapped.start ^ mappings->seed) * 0x9e3779b97f4a7c15ull;

	return (mixed ^ mixed >> 32) * 0xd6e8feb86659fd93ull;
}

static struct ic_mapped_node *node_at(struct ic_mappings *mappings, uint32_t node)
{
	return &mappings->nodes.items[node];
}

static uint32_t add_node(struct ic_mappings *mappings, struct ic_mapped_node node)
{
	if (!IC_ARRAY_ADD(&mappings->nodes, node)) {
		mappings->out_of_memory = true;
		return IC_NONE;
	}
	return mappings->nodes.count - 1;
}

// The node, or a copy of it that the owner may change.
static uint32_t own_node(struct ic_mappings *mappings, uint32_t node, uint32_t owner)
{
	struct ic_mapped_node copy = *node_at(mappings, node);

	if (copy.owner == owner)
		return node;
	copy.owner = owner;
	return add_node(mappings, copy);
}

// Splits a tree into the mappings that start before an address, and the others.
static void split_tree(struct ic_mappings *mappings, uint32_t tree, uint64_t addr, uint32_t owner,
		       uint32_t *before, uint32_t *behind)
{
	uint32_t root = tree == IC_NONE ? IC_NONE : own_node(mappings, tree, owner), rest;

	*before = *behind = IC_NONE;
	if (root == IC_NONE)
		return;
	if (node_at(mappings, root)->mapped.start < addr) {
		split_tree(mappings, node_at(mappings, root)->right, addr, owner, &rest, behind);
		node_at(mappings, root)->right = rest;
		*before = root;
	} else {
		split_tree(mappings, node_at(mappings, root)->left, addr, owner, before, &rest);
		node_at(mappings, root)->left = rest;
		*behind = root;
	}
}

// Joins two trees; the first one ends before the other starts.
static uint32_t join_trees(struct ic_mappings *mappings, uint32_t first, uint32_t second,
			   uint32_t owner)
{
	if (first == IC_NONE || second == IC_NONE)
		return first == IC_NONE ? second : first;
	bool is_first = node_priority(mappings, first) >= node_priority(mappings, second);
	uint32_t root = own_node(mappings, is_first ? first : second, owner);
	if (root == IC_NONE)
		return IC_NONE;
	if (is_first) {
		uint32_t right =
			join_trees(mappings, node_at(mappings, root)->right, second, owner);
		node_at(mappings, root)->right = right;
	} else {
		uint32_t left = join_trees(mappings, first, node_at(mappings, root)->left, owner);
		node_at(mappings, root)->left = left;
	}
	return root;
}

static uint32_t join_new(struct ic_mappings *mappings, uint32_t tree,
			 const struct ic_mapped *mapped, uint32_t owner)
{
	if (mapped->start >= mapped->end)
		return tree;
	return join_trees(
		mappings, tree,
		add_node(mappings, (struct ic_mapped_node){ *mapped, IC_NONE, IC_NONE, owner }),
		owner);
}

// The last mapping of a tree; an empty one if there is none.
static struct ic_mapped last_of(struct ic_mappings *mappings, uint32_t tree)
{
	struct ic_mapped last = { .start = 0 };

	for (; tree != IC_NONE; tree = node_at(mappings, tree)->right)
		last = node_at(mappings, tree)->mapped;
	return last;
}

void ic_mappings_put(struct ic_mappings *mappings, struct ic_mapping_space *space,
		     const struct ic_mapped *mapped)
{
	uint32_t before, behind, covered;

	if (mapped->start >= mapped->end)
		return;
	if (mappings->seed == 0)
		mappings->seed = (uintptr_t)space;
	if (space->owner == 0)
		space->owner = ++mappings->last_owner;
	uint32_t owner = space->owner;
	space->version = ++mappings->last_version;
	split_tree(mappings, space->root, mapped->start, owner, &before, &behind);
	split_tree(mappings, behind, mapped->end, owner, &covered, &behind);
	// A mapping that starts before the new one, or inside it, may continue after it.
	struct ic_mapped cut = last_of(mappings, before), rest = cut;
	if (covered != IC_NONE)
		rest = last_of(mappings, covered);
	if (cut.end > mapped->start) {
		split_tree(mappings, before, cut.start, owner, &before, &covered);
		cut.end = mapped->start;
		before = join_new(mappings, before, &cut, owner);
	}
	before = join_new(mappings, before, mapped, owner);
	rest.offset += mapped->end - rest.start;
	rest.start = mapped->end;
	before = join_new(mappings, before, &rest, owner);
	space->root = join_trees(mappings, before, behind, owner);
}

struct ic_mapping_space ic_mappings_copy(struct ic_mappings *mappings,
					 struct ic_mapping_space *space)
{
	space->owner = ++mappings->last_owner;
	return (struct ic_mapping_space){ space->root, ++mappings->last_owner, space->version };
}

const struct ic_mapped *ic_mappings_find(const struct ic_mappings *mappings,
					 struct ic_mapping_space space, uint64_t addr)
{
	uint32_t node = space.root;

	while (node != IC_NONE) {
		const struct ic_mapped_node *now = &mappings->nodes.items[node];
		if (addr >= now->mapped.start && addr < now->mapped.end)
			return &now->mapped;
		node = addr < now->mapped.start ? now->left : now->right;
	}
	return NULL;
}

static bool walk_tree(const struct ic_mappings *mappings, uint32_t node,
		      bool (*each)(void *context, const struct ic_mapped *mapped), void *context)
{
	if (node == IC_NONE)
		return true;
	const struct ic_mapped_node *now = &mappings->nodes.items[node];
	return walk_tree(mappings, now->left, each, context) && each(context, &now->mapped) &&
	       walk_tree(mappings, now->right, each, context);
}

bool ic_mappings_each(const struct ic_mappings *mappings, struct ic_mapping_space space,
		      bool (*each)(void *context, const struct ic_mapped *mapped), void *context)
{
	return walk_tree(mappings, space.root, each, context);
}

void ic_mappings_free(struct ic_mappings *mappings)
{
	IC_ARRAY_FREE(&mappings->nodes);
}
