// Pages: sizes and changes as a treemap, trees as an icicle, statistics as a table
// (docs/formats/page.md).
#include "pages/page_tree.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sort.h"
#include "report/rows/words.h"
#include "report/writers/writer.h"
#include "text/json_text.h"

enum { MOST_FUNCTIONS = 12000 };

struct function { // for sizes a row, for trees a function: texts are given by number
	int64_t name, file, object;
	uint32_t line;
	bool is_none; // not a function: linkage, padding, or unnamed code
	uint64_t self, inlined, total, copies;
	int64_t saving;
};

struct ic_page_writer {
	struct ic_page_text texts;
	// Of functions in trees, and of files with small functions: their numbers.
	struct ic_byte_pool keys;
	IC_ARRAY(struct function) functions;
	struct ic_page_tree tree;
	uint32_t function_count;    // number written
	uint64_t left_out;          // number of groups of statistics
	bool has_small;             // small functions are summed up
	struct ic_change_row total; // of changes, without its texts
	int64_t last_file;          // the number of its text
	uint32_t file_count;
	bool has_begun, out_of_memory;
};

// A number that may not apply.
static void write_number(struct ic_output *output, uint64_t number)
{
	if (number == UINT64_MAX)
		ic_output_text(output, "null");
	else
		ic_output_decimal(output, number);
}

static void write_known(struct ic_output *output, uint64_t number)
{
	ic_output_char(output, ',');
	write_number(output, number);
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
	case IC_ROWS_CHANGES:
		ic_output_text(output, "[{\"title\":\"Bytes\",\"isSigned\":true},"
				       "{\"title\":\"Copies\",\"isSigned\":true},"
				       "{\"title\":\"Change\",\"isText\":true}]");
		break;
	default: // the nodes' weights
		ic_output_text(output, "[{\"title\":\"Self\",\"isWeight\":true},"
				       "{\"title\":\"Copies\"}]");
		break;
	}
}

static const char *kind_name(enum ic_rows_kind kind)
{
	return kind == IC_ROWS_SIZES     ? "sizes"
	       : kind == IC_ROWS_TREES   ? "tree"
	       : kind == IC_ROWS_CHANGES ? "changes"
					 : "stats";
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
	ic_page_number(output, name);
	ic_output_char(output, ',');
	ic_page_number(output, file);
	ic_output_char(output, ',');
	ic_output_decimal(output, line);
	ic_output_char(output, ',');
	ic_page_number(output, object);
}

static int64_t text_number(struct ic_writer *writer, const char *text)
{
	return ic_page_text_number(&writer->page->texts, text);
}

// Without hosts; -1 if it is not a function.
static void end_function(struct ic_writer *writer, bool is_none)
{
	ic_output_text(&writer->output, is_none ? ",[],-1]" : ",[],0]");
}

// Sorts item numbers by weight, largest first. False if memory runs out.
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
	case IC_SIZE_UNNAMED: return "(no name)";
	case IC_SIZE_SYMBOL:
		if (!row->function)
			return "(no debugging information)";
		break;
	case IC_SIZE_FUNCTION:
	case IC_SIZE_SECTION: break;
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
		.is_none = row->which >= IC_SIZE_LINKAGE,
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
		ic_page_number(output, function->saving);
	end_function(writer, function->is_none);
}

// Adds a function to the sum of the small ones of its source file.
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

// Writes the largest functions of all files, and sums of the others.
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

// ---- Changes

// A number in both builds.
static void write_pair(struct ic_output *output, uint64_t old, uint64_t new)
{
	ic_output_text(output, ",[");
	write_number(output, old);
	write_known(output, new);
	ic_output_char(output, ']');
}

static void write_change(struct ic_writer *writer, const struct ic_change_row *row)
{
	struct ic_output *output = &writer->output;
	bool is_by_path = row->by == IC_COMPARISON_BY_SOURCE ||
			  row->by == IC_COMPARISON_BY_DIRECTORY;
	const char *name = row->by == IC_COMPARISON_BY_FUNCTION ? row->function : row->group;
	uint32_t line;

	if (row->is_total) {
		writer->page->total = *row;
		return;
	}
	if (writer->page->function_count >= MOST_FUNCTIONS) {
		writer->page->left_out++;
		return;
	}
	ic_words_change_position(row, &line);
	begin_function(writer, text_number(writer, name ? name : "??"),
		       is_by_path ? -1 : text_number(writer, row->source), line, -1);
	ic_output_char(output, ',');
	ic_page_number(output, row->explained + row->grown);
	ic_output_char(output, ',');
	ic_page_number(output, (int64_t)(row->new_copies - row->old_copies));
	ic_output_char(output, ',');
	ic_page_number(output, text_number(writer, row->kinds));
	write_pair(output, row->old_copies, row->new_copies);
	write_pair(output, row->old_bytes + row->old_out_of_line_bytes,
		   row->new_bytes + row->new_out_of_line_bytes);
	end_function(writer, false);
}

