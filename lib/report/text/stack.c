// The text format of stacks: a line per frame, the first one after the address; for the code of a
// source line, one line with the chain of its functions (docs/formats/text.md).
#include "report/rows/parameters_text.h"
#include "report/rows/words.h"
#include "report/text/texts.h"

static void write_range(struct ic_output *output, const struct ic_stack_row *row)
{
	ic_output_char(output, '[');
	ic_words_address(output, row->section, row->address);
	ic_output_text(output, " - ");
	ic_words_address(output, row->section, row->end);
	ic_output_char(output, ']');
}

static void write_address(struct ic_writer *writer, const struct ic_stack_row *row)
{
	ic_words_begin_paint(&writer->output, writer->options.colors, IC_PAINT_ADDRESS);
	if (row->input)
		ic_output_printable(&writer->output, *row->input ? row->input : "??");
	else if (row->is_line)
		write_range(&writer->output, row);
	else
		ic_words_address(&writer->output, row->section, row->address);
	ic_words_end_paint(&writer->output, writer->options.colors);
}

static void write_function(struct ic_writer *writer, const struct ic_frame *frame)
{
	ic_words_begin_paint(&writer->output, writer->options.colors, IC_PAINT_CALLER);
	if (frame->function)
		ic_words_function(&writer->output, frame->function);
	else
		ic_output_text(&writer->output, "??");
	ic_words_end_paint(&writer->output, writer->options.colors);
}

static void write_place(struct ic_output *output, const struct ic_frame *frame)
{
	ic_words_place(output, frame->file, frame->line, frame->column);
	if (frame->discriminator > 0) {
		ic_output_text(output, " (discriminator ");
		ic_output_decimal(output, frame->discriminator);
		ic_output_char(output, ')');
	}
}

// The position is the line's own; each function after the first has the position of its call of the
// previous one.
static void write_line(struct ic_writer *writer, const struct ic_stack_row *row)
{
	struct ic_output *output = &writer->output;

	ic_output_char(output, '\t');
	write_place(output, &row->frames[0]);
	ic_output_char(output, '\t');
	for (size_t i = 0; i < row->frame_count; i++) {
		if (i > 0)
			ic_output_text(output, " < ");
		write_function(writer, &row->frames[i]);
		if (i > 0) {
			ic_output_char(output, ' ');
			write_place(output, &row->frames[i]);
		}
	}
	ic_output_char(output, '\n');
}

// Readers tell from the last field whether there is another line, so the last frame is never marked
// as inlined, even if a broken file says so.
static void write_frame(struct ic_writer *writer, const struct ic_frame *frame, bool is_last)
{
	struct ic_output *output = &writer->output;

	ic_output_char(output, '\t');
	write_function(writer, frame);
	ic_output_char(output, '\t');
	write_place(output, frame);
	if (!is_last)
		ic_output_text(output, "\tinlined");
}

// Nothing is printed for a frame whose function is not in the debug information.
static void write_parameters(struct ic_output *output, const struct ic_stack_row *row,
			     const struct ic_row_frame *frame)
{
	const struct ic_parameters_shown shown = { frame->params,   frame->param_count,
						   frame->variadic, row->has_lists,
						   row->section,    row->params_address };

	if (frame->params || frame->is_undescribed)
		ic_parameters_write(output, &shown);
}

static void write_symbol(struct ic_output *output, const struct ic_stack_row *row)
{
	ic_output_text(output, "\t[");
	ic_output_printable(output, row->symbol);
	ic_output_char(output, '+');
	ic_output_hex(output, row->symbol_offset);
	ic_output_char(output, ']');
}

static void write_row(struct ic_writer *writer, const void *data)
{
	const struct ic_stack_row *row = data;

	ic_writer_begin_line(writer);
	write_address(writer, row);
	if (row->frame_count == 0)
		ic_output_text(&writer->output, "\t??\n");
	if (row->is_line && row->frame_count > 0) {
		write_line(writer, row);
		return;
	}
	for (size_t i = 0; i < row->frame_count; i++) {
		bool is_last = i + 1 == row->frame_count;
		write_frame(writer, &row->frames[i], is_last);
		if (is_last && row->is_renamed)
			write_symbol(&writer->output, row);
		ic_output_char(&writer->output, '\n');
		if (row->with_params)
			write_parameters(&writer->output, row, &row->with_params[i]);
	}
}

void ic_writer_init_stack_text(struct ic_writer *writer)
{
	writer->write = write_row;
}
