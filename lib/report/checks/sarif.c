// SARIF 2.1.0 (OASIS): a result for each place where a rule is broken.
#include <string.h>

#include "report/checks/checks.h"
#include "report/checks/sentence.h"
#include "text/json_text.h"

#include <inlinecall/version.h>

// A path as a URI reference (RFC 3986): others than unreserved characters and slashes are escaped.
static void write_uri(struct ic_output *output, const char *path)
{
	static const char digits[] = "0123456789ABCDEF", plain[] = "-._~/+@";

	ic_output_char(output, '"');
	if (path[0] == '/')
		ic_output_text(output, "file://");
	for (; *path; path++) {
		unsigned char byte = (unsigned char)*path;
		if ((byte >= '0' && byte <= '9') || (byte >= 'A' && byte <= 'Z') ||
		    (byte >= 'a' && byte <= 'z') || strchr(plain, byte)) {
			ic_output_char(output, (char)byte);
			continue;
		}
		ic_output_char(output, '%');
		ic_output_char(output, digits[byte >> 4]);
		ic_output_char(output, digits[byte & 15]);
	}
	ic_output_char(output, '"');
}

static void write_location(struct ic_output *output, const struct ic_rule_row *row)
{
	uint32_t line;
	const char *file = ic_rule_place_file(row, &line);

	ic_output_text(output, "[{\"physicalLocation\":{\"artifactLocation\":{\"uri\":");
	write_uri(output, file ? file : "unknown");
	ic_output_char(output, '}');
	if (line > 0) {
		ic_output_text(output, ",\"region\":{\"startLine\":");
		ic_output_decimal(output, line);
		if (row->is_place && row->call_column > 0) {
			ic_output_text(output, ",\"startColumn\":");
			ic_output_decimal(output, row->call_column);
		}
		ic_output_char(output, '}');
	}
	ic_output_char(output, '}');
	if (row->is_place && row->host) {
		ic_output_text(output, ",\"logicalLocations\":[{\"kind\":\"function\",\"name\":");
		ic_json_text(output, row->host);
		ic_output_text(output, "}]");
	}
	ic_output_text(output, "}]");
}

static void write_result(struct ic_writer *writer, const struct ic_rule_row *row,
			 char sentence[IC_SENTENCE_SIZE])
{
	struct ic_output *output = &writer->output;

	ic_output_text(output, writer->is_new_table ? "\n" : ",\n");
	writer->is_new_table = false;
	ic_output_text(output, "{\"ruleId\":");
	ic_json_text(output, row->rule);
	ic_output_text(output, ",\"level\":\"error\",\"message\":{\"text\":");
	ic_json_text(output, sentence);
	ic_output_text(output, "},\"locations\":");
	write_location(output, row);
	ic_output_text(output, ",\"properties\":{\"state\":");
	ic_json_text(output, row->state);
	if (row->reason) {
		ic_output_text(output, ",\"reason\":");
		ic_json_text(output, row->reason);
	}
	if (row->is_place && row->file) {
		ic_output_text(output, ",\"binary\":");
		ic_json_text(output, row->file);
	}
	ic_output_text(output, "}}");
}

static void write_row(struct ic_writer *writer, const void *data)
{
	const struct ic_rule_row *row = data;
	char sentence[IC_SENTENCE_SIZE];

	if (row->is_total) {
		ic_output_text(&writer->output,
			       "{\"$schema\":\"https://json.schemastore.org/sarif-2.1.0.json\","
			       "\"version\":\"2.1.0\",\"runs\":[{\"results\":[");
		writer->is_new_table = true;
	} else if (row->is_place) {
		ic_rule_place_sentence(row, sentence);
		write_result(writer, row, sentence);
	} else if (row->which != IC_RULE_KEPT && row->breaks == 0) { // it has no place
		ic_rule_sentence(row, sentence);
		write_result(writer, row, sentence);
	}
}

static bool end_run(struct ic_writer *writer)
{
	ic_output_text(&writer->output,
		       "],\n\"tool\":{\"driver\":{\"name\":\"inlinecall\",\"version\":");
	ic_json_text(&writer->output, ic_version());
	ic_output_text(&writer->output, "}}}]}\n");
	return true;
}

void ic_writer_init_sarif(struct ic_writer *writer)
{
	writer->write = write_row;
	writer->end = end_run;
}
