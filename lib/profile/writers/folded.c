// Folded stacks, as read by flamegraph.pl, inferno and speedscope: a line per stack, outermost
// function first, with its weight.
#include "profile/call_tree.h"
#include "profile/writers/write.h"

// Semicolons separate frames, and newlines stacks.
static void write_text(struct ic_output *output, const char *text)
{
	for (; *text; text++) {
		unsigned char byte = (unsigned char)*text;
		ic_output_char(output, byte == ';'                  ? ':'
				       : byte < ' ' || byte == 0x7f ? '?'
								    : (char)byte);
	}
}

static void write_node(struct ic_output *output, const struct ic_call_node *node)
{
	if (node->name) {
		write_text(output, node->name);
	} else {
		ic_output_text(output, "??");
		if (node->file) {
			ic_output_text(output, " in ");
			write_text(output, node->file);
		}
	}
	if (node->inlined) // the marks of stackcollapse-perf.pl
		ic_output_text(output, "_[i]");
	else if (node->is_kernel)
		ic_output_text(output, "_[k]");
}

bool ic_profile_write_folded(const struct ic_profile *profile, size_t event,
			     struct ic_output *output, struct ic_error *err)
{
	IC_ARRAY(const struct ic_call_node *) path = { 0 };
	struct ic_call_tree tree;
	bool ok = ic_call_tree_build(&tree, profile, event, err);

	for (uint32_t i = 0; ok && i < tree.nodes.count; i++) {
		const struct ic_call_node *node = &tree.nodes.items[i];
		path.count = node->depth;
		const struct ic_call_node **place = IC_ARRAY_PUSH(&path);
		if (!place) {
			ok = ic_fail_memory(err);
			break;
		}
		*place = node;
		for (uint32_t j = 0; j < path.count && node->self > 0; j++) {
			if (j > 0)
				ic_output_char(output, ';');
			write_node(output, path.items[j]);
		}
		if (node->self > 0) {
			ic_output_char(output, ' ');
			ic_output_decimal(output, node->self);
			ic_output_char(output, '\n');
		}
	}
	ic_call_tree_free(&tree);
	IC_ARRAY_FREE(&path);
	return ok;
}
