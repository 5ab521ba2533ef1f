// Pages: sizes as a treemap, trees as an icicle, statistics as a table (docs/formats/page.md).
#include "pages/page.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_text.h"
#include "base/map.h"
#include "report/writers.h"

enum { MOST_FUNCTIONS = 12000, MOST_NODES = 50000 };

struct rest { // of functions of one source file that are too small to be there one by one
	int64_t file, object;
	uint64_t count, self, inlined;
};

struct ic_page_writer {
	struct ic_page_text texts;
	struct ic_byte_pool keys; // of functions of trees, and of rests: their numbers
	IC_ARRAY(struct rest) rests;
	IC_ARRAY(uint64_t) nodes; // of trees: depth, function, flags and bytes of its own
	uint32_t function_count;
	uint64_t left_out; // nodes of trees, or groups of statistics
	int64_t last_file; // the number of its text
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

static void begin_named(struct ic_writer *writer, const char *name, const char *file, uint32_t line,
			const char *object)
{
	begin_function(writer, text_number(writer, name ? name : "??"), text_number(writer, file),
		       line, text_number(writer, object));
}

static void end_function(struct ic_writer *writer)
{
	ic_output_text(&writer->output, ",[],0]");
}

// ---- Sizes

// Adds a row to what else its source file has. False if memory is out.
static bool add_rest(struct ic_writer *writer, const struct ic_size_row *row)
{
	struct ic_page_writer *page = writer->page;
	const int64_t key[] = { text_number(writer, row->decl_file),
				text_number(writer, row->file) };
	uint32_t number = ic_byte_pool_add(&page->keys, key, sizeof(key));

	if (number == page->rests.count) {
		struct rest *rest = IC_ARRAY_PUSH(&page->rests);
		if (!rest)
			return false;
		*rest = (struct rest){ .file = key[0], .object = key[1] };
	}
	if (number == IC_NONE)
		return false;
	page->rests.items[number].count++;
	page->rests.items[number].self += row->self;
	page->rests.items[number].inlined += row->self_inlined;
	return true;
}

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
	return row->what == IC_SIZES_BY_FUNCTION || !row->decl_file ? "??" : row->decl_file;
}

static void write_size(struct ic_writer *writer, const struct ic_size_row *row)
{
	struct ic_output *output = &writer->output;

	if (row->what == IC_SIZES_OF_ALL)
		return;
	if (writer->page->function_count >= MOST_FUNCTIONS &&
	    (row->which == IC_SIZE_FUNCTION || row->which == IC_SIZE_SYMBOL)) {
		writer->page->out_of_memory |= !add_rest(writer, row);
		return;
	}
	begin_named(writer, size_name(row), row->decl_file, row->decl_line, row->file);
	write_known(output, row->self);
	write_known(output, row->self_inlined);
	write_known(output, row->total);
	write_known(output, row->copies);
	ic_output_char(output, ',');
	if (row->saving == IC_SIZE_NONE)
		ic_output_text(output, "null");
	else
		write_number(output, row->saving);
	end_function(writer);
}

static void write_rests(struct ic_writer *writer)
{
	const struct ic_page_writer *page = writer->page;
	char name[64];

	for (uint32_t i = 0; i < page->rests.count; i++) {
		const struct rest *rest = &page->rests.items[i];
		snprintf(name, sizeof(name), "(%" PRIu64 " smaller functions)", rest->count);
		begin_function(writer, text_number(writer, name), rest->file, 0, rest->object);
		write_known(&writer->output, rest->self);
		write_known(&writer->output, rest->inlined);
		ic_output_text(&writer->output, ",null,null,null");
		end_function(writer);
	}
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
	begin_named(writer, name, row->decl_file, row->decl_line, row->file);
	write_known(&writer->output, row->copies);
	write_known(&writer->output, row->self_bytes);
	write_known(&writer->output, row->bytes);
	write_known(&writer->output, row->callers);
	end_function(writer);
}

// ---- Trees

// The number of the function of an instance in the page.
static uint32_t function_of(struct ic_writer *writer, const struct ic_tree_row *row)
{
	struct ic_page_writer *page = writer->page;
	const int64_t key[] = { text_number(writer, row->function),
				text_number(writer, row->decl_file), row->decl_line };
	uint32_t number = ic_byte_pool_add(&page->keys, key, sizeof(key));

	page->out_of_memory |= number == IC_NONE;
	if (number == page->function_count) {
		begin_named(writer, row->function, row->decl_file, row->decl_line, row->file);
		ic_output_text(&writer->output, ",0,0");
		end_function(writer);
	}
	return number;
}

static bool add_number(struct ic_page_writer *page, uint64_t number)
{
	uint64_t *place = IC_ARRAY_PUSH(&page->nodes);

	if (place)
		*place = number;
	return place != NULL;
}

static void write_instance(struct ic_writer *writer, const struct ic_tree_row *row)
{
	struct ic_page_writer *page = writer->page;

	if (page->nodes.count / 4 >= MOST_NODES) {
		page->left_out++;
		return;
	}
	uint64_t own = row->own_bytes == UINT64_MAX ? 0 : row->own_bytes;
	page->out_of_memory |=
		!add_number(page, row->depth) || !add_number(page, function_of(writer, row)) ||
		!add_number(page, row->inlined ? IC_PAGE_INLINED : 0) || !add_number(page, own);
}

static void write_nodes(struct ic_writer *writer)
{
	const struct ic_page_writer *page = writer->page;

	for (uint32_t i = 0; i < page->nodes.count; i++) {
		if (i > 0)
			ic_output_text(&writer->output, i % 4 == 0 ? ",\n" : ",");
		ic_output_decimal(&writer->output, page->nodes.items[i]);
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
		write_size(writer, size);
		break;
	case IC_ROWS_TREES:
		note_file(writer->page, tree->file);
		write_instance(writer, tree);
		break;
	default:
		note_file(writer->page, statistic->file);
		write_statistic(writer, statistic);
		break;
	}
}

static bool end_page(struct ic_writer *writer)
{
	struct ic_output *output = &writer->output;
	struct ic_page_writer *page = writer->page;
	char note[96];

	begin_page(writer);
	write_rests(writer);
	ic_output_text(output, "],\n\"nodes\":[");
	write_nodes(writer);
	ic_output_text(output, "],\n\"notes\":[");
	if (page->left_out > 0) {
		snprintf(note, sizeof(note), "%" PRIu64 " more are not shown", page->left_out);
		ic_json_script_text(output, note);
	}
	if (page->rests.count > 0)
		ic_json_script_text(output,
				    "The smallest functions of each source file are added up");
	ic_output_text(output, "],\n\"title\":");
	write_title(writer);
	ic_output_text(output, ",\n\"texts\":");
	ic_page_texts(output, &page->texts);
	ic_output_char(output, '}');
	ic_page_end(output);
	return !page->out_of_memory && !page->texts.out_of_memory;
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
	IC_ARRAY_FREE(&writer->page->rests);
	IC_ARRAY_FREE(&writer->page->nodes);
	free(writer->page);
}
