#include "trace/hits/reading.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "elf/image/image.h"
#include "trace/hits/computed.h"

enum {
	TEXT_SIZE = 1024 + 4 * IC_TRACE_MOST_STRING, // of an argument's value as text
	LEAST_ADDRESS = 4096                         // nothing is mapped below
};

// Only copied data can be read, and the NUL of a whole string.
static bool read_copied(void *context, uint64_t addr, void *bytes, size_t size)
{
	const struct ic_trace_string *string = context;
	uint64_t at = addr - string->addr;
	uint8_t *byte = bytes;

	for (size_t i = 0; i < size; i++, at++) {
		if (at > string->size || (at == string->size && !string->is_whole))
			return false;
		byte[i] = at == string->size ? 0 : string->bytes[at];
	}
	return true;
}

// The size of an argument's string including its NUL; 0 if it was not copied.
static uint64_t copied_size(const struct ic_trace *trace, const uint8_t *record, uint32_t argument)
{
	int64_t size;

	memcpy(&size, record + ic_trace_string_offset(&trace->shape, &trace->layout, argument),
	       sizeof(size));
	return size > 0 && size <= (int64_t)trace->shape.string_size ? (uint64_t)size : 0;
}

uint64_t ic_trace_recorded_number(const struct ic_trace *trace,
				  const struct ic_trace_reading *reading, uint32_t argument)
{
	return ic_value_number(reading->record + trace->layout.values +
				       IC_TRACE_VALUE_SIZE * argument,
			       8, IC_HOST_IS_BIG_ENDIAN);
}

bool ic_trace_addr_in_file(const struct ic_trace *trace, const struct ic_trace_reading *reading,
			   uint64_t loaded, uint64_t *addr)
{
	if (trace->placement)
		return ic_placement_addr(trace->placement, loaded, addr);
	*addr = loaded - reading->load_offset;
	return reading->knows_load;
}

// Sets the bytes of a string that is in the file, of up to `most` bytes.
static void find_constant(const struct ic_trace *trace, uint64_t addr, uint64_t length,
			  uint64_t most, struct ic_trace_string *string)
{
	const struct ic_bytes constants = ic_image_constants_at(trace->image, addr);
	uint64_t room = constants.size < most ? constants.size : most;

	string->bytes = constants.data;
	if (length != UINT64_MAX) {
		string->size = length < room ? length : room;
		string->is_whole = string->size == length;
	} else {
		string->size = room > 0 ? strnlen((const char *)constants.data, room) : 0;
		string->is_whole = string->size < constants.size &&
				   constants.data[string->size] == '\0';
	}
	string->is_read = room > 0;
}

struct ic_trace_string ic_trace_string_find(const struct ic_trace *trace,
					    const struct ic_trace_item *item,
					    const struct ic_trace_reading *reading,
					    uint32_t argument, const struct ic_value_bytes *value)
{
	uint32_t at = ic_trace_string_offset(&trace->shape, &trace->layout, argument);
	uint64_t most = trace->shape.string_size - IC_TRACE_STRING_MORE;
	uint64_t copied = copied_size(trace, reading->record, argument), length = UINT64_MAX, addr;
	uint8_t parts = item->types[argument].parts;
	struct ic_trace_string string = {
		.addr = value->has_addr ? value->addr
					: ic_value_number(value->bytes, 8, IC_HOST_IS_BIG_ENDIAN),
		.bytes = reading->record + at + 8,
		.is_read = copied > 0,
	};

	if (parts > 0) {
		if ((reading->known >> (parts - 1) & 3) != 3)
			return (struct ic_trace_string){ .is_read = false };
		string.addr = ic_trace_recorded_number(trace, reading, parts - 1u);
		length = ic_trace_recorded_number(trace, reading, parts);
		if (length > INT64_MAX)
			return (struct ic_trace_string){ .is_read = false };
	}
	string.is_null = parts == 0 && !value->has_addr && string.addr == 0;
	if (copied > 0) {
		string.size = copied - 1 < most ? copied - 1 : most;
		string.is_whole = copied - 1 <= most && (parts == 0 || string.size == length);
	} else if (!string.is_null && ic_trace_addr_in_file(trace, reading, string.addr, &addr)) {
		find_constant(trace, addr, length, most, &string);
	}
	return string;
}

uint32_t ic_trace_text_add(struct ic_trace *trace, const char *text)
{
	size_t size = strlen(text) + 1;
	uint32_t at = trace->last.texts.count;

	if (!IC_ARRAY_RESERVE(&trace->last.texts, at + (uint64_t)size))
		return UINT32_MAX;
	memcpy(trace->last.texts.items + at, text, size);
	trace->last.texts.count += (uint32_t)size;
	return at;
}

static bool is_signed_number(const struct ic_trace_type *type)
{
	return type->is_signed && type->encoding != IC_TYPE_POINTER;
}

static void put_number(const struct ic_trace_type *type, uint64_t value, char *text, size_t room)
{
	switch (type->encoding) {
	case IC_TYPE_INTEGER:
	case IC_TYPE_BOOLEAN:
	case IC_TYPE_CHARACTER:
	case IC_TYPE_ENUMERATION:
		snprintf(text, room, is_signed_number(type) ? "%" PRId64 : "%" PRIu64, value);
		break;
	default: snprintf(text, room, "0x%" PRIx64, value); break;
	}
}

