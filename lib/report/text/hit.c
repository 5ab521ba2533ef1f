// The text format of traced calls, a line each (docs/formats/text.md).
#include <inttypes.h>
#include <stdio.h>
#include <time.h>

#include "report/rows/words.h"
#include "report/text/hit.h"

void ic_write_microseconds(struct ic_output *output, uint64_t nanoseconds)
{
	char text[32];

	snprintf(text, sizeof(text), "%" PRIu64 ".%03" PRIu64 " us", nanoseconds / 1000,
		 nanoseconds % 1000);
	ic_output_text(output, text);
}

void ic_write_copy(struct ic_writer *writer, const char *function, const char *linkage_name,
		   const struct ic_row_copy *copy)
{
	const char *symbol = ic_words_other_symbol(function, linkage_name, copy->symbol);
	struct ic_output *output = &writer->output;
	const char *file = copy->call_file;
	uint32_t line = copy->call_line, column = copy->call_column;

	if (copy->source) {
		ic_output_char(output, ' ');
		ic_words_place(output, copy->source, copy->line, copy->column);
	}
	if (!copy->inlined) {
		if (symbol) {
			ic_output_text(output, " out of line, ");
			ic_output_printable(output, symbol);
		}
		return;
	}
	for (size_t i = 0; i <= copy->chain_count; i++) {
		bool is_host = i == copy->chain_count;
		ic_output_text(output, " < ");
		if (is_host)
			ic_words_begin_paint(output, writer->options.colors, IC_PAINT_CALLER);
		ic_words_function(output, is_host ? copy->host : copy->chain[i].function);
		if (is_host)
			ic_words_end_paint(output, writer->options.colors);
		ic_output_char(output, ' ');
		ic_words_place(output, file, line, column);
		if (is_host)
			break;
		file = copy->chain[i].call_file;
		line = copy->chain[i].call_line;
		column = copy->chain[i].call_column;
	}
}

static void write_value(struct ic_output *output, const struct ic_row_traced *value)
{
	if (value->text) {
		ic_output_printable(output, value->text);
		return;
	}
	ic_output_char(output, '<');
	ic_output_text(output, value->why ? value->why : "unavailable");
	ic_output_char(output, '>');
}

static void write_values(struct ic_output *output, const struct ic_row_traced *list, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		ic_output_text(output, i > 0 ? ", " : "");
		ic_output_printable(output, list[i].name ? list[i].name : "_");
		ic_output_char(output, '=');
		write_value(output, &list[i]);
	}
}

static void write_arguments(struct ic_output *output, const struct ic_hit_row *row)
{
	ic_output_char(output, '(');
	write_values(output, row->arguments, row->argument_count);
	ic_output_text(output, row->variable_count > 0 ? "; " : "");
	write_values(output, row->variables, row->variable_count);
	ic_output_text(output, row->arguments ? ")" : "?)");
}

static void write_exit(struct ic_output *output, const struct ic_hit_row *row)
{
	ic_output_text(output, "() left after ");
	ic_write_microseconds(output, row->duration);
	ic_output_text(output, " (");
	ic_output_text(output, row->exit);
	ic_output_char(output, ')');
	if (!row->has_result)
		return;
	ic_output_text(output, " = ");
	write_value(output, &row->result);
}

static void write_callers(struct ic_writer *writer, const struct ic_hit_row *row)
{
	struct ic_output *output = &writer->output;

	for (size_t i = 0; i < row->caller_count; i++) {
		const struct ic_row_thread_frame *caller = &row->callers[i];
		char address[24];

		ic_output_text(output, " < ");
		if (!caller->function) {
			snprintf(address, sizeof(address), "0x%" PRIx64, caller->address);
			ic_output_text(output, address);
			continue;
		}
		ic_words_begin_paint(output, writer->options.colors, IC_PAINT_CALLER);
		ic_words_function(output, caller->function);
		ic_words_end_paint(output, writer->options.colors);
		ic_output_char(output, ' ');
		ic_words_place(output, caller->file, caller->line, caller->column);
	}
}

static void write_stack(struct ic_writer *writer, const struct ic_hit_row *row)
{
	struct ic_output *output = &writer->output;

	for (size_t i = 0; i < row->stack_count; i++) {
		ic_output_text(output, "    ");
		ic_write_frame(writer, &row->stack[i], i);
	}
	if (row->is_whole)
		return;
	ic_output_text(output, "    no more frames: ");
	ic_output_printable(output, row->stack_end ? row->stack_end : "?");
	ic_output_char(output, '\n');
}

// Writes seconds since the start, or the time of the clock.
static void put_time(const struct ic_hit_row *row, char text[64])
{
	time_t seconds = (time_t)(row->wall / 1000000000);
	struct tm local;

	if (row->shows_clock && localtime_r(&seconds, &local))
		snprintf(text, 64, "%02d:%02d:%02d.%06u ", local.tm_hour, local.tm_min,
			 local.tm_sec, (unsigned)(row->wall / 1000 % 1000000));
	else
		snprintf(text, 64, "%5" PRIu64 ".%06" PRIu64 " ", row->since / 1000000000,
			 row->since / 1000 % 1000000);
}

static void write_hit(struct ic_writer *writer, const void *data)
{
	const struct ic_hit_row *row = data;
	struct ic_output *output = &writer->output;
	char text[64];

	ic_writer_begin_line(writer);
	put_time(row, text);
	ic_output_text(output, text);
	ic_output_printable(output, row->command ? row->command : "?");
	snprintf(text, sizeof(text),
		 row->pid == row->tid ? " %" PRIu64 " " : " %" PRIu64 "/%" PRIu64 " ", row->pid,
		 row->tid);
	ic_output_text(output, text);
	ic_words_begin_paint(output, writer->options.colors, IC_PAINT_HEADING);
	ic_output_printable(output, row->function ? row->function : "??");
	ic_words_end_paint(output, writer->options.colors);
	if (row->exit)
		write_exit(output, row);
	else
		write_arguments(output, row);
	ic_write_copy(writer, row->function, row->linkage_name, &row->copy);
	if (!row->has_stack)
		write_callers(writer, row);
	ic_output_char(output, '\n');
	if (row->has_stack)
		write_stack(writer, row);
}

void ic_writer_init_hit_text(struct ic_writer *writer)
{
	writer->write = write_hit;
}
