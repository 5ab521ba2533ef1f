// The text format of affected functions: what a file has of each, and the out-of-line functions
// that contain code of it (docs/formats/text.md).
#include <string.h>

#include "report/rows/words.h"
#include "report/text/texts.h"

#include <inlinecall/extra/affected_row.h>

static void write_count(struct ic_output *output, uint64_t number, const char *one,
			const char *many)
{
	ic_output_decimal(output, number);
	ic_output_text(output, number == 1 ? one : many);
}

static const char *state_words(const struct ic_affected_row *row)
{
	return strcmp(row->state, "inlined_only") == 0 ? "inlined only" : row->state;
}

// "inlined only, 3 copies, code in 2 functions"
static void write_state(struct ic_output *output, const struct ic_affected_row *row)
{
	ic_output_text(output, state_words(row));
	if (row->reason) {
		ic_output_text(output, ": ");
		ic_output_text(output, row->reason);
	}
	if (row->copies > 0) {
		ic_output_text(output, ", ");
		write_count(output, row->copies, " copy", " copies");
	}
	if (row->without_code > 0) {
		ic_output_text(output, ", ");
		write_count(output, row->without_code, " copy without code",
			    " copies without code");
	}
	if (row->hosts > 0) {
		ic_output_text(output, ", code in ");
		write_count(output, row->hosts, " function", " functions");
	}
}

static void write_function(struct ic_writer *writer, const struct ic_affected_row *row)
{
	struct ic_output *output = &writer->output;

	ic_words_begin_paint(output, writer->options.colors, IC_PAINT_HEADING);
	ic_words_function(output, row->function);
	ic_words_end_paint(output, writer->options.colors);
	if (row->decl_file) {
		ic_output_char(output, ' ');
		ic_words_position(output, row->decl_file, row->decl_line);
	}
	ic_output_text(output, ": ");
	write_state(output, row);
	ic_output_char(output, '\n');
	if (row->hosts > 0)
		ic_output_text(output, "  BYTES\tCOPIES\tADDRESS\tFUNCTION\tSYMBOLS\n");
}

static void write_host(struct ic_writer *writer, const struct ic_affected_row *row)
{
	struct ic_output *output = &writer->output;

	ic_words_number(output, row->bytes);
	if (row->own)
		ic_output_text(output, row->copies > 0 ? "own+" : "own");
	if (!row->own || row->copies > 0)
		ic_output_decimal(output, row->copies);
	ic_output_char(output, '\t');
	ic_words_begin_paint(output, writer->options.colors, IC_PAINT_ADDRESS);
	ic_words_address(output, row->section, row->address);
	ic_words_end_paint(output, writer->options.colors);
	ic_output_char(output, '\t');
	ic_words_begin_paint(output, writer->options.colors, IC_PAINT_CALLER);
	ic_words_function(output, row->host);
	ic_words_end_paint(output, writer->options.colors);
	for (size_t i = 0; i < row->symbol_count; i++) {
		ic_output_char(output, i == 0 ? '\t' : ' ');
		ic_output_printable(output, row->symbols[i].name);
	}
	ic_output_char(output, '\n');
}

// "in 3 of 5 files: 1 present, 2 inlined only; 1 unknown"
static void write_files(struct ic_output *output, const struct ic_affected_row *row)
{
	const struct {
		uint64_t number;
		const char *what;
	} parts[] = {
		{ row->present, " present" },
		{ row->inlined_only, " inlined only" },
		{ row->folded, " folded" },
		{ row->unknown, " unknown" },
	};
	const char *before = ": ";

	ic_output_text(output, "in ");
	ic_output_decimal(output, row->present + row->inlined_only + row->folded);
	ic_output_text(output, " of ");
	write_count(output, row->files, " file", " files");
	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
		if (parts[i].number == 0)
			continue;
		ic_output_text(output, before);
		ic_output_decimal(output, parts[i].number);
		ic_output_text(output, parts[i].what);
		before = ", ";
	}
}

static void write_total(struct ic_writer *writer, const struct ic_affected_row *row)
{
	struct ic_output *output = &writer->output;

	ic_words_function(output, row->function);
	ic_output_char(output, '\t');
	if (row->build) {
		ic_output_printable(output, row->build);
		ic_output_char(output, '\t');
	}
	ic_output_text(output, state_words(row));
	ic_output_char(output, '\t');
	write_files(output, row);
	ic_output_char(output, '\t');
	write_count(output, row->copies, " copy", " copies");
	ic_output_text(output, ", code in ");
	write_count(output, row->hosts, " function", " functions");
	ic_output_char(output, '\n');
}

static void write_row(struct ic_writer *writer, const void *data)
{
	const struct ic_affected_row *row = data;

	ic_writer_begin_line(writer);
	if (row->is_total)
		write_total(writer, row);
	else if (row->is_host)
		write_host(writer, row);
	else
		write_function(writer, row);
}

void ic_writer_init_affected_text(struct ic_writer *writer)
{
	writer->write = write_row;
}
