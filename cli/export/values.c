#include "export/values.h"

#include <stdlib.h>
#include <string.h>

#include "base/cli.h"

enum cli_value_type cli_value_type_of(const struct ic_field *field)
{
	switch (field->type) {
	case IC_FIELD_TEXT: return CLI_VALUE_TEXT;
	case IC_FIELD_FLAG: return CLI_VALUE_FLAG;
	default: return CLI_VALUE_INTEGER;
	}
}

void cli_values_clear(struct cli_values *values)
{
	for (size_t i = 0; i < values->mended_count; i++)
		free(values->mended[i]);
	values->count = values->mended_count = 0;
}

static void add_value(struct cli_values *values, struct cli_value value)
{
	values->items[values->count++] = value;
}

void cli_values_add_number(struct cli_values *values, int64_t number)
{
	add_value(values, (struct cli_value){ .type = CLI_VALUE_INTEGER, .number = number });
}

// ---- Text

static bool is_utf8(const char *text)
{
	size_t size = 1;

	for (; *text && size > 0; text += size)
		size = ic_field_character(text);
	return size > 0;
}

// A copy with U+FFFD for each byte that is not part of a character, as in JSON; NULL if memory runs
// out.
static char *mend_text(const char *text)
{
	char *mended = malloc(3 * strlen(text) + 1), *out = mended;

	for (; mended && *text;) {
		size_t size = ic_field_character(text);
		if (size == 0)
			out = stpcpy(out, "\xef\xbf\xbd");
		for (size_t i = 0; i < size; i++)
			*out++ = text[i];
		text += size > 0 ? size : 1;
	}
	if (mended)
		*out = 0;
	return mended;
}

bool cli_values_add_text(struct cli_values *values, const char *text)
{
	if (text && !is_utf8(text)) {
		char *mended = mend_text(text);
		if (!mended) {
			cli_complain("out of memory");
			return false;
		}
		text = values->mended[values->mended_count++] = mended;
	}
	add_value(values,
		  (struct cli_value){ .type = CLI_VALUE_TEXT, .is_null = !text, .text = text });
	return true;
}

// ---- Fields

static struct cli_value number_of(const struct ic_field *field, const void *at)
{
	struct cli_value value = { .type = cli_value_type_of(field) };
	uint32_t small = 0;

	switch (field->type) {
	case IC_FIELD_FLAG: value.number = *(const bool *)at; break;
	case IC_FIELD_COUNT:
	case IC_FIELD_NUMBER:
		memcpy(&small, at, sizeof(small));
		value.number = small;
		value.is_null = field->type == IC_FIELD_COUNT && small == 0;
		break;
	case IC_FIELD_ADDRESS:
	case IC_FIELD_BYTES:
	case IC_FIELD_OFFSET:
		memcpy(&value.number, at, sizeof(value.number));
		value.is_null = field->type != IC_FIELD_OFFSET &&
				(uint64_t)value.number == IC_NO_ADDR;
		break;
	case IC_FIELD_SIGNED:
		memcpy(&value.number, at, sizeof(value.number));
		value.is_null = value.number == INT64_MIN;
		break;
	default: value.is_null = true;
	}
	return value;
}

bool cli_values_add_row(struct cli_values *values, const struct ic_row_fields *row)
{
	for (size_t i = CLI_VALUES_SKIPPED; i < row->schema->field_count; i++) {
		const struct ic_field *field = &row->schema->fields[i];
		const char *at = (const char *)row->row + field->at;

		if (field->type != IC_FIELD_TEXT)
			add_value(values, number_of(field, at));
		else if (!cli_values_add_text(values, *(const char *const *)at))
			return false;
	}
	return true;
}
