// A page with a flame graph, and the functions by what they have themselves (docs/formats/page.md).
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/json_text.h"
#include "pages/page.h"
#include "profile/call_tree.h"
#include "profile/write.h"

enum {
	MOST_NODES = 50000,    // those with the largest totals
	MOST_FUNCTIONS = 5000, // of those that no such node is of
	MOST_HOSTS = 5,
};

struct writer {
	const struct ic_profile *profile;
	const struct ic_profile_groups *groups; // functions
	struct ic_profile_event event;
	struct ic_call_tree tree;
	struct ic_output *output;
	struct ic_page_text texts;
	uint32_t *place;      // of each function, in the page; IC_NONE if it is not there
	uint64_t least_total; // of nodes that are there
	uint32_t node_count, function_count;
	bool has_note;
};

// ---- What is too small

static int compare_totals(const void *left, const void *right)
{
	uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;

	return (a < b) - (a > b);
}

static bool find_least(struct writer *writer)
{
	uint32_t count = writer->tree.nodes.count;

	writer->node_count = count;
	if (count <= MOST_NODES)
		return true;
	uint64_t *totals = ic_items_alloc(count, sizeof(*totals));
	if (!totals)
		return false;
	for (uint32_t i = 0; i < count; i++)
		totals[i] = writer->tree.nodes.items[i].total;
	qsort(totals, count, sizeof(*totals), compare_totals);
	writer->least_total = totals[MOST_NODES] + 1;
	writer->node_count = 0;
	while (totals[writer->node_count] >= writer->least_total)
		writer->node_count++;
	free(totals);
	return true;
}

// Callers of what is there are there too: their totals are not smaller.
static bool is_there(const struct writer *writer, const struct ic_call_node *node)
{
	return node->total >= writer->least_total;
}

// Numbers the functions of the page in the order of the groups.
static bool choose_functions(struct writer *writer)
{
	uint32_t count = writer->profile->functions.count;
	size_t group_count = ic_profile_groups_count(writer->groups);
	bool *is_used = ic_items_zeroed(count + 1ull, sizeof(*is_used));

	writer->place = ic_items_alloc(count + 1ull, sizeof(*writer->place));
	if (!is_used || !writer->place) {
		free(is_used);
		return false;
	}
	memset(writer->place, 0xff, (count + 1ull) * sizeof(*writer->place));
	for (uint32_t i = 0; i < writer->tree.nodes.count; i++) {
		const struct ic_call_node *node = &writer->tree.nodes.items[i];
		if (node->function != IC_NONE && is_there(writer, node))
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

static void write_number(struct ic_output *output, int64_t number)
{
	if (number < 0)
		ic_output_char(output, '-');
	ic_output_decimal(output, (uint64_t)(number < 0 ? -number : number));
}

static void write_text_number(struct writer *writer, const char *text)
{
	write_number(writer->output, ic_page_text_number(&writer->texts, text));
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

static void write_node(struct writer *writer, uint32_t depth, int64_t name, unsigned flags,
		       uint64_t self)
{
	struct ic_output *output = writer->output;

	ic_output_text(output, depth > 0 ? ",\n" : "");
	ic_output_decimal(output, depth);
	ic_output_char(output, ',');
	write_number(output, name);
	ic_output_char(output, ',');
	ic_output_decimal(output, flags);
	ic_output_char(output, ',');
	ic_output_decimal(output, self);
}

// A node, and what of its children is not there.
static void write_known_node(struct writer *writer, const struct ic_call_node *node, uint64_t small)
{
	int64_t name =
		node->function == IC_NONE
			? -1 - ic_page_text_number(&writer->texts, node->name ? node->name : "??")
			: (int64_t)writer->place[node->function];

	write_node(writer, node->depth, name,
		   (node->inlined ? IC_PAGE_INLINED : 0u) | (node->is_kernel ? IC_PAGE_KERNEL : 0u),
		   node->self);
	if (small > 0)
		write_node(writer, node->depth + 1,
			   -1 - ic_page_text_number(&writer->texts, "(too small to be shown)"),
			   IC_PAGE_SMALL, small);
}

static bool write_nodes(struct writer *writer)
{
	const struct ic_call_tree *tree = &writer->tree;
	uint64_t *small = ic_items_zeroed(tree->nodes.count + 1ull, sizeof(*small));
	bool is_first = true;

	if (!small)
		return false;
	for (uint32_t i = 0; i < tree->nodes.count; i++) {
		const struct ic_call_node *node = &tree->nodes.items[i];
		if (node->caller != IC_NONE && !is_there(writer, node) &&
		    is_there(writer, &tree->nodes.items[node->caller]))
			ic_profile_add(&small[node->caller], node->total);
	}
	ic_output_text(writer->output, ",\n\"nodes\":[");
	for (uint32_t i = 0; i < tree->nodes.count; i++) {
		const struct ic_call_node *node = &tree->nodes.items[i];
		if (!is_there(writer, node))
			continue;
		ic_output_text(writer->output, node->depth == 0 && !is_first ? ",\n" : "");
		write_known_node(writer, node, small[i]);
		is_first = false;
	}
	ic_output_char(writer->output, ']');
	free(small);
	return true;
}

// ---- What is said of it

static const char *title_of(const struct writer *writer)
{
	const struct ic_call_node *largest = NULL;

	for (uint32_t i = 0; i < writer->tree.nodes.count; i++) {
		const struct ic_call_node *node = &writer->tree.nodes.items[i];
		if (node->caller == IC_NONE && (!largest || node->total > largest->total))
			largest = node;
	}
	return largest && largest->name ? largest->name : "profile";
}

// "7 stacks lack outer frames": a number that is not 0, and what it is of, one or several.
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
		   "sample does not count: its stack did not fit into the memory",
		   "samples do not count: their stacks did not fit into the memory");
	write_note(writer, writer->profile->lost, "record was lost", "records were lost");
	write_note(writer, writer->tree.nodes.count - writer->node_count,
		   "box is too small to be shown", "of the smallest boxes are added up");
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
	ic_json_script_text(output, title_of(writer));
	ic_output_text(output, ",\"samples\":");
	ic_output_decimal(output, event->samples);
	ic_output_text(output, ",\"event\":");
	ic_json_script_text(output, event->name ? event->name : "an unknown event");
	ic_output_text(output, ",\"unit\":");
	ic_output_text(output, event->is_time ? "\"ns\"" : "\"\"");
	ic_output_text(output, ",\"total\":");
	ic_output_decimal(output, event->weight);
	ic_output_text(output, ",\n\"columns\":[{\"title\":\"Self\",\"isShare\":true},"
			       "{\"title\":\"Total\",\"isShare\":true},"
			       "{\"title\":\"Inlined\",\"isShare\":true}]");
}

static bool write_page(struct writer *writer)
{
	if (!find_least(writer) || !choose_functions(writer))
		return false;
	ic_page_begin(writer->output);
	write_head(writer);
	write_notes(writer);
	write_functions(writer);
	bool ok = write_nodes(writer);
	ic_output_text(writer->output, ",\n\"texts\":");
	ic_page_texts(writer->output, &writer->texts);
	ic_output_char(writer->output, '}');
	ic_page_end(writer->output);
	return ok && !writer->texts.out_of_memory;
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
	bool ok = ic_call_tree_build(&writer.tree, profile, event, err);
	if (ok && !write_page(&writer))
		ok = ic_fail_memory(err);
	ic_call_tree_free(&writer.tree);
	ic_page_text_free(&writer.texts);
	free(writer.place);
	ic_profile_groups_free(groups);
	return ok;
}
