// The text format of rules: how many are kept, and where the others are broken
// (docs/formats/text.md).
#include "report/checks/sentence.h"
#include "report/rows/words.h"
#include "report/text/texts.h"

static void write_some(struct ic_output *output, uint64_t number, const char *what)
{
	if (number == 0)
		return;
	ic_output_text(output, ", ");
	ic_output_decimal(output, number);
	ic_output_text(output, what);
}

static void write_total(struct ic_output *output, const struct ic_rule_row *row)
{
	ic_output_decimal(output, row->rules);
	ic_output_text(output, row->rules == 1 ? " rule: " : " rules: ");
	ic_output_decimal(output, row->kept);
	ic_output_text(output, " kept");
	write_some(output, row->broken, " broken");
	write_some(output, row->unmatched, " unmatched");
	write_some(output, row->unknown, " unknown");
	ic_output_char(output, '\n');
}

static void write_rule(struct ic_writer *writer, const struct ic_rule_row *row)
{
	struct ic_output *output = &writer->output;
	char sentence[IC_SENTENCE_SIZE];

	ic_words_position(output, row->rule_file, row->rule_line);
	ic_output_text(output, ": ");
	ic_words_begin_paint(output, writer->options.colors, IC_PAINT_HEADING);
	ic_output_printable(output, row->rule);
	ic_words_end_paint(output, writer->options.colors);
	ic_rule_sentence(row, sentence);
	ic_output_text(output, ": ");
	ic_output_printable(output, sentence);
	if (row->reason) {
		ic_output_text(output, " (");
		ic_output_printable(output, row->reason);
		ic_output_char(output, ')');
	}
	ic_output_char(output, '\n');
}

static void write_place(struct ic_writer *writer, const struct ic_rule_row *row)
{
	struct ic_output *output = &writer->output;
	char sentence[IC_SENTENCE_SIZE];

	ic_output_char(output, '\t');
	ic_words_place(output, row->call_file, row->call_line, row->call_column);
	ic_output_char(output, '\t');
	ic_rule_place_sentence(row, sentence);
	ic_output_printable(output, sentence);
	ic_output_char(output, '\t');
	ic_output_printable(output, row->file);
	ic_output_char(output, '\t');
	if (row->address != IC_NO_ADDR)
		ic_words_address(output, row->section, row->address);
	else
		ic_output_char(output, '?');
	ic_output_char(output, '\n');
}

static void write_row(struct ic_writer *writer, const void *data)
{
	const struct ic_rule_row *row = data;

	if (row->is_total)
		write_total(&writer->output, row);
	else if (row->is_place)
		write_place(writer, row);
	else if (row->which != IC_RULE_KEPT)
		write_rule(writer, row);
}

void ic_writer_init_rule_text(struct ic_writer *writer)
{
	writer->write = write_row;
}
