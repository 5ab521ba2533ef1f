// JSON lines: an object a row (docs/formats/json.md).
#include <inttypes.h>
#include <stdlib.h>

#include <json-c/json.h>

#include "base/text.h"
#include "report/writers.h"

// What could not be made is remembered here, and asked for once a row: a null is an answer too.
struct maker {
	bool out_of_memory;
};

static json_object *check(struct maker *maker, json_object *object)
{
	if (!object)
		maker->out_of_memory = true;
	return object;
}

// json-c passes bytes through, and names in a file are any bytes; JSON is UTF-8 (RFC 8259, 8.1).
static json_object *new_text(struct maker *maker, const char *text)
{
	if (!text)
		return NULL;
	if (ic_text_is_utf8(text))
		return check(maker, json_object_new_string(text));
	char *mended = ic_text_to_utf8(text);
	json_object *object = mended ? json_object_new_string(mended) : NULL;
	free(mended);
	return check(maker, object);
}

static json_object *new_address(struct maker *maker, uint64_t addr)
{
	char text[24];
	int length = snprintf(text, sizeof(text), "0x%" PRIx64, addr);
	return check(maker, json_object_new_string_len(text, length));
}

static void add(struct maker *maker, json_object *array, json_object *item)
{
	if (array && json_object_array_add(array, item) == 0)
		return;
	json_object_put(item);
	maker->out_of_memory = true;
}

static json_object *new_ranges(struct maker *maker, const struct ic_row_ranges *ranges)
{
	json_object *array = check(maker, json_object_new_array_ext((int)ranges->count));

	for (size_t i = 0; i < ranges->count; i++) {
		const struct ic_row_range *range = &ranges->ranges[i];
		json_object *pair = check(maker, json_object_new_array_ext(2));

		add(maker, pair, new_address(maker, range->range.start));
		add(maker, pair, new_address(maker, range->range.end));
		if (range->section)
			add(maker, pair, new_text(maker, range->section));
		add(maker, array, pair);
	}
	return array;
}

static json_object *new_row(struct maker *maker, const struct ic_schema *schema, const void *row);

static json_object *new_list(struct maker *maker, const struct ic_row_list *list,
			     const struct ic_schema *schema)
{
	json_object *array = check(maker, json_object_new_array_ext((int)list->count));

	for (size_t i = 0; i < list->count; i++)
		add(maker, array,
		    new_row(maker, schema, (const char *)list->rows + i * list->row_size));
	return array;
}

static json_object *new_field(struct maker *maker, const struct ic_field *field, const void *row)
{
	const void *value = (const char *)row + field->at;

	switch (field->type) {
	case IC_FIELD_TEXT: return new_text(maker, *(const char *const *)value);
	case IC_FIELD_ADDRESS:
		if (*(const uint64_t *)value == IC_NO_ADDR)
			return NULL;
		return new_address(maker, *(const uint64_t *)value);
	case IC_FIELD_OFFSET: return new_address(maker, *(const uint64_t *)value);
	case IC_FIELD_COUNT: {
		uint32_t count = *(const uint32_t *)value;
		return count ? check(maker, json_object_new_int64(count)) : NULL;
	}
	case IC_FIELD_NUMBER: return check(maker, json_object_new_int64(*(const uint32_t *)value));
	case IC_FIELD_BYTES:
		if (*(const uint64_t *)value == IC_NO_ADDR)
			return NULL;
		return check(maker, json_object_new_uint64(*(const uint64_t *)value));
	case IC_FIELD_FLAG: return check(maker, json_object_new_boolean(*(const bool *)value));
	case IC_FIELD_RANGES: return new_ranges(maker, value);
	case IC_FIELD_LIST: return new_list(maker, value, field->items);
	}
	return NULL;
}

static json_object *new_row(struct maker *maker, const struct ic_schema *schema, const void *row)
{
	const unsigned options = JSON_C_OBJECT_ADD_KEY_IS_NEW | JSON_C_OBJECT_ADD_CONSTANT_KEY;
	json_object *object = check(maker, json_object_new_object());

	for (size_t i = 0; object && i < schema->field_count; i++) {
		const struct ic_field *field = &schema->fields[i];
		json_object *value = new_field(maker, field, row);

		if (json_object_object_add_ex(object, field->key, value, options) == 0)
			continue;
		json_object_put(value);
		maker->out_of_memory = true;
	}
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
	const int style = JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE;
	struct ic_writer *writer = (struct ic_writer *)sink;
	struct maker maker = { .out_of_memory = false };
	json_object *object = new_row(&maker, schema, row);
	size_t length;
	const char *text = maker.out_of_memory
				   ? NULL
				   : json_object_to_json_string_length(object, style, &length);

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
