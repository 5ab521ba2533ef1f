// JSON lines: an object a row (docs/formats/json.md, RFC 8259).
#include <string.h>

#include "base/text.h"
#include "report/writers.h"

// ---- Values

static const uint64_t ONES = 0x0101010101010101;

// Has the top bit of a byte set if one of eight bytes is equal to `byte`.
static uint64_t mark_byte(uint64_t bytes, uint8_t byte)
{
	uint64_t different = bytes ^ (byte * ONES);

	return (different - ONES) & ~different;
}

// Whether a byte stands for itself in a string; what is not ASCII may not be UTF-8.
static bool is_plain(char byte)
{
	return byte >= ' ' && byte != '"' && byte != '\\' && (uint8_t)byte < 0x80;
}

// How many bytes at the start of a text stand for themselves.
static size_t plain_size(const char *text, size_t size)
{
	size_t i = 0;

	for (; size - i >= sizeof(uint64_t); i += sizeof(uint64_t)) {
		uint64_t bytes;
		memcpy(&bytes, text + i, sizeof(bytes));
		uint64_t others = (bytes - ' ' * ONES) | bytes; // controls, and what is not ASCII
		if ((others | mark_byte(bytes, '"') | mark_byte(bytes, '\\')) & 0x80 * ONES)
			break;
	}
	while (i < size && is_plain(text[i]))
		i++;
	return i;
}

static void write_escaped(struct ic_output *output, char byte)
{
	static const char bytes[] = "\"\\\b\f\n\r\t", letters[] = "\"\\bfnrt";
	const char *found = strchr(bytes, byte);

	if (found) {
		ic_output_char(output, '\\');
		ic_output_char(output, letters[found - bytes]);
	} else {
		ic_output_text(output, "\\u00");
		ic_output_char(output, "0123456789abcdef"[byte >> 4]);
		ic_output_char(output, "0123456789abcdef"[byte & 15]);
	}
}

// Names in a file are any bytes, and JSON is UTF-8 (RFC 8259, 8.1): a byte that is not part of a
// character is U+FFFD.
static void write_text(struct ic_output *output, const char *text)
{
	if (!text) {
		ic_output_text(output, "null");
		return;
	}
	const char *end = text + strlen(text);
	ic_output_char(output, '"');
	for (;;) {
		size_t plain = plain_size(text, (size_t)(end - text));
		ic_output_bytes(output, text, plain);
		text += plain;
		if (text == end)
			break;
		size_t character = ic_text_character(text);
		if (character == 1)
			write_escaped(output, *text);
		else if (character > 1)
			ic_output_bytes(output, text, character);
		else
			ic_output_text(output, "\xef\xbf\xbd");
		text += character > 0 ? character : 1;
	}
	ic_output_char(output, '"');
}

static void write_address(struct ic_output *output, uint64_t addr)
{
	ic_output_char(output, '"');
	ic_output_hex(output, addr);
	ic_output_char(output, '"');
}

static void write_known(struct ic_output *output, bool is_known, uint64_t number,
			void (*write)(struct ic_output *, uint64_t))
{
	if (is_known)
		write(output, number);
	else
		ic_output_text(output, "null");
}

static void write_signed(struct ic_output *output, uint64_t number)
{
	if ((int64_t)number < 0)
		ic_output_char(output, '-');
	ic_output_decimal(output, (int64_t)number < 0 ? -number : number);
}

static void write_ranges(struct ic_output *output, const struct ic_row_range *ranges, size_t count)
{
	ic_output_char(output, '[');
	for (size_t i = 0; i < count; i++) {
		const struct ic_row_range *range = &ranges[i];

		ic_output_text(output, i > 0 ? ",[" : "[");
		write_address(output, range->range.start);
		ic_output_char(output, ',');
		write_address(output, range->range.end);
		if (range->section) {
			ic_output_char(output, ',');
			write_text(output, range->section);
		}
		ic_output_char(output, ']');
	}
	ic_output_char(output, ']');
}

// ---- Rows

static void write_row(struct ic_output *output, const struct ic_schema *schema, const void *row);

static void write_list(struct ic_output *output, const void *list, size_t count,
		       const struct ic_schema *schema)
{
	const char *items;

	memcpy(&items, list, sizeof(items)); // a pointer to whatever they are
	ic_output_char(output, '[');
	for (size_t i = 0; i < count; i++) {
		if (i > 0)
			ic_output_char(output, ',');
		write_row(output, schema, items + i * schema->row_size);
	}
	ic_output_char(output, ']');
}

static void write_value(struct ic_output *output, const struct ic_field *field, const char *row)
{
	const void *value = row + field->at;

	switch (field->type) {
	case IC_FIELD_TEXT: write_text(output, *(const char *const *)value); break;
	case IC_FIELD_ADDRESS: {
		uint64_t addr = *(const uint64_t *)value;
		write_known(output, addr != IC_NO_ADDR, addr, write_address);
		break;
	}
	case IC_FIELD_OFFSET: write_address(output, *(const uint64_t *)value); break;
	case IC_FIELD_COUNT: {
		uint32_t count = *(const uint32_t *)value;
		write_known(output, count != 0, count, ic_output_decimal);
		break;
	}
	case IC_FIELD_NUMBER: ic_output_decimal(output, *(const uint32_t *)value); break;
	case IC_FIELD_BYTES: {
		uint64_t bytes = *(const uint64_t *)value;
		write_known(output, bytes != IC_NO_ADDR, bytes, ic_output_decimal);
		break;
	}
	case IC_FIELD_SIGNED: {
		int64_t number = *(const int64_t *)value;
		write_known(output, number != INT64_MIN, (uint64_t)number, write_signed);
		break;
	}
	case IC_FIELD_OBJECT: write_row(output, field->items, value); break;
	case IC_FIELD_FLAG: ic_output_text(output, *(const bool *)value ? "true" : "false"); break;
	case IC_FIELD_RANGES:
		write_ranges(output, *(const struct ic_row_range *const *)value,
			     *(const size_t *)(row + field->count_at));
		break;
	case IC_FIELD_LIST:
		write_list(output, value, *(const size_t *)(row + field->count_at), field->items);
		break;
	case IC_FIELD_OPTIONAL_LIST:
		if (!*(const void *const *)value)
			ic_output_text(output, "null");
		else
			write_list(output, value, *(const size_t *)(row + field->count_at),
				   field->items);
		break;
	case IC_FIELD_NONE: ic_output_text(output, "null"); break;
	}
}

static void write_row(struct ic_output *output, const struct ic_schema *schema, const void *row)
{
	for (size_t i = 0; i < schema->field_count; i++) {
		const struct ic_field *field = &schema->fields[i];

		ic_output_text(output, i > 0 ? ",\"" : "{\"");
		ic_output_text(output, field->key);
		ic_output_text(output, "\":");
		write_value(output, field, row);
	}
	ic_output_char(output, '}');
}

static void write_line(struct ic_writer *writer, const void *row)
{
	write_row(&writer->output, writer->type->schema_of(row), row);
	ic_output_char(&writer->output, '\n');
}

void ic_writer_init_json(struct ic_writer *writer)
{
	writer->write = write_line;
}
