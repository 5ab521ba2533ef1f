// A page with a flame graph, and the functions by their own weight (docs/formats/page.md).
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "pages/page_tree.h"
#include "profile/call_tree.h"
#include "profile/writers/write.h"
#include "text/json_text.h"

enum {
	MOST_FUNCTIONS = 5000, // without a box of their own
	MOST_HOSTS = 5,
};

struct writer {
	const struct ic_profile *profile;
	const struct ic_profile_groups *groups; // by function
	struct ic_profile_event event;
	const char *title;
	struct ic_page_tree nodes;
	struct ic_output *output;
	struct ic_page_text texts;
	uint32_t *place; // of each function, in the page; IC_NONE if it is not there
	uint32_t function_count;
	bool has_note;
};

// ---- Contents

static bool add_nodes(struct writer *writer, const struct ic_call_tree *tree)
{
	for (uint32_t i = 0; i < tree->nodes.count; i++) {
		const struct ic_call_node *from = &tree->nodes.items[i];
		struct ic_page_node node = { .depth = from->depth,
					     .function = from->function,
					     .flags = (from->inlined ? IC_PAGE_INLINED : 0u) |
						      (from->is_kernel ? IC_PAGE_KERNEL : 0u),
					     .self = from->self };
		if (from->function == IC_NONE)
			node.text =
				ic_page_text_number(&writer->texts, from->name ? from->name : "??");
		if (!ic_page_tree_add(&writer->nodes, &node))
			return false;
	}
	return ic_page_tree_choose(&writer->nodes);
}

// Numbers the functions of the page in group order.
static bool choose_functions(struct writer *writer)
{
	uint32_t count = writer->profile->resolved.functions.count;
	size_t group_count = ic_profile_groups_count(writer->groups);
	bool *is_used = ic_items_zeroed(count + 1ull, sizeof(*is_used));

	writer->place = ic_items_alloc(count + 1ull, sizeof(*writer->place));
	if (!is_used || !writer->place) {
		free(is_used);
		return false;
	}
	memset(writer->place, 0xff, (count + 1ull) * sizeof(*writer->place));
	for (uint32_t i = 0; i < writer->nodes.nodes.count; i++) {
		const struct ic_page_node *node = &writer->nodes.nodes.items[i];
		if (node->function != IC_NONE && node->is_there)
			is_used[node->function] = true;
	}
	for (size_t i = 0; i < group_count; i++) {
		uint32_t function = ic_profile_groups_function(writer->groups, i);
		if (i < MOST_FUNCTIONS || is_used[function])
			writer->place[function] = writer->function_count++;
	}
	free(is_used);
	return true;
}

// ---- The data

static void write_text_number(struct writer *writer, const char *text)
{
	ic_page_number(writer->output, ic_page_text_number(&writer->texts, text));
}

static void write_hosts(struct writer *writer, const struct ic_profile_group *group)
{
	struct ic_output *output = writer->output;

	ic_output_char(output, '[');
	for (size_t i = 0; i < group->host_count && i < MOST_HOSTS; i++) {
		if (i > 0)
			ic_output_char(output, ',');
		write_text_number(writer,
				  group->hosts[i].function ? group->hosts[i].function : "??");
		ic_output_char(output, ',');
		ic_output_decimal(output, group->hosts[i].total);
	}
	ic_output_text(output, "],");
	ic_output_decimal(output, group->host_count);
}

static void write_function(struct writer *writer, const struct ic_profile_group *group)
{
	struct ic_output *output = writer->output;
	char unknown[512];

	ic_output_char(output, '[');
	snprintf(unknown, sizeof(unknown), "?? in %s", group->file);
	write_text_number(writer, group->function ? group->function : unknown);
	ic_output_char(output, ',');
	write_text_number(writer, group->source);
	ic_output_char(output, ',');
	ic_output_decimal(output, group->line);
	ic_output_char(output, ',');
	write_text_number(writer, group->file);
	const uint64_t sums[] = { group->self, group->total, group->total_inlined };
	for (size_t i = 0; i < sizeof(sums) / sizeof(*sums); i++) {
		ic_output_char(output, ',');
		ic_output_decimal(output, sums[i]);
	}
	ic_output_char(output, ',');
	write_hosts(writer, group);
	ic_output_char(output, ']');
}

static void write_functions(struct writer *writer)
{
	struct ic_profile_group group;
	size_t count = ic_profile_groups_count(writer->groups);
	bool is_first = true;

	ic_output_text(writer->output, ",\n\"functions\":[");
	for (size_t i = 0; i < count; i++) {
		if (writer->place[ic_profile_groups_function(writer->groups, i)] == IC_NONE)
			continue;
		ic_profile_groups_get(writer->groups, i, &group);
		ic_output_text(writer->output, is_first ? "" : ",\n");
		write_function(writer, &group);
		is_first = false;
	}
	ic_output_char(writer->output, ']');
}

