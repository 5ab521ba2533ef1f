// Pages: sizes as a treemap, trees as an icicle, statistics as a table (docs/formats/page.md).
#include "pages/page.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_text.h"
#include "base/sort.h"
#include "report/writers.h"

enum { MOST_FUNCTIONS = 12000, MOST_NODES = 50000 };

struct function { // of sizes a row, of trees a function: texts are numbers of theirs
	int64_t name, file, object;
	uint32_t line, place; // `place` is its number in the page, IC_NONE if it is not there
	bool is_none;         // no function: linkage, or padding
	uint64_t self, inlined, total, copies;
	int64_t saving;
};

struct node { // of a tree
	uint32_t depth, function;
	bool inlined, is_there;
	uint64_t self, total;
};

struct ic_page_writer {
	struct ic_page_text texts;
	struct ic_byte_pool
		keys; // of functions of trees, and of files of small ones: their numbers
	IC_ARRAY(struct function) functions;
	IC_ARRAY(struct node) nodes;
	uint32_t function_count; // that are written
	uint64_t left_out;       // nodes of trees, or groups of statistics
	bool has_small;          // functions are added up
	int64_t last_file;       // the number of its text
	uint32_t file_count;
	bool has_begun, out_of_memory;
};

static void write_number(struct ic_output *output, int64_t number)
{
	if (number < 0)
		ic_output_char(output, '-');
	ic_output_decimal(output, number < 0 ? 0 - (uint64_t)number : (uint64_t)number);
}

// A number that may mean nothing.
static void write_known(struct ic_output *output, uint64_t number)
{
	ic_output_char(output, ',');
	if (number == UINT64_MAX)
		ic_output_text(output, "null");
	else
		ic_output_decimal(output, number);
}

// ---- The beginning

static void write_columns(struct ic_output *output, enum ic_rows_kind kind)
{
	switch (kind) {
	case IC_ROWS_SIZES:
		ic_output_text(output, "[{\"title\":\"Self\",\"isWeight\":true},"
				       "{\"title\":\"Inlined\",\"isWeight\":true},"
				       "{\"title\":\"Total\",\"isWeight\":true},"
				       "{\"title\":\"Copies\"},{\"title\":\"Saves\"}]");
		break;
	case IC_ROWS_STATISTICS:
		ic_output_text(output, "[{\"title\":\"Copies\"},{\"title\":\"Self\"},"
				       "{\"title\":\"Bytes\"},{\"title\":\"Callers\"}]");
		break;
	default: // what nodes add up to
		ic_output_text(output, "[{\"title\":\"Self\",\"isWeight\":true},"
				       "{\"title\":\"Copies\"}]");
		break;
	}
}

static const char *kind_name(enum ic_rows_kind kind)
{
	return kind == IC_ROWS_SIZES ? "sizes" : kind == IC_ROWS_TREES ? "tree" : "stats";
}

// Before the first row.
static void begin_page(struct ic_writer *writer)
{
	struct ic_output *output = &writer->output;

	if (writer->page->has_begun)
		return;
	writer->page->has_begun = true;
	ic_page_begin(output);
	ic_output_text(output, "{\"kind\":\"");
	ic_output_text(output, kind_name(writer->type->kind));
	ic_output_text(output, "\",\"unit\":\"bytes\",\n\"columns\":");
	write_columns(output, writer->type->kind);
	ic_output_text(output, ",\n\"functions\":[");
}

// ---- Functions

static void begin_function(struct ic_writer *writer, int64_t name, int64_t file, uint32_t line,
			   int64_t object)
{
	struct ic_output *output = &writer->output;

	ic_output_text(output, writer->page->function_count++ > 0 ? ",\n[" : "[");
	write_number(output, name);
	ic_output_char(output, ',');
	write_number(output, file);
	ic_output_char(output, ',');
	ic_output_decimal(output, line);
	ic_output_char(output, ',');
	write_number(output, object);
}

static int64_t text_number(struct ic_writer *writer, const char *text)
{
	return ic_page_text_number(&writer->page->texts, text);
}

// Without hosts; -1 for what is no function.
static void end_function(struct ic_writer *writer, bool is_none)
{
	ic_output_text(&writer->output, is_none ? ",[],-1]" : ",[],0]");
}

// Sorts numbers of items by what they weigh, the largest first. False if memory is out.
static bool sort_by_weight(struct ic_keyed *items, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		items[i].key = UINT64_MAX - items[i].key;
	return ic_keyed_sort(items, count);
}

