// CSV as in RFC 4180, but with bare newlines: a heading, then a line per row. Lists are one cell:
// ranges are separated by blanks, the functions of a chain by " < ". The RFC allows no control
// characters, so they are replaced by question marks; JSON has them.
#include <string.h>

#include "report/writers/writer.h"

// Writes the text between the quotes.
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

// Files can name sections anything: a cell with a section name is quoted.
static void write_ranges(struct ic_output *output, const struct ic_row_range *ranges, size_t count)
{
	bool quoted = false;

	for (size_t i = 0; i < count; i++)
		quoted |= ranges[i].section != NULL;
	if (quoted)
		ic_output_char(output, '"');
	for (size_t i = 0; i < count; i++) {
		if (i > 0)
			ic_output_char(output, ' ');
		if (ranges[i].section) {
			write_quoted(output, ranges[i].section);
			ic_output_char(output, '+');
		}
		ic_output_hex(output, ranges[i].range.start);
		ic_output_char(output, '-');
		ic_output_hex(output, ranges[i].range.end);
	}
	if (quoted)
		ic_output_char(output, '"');
}

// Writes the first field of each item, its name. Always quoted: C++ names contain commas.
static void write_list(struct ic_output *output, const void *list, size_t count,
		       const struct ic_schema *schema)
{
	const char *items;

	memcpy(&items, list, sizeof(items)); // a pointer to items of any type
	for (size_t i = 0; i < count; i++) {
		const char *item = items + i * schema->row_size;
		const char *name = *(const char *const *)(item + schema->fields[0].at);

		ic_output_text(output, i > 0 ? " < " : "\"");
		write_quoted(output, name ? name : "");
	}
	if (count > 0)
		ic_output_char(output, '"');
}

static void write_field(struct ic_output *output, const struct ic_field *field, const char *row)
{
	const void *value = row + field->at;

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
	case IC_FIELD_RANGES:
		write_ranges(output, *(const struct ic_row_range *const *)value,
			     *(const size_t *)(row + field->count_at));
		break;
	case IC_FIELD_LIST:
		write_list(output, value, *(const size_t *)(row + field->count_at), field->items);
		break;
	case IC_FIELD_SIGNED:
		if (*(const int64_t *)value != INT64_MIN)
			ic_output_signed(output, *(const int64_t *)value);
		break;
	case IC_FIELD_OBJECT:
	case IC_FIELD_OPTIONAL_LIST:
	case IC_FIELD_NONE: break;
	}
}

static void begin_csv(struct ic_writer *writer)
{
	const struct ic_schema *columns = writer->type->columns;

	for (size_t i = 0; i < columns->field_count; i++) {
		if (i > 0)
			ic_output_char(&writer->output, ',');
		ic_output_text(&writer->output, columns->fields[i].key);
	}
	ic_output_char(&writer->output, '\n');
}

static void write_line(void *context, const struct ic_schema *schema, const void *line)
{
	struct ic_writer *writer = context;
	const struct ic_schema *columns = writer->type->columns;

	for (size_t i = 0; i < columns->field_count; i++) {
		if (i > 0)
			ic_output_char(&writer->output, ',');
		// Fields that only some rows have are not columns if the table has no room for
		// them.
		if (i < schema->field_count &&
		    strcmp(schema->fields[i].key, columns->fields[i].key) == 0)
			write_field(&writer->output, &schema->fields[i], line);
	}
	ic_output_char(&writer->output, '\n');
}

static void write_row(struct ic_writer *writer, const void *row)
{
	const struct ic_row_type *type = writer->type;

	if (type->split)
		type->split(row, write_line, writer);
	else
		write_line(writer, ic_row_schema(type, row), row);
}

void ic_writer_init_csv(struct ic_writer *writer)
{
	writer->begin = begin_csv;
	writer->write = write_row;
}
