#include "profile/call_tree.h"

#include <stdlib.h>

struct builder {
	const struct ic_profile *profile;
	struct ic_call_tree *tree;
	struct ic_profile_keys keys; // of nodes: their numbers
	IC_ARRAY(uint32_t) stack;    // nodes of the profile, the outermost last
};

struct key { // of a node
	uint32_t caller, name, file;
	uint32_t flags;
};

// The number of a node that is like another one. IC_NONE if memory is out.
static uint32_t add_node(struct builder *builder, const struct ic_call_node *like)
{
	const struct key key = { like->caller, ic_profile_keys_text(&builder->keys, like->name),
				 ic_profile_keys_text(&builder->keys, like->file),
				 (like->inlined ? 1u : 0) | (like->is_kernel ? 2u : 0) };
	uint32_t *place = ic_profile_keys_at(&builder->keys, &key, sizeof(key));

	if (!place || *place != IC_NONE)
		return place ? *place : IC_NONE;
	struct ic_call_node *node = IC_ARRAY_PUSH(&builder->tree->nodes);
	if (!node)
		return IC_NONE;
	*node = *like;
	return *place = builder->tree->nodes.count - 1;
}

// Adds the frames of a location below a caller, the outermost first.
static uint32_t add_location(struct builder *builder, uint32_t caller, uint32_t number)
{
	const struct ic_profile *profile = builder->profile;
	const struct ic_profile_location *location = &profile->locations.items[number];
	const struct ic_profile_file *file = &profile->files.items[location->file];

	for (uint32_t i = location->frame_count; i > 0 && caller != IC_NONE; i--) {
		const struct ic_profile_frame *frame =
			&profile->frames.items[location->first_frame + i - 1];
		const char *name = profile->functions.items[frame->function].name;
		caller = add_node(builder, &(struct ic_call_node){
						   .caller = caller,
						   .name = name,
						   .file = name ? NULL : file->name,
						   .inlined = frame->inlined,
						   .is_kernel = file->kind == IC_PROFILE_KERNEL });
	}
	return caller;
}

static bool add_cell(struct builder *builder, const struct ic_profile_cell *cell)
{
	const struct ic_profile *profile = builder->profile;
	uint32_t node = add_node(
		builder,
		&(struct ic_call_node){ .caller = IC_NONE,
					.name = profile->threads.items[cell->thread].name });

	builder->stack.count = 0;
	for (uint32_t i = cell->node; i != IC_NONE; i = profile->nodes.items[i].caller) {
		uint32_t *place = IC_ARRAY_PUSH(&builder->stack);
		if (!place)
			return false;
		*place = i;
	}
	for (uint32_t i = builder->stack.count; i > 0 && node != IC_NONE; i--)
		node = add_location(builder, node,
				    profile->nodes.items[builder->stack.items[i - 1]].location);
	if (node == IC_NONE)
		return false;
	ic_profile_add(&builder->tree->nodes.items[node].self, cell->weight);
	builder->tree->nodes.items[node].self_samples += cell->samples;
	return true;
}

struct sorted {
	uint32_t caller, number;
	const struct ic_call_node *node;
};

static int compare(const void *left, const void *right)
{
	const struct sorted *a = left, *b = right;
	// A root's caller, which is IC_NONE, comes first.
	uint32_t first = a->caller + 1, second = b->caller + 1;

	if (first != second)
		return first < second ? -1 : 1;
	int order = strcmp(a->node->name ? a->node->name : "", b->node->name ? b->node->name : "");
	return order ? order : (a->number > b->number) - (a->number < b->number);
}

static bool sort(struct ic_call_tree *tree)
{
	uint32_t count = tree->nodes.count;
	struct sorted *sorted = ic_items_alloc(count + 1ull, sizeof(*sorted));

	tree->order = ic_items_alloc(count + 1ull, sizeof(*tree->order));
	bool ok = sorted && tree->order;
	for (uint32_t i = 0; ok && i < count; i++)
		sorted[i] =
			(struct sorted){ tree->nodes.items[i].caller, i, &tree->nodes.items[i] };
	if (ok && count > 0)
		qsort(sorted, count, sizeof(*sorted), compare);
	for (uint32_t i = 0; ok && i < count; i++) {
		uint32_t caller = sorted[i].caller;
		tree->order[i] = sorted[i].number;
		if (caller == IC_NONE)
			tree->root_count++;
		else if (tree->nodes.items[caller].child_count++ == 0)
			tree->nodes.items[caller].first_child = i;
	}
	free(sorted);
	return ok;
}

bool ic_call_tree_build(struct ic_call_tree *tree, const struct ic_profile *profile, size_t event,
			struct ic_error *err)
{
	struct builder builder = { .profile = profile, .tree = tree };
	bool ok = true;

	*tree = (struct ic_call_tree){ .order = NULL };
	for (uint32_t i = 0; ok && i < profile->cells.count; i++)
		if (profile->cells.items[i].event == event)
			ok = add_cell(&builder, &profile->cells.items[i]);
	ok = ok && sort(tree);
	ic_profile_keys_free(&builder.keys);
	IC_ARRAY_FREE(&builder.stack);
	return ok || ic_fail_memory(err);
}

void ic_call_tree_free(struct ic_call_tree *tree)
{
	IC_ARRAY_FREE(&tree->nodes);
	free(tree->order);
}
