// CSV as RFC 4180 has it, but with bare newlines: a heading, then a line a row. Lists are one cell:
// ranges are separated by blanks, the functions of a chain by " < ". The RFC allows no control
// characters, so they become question marks; JSON has them.
#include <string.h>

#include "report/writers.h"

// What stands between quotes.
static void write_quoted(struct ic_output *output, const char *text)
{
	const char *quote;

	for (; (quote = strchr(text, '"')); text = quote + 1) {
		ic_output_printable_bytes(output, text, (size_t)(quote - text));
		ic_output_text(output, "\"\"");
	}
	ic_output_printable(output, text);
}

static void write_cell(struct ic_output *output, const char *text)
{
	if (!strpbrk(text, ",\"")) {
		ic_output_printable(output, text);
		return;
	}
	ic_output_char(output, '"');
	write_quoted(output, text);
	ic_output_char(output, '"');
}

// Sections are named by whoever made the file: a cell that has one is quoted.
static void write_ranges(struct ic_output *output, const struct ic_row_ranges *ranges)
{
	bool quoted = false;

	for (size_t i = 0; i < ranges->count; i++)
		quoted |= ranges->ranges[i].section != NULL;
	if (quoted)
		ic_output_char(output, '"');
	for (size_t i = 0; i < ranges->count; i++) {
		if (i > 0)
			ic_output_char(output, ' ');
		if (ranges->ranges[i].section) {
			write_quoted(output, ranges->ranges[i].section);
			ic_output_char(output, '+');
		}
		ic_output_hex(output, ranges->ranges[i].range.start);
		ic_output_char(output, '-');
		ic_output_hex(output, ranges->ranges[i].range.end);
	}
	if (quoted)
		ic_output_char(output, '"');
}

// The first field of the items, which is their name. Always quoted: names of C++ have commas.
static void write_list(struct ic_output *output, const struct ic_row_list *list,
		       const struct ic_schema *schema)
{
	for (size_t i = 0; i < list->count; i++) {
		const char *row = (const char *)list->rows + i * list->row_size;
		const char *name = *(const char *const *)(row + schema->fields[0].at);

		ic_output_text(output, i > 0 ? " < " : "\"");
		write_quoted(output, name ? name : "");
	}
	if (list->count > 0)
		ic_output_char(output, '"');
}

static void write_field(struct ic_output *output, const struct ic_field *field, const void *row)
{
	const void *value = (const char *)row + field->at;

	switch (field->type) {
	case IC_FIELD_TEXT:
		if (*(const char *const *)value)
			write_cell(output, *(const char *const *)value);
		break;
	case IC_FIELD_ADDRESS:
		if (*(const uint64_t *)value != IC_NO_ADDR)
			ic_output_hex(output, *(const uint64_t *)value);
		break;
	case IC_FIELD_OFFSET: ic_output_hex(output, *(const uint64_t *)value); break;
	case IC_FIELD_COUNT:
		if (*(const uint32_t *)value)
			ic_output_decimal(output, *(const uint32_t *)value);
		break;
	case IC_FIELD_NUMBER: ic_output_decimal(output, *(const uint32_t *)value); break;
	case IC_FIELD_BYTES:
		if (*(const uint64_t *)value != IC_NO_ADDR)
			ic_output_decimal(output, *(const uint64_t *)value);
		break;
	case IC_FIELD_FLAG: ic_output_text(output, *(const bool *)value ? "true" : "false"); break;
	case IC_FIELD_RANGES: write_ranges(output, value); break;
	case IC_FIELD_LIST: write_list(output, value, field->items); break;
	}
}

static bool begin_csv(struct ic_row_sink *sink, const struct ic_schema *schema,
		      struct ic_error *err)
{
	struct ic_writer *writer = (struct ic_writer *)sink;
	(void)err;

	writer->columns = schema->field_count;
	for (size_t i = 0; !writer->options->no_csv_header && i < schema->field_count; i++) {
		if (i > 0)
			ic_output_char(&writer->output, ',');
		ic_output_text(&writer->output, schema->fields[i].key);
	}
	if (!writer->options->no_csv_header)
		ic_output_char(&writer->output, '\n');
	return true;
}

static bool csv_row(struct ic_row_sink *sink, const struct ic_schema *schema, const void *row,
		    struct ic_error *err)
{
	struct ic_writer *writer = (struct ic_writer *)sink;
	(void)err;

	for (size_t i = 0; i < writer->columns; i++) {
		if (i > 0)
			ic_output_char(&writer->output, ',');
		if (i < schema->field_count)
			write_field(&writer->output, &schema->fields[i], row);
	}
	ic_output_char(&writer->output, '\n');
	return true;
}

static bool end_csv(struct ic_row_sink *sink, struct ic_error *err)
{
	return ic_output_finish(&((struct ic_writer *)sink)->output, err);
}

void ic_writer_init_csv(struct ic_writer *writer)
{
	writer->sink = (struct ic_row_sink){ begin_csv, csv_row, end_csv };
}
