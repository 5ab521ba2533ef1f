// The text format of call frame information: a heading per FDE, and below it a line per range of
// addresses (docs/formats/text.md).
#include "report/rows/words.h"
#include "report/text/texts.h"

static void write_heading(struct ic_writer *writer, const struct ic_call_frame_rule_row *row)
{
	struct ic_output *output = &writer->output;

	ic_words_begin_paint(output, writer->options.colors, IC_PAINT_HEADING);
	ic_output_printable(output, row->function ? row->function : "??");
	ic_words_end_paint(output, writer->options.colors);
	ic_output_text(output, "\t");
	ic_words_address(output, row->table, row->fde);
	ic_output_text(output, row->is_signal ? "\tsignal frame\n" : "\n");
	writer->last_table = row->table;
	writer->last_fde = row->fde;
}

static void write_row(struct ic_writer *writer, const void *data)
{
	struct ic_output *output = &writer->output;
	const struct ic_call_frame_rule_row *row = data;

	// Section names are static, so pointers can be compared.
	if (ic_writer_begin_line(writer) || writer->last_table != row->table ||
	    writer->last_fde != row->fde)
		write_heading(writer, row);
	ic_output_text(output, "  ");
	ic_words_begin_paint(output, writer->options.colors, IC_PAINT_ADDRESS);
	ic_words_address(output, row->section, row->start);
	ic_output_char(output, '-');
	ic_output_hex(output, row->end);
	ic_words_end_paint(output, writer->options.colors);
	ic_output_text(output, "\tCFA=");
	ic_output_printable(output, row->cfa.text);
	if (row->rules_text) {
		ic_output_char(output, ' ');
		ic_output_printable(output, row->rules_text);
	}
	ic_output_char(output, '\n');
}

void ic_writer_init_call_frame_text(struct ic_writer *writer)
{
	writer->write = write_row;
	writer->last_table = NULL;
}