// ---- Sizes

static const char *size_name(const struct ic_size_row *row)
{
	switch (row->which) {
	case IC_SIZE_LINKAGE: return "(linkage)";
	case IC_SIZE_PADDING: return "(padding)";
	case IC_SIZE_SYMBOL:
		if (!row->function)
			return "(no debugging information)";
		break;
	case IC_SIZE_FUNCTION: break;
	}
	if (row->function)
		return row->function;
	if (row->group)
		return row->group;
	if (row->what == IC_SIZES_BY_NAMESPACE || row->what == IC_SIZES_BY_CRATE)
		return "(none)";
	return row->what == IC_SIZES_BY_FUNCTION || !row->decl_file ? "??" : row->decl_file;
}

static void add_size(struct ic_writer *writer, const struct ic_size_row *row)
{
	struct ic_page_writer *page = writer->page;
	bool is_by_path = row->what == IC_SIZES_BY_SOURCE || row->what == IC_SIZES_BY_DIRECTORY;
	struct function *function = row->what == IC_SIZES_OF_ALL ? NULL
								 : IC_ARRAY_PUSH(&page->functions);

	page->out_of_memory |= !function && row->what != IC_SIZES_OF_ALL;
	if (!function)
		return;
	*function = (struct function){
		.name = text_number(writer, size_name(row)),
		.file = is_by_path ? -1 : text_number(writer, row->decl_file),
		.object = text_number(writer, row->file),
		.line = row->decl_line,
		.is_none = row->which == IC_SIZE_LINKAGE || row->which == IC_SIZE_PADDING,
		.self = row->self,
		.inlined = row->self_inlined,
		.total = row->total,
		.copies = row->copies,
		.saving = row->saving,
	};
}

static void write_size(struct ic_writer *writer, const struct function *function)
{
	struct ic_output *output = &writer->output;

	begin_function(writer, function->name, function->file, function->line, function->object);
	write_known(output, function->self);
	write_known(output, function->inlined);
	write_known(output, function->total);
	write_known(output, function->copies);
	ic_output_char(output, ',');
	if (function->saving == IC_SIZE_NONE)
		ic_output_text(output, "null");
	else
		write_number(output, function->saving);
	end_function(writer, function->is_none);
}

// Adds a function to what else its source file has that is small.
static bool add_small(struct ic_page_writer *page, const struct function *function,
		      struct function *sums)
{
	const int64_t key[] = { function->file, function->object };
	uint32_t number = ic_byte_pool_add(&page->keys, key, sizeof(key));

	if (number == IC_NONE)
		return false;
	sums[number].file = function->file;
	sums[number].object = function->object;
	sums[number].copies++;
	sums[number].self += function->self;
	sums[number].inlined += function->inlined;
	return true;
}

static void write_sums(struct ic_writer *writer, const struct function *sums)
{
	char name[64];

	for (uint32_t i = 0; i < writer->page->keys.runs.count; i++) {
		struct function sum = sums[i];
		snprintf(name, sizeof(name), "(%" PRIu64 " smaller %s)", sum.copies,
			 sum.copies == 1 ? "function" : "functions");
		sum.name = text_number(writer, name);
		sum.total = sum.copies = UINT64_MAX;
		sum.saving = IC_SIZE_NONE;
		write_size(writer, &sum);
	}
	writer->page->has_small = writer->page->keys.runs.count > 0;
}

// The largest of all files, and sums of the others.
static bool write_sizes(struct ic_writer *writer)
{
	struct ic_page_writer *page = writer->page;
	uint32_t count = page->functions.count;
	struct ic_keyed *sorted = ic_items_alloc(count + 1ull, sizeof(*sorted));
	struct function *sums = ic_items_zeroed(count + 1ull, sizeof(*sums));
	bool ok = sorted && sums;

	for (uint32_t i = 0; ok && i < count; i++)
		sorted[i] = (struct ic_keyed){ page->functions.items[i].self, i };
	ok = ok && sort_by_weight(sorted, count);
	for (uint32_t i = 0; ok && i < count; i++) {
		const struct function *function = &page->functions.items[sorted[i].number];
		if (i < MOST_FUNCTIONS)
			write_size(writer, function);
		else
			ok = add_small(page, function, sums);
	}
	if (ok)
		write_sums(writer, sums);
	free(sorted);
	free(sums);
	return ok;
}

