// The text format of counts: a line per function (docs/formats/text.md).
#include "report/rows/words.h"
#include "report/text/texts.h"

static void write_row(struct ic_writer *writer, const void *data)
{
	struct ic_output *output = &writer->output;
	const struct ic_count_row *row = data;

	if (row->inlined == 0 && row->out_of_line == 0 && row->calls == 0)
		return;
	if (ic_writer_begin_line(writer))
		ic_output_text(output, "INLINED\t    OUT\t  CALLS\t  BYTES\tFUNCTION\tPLACE\n");
	ic_words_number(output, row->inlined);
	ic_words_number(output, row->out_of_line);
	ic_words_number(output, row->calls);
	ic_words_number(output, row->bytes);
	ic_words_begin_paint(output, writer->options.colors, IC_PAINT_CALLER);
	ic_words_function(output, row->function);
	ic_words_end_paint(output, writer->options.colors);
	ic_output_char(output, '\t');
	ic_words_position(output, row->decl_file, row->decl_line);
	ic_output_char(output, '\n');
}

void ic_writer_init_count_text(struct ic_writer *writer)
{
	writer->write = write_row;
}