static void write_totals(struct ic_writer *writer)
{
	static const char *const names[] = {
		[IC_COMPARISON_BY_FUNCTION] = "Function",
		[IC_COMPARISON_BY_SOURCE] = "Source file",
		[IC_COMPARISON_BY_DIRECTORY] = "Directory",
		[IC_COMPARISON_BY_TEMPLATE] = "Template",
	};
	const struct ic_change_row *total = &writer->page->total;
	struct ic_output *output = &writer->output;

	ic_output_text(output, ",\n\"name\":\"");
	ic_output_text(output, names[total->by]);
	ic_output_char(output, '"');
	ic_output_text(output, ",\n\"totals\":[");
	ic_output_decimal(output, total->functions);
	write_pair(output, total->old_copies, total->new_copies);
	write_pair(output, total->old_code, total->new_code);
	ic_output_char(output, ']');
}

// ---- Trees

// The number of an instance's function; IC_NONE if memory runs out.
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
				       .line = row->decl_line };
	return number;
}

static void add_instance(struct ic_writer *writer, const struct ic_tree_row *row)
{
	struct ic_page_writer *page = writer->page;
	const struct ic_page_node node = {
		.depth = row->depth,
		.function = function_of(writer, row),
		.flags = row->inlined ? IC_PAGE_INLINED : 0,
		.self = row->own_bytes == UINT64_MAX ? 0 : row->own_bytes,
	};

	page->out_of_memory |= node.function == IC_NONE || !ic_page_tree_add(&page->tree, &node);
}

// Writes the functions of the remaining boxes, and their numbers.
static bool write_tree_functions(struct ic_writer *writer, uint32_t *places)
{
	struct ic_page_writer *page = writer->page;

	if (!places || !ic_page_tree_choose(&page->tree))
		return false;
	memset(places, 0xff, page->functions.count * sizeof(*places));
	for (uint32_t i = 0; i < page->tree.nodes.count; i++) {
		const struct ic_page_node *node = &page->tree.nodes.items[i];
		const struct function *function = &page->functions.items[node->function];
		if (!node->is_there || places[node->function] != IC_NONE)
			continue;
		places[node->function] = page->function_count;
		begin_function(writer, function->name, function->file, function->line,
			       function->object);
		ic_output_text(&writer->output, ",0,0");
		end_function(writer, false);
	}
	return true;
}

// ---- The page

// Starts a row of a file: rows of one file are adjacent.
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
	const struct ic_change_row *change = data;

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
	case IC_ROWS_CHANGES:
		note_file(writer->page, change->file);
		write_change(writer, change);
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
	bool is_tree = writer->type->kind == IC_ROWS_TREES;
	uint64_t left_out = is_tree ? page->tree.left_out : page->left_out;
	char note[96];

	ic_output_text(&writer->output, "],\n\"notes\":[");
	if (left_out > 0) {
		snprintf(note, sizeof(note), "%" PRIu64 " %s", left_out,
			 is_tree ? "of the smallest boxes are merged"
			 : writer->type->kind == IC_ROWS_CHANGES ? "more changes are not shown"
								 : "more groups are not shown");
		ic_json_script_text(&writer->output, note);
	}
	if (page->has_small)
		ic_json_script_text(&writer->output,
				    "The smallest functions of each source file are merged");
}

static bool end_page(struct ic_writer *writer)
{
	struct ic_output *output = &writer->output;
	struct ic_page_writer *page = writer->page;
	uint32_t *places = ic_items_alloc(page->functions.count + 1ull, sizeof(*places));
	bool ok = !page->out_of_memory;

	begin_page(writer);
	if (writer->type->kind == IC_ROWS_SIZES)
		ok = ok && write_sizes(writer);
	else if (writer->type->kind == IC_ROWS_TREES)
		ok = ok && write_tree_functions(writer, places);
	ic_output_text(output, "],\n\"nodes\":[");
	if (ok)
		ic_page_tree_write(&page->tree, places, &page->texts, output);
	free(places);
	write_notes(writer);
	ic_output_text(output, "],\n\"title\":");
	write_title(writer);
	if (writer->type->kind == IC_ROWS_CHANGES)
		write_totals(writer);
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
	ic_page_tree_free(&writer->page->tree);
	free(writer->page);
}
