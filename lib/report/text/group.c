// The text format of the counts of traced calls, and of groups of them (docs/formats/text.md).
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/rows/words.h"
#include "report/text/hit.h"

// ---- Counts

// As ic_write_copy(), but "out of line" is always written.
static void write_place(struct ic_writer *writer, const char *function, const char *linkage_name,
			const struct ic_row_copy *copy)
{
	ic_words_function(&writer->output, function);
	if (!copy->inlined && !copy->source &&
	    !ic_words_other_symbol(function, linkage_name, copy->symbol))
		ic_output_text(&writer->output, " out of line");
	else
		ic_write_copy(writer, function, linkage_name, copy);
}

static void write_entry(struct ic_writer *writer, uint64_t entry)
{
	ic_words_begin_paint(&writer->output, writer->options.colors, IC_PAINT_ADDRESS);
	ic_output_hex(&writer->output, entry);
	ic_words_end_paint(&writer->output, writer->options.colors);
}

// Copies that were not called are only counted.
static void write_count(struct ic_writer *writer, const void *data)
{
	const struct ic_hit_count_row *row = data;
	struct ic_output *output = &writer->output;

	writer->total += row->hits;
	if (row->hits == 0 && !row->why_not && !row->copy.counted_elsewhere) {
		writer->left_out++;
		return;
	}
	writer->line_count++;
	ic_writer_begin_line(writer);
	ic_words_number(output, row->hits);
	write_entry(writer, row->copy.entry);
	ic_output_char(output, '\t');
	write_place(writer, row->function, row->linkage_name, &row->copy);
	if (row->copy.counted_elsewhere)
		ic_output_text(output, "\tcounted at another copy");
	if (row->why_not) {
		ic_output_text(output, "\tnot traced: ");
		ic_output_text(output, row->why_not);
	}
	ic_output_char(output, '\n');
}

static bool end_counts(struct ic_writer *writer)
{
	struct ic_output *output = &writer->output;
	char text[64];

	if (writer->line_count <= 1 && writer->left_out == 0)
		return true;
	ic_writer_begin_line(writer);
	ic_words_number(output, writer->total);
	ic_output_text(output, "total");
	snprintf(text, sizeof(text), ", %" PRIu64 " %s without calls", writer->left_out,
		 writer->left_out == 1 ? "copy" : "copies");
	ic_output_text(output, writer->left_out > 0 ? text : "");
	ic_output_char(output, '\n');
	return true;
}

// ---- Groups

static const double bar = 40; // characters for the largest bucket

// Writes a number: as it is, or one of nanoseconds.
static void write_number(struct ic_output *output, const struct ic_group_row *row,
			 const char *number)
{
	if (row->is_duration && number)
		ic_write_microseconds(output, strtoull(number, NULL, 10));
	else
		ic_output_text(output, number ? number : "-");
}

static void write_buckets(struct ic_output *output, const struct ic_group_row *row)
{
	uint64_t largest = 1;
	char text[64];

	for (size_t i = 0; i < row->bucket_count; i++)
		if (row->buckets[i].count > largest)
			largest = row->buckets[i].count;
	for (size_t i = 0; i < row->bucket_count; i++) {
		const struct ic_row_bucket *bucket = &row->buckets[i];
		uint64_t from = row->is_duration ? strtoull(bucket->from, NULL, 10) : 0;
		if (row->is_duration)
			snprintf(text, sizeof(text), "%16" PRIu64 ".%03" PRIu64 " us ", from / 1000,
				 from % 1000);
		else
			snprintf(text, sizeof(text), "%20s .. %-20s ", bucket->from, bucket->to);
		ic_output_text(output, text);
		ic_words_number(output, bucket->count);
		for (double sign = 0.5; sign < (double)bucket->count / (double)largest * bar;
		     sign++)
			ic_output_char(output, '#');
		ic_output_char(output, '\n');
	}
}

static void write_key(struct ic_writer *writer, const struct ic_group_row *row,
		      const struct ic_row_group_key *key)
{
	struct ic_output *output = &writer->output;

	ic_output_printable(output, key->name);
	ic_output_char(output, '=');
	if (key->kind == IC_TRACE_KEY_COPY && row->copy) {
		write_entry(writer, row->copy->entry);
		ic_output_char(output, ' ');
		write_place(writer, row->function, row->linkage_name, row->copy);
	} else if (key->text) {
		ic_output_printable(output, key->text);
	} else {
		ic_output_char(output, '<');
		ic_output_text(output, key->why ? key->why : "unknown");
		ic_output_char(output, '>');
	}
}

