// The text format of trees: a line per instance, indented below its parent (docs/formats/text.md).
#include "report/rows/parameters_text.h"
#include "report/rows/words.h"
#include "report/text/texts.h"

struct branches {                // drawn before an instance, for each level of the tree
	const char *more, *last; // at its own level, with and without siblings below
	const char *past, *none; // at the levels around it, likewise
};

static const struct branches boxes = { "\u251c\u2500 ", "\u2514\u2500 ", "\u2502  ", "   " };
static const struct branches ascii = { "|- ", "`- ", "|  ", "   " };

static void write_entry(struct ic_writer *writer, const struct ic_tree_row *row)
{
	struct ic_output *output = &writer->output;
	uint64_t addr = row->entry;

	if (addr == IC_NO_ADDR && row->range_count > 0)
		addr = row->ranges[0].range.start;
	ic_words_begin_paint(output, writer->options.colors, IC_PAINT_ADDRESS);
	if (addr == IC_NO_ADDR)
		ic_output_char(output, '?');
	else
		ic_words_address(output, row->section, addr);
	ic_words_end_paint(output, writer->options.colors);
	ic_output_char(output, '\t');
}

// Not all levels are drawn: otherwise a file could make each of a million lines a megabyte long.
static void write_branch(struct ic_writer *writer, const struct ic_tree_row *row)
{
	const struct branches *branches = writer->options.box_lines ? &boxes : &ascii;
	uint32_t drawn = row->depth < IC_WRITER_MOST_LEVELS ? row->depth : IC_WRITER_MOST_LEVELS;

	if (row->depth == 0)
		return;
	writer->last[drawn - 1] = row->is_last;
	for (uint32_t i = 0; i + 1 < drawn; i++)
		ic_output_text(&writer->output, writer->last[i] ? branches->none : branches->past);
	ic_output_text(&writer->output, row->is_last ? branches->last : branches->more);
	if (row->depth > drawn) {
		ic_output_char(&writer->output, '(');
		ic_output_decimal(&writer->output, row->depth);
		ic_output_text(&writer->output, ") ");
	}
}

static void write_function(struct ic_writer *writer, const struct ic_tree_row *row)
{
	const char *paint = row->depth == 0 ? IC_PAINT_HEADING : IC_PAINT_CALLER;

	ic_words_begin_paint(&writer->output, writer->options.colors, paint);
	ic_words_function(&writer->output, row->function);
	ic_words_end_paint(&writer->output, writer->options.colors);
	ic_output_char(&writer->output, '\t');
}

static void write_position(struct ic_output *output, const struct ic_tree_row *row)
{
	if (row->inlined)
		ic_words_place(output, row->call_file, row->call_line, row->call_column);
	else
		ic_words_position(output, row->decl_file, row->decl_line);
}

static void write_ranges(struct ic_writer *writer, const struct ic_tree_row *row)
{
	struct ic_output *output = &writer->output;

	ic_words_begin_paint(output, writer->options.colors, IC_PAINT_ADDRESS);
	for (size_t i = 0; i < row->range_count; i++) {
		const struct ic_row_range *range = &row->ranges[i];
		const char *section = range->section ? range->section : row->section;

		ic_output_text(output, i > 0 ? " [" : "[");
		ic_words_address(output, section, range->range.start);
		ic_output_text(output, " - ");
		ic_words_address(output, section, range->range.end);
		ic_output_char(output, ']');
	}
	ic_words_end_paint(output, writer->options.colors);
}

// Only for a root: where all of it is, and what it is a part of.
static void write_root(struct ic_writer *writer, const struct ic_tree_row *row)
{
	ic_output_char(&writer->output, '\t');
	write_ranges(writer, row);
	if (row->inlined)
		ic_output_text(&writer->output, "\tin ");
	else if (row->is_clone)
		ic_output_text(&writer->output, "\tas ");
	if (row->inlined || row->is_clone)
		ic_words_function(&writer->output, row->symbol ? row->symbol : row->host);
}

static void write_row(struct ic_writer *writer, const void *data)
{
	const struct ic_tree_row *row = data;
	const struct ic_parameters_shown shown = { row->params,    row->param_count, row->variadic,
						   row->has_lists, row->section,     row->entry };

	if (ic_writer_begin_line(writer))
		ic_output_text(&writer->output,
			       "  BYTES\t    OWN\tADDRESS\tFUNCTION\tPLACE\tRANGES\n");
	ic_words_number(&writer->output, row->bytes);
	ic_words_number(&writer->output, row->own_bytes);
	write_entry(writer, row);
	write_branch(writer, row);
	write_function(writer, row);
	write_position(&writer->output, row);
	if (row->depth == 0)
		write_root(writer, row);
	else if (row->part)
		ic_output_text(&writer->output, "\tpart");
	ic_output_char(&writer->output, '\n');
	if (row->params || row->is_undescribed)
		ic_parameters_write(&writer->output, &shown);
}

void ic_writer_init_tree_text(struct ic_writer *writer)
{
	writer->write = write_row;
}
