// The default form of counts: a line a function (docs/formats/text.md).
#include "report/count_row.h"
#include "report/words.h"
#include "report/writers.h"

static bool begin_text(struct ic_row_sink *sink, const struct ic_schema *schema,
		       struct ic_error *err)
{
	struct ic_writer *writer = (struct ic_writer *)sink;
	(void)schema, (void)err;

	ic_output_text(&writer->output, "INLINED\t    OUT\t  CALLS\t  BYTES\tFUNCTION\tPLACE\n");
	return true;
}

static bool text_row(struct ic_row_sink *sink, const struct ic_schema *schema, const void *data,
		     struct ic_error *err)
{
	struct ic_writer *writer = (struct ic_writer *)sink;
	struct ic_output *output = &writer->output;
	const struct ic_count_row *row = data;
	(void)schema, (void)err;

	if (row->inlined == 0 && row->out_of_line == 0 && row->calls == 0)
		return true;
	ic_words_number(output, row->inlined);
	ic_words_number(output, row->out_of_line);
	ic_words_number(output, row->calls);
	ic_words_number(output, row->bytes);
	ic_words_begin_paint(output, writer->options->colors, IC_PAINT_CALLER);
	ic_words_function(output, row->function);
	ic_words_end_paint(output, writer->options->colors);
	ic_output_char(output, '\t');
	ic_words_position(output, row->decl_file, row->decl_line);
	ic_output_char(output, '\n');
	return true;
}

static bool end_text(struct ic_row_sink *sink, struct ic_error *err)
{
	return ic_output_finish(&((struct ic_writer *)sink)->output, err);
}

void ic_writer_init_count_text(struct ic_writer *writer)
{
	writer->sink = (struct ic_row_sink){ begin_text, text_row, end_text };
}
