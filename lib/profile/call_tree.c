#include "profile/call_tree.h"

#include <stdlib.h>

enum {
	MOST_FRAMES = 16, // for each recorded one, on average
	LEAST_NODES = 1 << 20,
};

struct builder {
	const struct ic_profile *profile;
	struct ic_call_tree *tree;
	uint64_t most_nodes;
	struct ic_profile_keys keys; // from nodes to their numbers
	IC_ARRAY(uint32_t) stack;    // nodes of the profile, outermost last
};

struct key { // identifies a node
	uint32_t caller, function;
	uint32_t program; // for a root
	uint32_t flags;
};

// Adds a node, or finds an equal one, and returns its number. IC_NONE if memory runs out, or there
// are too many.
static uint32_t add_node(struct builder *builder, const struct ic_call_node *like)
{
	bool is_root = like->caller == IC_NONE;
	const struct key key = { like->caller, like->function,
				 is_root ? ic_profile_keys_text(&builder->keys, like->name)
					 : IC_NONE,
				 (like->inlined ? 1u : 0) | (like->is_kernel ? 2u : 0) };
	uint32_t *place = ic_profile_keys_at(&builder->keys, &key, sizeof(key));

	if (!place || *place != IC_NONE)
		return place ? *place : IC_NONE;
	if (builder->tree->nodes.count == builder->most_nodes ||
	    !IC_ARRAY_ADD(&builder->tree->nodes, *like))
		return IC_NONE;
	return *place = builder->tree->nodes.count - 1;
}

// Adds the frames of a location below a caller, outermost first.
static uint32_t add_location(struct builder *builder, uint32_t caller, uint32_t number)
{
	const struct ic_profile *profile = builder->profile;
	const struct ic_profile_location *location = &profile->locations.items[number];
	const struct ic_profile_file *file = &profile->files.items[location->file];

	for (uint32_t i = location->frame_count; i > 0; i--) {
		const struct ic_profile_frame *frame =
			&profile->resolved.frames.items[location->first_frame + i - 1];
		const char *name = profile->resolved.functions.items[frame->function].name;
		caller = add_node(builder, &(struct ic_call_node){ .caller = caller,
								   .function = frame->function,
								   .name = name,
								   .file = name ? NULL : file->name,
								   .inlined = frame->inlined,
								   .is_kernel = file->is_kernel });
		if (caller == IC_NONE)
			return IC_NONE;
	}
	return caller;
}

static bool add_cell(struct builder *builder, const struct ic_profile_cell *cell)
{
	const struct ic_profile *profile = builder->profile;
	const struct ic_profile_thread *thread = &profile->threads.items[cell->thread];
	bool has_root = !thread->is_unknown || cell->node == IC_NONE;
	uint32_t node = IC_NONE;

	if (has_root)
		node = add_node(builder, &(struct ic_call_node){ .caller = IC_NONE,
								 .function = IC_NONE,
								 .name = thread->name });
	if (has_root && node == IC_NONE)
		return false;

	builder->stack.count = 0;
	for (uint32_t i = cell->node; i != IC_NONE; i = profile->nodes.items[i].caller) {
		if (!IC_ARRAY_ADD(&builder->stack, i))
			return false;
	}
	for (uint32_t i = builder->stack.count; i > 0; i--) {
		node = add_location(builder, node,
				    profile->nodes.items[builder->stack.items[i - 1]].location);
		if (node == IC_NONE)
			return false;
	}
	ic_profile_add(&builder->tree->nodes.items[node].self, cell->weight);
	ic_profile_add(&builder->tree->nodes.items[node].self_samples, cell->samples);
	return true;
}

// ---- The order of the nodes

struct sorted {
	uint32_t caller, number;
	const struct ic_call_node *node;
};

static int compare_nodes(const void *left, const void *right)
{
	const struct sorted *a = left, *b = right;
	// A root's caller, IC_NONE, sorts first.
	uint32_t first = a->caller + 1, second = b->caller + 1;

	if (first != second)
		return first < second ? -1 : 1;
	int order = strcmp(a->node->name ? a->node->name : "", b->node->name ? b->node->name : "");
	return order ? order : (a->number > b->number) - (a->number < b->number);
}

struct children {              // of a node, by number
	uint32_t first, count; // range in `sorted`
};

struct order {
	const struct ic_call_tree *tree;
	struct sorted *sorted; // first the roots, then the children of each node
	struct children *children;
	uint32_t *place;   // of each node in the new order
	uint32_t *waiting; // nodes still to be placed, the next one last
	uint32_t waiting_count;
};

