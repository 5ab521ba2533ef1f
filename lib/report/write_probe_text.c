// The default form of probes: what the tracer takes, with comments of its language between
// (docs/formats/text.md).
#include "probe/tracer.h"
#include "report/words.h"
#include "report/writers.h"

#include <string.h>

enum { LONGEST_COMMENT = 1000 }; // the kernel takes lines of up to 4 KiB

// A text from a file in a comment: it ends neither the comment nor the line, nor continues it.
static void write_quoted(struct ic_output *output, const char *text)
{
	size_t length = 0;

	for (; *text && length < LONGEST_COMMENT; text++, length++) {
		unsigned char byte = (unsigned char)*text;
		bool is_slash = byte == '/' && length > 0 && text[-1] == '*';
		ic_output_char(output, byte < 0x20 || byte == 0x7f || byte == '\\' || is_slash
					       ? '?'
					       : *text);
	}
	if (*text)
		ic_output_text(output, "...");
}

static void write_call(struct ic_output *output, const struct ic_probe_row *row)
{
	write_quoted(output, row->function ? row->function : "??");
	if (!row->inlined) {
		const char *symbol =
			ic_words_other_symbol(row->function, row->linkage_name, row->symbol);
		ic_output_text(output, ", out of line");
		if (symbol) {
			ic_output_text(output, ", ");
			write_quoted(output, symbol);
		}
		return;
	}
	ic_output_text(output, ", called at ");
	write_quoted(output, row->call_file ? row->call_file : "??");
	ic_output_char(output, ':');
	ic_output_decimal(output, row->call_line);
	ic_output_text(output, " in ");
	write_quoted(output, row->host ? row->host : "??");
}

// "ring.c:14 in ring_put, called at ring.c:23 in queue_send"
static void write_frames(struct ic_output *output, const struct ic_probe_row *row)
{
	for (size_t i = 0; i < row->frame_count; i++) {
		const struct ic_frame *frame = &row->frames[i];

		if (i > 0)
			ic_output_text(output, ", called at ");
		write_quoted(output, frame->file ? frame->file : "??");
		ic_output_char(output, ':');
		ic_output_decimal(output, frame->line);
		ic_output_text(output, " in ");
		write_quoted(output, frame->function ? frame->function : "??");
	}
	if (row->frame_count == 0)
		ic_output_text(output, "??");
}

static void write_at(struct ic_output *output, const struct ic_probe_row *row)
{
	if (!row->at || strcmp(row->at, "entry") == 0 || strcmp(row->at, "line") == 0 ||
	    strcmp(row->at, "elsewhere") == 0)
		return;
	if (!row->definition) {
		ic_output_text(output, ", its exits");
		return;
	}
	ic_output_text(output, ", left: ");
	ic_output_text(output, row->at);
}

static void write_comment(struct ic_output *output, const struct ic_tracer_row *tracer,
			  const char *words, const char *text)
{
	ic_output_text(output, tracer->comment);
	ic_output_text(output, words);
	write_quoted(output, text);
	ic_output_text(output, tracer->comment_end);
	ic_output_char(output, '\n');
}

static void begin(struct ic_writer *writer, const struct ic_tracer_row *tracer)
{
	if (!writer->is_new_part)
		return;
	writer->is_new_part = false;
	if (writer->part)
		write_comment(&writer->output, tracer, "", writer->part);
	if (tracer->first) {
		ic_output_text(&writer->output, tracer->first);
		ic_output_char(&writer->output, '\n');
	}
}

static void write_row(struct ic_writer *writer, const void *data)
{
	const struct ic_probe_row *row = data;
	const struct ic_tracer_row *tracer = ic_tracer_row(row->for_tracer);
	struct ic_output *output = &writer->output;

	if (!tracer) // a row of another library
		return;
	begin(writer, tracer);
	ic_output_text(output, tracer->comment);
	if (row->frames)
		write_frames(output, row);
	else
		write_call(output, row);
	write_at(output, row);
	ic_output_text(output, tracer->comment_end);
	ic_output_char(output, '\n');
	if (row->doubt)
		write_comment(output, tracer, "not certain: ", row->doubt);
	if (row->left_out)
		write_comment(output, tracer, "without ", row->left_out);
	if (row->definition) {
		ic_output_text(output, row->definition);
		ic_output_char(output, '\n');
	} else {
		write_comment(output, tracer, "not probed: ", row->why_not ? row->why_not : "?");
	}
}

void ic_writer_init_probe_text(struct ic_writer *writer)
{
	writer->write = write_row;
}
