// JUnit's XML, as Jenkins and GitLab read it: a test case for each rule, and a failure with its
// places.
#include "report/checks/checks.h"
#include "report/checks/sentence.h"

#include "text/text.h"

// Control characters other than blanks are not allowed in XML, not even as references; nor are
// bytes that are not UTF-8.
static void write_xml(struct ic_output *output, const char *text)
{
	for (size_t size; *text; text += size) {
		size = ic_text_character(text);
		if (size == 0 || (unsigned char)*text < 0x20 || *text == 0x7f) {
			size = 1;
			ic_output_char(output, '?');
		} else if (*text == '<') {
			ic_output_text(output, "&lt;");
		} else if (*text == '>') {
			ic_output_text(output, "&gt;");
		} else if (*text == '&') {
			ic_output_text(output, "&amp;");
		} else if (*text == '"') {
			ic_output_text(output, "&quot;");
		} else {
			ic_output_bytes(output, text, size);
		}
	}
}

// Ends the test case of the rule before.
static void end_case(struct ic_writer *writer)
{
	if (writer->is_new_table)
		ic_output_text(&writer->output, "</failure></testcase>\n");
	writer->is_new_table = false;
}

static void write_rule(struct ic_writer *writer, const struct ic_rule_row *row)
{
	struct ic_output *output = &writer->output;
	char sentence[IC_SENTENCE_SIZE];

	end_case(writer);
	ic_output_text(output, "<testcase classname=\"");
	write_xml(output, row->rule_file ? row->rule_file : "rules");
	ic_output_text(output, "\" name=\"");
	write_xml(output, row->rule);
	if (row->which == IC_RULE_KEPT) {
		ic_output_text(output, "\"/>\n");
		return;
	}
	ic_rule_sentence(row, sentence);
	ic_output_text(output, "\"><failure message=\"");
	write_xml(output, sentence);
	ic_output_text(output, "\">");
	if (row->reason)
		write_xml(output, row->reason);
	writer->is_new_table = true; // it is ended later
}

static void write_place(struct ic_output *output, const struct ic_rule_row *row)
{
	char sentence[IC_SENTENCE_SIZE];
	uint32_t line;
	const char *file = ic_rule_place_file(row, &line);

	ic_rule_place_sentence(row, sentence);
	ic_output_char(output, '\n');
	write_xml(output, file ? file : "??");
	ic_output_char(output, ':');
	ic_output_decimal(output, line);
	ic_output_text(output, ": ");
	write_xml(output, sentence);
}

static void write_row(struct ic_writer *writer, const void *data)
{
	const struct ic_rule_row *row = data;
	struct ic_output *output = &writer->output;

	if (row->is_total) {
		ic_output_text(output, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"
				       "<testsuite name=\"inlinecall check\" tests=\"");
		ic_output_decimal(output, row->rules);
		ic_output_text(output, "\" failures=\"");
		ic_output_decimal(output, row->rules - row->kept);
		ic_output_text(output, "\" errors=\"0\">\n");
	} else if (row->is_place) {
		write_place(output, row);
	} else {
		write_rule(writer, row);
	}
}

static bool end_suite(struct ic_writer *writer)
{
	end_case(writer);
	ic_output_text(&writer->output, "</testsuite>\n</testsuites>\n");
	return true;
}

void ic_writer_init_junit(struct ic_writer *writer)
{
	writer->write = write_row;
	writer->end = end_suite;
}
