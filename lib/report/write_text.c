// The default form: a heading a function, a line a range of code (docs/formats/text.md).
#include "report/site_row.h"
#include "report/words.h"
#include "report/writers.h"

static void begin_paint(struct ic_writer *writer, const char *paint)
{
	ic_words_begin_paint(&writer->output, writer->options->colors, paint);
}

static void end_paint(struct ic_writer *writer)
{
	ic_words_end_paint(&writer->output, writer->options->colors);
}

static void write_address(struct ic_output *output, const char *section, uint64_t addr)
{
	if (addr == IC_NO_ADDR)
		ic_output_char(output, '?');
	else
		ic_words_address(output, section, addr);
}

static void write_range(struct ic_writer *writer, const char *section, struct ic_range range)
{
	struct ic_output *output = &writer->output;

	ic_output_char(output, '\t');
	begin_paint(writer, IC_PAINT_ADDRESS);
	ic_output_char(output, '[');
	write_address(output, section, range.start);
	ic_output_text(output, " - ");
	write_address(output, section, range.end);
	ic_output_char(output, ']');
	end_paint(writer);
}

static void write_callers(struct ic_writer *writer, const struct ic_site_row *row,
			  const char *symbol)
{
	const struct ic_chain_row *chain = row->chain.rows;

	for (size_t i = 0; writer->options->chain && i < row->chain.count; i++) {
		ic_words_function(&writer->output, chain[i].function);
		ic_output_text(&writer->output, " < ");
	}
	begin_paint(writer, IC_PAINT_CALLER);
	ic_words_function(&writer->output, symbol ? symbol : row->host);
	end_paint(writer);
}

static void write_line(struct ic_writer *writer, const struct ic_site_row *row, const char *section,
		       struct ic_range range, const char *symbol)
{
	struct ic_output *output = &writer->output;

	write_range(writer, section, range);
	ic_output_char(output, '\t');
	if (row->kind == IC_SITE_OUT_OF_LINE)
		ic_output_char(output, '-');
	else
		ic_words_position(output, row->call_file, row->call_line);
	ic_output_char(output, '\t');
	write_callers(writer, row, symbol);
	if (row->kind == IC_SITE_OUT_OF_LINE)
		ic_output_text(output, "\tout of line");
	else if (row->kind == IC_SITE_CALL)
		ic_output_text(output, row->tail ? "\ttail call" : "\tcall");
	ic_output_char(output, '\n');
}

static void write_heading(struct ic_writer *writer, const struct ic_site_row *row)
{
	if (writer->any_heading && writer->last_function_off == row->function_off)
		return;
	writer->any_heading = true;
	writer->last_function_off = row->function_off;
	begin_paint(writer, IC_PAINT_HEADING);
	ic_words_position(&writer->output, row->decl_file, row->decl_line);
	end_paint(writer);
	if (writer->options->names) {
		ic_output_char(&writer->output, '\t');
		ic_words_function(&writer->output, row->function);
	}
	ic_output_char(&writer->output, '\n');
}

static bool begin_text(struct ic_row_sink *sink, const struct ic_schema *schema,
		       struct ic_error *err)
{
	(void)sink, (void)schema, (void)err;
	return true;
}

static bool text_row(struct ic_row_sink *sink, const struct ic_schema *schema, const void *data,
		     struct ic_error *err)
{
	struct ic_writer *writer = (struct ic_writer *)sink;
	const struct ic_site_row *row = data;
	(void)schema, (void)err;

	if (row->kind == IC_SITE_CALL) {
		write_heading(writer, row);
		write_line(writer, row, row->section,
			   (struct ic_range){ row->entry, row->return_addr }, row->symbol);
		return true;
	}
	for (size_t i = 0; i < row->ranges.count; i++) {
		const struct ic_row_range *range = &row->ranges.ranges[i];

		write_heading(writer, row);
		write_line(writer, row, range->section ? range->section : row->section,
			   range->range, range->symbol);
	}
	return true;
}

static bool end_text(struct ic_row_sink *sink, struct ic_error *err)
{
	return ic_output_finish(&((struct ic_writer *)sink)->output, err);
}

void ic_writer_init_text(struct ic_writer *writer)
{
	writer->sink = (struct ic_row_sink){ begin_text, text_row, end_text };
}