// ---- Statistics

static void write_statistic(struct ic_writer *writer, const struct ic_statistic_row *row)
{
	const char *name = row->function    ? row->function
			   : row->unit      ? row->unit
			   : row->decl_file ? row->decl_file
					    : "??";

	if (row->group == IC_STATISTICS_OF_ALL)
		return;
	if (writer->page->function_count >= MOST_FUNCTIONS) {
		writer->page->left_out++;
		return;
	}
	begin_function(writer, text_number(writer, name), text_number(writer, row->decl_file),
		       row->decl_line, text_number(writer, row->file));
	write_known(&writer->output, row->copies);
	write_known(&writer->output, row->self_bytes);
	write_known(&writer->output, row->bytes);
	write_known(&writer->output, row->callers);
	end_function(writer, false);
}

// ---- Trees

// The number of the function of an instance; IC_NONE if memory is out.
static uint32_t function_of(struct ic_writer *writer, const struct ic_tree_row *row)
{
	struct ic_page_writer *page = writer->page;
	const int64_t key[] = { text_number(writer, row->function ? row->function : "??"),
				text_number(writer, row->decl_file), row->decl_line };
	uint32_t number = ic_byte_pool_add(&page->keys, key, sizeof(key));

	if (number != page->functions.count)
		return number;
	struct function *function = IC_ARRAY_PUSH(&page->functions);
	if (!function)
		return IC_NONE;
	*function = (struct function){ .name = key[0],
				       .file = key[1],
				       .object = text_number(writer, row->file),
				       .line = row->decl_line,
				       .place = IC_NONE };
	return number;
}

static void add_instance(struct ic_writer *writer, const struct ic_tree_row *row)
{
	struct ic_page_writer *page = writer->page;
	uint32_t function = function_of(writer, row);
	uint32_t count = page->nodes.count;
	uint32_t deepest = count > 0 ? page->nodes.items[count - 1].depth + 1 : 0;
	struct node *node = function == IC_NONE ? NULL : IC_ARRAY_PUSH(&page->nodes);

	page->out_of_memory |= !node;
	if (node)
		*node = (struct node){ .depth = row->depth < deepest ? row->depth : deepest,
				       .function = function,
				       .inlined = row->inlined,
				       .self = row->own_bytes == UINT64_MAX ? 0 : row->own_bytes };
}

// Sets of each node the total, and whether it is among the largest: what it is in is so too.
static bool choose_nodes(struct ic_page_writer *page)
{
	uint32_t count = page->nodes.count;
	struct ic_keyed *sorted = ic_items_alloc(count + 1ull, sizeof(*sorted));
	uint64_t *totals = ic_items_zeroed(count + 2ull, sizeof(*totals)); // below, by depth
	bool ok = sorted && totals;

	for (uint32_t i = count; ok && i > 0; i--) {
		struct node *node = &page->nodes.items[i - 1];
		node->total = node->self + totals[node->depth + 1];
		totals[node->depth + 1] = 0;
		totals[node->depth] += node->total;
		sorted[i - 1] = (struct ic_keyed){ node->total, i - 1 };
	}
	ok = ok && sort_by_weight(sorted, count); // stable: a node is before what is in it
	for (uint32_t i = 0; ok && i < count; i++)
		page->nodes.items[sorted[i].number].is_there = i < MOST_NODES;
	page->left_out = count > MOST_NODES ? count - MOST_NODES : 0;
	free(sorted);
	free(totals);
	return ok;
}

static bool write_tree_functions(struct ic_writer *writer)
{
	struct ic_page_writer *page = writer->page;

	if (!choose_nodes(page))
		return false;
	for (uint32_t i = 0; i < page->nodes.count; i++) {
		struct function *function = &page->functions.items[page->nodes.items[i].function];
		if (!page->nodes.items[i].is_there || function->place != IC_NONE)
			continue;
		function->place = page->function_count;
		begin_function(writer, function->name, function->file, function->line,
			       function->object);
		ic_output_text(&writer->output, ",0,0");
		end_function(writer, false);
	}
	return true;
}

static void write_node(struct ic_writer *writer, bool is_first, uint32_t depth, int64_t name,
		       unsigned flags, uint64_t self)
{
	struct ic_output *output = &writer->output;

	ic_output_text(output, is_first ? "" : ",\n");
	ic_output_decimal(output, depth);
	ic_output_char(output, ',');
	write_number(output, name);
	ic_output_char(output, ',');
	ic_output_decimal(output, flags);
	ic_output_char(output, ',');
	ic_output_decimal(output, self);
}

