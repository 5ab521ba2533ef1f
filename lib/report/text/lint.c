// The text format of lint findings: a line per rule and producer, and below it one per finding
// (docs/formats/text.md).
#include <string.h>

#include "report/rows/words.h"
#include "report/text/texts.h"

static void write_count(struct ic_writer *writer, const struct ic_lint_row *row)
{
	struct ic_output *output = &writer->output;
	bool colors = writer->options.colors;

	ic_output_text(output, row->severity);
	ic_output_char(output, '\t');
	ic_words_begin_paint(output, colors, IC_PAINT_HEADING);
	ic_output_text(output, row->rule);
	ic_words_end_paint(output, colors);
	ic_output_char(output, '\t');
	ic_output_decimal(output, row->count);
	ic_output_text(output, "\t");
	ic_output_printable(output, row->producer ? row->producer : "no producer");
	ic_output_text(output, "\t");
	ic_output_text(output, row->summary);
	ic_output_char(output, '\n');
}

static void write_finding(struct ic_writer *writer, const struct ic_lint_row *row)
{
	struct ic_output *output = &writer->output;

	ic_output_text(output, "  ");
	if (row->die_file) {
		ic_output_printable(output, row->die_file);
		ic_output_text(output, ": ");
	}
	ic_words_address(output, row->section, row->die);
	ic_output_char(output, '\t');
	ic_words_function(output, row->function);
	ic_output_char(output, '\t');
	if (row->source)
		ic_words_position(output, row->source, row->line);
	else
		ic_output_printable(output, row->unit ? row->unit : "??");
	ic_output_char(output, '\t');
	ic_output_printable(output, row->text);
	ic_output_char(output, '\n');
}

static void write_row(struct ic_writer *writer, const void *data)
{
	const struct ic_lint_row *row = data;

	ic_writer_begin_line(writer);
	if (strcmp(row->type, "count") == 0)
		write_count(writer, row);
	else
		write_finding(writer, row);
}

void ic_writer_init_lint_text(struct ic_writer *writer)
{
	writer->write = write_row;
}
