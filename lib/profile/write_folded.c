// Folded stacks, which flamegraph.pl, inferno and speedscope read: a line a stack, the outermost
// function first, and how many samples have it.
#include <inttypes.h>
#include <stdio.h>

#include "profile/call_tree.h"

// A semicolon separates frames, and a line ends with its stack.
static void write_text(const char *text, FILE *out)
{
	for (; *text; text++) {
		unsigned char byte = (unsigned char)*text;
		putc(byte == ';' ? ':' : byte < ' ' || byte == 0x7f ? '?' : byte, out);
	}
}

static void write_node(const struct ic_call_node *node, FILE *out)
{
	if (node->name) {
		write_text(node->name, out);
	} else {
		fputs("??", out);
		if (node->file) {
			fputs(" in ", out);
			write_text(node->file, out);
		}
	}
	if (node->inlined) // the marks of stackcollapse-perf.pl
		fputs("_[i]", out);
	else if (node->is_kernel)
		fputs("_[k]", out);
}

// Writes the stacks below a node: `path` has the nodes down to it.
static void write_stack(const struct ic_call_tree *tree, const uint32_t *path, uint32_t depth,
			FILE *out)
{
	const struct ic_call_node *last = &tree->nodes.items[path[depth - 1]];

	if (last->self_samples == 0)
		return;
	for (uint32_t i = 0; i < depth; i++) {
		if (i > 0)
			putc(';', out);
		write_node(&tree->nodes.items[path[i]], out);
	}
	fprintf(out, " %" PRIu64 "\n", last->self_samples);
}

struct walk {                    // from a root to a leaf and on to the next
	IC_ARRAY(uint32_t) path; // nodes
	IC_ARRAY(uint32_t) next; // of each its next child
};

static bool enter(struct walk *walk, uint32_t node)
{
	uint32_t *place = IC_ARRAY_PUSH(&walk->path), *next = IC_ARRAY_PUSH(&walk->next);

	if (!place || !next)
		return false;
	*place = node;
	*next = 0;
	return true;
}

static bool write_root(const struct ic_call_tree *tree, struct walk *walk, uint32_t root, FILE *out)
{
	bool ok = enter(walk, root);

	if (ok)
		write_stack(tree, walk->path.items, walk->path.count, out);
	while (ok && walk->path.count > 0) {
		uint32_t top = walk->path.count - 1;
		const struct ic_call_node *node = &tree->nodes.items[walk->path.items[top]];
		if (walk->next.items[top] == node->child_count) {
			walk->path.count = walk->next.count = top;
			continue;
		}
		ok = enter(walk, tree->order[node->first_child + walk->next.items[top]++]);
		if (ok)
			write_stack(tree, walk->path.items, walk->path.count, out);
	}
	return ok;
}

bool ic_profile_write_folded(const struct ic_profile *profile, size_t event, FILE *out,
			     struct ic_error *err)
{
	struct walk walk = { .path = { 0 } };
	struct ic_call_tree tree;
	struct ic_error unwanted;

	if (!err)
		err = &unwanted;
	if (!profile->is_resolved || event >= profile->events.count)
		return ic_fail(err, IC_ERROR_ARGUMENT,
			       "the profile has no such event, or its frames were not found yet");
	bool ok = ic_call_tree_build(&tree, profile, event, err);
	for (uint32_t i = 0; ok && i < tree.root_count; i++)
		ok = write_root(&tree, &walk, tree.order[i], out) || ic_fail_memory(err);
	ic_call_tree_free(&tree);
	IC_ARRAY_FREE(&walk.path);
	IC_ARRAY_FREE(&walk.next);
	return ok && (fflush(out) == 0 || ic_fail_system(err, "write", "the folded stacks"));
}
