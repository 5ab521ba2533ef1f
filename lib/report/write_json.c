// JSON lines: an object a row (docs/formats/json.md).
#include <inttypes.h>
#include <stdlib.h>

#include <json-c/json.h>

#include "base/text.h"
#include "report/writers.h"

// json-c passes bytes through, and names in a file are any bytes; JSON is UTF-8 (RFC 8259, 8.1).
static json_object *new_text(const char *text)
{
	if (!text)
		return NULL;
	if (ic_text_is_utf8(text))
		return json_object_new_string(text);
	char *mended = ic_text_to_utf8(text);
	json_object *object = mended ? json_object_new_string(mended) : NULL;
	free(mended);
	return object;
}

static json_object *new_address(uint64_t addr)
{
	char text[24];

	if (addr == IC_NO_ADDR)
		return NULL;
	int length = snprintf(text, sizeof(text), "0x%" PRIx64, addr);
	return json_object_new_string_len(text, length);
}

static json_object *new_ranges(const struct ic_row_ranges *ranges)
{
	json_object *array = json_object_new_array_ext((int)ranges->count);

	for (size_t i = 0; i < ranges->count; i++) {
		json_object *pair = json_object_new_array_ext(2);
		json_object_array_add(pair, new_address(ranges->ranges[i].range.start));
		json_object_array_add(pair, new_address(ranges->ranges[i].range.end));
		if (ranges->ranges[i].section)
			json_object_array_add(pair, new_text(ranges->ranges[i].section));
		json_object_array_add(array, pair);
	}
	return array;
}

static json_object *new_row(const struct ic_schema *schema, const void *row);

static json_object *new_list(const struct ic_row_list *list, const struct ic_schema *schema)
{
	json_object *array = json_object_new_array_ext((int)list->count);

	for (size_t i = 0; i < list->count; i++)
		json_object_array_add(
			array, new_row(schema, (const char *)list->rows + i * list->row_size));
	return array;
}

static json_object *new_field(const struct ic_field *field, const void *row)
{
	const void *value = (const char *)row + field->at;

	switch (field->type) {
	case IC_FIELD_TEXT: return new_text(*(const char *const *)value);
	case IC_FIELD_ADDRESS:
	case IC_FIELD_OFFSET: return new_address(*(const uint64_t *)value);
	case IC_FIELD_COUNT: {
		uint32_t count = *(const uint32_t *)value;
		return count ? json_object_new_int64(count) : NULL;
	}
	case IC_FIELD_FLAG: return json_object_new_boolean(*(const bool *)value);
	case IC_FIELD_RANGES: return new_ranges(value);
	case IC_FIELD_LIST: return new_list(value, field->items);
	}
	return NULL;
}

static json_object *new_row(const struct ic_schema *schema, const void *row)
{
	json_object *object = json_object_new_object();

	for (size_t i = 0; object && i < schema->field_count; i++)
		json_object_object_add_ex(
			object, schema->fields[i].key, new_field(&schema->fields[i], row),
			JSON_C_OBJECT_ADD_KEY_IS_NEW | JSON_C_OBJECT_ADD_CONSTANT_KEY);
	return object;
}

static bool begin_json(struct ic_row_sink *sink, const struct ic_schema *schema,
		       struct ic_error *err)
{
	(void)sink, (void)schema, (void)err;
	return true;
}

static bool json_row(struct ic_row_sink *sink, const struct ic_schema *schema, const void *row,
		     struct ic_error *err)
{
	struct ic_writer *writer = (struct ic_writer *)sink;
	json_object *object = new_row(schema, row);
	size_t length;
	const char *text = object ? json_object_to_json_string_length(
					    object,
					    JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE,
					    &length)
				  : NULL;

	if (text) {
		ic_output_bytes(&writer->output, text, length);
		ic_output_char(&writer->output, '\n');
	}
	json_object_put(object);
	return text || ic_fail_memory(err);
}

static bool end_json(struct ic_row_sink *sink, struct ic_error *err)
{
	return ic_output_finish(&((struct ic_writer *)sink)->output, err);
}

void ic_writer_init_json(struct ic_writer *writer)
{
	writer->sink = (struct ic_row_sink){ begin_json, json_row, end_json };
}