// What is not there is a box below that which it is in. Trees that are not there are one more.
static void write_nodes(struct ic_writer *writer)
{
	struct ic_page_writer *page = writer->page;
	int64_t small = -1 - text_number(writer, "(too small to be shown)");
	bool is_first = true;

	for (uint32_t i = 0; i < page->nodes.count; i++) {
		const struct node *node = &page->nodes.items[i];
		if (!node->is_there) {
			uint32_t end = i + 1;
			while (end < page->nodes.count &&
			       page->nodes.items[end].depth > node->depth)
				end++;
			write_node(writer, is_first, node->depth, small, IC_PAGE_SMALL,
				   node->total);
			i = end - 1;
		} else {
			write_node(writer, is_first, node->depth,
				   page->functions.items[node->function].place,
				   node->inlined ? IC_PAGE_INLINED : 0, node->self);
		}
		is_first = false;
	}
}

// ---- The page

// A row of a file: those of one come one after the other.
static void note_file(struct ic_page_writer *page, const char *file)
{
	int64_t number = ic_page_text_number(&page->texts, file);

	page->file_count += page->file_count == 0 || number != page->last_file;
	page->last_file = number;
}

static void write_title(struct ic_writer *writer)
{
	const struct ic_page_writer *page = writer->page;
	char text[32];

	snprintf(text, sizeof(text), "%" PRIu32 " files", page->file_count);
	ic_json_script_text(&writer->output,
			    page->file_count == 1 && page->last_file >= 0
				    ? (const char *)ic_byte_pool_get(&page->texts.pool,
								     (uint32_t)page->last_file)
					      .data
				    : text);
}

static void write_row(struct ic_writer *writer, const void *data)
{
	const struct ic_size_row *size = data;
	const struct ic_tree_row *tree = data;
	const struct ic_statistic_row *statistic = data;

	begin_page(writer);
	switch (writer->type->kind) {
	case IC_ROWS_SIZES:
		note_file(writer->page, size->file);
		add_size(writer, size);
		break;
	case IC_ROWS_TREES:
		note_file(writer->page, tree->file);
		add_instance(writer, tree);
		break;
	default:
		note_file(writer->page, statistic->file);
		write_statistic(writer, statistic);
		break;
	}
}

static void write_notes(struct ic_writer *writer)
{
	const struct ic_page_writer *page = writer->page;
	const char *what = writer->type->kind == IC_ROWS_TREES
				   ? "of the smallest boxes are added up"
				   : "more groups are not shown";
	char note[96];

	ic_output_text(&writer->output, "],\n\"notes\":[");
	if (page->left_out > 0) {
		snprintf(note, sizeof(note), "%" PRIu64 " %s", page->left_out, what);
		ic_json_script_text(&writer->output, note);
	}
	if (page->has_small)
		ic_json_script_text(&writer->output,
				    "The smallest functions of each source file are added up");
}

static bool end_page(struct ic_writer *writer)
{
	struct ic_output *output = &writer->output;
	struct ic_page_writer *page = writer->page;
	bool ok = !page->out_of_memory;

	begin_page(writer);
	if (writer->type->kind == IC_ROWS_SIZES)
		ok = ok && write_sizes(writer);
	else if (writer->type->kind == IC_ROWS_TREES)
		ok = ok && write_tree_functions(writer);
	ic_output_text(output, "],\n\"nodes\":[");
	if (ok)
		write_nodes(writer);
	write_notes(writer);
	ic_output_text(output, "],\n\"title\":");
	write_title(writer);
	ic_output_text(output, ",\n\"texts\":");
	ic_page_texts(output, &page->texts);
	ic_output_char(output, '}');
	ic_page_end(output);
	return ok && !page->texts.out_of_memory;
}

bool ic_writer_init_page(struct ic_writer *writer)
{
	writer->write = write_row;
	writer->end = end_page;
	writer->page = calloc(1, sizeof(*writer->page));
	return writer->page != NULL;
}

void ic_writer_free_page(struct ic_writer *writer)
{
	if (!writer->page)
		return;
	ic_page_text_free(&writer->page->texts);
	ic_byte_pool_free(&writer->page->keys);
	IC_ARRAY_FREE(&writer->page->functions);
	IC_ARRAY_FREE(&writer->page->nodes);
	free(writer->page);
}