bool ic_trace_bytes_find(const struct ic_trace *trace, const struct ic_trace_item *item,
			 const struct ic_trace_reading *reading, uint32_t argument,
			 struct ic_value_bytes *value)
{
	const struct ic_trace_type *type = &item->types[argument];
	const uint8_t *bytes;

	*value = (struct ic_value_bytes){ .has_bytes = !type->is_address,
					  .has_addr = type->is_address };
	if (type->expression)
		return ic_trace_compute(trace, item, type, &reading->registers, value->bytes);
	if (item->copy.arguments[argument].why || argument >= IC_TRACE_MOST_ARGUMENTS ||
	    !(reading->known >> argument & 1))
		return false;
	bytes = reading->record + trace->layout.values + IC_TRACE_VALUE_SIZE * argument;
	memcpy(value->bytes, bytes, sizeof(value->bytes));
	value->addr = ic_value_number(bytes, 8, IC_HOST_IS_BIG_ENDIAN);
	return true;
}

uint64_t ic_trace_number_extend(const struct ic_trace_type *type, const uint8_t *bytes)
{
	uint64_t number = ic_value_number(bytes, (size_t)type->size, IC_HOST_IS_BIG_ENDIAN);

	return type->is_signed ? ic_extend(number, (unsigned)(8 * type->size), true) : number;
}

// "0x7ffe10 {68 65 6c...}"
static void put_buffer(const struct ic_trace_string *string, char *text, size_t room)
{
	size_t at = (size_t)snprintf(text, room, "0x%" PRIx64 " {", string->addr);

	for (uint64_t i = 0; i < string->size && at + 8 < room; i++)
		at += (size_t)snprintf(text + at, room - at, i > 0 ? " %02x" : "%02x",
				       string->bytes[i]);
	snprintf(text + at, room - at, string->is_whole ? "}" : "...}");
}

void ic_trace_value_spell(struct ic_trace *trace, const struct ic_trace_spelling *spelling,
			  struct ic_trace_spelled *spelled)
{
	const struct ic_trace_type *type = spelling->type;
	const struct ic_enumeration none = { .scope = "" };
	const struct ic_parameter parameter = { .type = spelling->argument->type,
						.size = type->size,
						.encoding = type->encoding,
						.is_signed = type->is_signed,
						.item_size = type->item_size,
						.item_encoding = type->item_encoding,
						.item_is_signed = type->item_is_signed };
	const struct ic_value_memory memory = { .is_big_endian = IC_HOST_IS_BIG_ENDIAN,
						.read = read_copied,
						.context = (void *)&spelling->string };
	struct ic_value_bytes value = spelling->value;
	char text[TEXT_SIZE] = "";

	// What is beyond cannot be read.
	value.has_string = type->parts > 0 && spelling->string.is_read;
	value.string.addr = spelling->string.addr;
	value.string.size = spelling->string.size + !spelling->string.is_whole;
	if (type->is_buffer && spelling->string.is_read)
		put_buffer(&spelling->string, text, sizeof(text));
	else if (!ic_value_text(&memory, &parameter, type->enumeration ? type->enumeration : &none,
				&value, text, sizeof(text)))
		return;
	spelled->text = ic_trace_text_add(trace, text);
	if (type->is_address || type->size > 8 || type->encoding == IC_TYPE_FLOAT ||
	    type->encoding == IC_TYPE_ARRAY)
		return;
	put_number(type, ic_trace_number_extend(type, spelling->value.bytes), text, sizeof(text));
	spelled->number = ic_trace_text_add(trace, text);
}

void ic_trace_argument_spell(struct ic_trace *trace, const struct ic_trace_item *item,
			     const struct ic_trace_reading *reading, uint32_t argument,
			     struct ic_trace_spelled *spelled)
{
	const struct ic_trace_type *type = &item->types[argument];
	struct ic_trace_spelling spelling = { .type = type,
					      .argument = &item->copy.arguments[argument] };

	spelled->is_known = ic_trace_bytes_find(trace, item, reading, argument, &spelling.value) &&
			    // Else it would be behind a null pointer.
			    (!spelling.value.has_addr || spelling.value.addr >= LEAST_ADDRESS);
	if (!spelled->is_known)
		return;
	if (type->is_string)
		spelling.string =
			ic_trace_string_find(trace, item, reading, argument, &spelling.value);
	if (spelling.string.size > trace->string_size) {
		spelling.string.size = trace->string_size;
		spelling.string.is_whole = false;
	}
	bool is_only_string = type->is_address || type->encoding == IC_TYPE_STRUCTURE;
	spelled->is_known = !type->is_string || !is_only_string || spelling.string.is_read;
	if (spelled->is_known)
		ic_trace_value_spell(trace, &spelling, spelled);
}

const char *ic_trace_text_at(const struct ic_trace *trace, uint32_t at)
{
	return at == UINT32_MAX ? NULL : trace->last.texts.items + at;
}

const char *ic_trace_why_unknown(const struct ic_trace_item *item, uint32_t argument, bool is_known)
{
	if (item->copy.arguments[argument].why)
		return item->copy.arguments[argument].why;
	if (is_known)
		return "of a type that cannot be printed";
	return item->types[argument].expression ? "computed" : "its memory could not be read";
}