static bool alloc_order(struct order *order, uint32_t count)
{
	order->sorted = ic_items_alloc(count + 1ull, sizeof(*order->sorted));
	order->children = ic_items_zeroed(count + 1ull, sizeof(*order->children));
	order->place = ic_items_alloc(count + 1ull, sizeof(*order->place));
	order->waiting = ic_items_alloc(count + 1ull, sizeof(*order->waiting));
	return order->sorted && order->children && order->place && order->waiting;
}

static void free_order(struct order *order)
{
	free(order->sorted);
	free(order->children);
	free(order->place);
	free(order->waiting);
}

// Sorts nodes by caller. The children of IC_NONE, the roots, are the last entry there.
static void sort_children(struct order *order)
{
	uint32_t count = order->tree->nodes.count;

	for (uint32_t i = 0; i < count; i++)
		order->sorted[i] = (struct sorted){ order->tree->nodes.items[i].caller, i,
						    &order->tree->nodes.items[i] };
	if (count > 0)
		qsort(order->sorted, count, sizeof(*order->sorted), compare_nodes);
	for (uint32_t i = 0; i < count; i++) {
		uint32_t caller = order->sorted[i].caller;
		struct children *of = &order->children[caller == IC_NONE ? count : caller];
		if (of->count++ == 0)
			of->first = i;
	}
}

static void wait_for(struct order *order, const struct children *children)
{
	for (uint32_t i = children->count; i > 0; i--)
		order->waiting[order->waiting_count++] =
			order->sorted[children->first + i - 1].number;
}

static void put_in_order(struct order *order, struct ic_call_node *into)
{
	const struct ic_call_node *nodes = order->tree->nodes.items;
	uint32_t count = order->tree->nodes.count;

	wait_for(order, &order->children[count]);
	for (uint32_t i = 0; i < count; i++) {
		uint32_t number = order->waiting[--order->waiting_count];
		order->place[number] = i;
		into[i] = nodes[number];
		if (into[i].caller != IC_NONE) {
			into[i].caller = order->place[into[i].caller];
			into[i].depth = into[into[i].caller].depth + 1;
		}
		wait_for(order, &order->children[number]);
	}
}

static bool sort_nodes(struct ic_call_tree *tree)
{
	uint32_t count = tree->nodes.count;
	struct ic_call_node *sorted = ic_items_alloc(count + 1ull, sizeof(*sorted));
	struct order order = { .tree = tree };
	bool ok = alloc_order(&order, count) && sorted;

	if (ok && count > 0) {
		sort_children(&order);
		put_in_order(&order, sorted);
		memcpy(tree->nodes.items, sorted, count * sizeof(*sorted));
	}
	free_order(&order);
	free(sorted);
	return ok;
}

static void add_totals(struct ic_call_tree *tree)
{
	for (uint32_t i = tree->nodes.count; i > 0; i--) {
		struct ic_call_node *node = &tree->nodes.items[i - 1];
		ic_profile_add(&node->total, node->self);
		if (node->caller != IC_NONE)
			ic_profile_add(&tree->nodes.items[node->caller].total, node->total);
	}
}

bool ic_call_tree_build(struct ic_call_tree *tree, const struct ic_profile *profile, size_t event,
			struct ic_error *err)
{
	struct builder builder = { .profile = profile,
				   .tree = tree,
				   .most_nodes = LEAST_NODES +
						 MOST_FRAMES * (uint64_t)profile->nodes.count };
	bool ok = true;

	*tree = (struct ic_call_tree){ .nodes = { 0 } };
	for (uint32_t i = 0; ok && i < profile->cells.count; i++)
		if (profile->cells.items[i].event == event)
			ok = add_cell(&builder, &profile->cells.items[i]);
	ok = ok && sort_nodes(tree);
	if (ok)
		add_totals(tree);
	ic_profile_keys_free(&builder.keys);
	IC_ARRAY_FREE(&builder.stack);
	if (!ok && tree->nodes.count == builder.most_nodes)
		return ic_fail(err, IC_ERROR_UNSUPPORTED,
			       "stacks have more than %d inlined functions for each recorded frame",
			       MOST_FRAMES);
	return ok || ic_fail_memory(err);
}

void ic_call_tree_free(struct ic_call_tree *tree)
{
	IC_ARRAY_FREE(&tree->nodes);
}