// The functions of a stack, a line each, the innermost first.
static void write_stack(struct ic_output *output, const char *stack)
{
	const char *end = stack + strlen(stack);

	while (end > stack) {
		const char *start = end;
		while (start > stack && start[-1] != ';')
			start--;
		ic_output_text(output, "            ");
		for (const char *letter = start; letter < end; letter++)
			ic_output_char(output, *letter);
		ic_output_char(output, '\n');
		end = start > stack ? start - 1 : stack;
	}
}

static bool is_stack(const struct ic_row_group_key *key)
{
	return key->kind == IC_TRACE_KEY_STACK && key->text;
}

static void write_keys(struct ic_writer *writer, const struct ic_group_row *row)
{
	bool is_first = true;

	for (size_t i = 0; i < row->key_count; i++) {
		if (is_stack(&row->keys[i]))
			continue;
		ic_output_text(&writer->output, is_first ? "" : "\t");
		write_key(writer, row, &row->keys[i]);
		is_first = false;
	}
	ic_output_text(&writer->output, is_first ? "stack" : "");
}

static void write_total(struct ic_writer *writer, const struct ic_group_row *row)
{
	struct ic_output *output = &writer->output;
	char text[96] = "";

	ic_output_text(output, "total");
	if (row->groups > writer->line_count) {
		snprintf(text, sizeof(text), " of %" PRIu64 " groups", row->groups);
		ic_output_text(output, text);
	}
	if (row->left_out > 0) {
		snprintf(text, sizeof(text), ", without %" PRIu64 " calls in no group",
			 row->left_out);
		ic_output_text(output, text);
	}
}

// With buckets the least, the most and the mean are in the line of the keys, otherwise in columns.
static void write_range(struct ic_output *output, const struct ic_group_row *row)
{
	if (!row->measure)
		return;
	ic_output_char(output, '\t');
	if (!row->is_duration) {
		ic_output_printable(output, row->measure);
		ic_output_text(output, row->least ? ": " : "");
	}
	if (!row->least)
		return;
	write_number(output, row, row->least);
	ic_output_text(output, " to ");
	write_number(output, row, row->most);
	ic_output_text(output, ", mean ");
	write_number(output, row, row->mean);
}

static void write_columns(struct ic_output *output, const struct ic_group_row *row)
{
	const char *const numbers[] = { row->sum, row->mean, row->least, row->most };

	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++) {
		write_number(output, row, numbers[i]);
		ic_output_char(output, '\t');
	}
}

static void write_group(struct ic_writer *writer, const void *data)
{
	const struct ic_group_row *row = data;
	struct ic_output *output = &writer->output;
	bool is_total = row->key_count == 0, has_columns = row->measure && !row->has_buckets;

	if (is_total && row->groups == 1 && row->left_out == 0) {
		writer->line_count = 0;
		return;
	}
	ic_writer_begin_line(writer);
	if (has_columns && writer->line_count == 0)
		ic_output_text(output, "  calls\tsum\tmean\tleast\tmost\n");
	ic_words_number(output, row->count);
	if (has_columns)
		write_columns(output, row);
	ic_words_begin_paint(output, writer->options.colors, IC_PAINT_HEADING);
	if (is_total)
		write_total(writer, row);
	else
		write_keys(writer, row);
	ic_words_end_paint(output, writer->options.colors);
	if (!has_columns)
		write_range(output, row);
	ic_output_char(output, '\n');
	for (size_t i = 0; i < row->key_count; i++)
		if (is_stack(&row->keys[i]))
			write_stack(output, row->keys[i].text);
	if (!is_total || row->groups > 1)
		write_buckets(output, row);
	writer->line_count = is_total ? 0 : writer->line_count + 1;
}

void ic_writer_init_group_text(struct ic_writer *writer)
{
	writer->write = write_group;
}

void ic_writer_init_hit_count_text(struct ic_writer *writer)
{
	writer->write = write_count;
	writer->end = end_counts;
}
