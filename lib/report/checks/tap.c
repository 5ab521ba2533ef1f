// The Test Anything Protocol, version 13 (testanything.org): a test for each rule, with the places
// where it is broken as comments.
#include "report/checks/checks.h"
#include "report/checks/sentence.h"

// "#" begins a directive.
static void write_description(struct ic_output *output, const char *text)
{
	for (; *text; text++) {
		if (*text == '#' || *text == '\\')
			ic_output_char(output, '\\');
		ic_output_printable_bytes(output, text, 1);
	}
}

static void write_rule(struct ic_output *output, const struct ic_rule_row *row)
{
	char sentence[IC_SENTENCE_SIZE];

	ic_output_text(output, row->which == IC_RULE_KEPT ? "ok " : "not ok ");
	ic_output_decimal(output, row->number);
	ic_output_text(output, " - ");
	write_description(output, row->rule);
	ic_output_char(output, '\n');
	if (row->which == IC_RULE_KEPT)
		return;
	ic_rule_sentence(row, sentence);
	ic_output_text(output, "# ");
	ic_output_printable(output, sentence);
	ic_output_char(output, '\n');
	if (row->reason) {
		ic_output_text(output, "# ");
		ic_output_printable(output, row->reason);
		ic_output_char(output, '\n');
	}
}

static void write_row(struct ic_writer *writer, const void *data)
{
	const struct ic_rule_row *row = data;
	struct ic_output *output = &writer->output;
	char sentence[IC_SENTENCE_SIZE];
	uint32_t line;

	if (row->is_total) {
		ic_output_text(output, "TAP version 13\n1..");
		ic_output_decimal(output, row->rules);
		ic_output_char(output, '\n');
	} else if (row->is_place) {
		const char *file = ic_rule_place_file(row, &line);
		ic_rule_place_sentence(row, sentence);
		ic_output_text(output, "#   ");
		ic_output_printable(output, sentence);
		ic_output_text(output, " at ");
		ic_output_printable(output, file ? file : "??");
		ic_output_char(output, ':');
		ic_output_decimal(output, line);
		ic_output_char(output, '\n');
	} else {
		write_rule(output, row);
	}
}

void ic_writer_init_tap(struct ic_writer *writer)
{
	writer->write = write_row;
}
