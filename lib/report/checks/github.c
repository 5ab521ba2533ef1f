// Workflow commands of GitHub Actions: an annotation for each place where a rule is broken.
#include "report/checks/checks.h"
#include "report/checks/sentence.h"

// In a property, ':' and ',' are escaped too.
static void write_escaped(struct ic_output *output, const char *text, bool is_property)
{
	for (; *text; text++) {
		switch (*text) {
		case '%': ic_output_text(output, "%25"); break;
		case '\r': ic_output_text(output, "%0D"); break;
		case '\n': ic_output_text(output, "%0A"); break;
		case ':': ic_output_text(output, is_property ? "%3A" : ":"); break;
		case ',': ic_output_text(output, is_property ? "%2C" : ","); break;
		default: ic_output_char(output, *text); break;
		}
	}
}

static void write_annotation(struct ic_output *output, const struct ic_rule_row *row,
			     const char *sentence)
{
	uint32_t line;
	const char *file = ic_rule_place_file(row, &line);

	ic_output_text(output, "::error ");
	if (file) {
		ic_output_text(output, "file=");
		write_escaped(output, file, true);
		ic_output_text(output, ",line=");
		ic_output_decimal(output, line > 0 ? line : 1);
		ic_output_char(output, ',');
	}
	ic_output_text(output, "title=");
	write_escaped(output, row->rule, true);
	ic_output_text(output, "::");
	write_escaped(output, sentence, false);
	if (row->reason) {
		ic_output_text(output, ": ");
		write_escaped(output, row->reason, false);
	}
	ic_output_char(output, '\n');
}

static void write_row(struct ic_writer *writer, const void *data)
{
	const struct ic_rule_row *row = data;
	char sentence[IC_SENTENCE_SIZE];

	if (row->is_total || (!row->is_place && row->which == IC_RULE_KEPT))
		return;
	if (row->is_place) {
		ic_rule_place_sentence(row, sentence);
		write_annotation(&writer->output, row, sentence);
	} else if (row->breaks == 0) { // it has no place
		ic_rule_sentence(row, sentence);
		write_annotation(&writer->output, row, sentence);
	}
}

void ic_writer_init_github(struct ic_writer *writer)
{
	writer->write = write_row;
}
