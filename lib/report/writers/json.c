// JSON lines: an object per row (docs/formats/json.md, RFC 8259).
#include <string.h>

#include "report/writers/writer.h"
#include "text/json_text.h"

// ---- Values

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
			ic_json_text(output, range->section);
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

	memcpy(&items, list, sizeof(items)); // a pointer to items of any type
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
	case IC_FIELD_TEXT: ic_json_text(output, *(const char *const *)value); break;
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
		if (number != INT64_MIN)
			ic_output_signed(output, number);
		else
			ic_output_text(output, "null");
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
	write_row(&writer->output, ic_row_schema(writer->type, row), row);
	ic_output_char(&writer->output, '\n');
}

static void write_left_out(struct ic_writer *writer, const char *file, uint64_t count)
{
	const struct ic_limit_row row = { .type = "limit", .file = file, .left_out = count };

	write_row(&writer->output, &ic_limit_schema, &row);
	ic_output_char(&writer->output, '\n');
}

void ic_writer_init_json(struct ic_writer *writer)
{
	writer->write = write_line;
	writer->write_left_out = write_left_out;
}
