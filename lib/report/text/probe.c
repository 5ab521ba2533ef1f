// The text format of probes: the tracer's syntax, interleaved with comments in its language
// (docs/formats/text.md).
#include "probe/tracer.h"
#include "report/rows/words.h"
#include "report/text/texts.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST_COMMENT = 1000 }; // the kernel accepts lines of up to 4 KiB

struct comment {
	struct ic_output *output;
	const struct ic_tracer_row *tracer;
	size_t left; // bytes left for texts from files
	bool is_cut;
};

static struct comment begin_comment(struct ic_output *output, const struct ic_tracer_row *tracer)
{
	ic_output_text(output, tracer->comment);
	return (struct comment){ output, tracer, LONGEST_COMMENT, false };
}

static void end_comment(const struct comment *comment)
{
	if (comment->is_cut)
		ic_output_text(comment->output, "...");
	ic_output_text(comment->output, comment->tracer->comment_end);
	ic_output_char(comment->output, '\n');
}

static void write_words(struct comment *comment, const char *words)
{
	if (!comment->is_cut)
		ic_output_text(comment->output, words);
}

// Whether a character could end the comment or its line, or continue it: a backslash, which C also
// spells as a trigraph. An interactive shell may not recognise comments, and run them.
static bool is_special(const struct comment *comment, const char *text, size_t at)
{
	return text[at] == '\\' ||
	       (text[at] == '/' && at > 0 &&
		(text[at - 1] == '*' || (at > 1 && text[at - 1] == '?' && text[at - 2] == '?'))) ||
	       (comment->tracer->is_of_shell && strchr("!\"#$&'()*;<=>?[]^`{|}~", text[at]));
}

// Writes a text that comes from a file.
static void write_quoted(struct comment *comment, const char *text)
{
	char quoted[LONGEST_COMMENT];
	size_t length = 0;

	for (; text[length] && length < comment->left; length++)
		quoted[length] = is_special(comment, text, length) ? '?' : text[length];
	if (!comment->is_cut)
		ic_output_printable_bytes(comment->output, quoted, length);
	comment->left -= length;
	comment->is_cut |= text[length] != 0;
}

static void write_line_number(struct comment *comment, uint32_t line)
{
	char text[16];

	snprintf(text, sizeof(text), ":%" PRIu32, line);
	write_words(comment, text);
}

static void write_call(struct comment *comment, const struct ic_probe_row *row)
{
	write_quoted(comment, row->function ? row->function : "??");
	if (!row->inlined) {
		const char *symbol =
			ic_words_other_symbol(row->function, row->linkage_name, row->symbol);
		write_words(comment, ", out of line");
		if (symbol) {
			write_words(comment, ", ");
			write_quoted(comment, symbol);
		}
		return;
	}
	write_words(comment, ", called at ");
	write_quoted(comment, row->call_file ? row->call_file : "??");
	write_line_number(comment, row->call_line);
	write_words(comment, " in ");
	write_quoted(comment, row->host ? row->host : "??");
}

// "ring.c:14 in ring_put, called at ring.c:23 in queue_send"
static void write_frames(struct comment *comment, const struct ic_probe_row *row)
{
	for (size_t i = 0; i < row->frame_count; i++) {
		const struct ic_frame *frame = &row->frames[i];

		if (i > 0)
			write_words(comment, ", called at ");
		write_quoted(comment, frame->file ? frame->file : "??");
		write_line_number(comment, frame->line);
		write_words(comment, " in ");
		write_quoted(comment, frame->function ? frame->function : "??");
	}
	if (row->frame_count == 0)
		write_words(comment, "??");
}

static void write_at(struct comment *comment, const struct ic_probe_row *row)
{
	if (!row->at || strcmp(row->at, "entry") == 0 || strcmp(row->at, "line") == 0 ||
	    strcmp(row->at, "elsewhere") == 0)
		return;
	if (!row->definition) {
		write_words(comment, ", its exits");
		return;
	}
	write_words(comment, ", left: ");
	write_words(comment, row->at);
}

static void write_comment(struct ic_output *output, const struct ic_tracer_row *tracer,
			  const char *words, const char *text)
{
	struct comment comment = begin_comment(output, tracer);

	write_words(&comment, words);
	write_quoted(&comment, text);
	end_comment(&comment);
}

static void begin_text(struct ic_writer *writer, const struct ic_tracer_row *tracer)
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

	if (!tracer) // a row from another library
		return;
	begin_text(writer, tracer);
	struct comment comment = begin_comment(output, tracer);
	if (row->frames)
		write_frames(&comment, row);
	else
		write_call(&comment, row);
	write_at(&comment, row);
	end_comment(&comment);
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
	writer->write_left_out = NULL; // the text is for tracers
}