// ---- Notes

// The program with the largest weight.
static const char *title_of(const struct ic_call_tree *tree)
{
	const struct ic_call_node *largest = NULL;

	for (uint32_t i = 0; i < tree->nodes.count; i++) {
		const struct ic_call_node *node = &tree->nodes.items[i];
		if (node->caller == IC_NONE && (!largest || node->total > largest->total))
			largest = node;
	}
	return largest && largest->name ? largest->name : "profile";
}

// "7 stacks lack outer frames": a number, unless it is 0, and its noun in singular or plural.
static void write_note(struct writer *writer, uint64_t number, const char *one, const char *several)
{
	char text[128];

	if (number == 0)
		return;
	snprintf(text, sizeof(text), "%" PRIu64 " %s", number, number == 1 ? one : several);
	ic_output_text(writer->output, writer->has_note ? "," : "");
	ic_json_script_text(writer->output, text);
	writer->has_note = true;
}

static void write_notes(struct writer *writer)
{
	const struct ic_profile_event *event = &writer->event;
	size_t count = ic_profile_groups_count(writer->groups);

	ic_output_text(writer->output, ",\n\"notes\":[");
	write_note(writer, event->cut_stacks, "stack lacks outer frames",
		   "stacks lack outer frames");
	write_note(writer, event->without_stack,
		   "sample is not counted: its stack did not fit in memory",
		   "samples are not counted: their stacks did not fit in memory");
	write_note(writer, writer->profile->lost, "record was lost", "records were lost");
	write_note(writer, writer->nodes.left_out, "box is too small to show",
		   "of the smallest boxes are merged");
	write_note(writer, count - writer->function_count, "function is not listed",
		   "of the smallest functions are not listed");
	ic_output_text(writer->output, "],\"unknown\":");
	ic_output_decimal(writer->output, event->unknown);
}

static void write_head(struct writer *writer)
{
	struct ic_output *output = writer->output;
	const struct ic_profile_event *event = &writer->event;

	ic_output_text(output, "{\"kind\":\"profile\",\"title\":");
	ic_json_script_text(output, writer->title);
	ic_output_text(output, ",\"samples\":");
	ic_output_decimal(output, event->samples);
	ic_output_text(output, ",\"event\":");
	ic_json_script_text(output, event->name ? event->name : "an unknown event");
	ic_output_text(output, ",\"unit\":");
	ic_json_script_text(output, event->unit ? event->unit : "");
	ic_output_text(output, ",\"total\":");
	ic_output_decimal(output, event->weight);
	ic_output_text(output, ",\n\"columns\":[{\"title\":\"Self\",\"isShare\":true},"
			       "{\"title\":\"Total\",\"isShare\":true},"
			       "{\"title\":\"Inlined\",\"isShare\":true}]");
}

static bool write_page(struct writer *writer)
{
	if (!choose_functions(writer))
		return false;
	ic_page_begin(writer->output);
	write_head(writer);
	write_notes(writer);
	write_functions(writer);
	ic_output_text(writer->output, ",\n\"nodes\":[");
	ic_page_tree_write(&writer->nodes, writer->place, &writer->texts, writer->output);
	ic_output_text(writer->output, "],\n\"texts\":");
	ic_page_texts(writer->output, &writer->texts);
	ic_output_char(writer->output, '}');
	ic_page_end(writer->output);
	return !writer->texts.out_of_memory;
}

// The call tree is not kept: it is several times as large as what is shown.
static bool take_tree(struct writer *writer, size_t event, struct ic_error *err)
{
	struct ic_call_tree tree;
	bool ok = ic_call_tree_build(&tree, writer->profile, event, err);

	if (ok)
		writer->title = title_of(&tree);
	if (ok && !add_nodes(writer, &tree))
		ok = ic_fail_memory(err);
	ic_call_tree_free(&tree);
	return ok;
}

bool ic_profile_write_page(const struct ic_profile *profile, size_t event, struct ic_output *output,
			   struct ic_error *err)
{
	const struct ic_profile_query query = { .by = IC_PROFILE_BY_FUNCTION, .event = event };
	struct ic_profile_groups *groups = ic_profile_groups_find(profile, &query, err);
	struct writer writer = { .profile = profile, .groups = groups, .output = output };

	if (!groups)
		return false;
	ic_profile_groups_event(groups, &writer.event);
	bool ok = take_tree(&writer, event, err);
	if (ok && !write_page(&writer))
		ok = ic_fail_memory(err);
	ic_page_tree_free(&writer.nodes);
	ic_page_text_free(&writer.texts);
	free(writer.place);
	ic_profile_groups_free(groups);
	return ok;
}
