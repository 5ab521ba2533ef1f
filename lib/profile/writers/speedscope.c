// speedscope's format (github.com/jlfwong/speedscope, src/lib/file-format-spec.ts): the call tree
// as a sequence of functions that open and close. It has no mark for inlined functions; its
// "sandwich" view adds up a function wherever it is.
#include "profile/call_tree.h"
#include "profile/writers/write.h"
#include "text/json_text.h"

struct writer {
	const struct ic_profile *profile;
	struct ic_output *output;
	struct ic_profile_keys keys; // from frames to their numbers
	uint32_t frame_count;
	IC_ARRAY(uint32_t) frames; // by node
	IC_ARRAY(uint32_t) open;   // open frames
	uint64_t at;
	bool is_first; // no event has been written yet
};

// ---- Frames

static void write_frame(const struct writer *writer, const struct ic_call_node *node)
{
	struct ic_output *output = writer->output;

	ic_output_text(output, writer->frame_count > 1 ? ",\n{\"name\":" : "{\"name\":");
	ic_json_text(output, node->name ? node->name : "??");
	if (node->function != IC_NONE) {
		const struct ic_profile_function *function =
			&writer->profile->resolved.functions.items[node->function];
		const char *file = node->name ? function->decl_file : node->file;
		if (file) {
			ic_output_text(output, ",\"file\":");
			ic_json_text(output, file);
		}
		if (node->name && function->decl_line > 0) {
			ic_output_text(output, ",\"line\":");
			ic_output_decimal(output, function->decl_line);
		}
	}
	ic_output_char(output, '}');
}

static bool write_frames(struct writer *writer, const struct ic_call_tree *tree)
{
	for (uint32_t i = 0; i < tree->nodes.count; i++) {
		const struct ic_call_node *node = &tree->nodes.items[i];
		const uint32_t key[] = { node->function,
					 node->function == IC_NONE
						 ? ic_profile_keys_text(&writer->keys, node->name)
						 : IC_NONE };
		uint32_t *number = ic_profile_keys_at(&writer->keys, key, sizeof(key));
		uint32_t *place = IC_ARRAY_PUSH(&writer->frames);
		if (!number || !place)
			return false;
		if (*number == IC_NONE) {
			*number = writer->frame_count++;
			write_frame(writer, node);
		}
		*place = *number;
	}
	return true;
}

// ---- Events

static void write_event(struct writer *writer, char type, uint32_t frame)
{
	ic_output_text(writer->output, writer->is_first ? "{\"type\":\"" : ",\n{\"type\":\"");
	ic_output_char(writer->output, type);
	ic_output_text(writer->output, "\",\"frame\":");
	ic_output_decimal(writer->output, frame);
	ic_output_text(writer->output, ",\"at\":");
	ic_output_decimal(writer->output, writer->at);
	ic_output_char(writer->output, '}');
	writer->is_first = false;
}

static void close_down_to(struct writer *writer, uint32_t depth)
{
	while (writer->open.count > depth)
		write_event(writer, 'C', writer->open.items[--writer->open.count]);
}

static bool write_events(struct writer *writer, const struct ic_call_tree *tree)
{
	writer->is_first = true;
	for (uint32_t i = 0; i < tree->nodes.count; i++) {
		const struct ic_call_node *node = &tree->nodes.items[i];
		close_down_to(writer, node->depth);
		uint32_t *place = IC_ARRAY_PUSH(&writer->open);
		if (!place)
			return false;
		*place = writer->frames.items[i];
		write_event(writer, 'O', *place);
		ic_profile_add(&writer->at, node->self);
	}
	close_down_to(writer, 0);
	return true;
}

// The units that it knows; others are plain numbers.
static const char *unit_of(const struct ic_profile_event *event)
{
	static const char *const units[] = { "nanoseconds", "bytes" };

	for (size_t i = 0; event->unit && i < sizeof(units) / sizeof(*units); i++)
		if (strcmp(event->unit, units[i]) == 0)
			return units[i];
	return "none";
}

static bool write_all(struct writer *writer, const struct ic_call_tree *tree,
		      const struct ic_profile_event *event)
{
	struct ic_output *output = writer->output;

	ic_output_text(output,
		       "{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\n"
		       "\"exporter\":\"inlinecall\",\n\"shared\":{\"frames\":[");
	if (!write_frames(writer, tree))
		return false;
	ic_output_text(output, "]},\n\"profiles\":[{\"type\":\"evented\",\"name\":");
	ic_json_text(output, event->name ? event->name : "samples");
	ic_output_text(output, ",\"unit\":");
	ic_json_text(output, unit_of(event));
	ic_output_text(output, ",\"startValue\":0,\"endValue\":");
	ic_output_decimal(output, event->weight);
	ic_output_text(output, ",\"events\":[");
	bool ok = write_events(writer, tree);
	ic_output_text(output, "]}]}\n");
	return ok;
}

bool ic_profile_write_speedscope(const struct ic_profile *profile, size_t event,
				 struct ic_output *output, struct ic_error *err)
{
	struct writer writer = { .profile = profile, .output = output };
	struct ic_call_tree tree;
	bool ok = ic_call_tree_build(&tree, profile, event, err);

	if (ok && !write_all(&writer, &tree, &profile->events.items[event]))
		ok = ic_fail_memory(err);
	ic_call_tree_free(&tree);
	ic_profile_keys_free(&writer.keys);
	IC_ARRAY_FREE(&writer.frames);
	IC_ARRAY_FREE(&writer.open);
	return ok;
}
