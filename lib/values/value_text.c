#include "values/value_text.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/bytes.h"
#include "base/search.h"

enum { MOST_STRING = 200 }; // most bytes to show of a string

uint64_t ic_value_number(const uint8_t *bytes, size_t size, bool is_big_endian)
{
	uint64_t number = 0;

	for (size_t i = 0; i < size; i++)
		number |= (uint64_t)bytes[is_big_endian ? size - 1 - i : i] << 8 * i;
	return number;
}

// Extends the sign of a number of `size` bytes.
static int64_t signed_of(uint64_t number, size_t size)
{
	return (int64_t)ic_extend(number, (unsigned)(8 * size), true);
}

// Appends to a text; false if it does not fit.
static bool append_text(char *text, size_t room, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static bool append_text(char *text, size_t room, const char *format, ...)
{
	size_t used = strlen(text);
	va_list arguments;

	va_start(arguments, format);
	int length = vsnprintf(text + used, room - used, format, arguments);
	va_end(arguments);
	return length >= 0 && (size_t)length < room - used;
}

// ---- Strings

bool ic_value_is_string(const struct ic_parameter *parameter)
{
	return parameter->encoding == IC_TYPE_POINTER && parameter->item_size == 1 &&
	       parameter->item_encoding == IC_TYPE_CHARACTER;
}

bool ic_value_is_text(const struct ic_parameter *parameter)
{
	return parameter->encoding == IC_TYPE_ARRAY && parameter->item_size == 1 &&
	       parameter->item_encoding == IC_TYPE_CHARACTER && parameter->size > 0;
}

// Appends a string of the target, of at most `size` bytes: printable ASCII, with backslashes as in
// C, other bytes in octal. One that is counted does not end at a NUL. False if there is none.
static bool put_string(const struct ic_value_memory *memory, struct ic_value_string string,
		       bool is_counted, char *text, size_t room)
{
	uint64_t count = 0;
	uint8_t byte = 0;
	bool is_read = true;

	if (string.size > 0 && !memory->read(memory->context, string.addr, &byte, 1))
		return false;
	(void)append_text(text, room, "\"");
	while (count < string.size && count < MOST_STRING && (byte != 0 || is_counted)) {
		bool is_plain = byte >= ' ' && byte < 0x7f;
		bool is_special = byte == '"' || byte == '\\';
		(void)append_text(text, room,
				  is_special ? "\\%c"
				  : is_plain ? "%c"
					     : "\\%03o",
				  byte);
		is_read = ++count == string.size ||
			  memory->read(memory->context, string.addr + count, &byte, 1);
		if (!is_read)
			break;
	}
	bool is_whole = is_read && (count == string.size || (byte == 0 && !is_counted));
	return append_text(text, room, is_whole ? "\"" : "\"...");
}

// Appends the string that a pointer points to.
static void put_pointed(const struct ic_value_memory *memory, struct ic_value_string string,
			bool is_counted, char *text, size_t room)
{
	size_t length = strlen(text);

	if (!append_text(text, room, " ") || !put_string(memory, string, is_counted, text, room))
		text[length] = '\0';
}

// ---- Numbers

// For NaN, GDB adds the bits of its fraction.
static void put_float(uint64_t number, size_t size, char *text, size_t room)
{
	uint64_t fraction = number & (size == 4 ? (1u << 23) - 1 : (1ull << 52) - 1);
	double value;

	if (size == 4) {
		uint32_t bits = (uint32_t)number;
		float narrow;
		memcpy(&narrow, &bits, sizeof(narrow));
		value = narrow;
	} else {
		memcpy(&value, &number, sizeof(value));
	}
	if (isnan(value))
		snprintf(text, room, "%snan(0x%" PRIx64 ")",
			 number >> (8 * size - 1) & 1 ? "-" : "", fraction);
	else
		snprintf(text, room, size == 4 ? "%.9g" : "%.17g", value);
}

// A single-byte character in quotes, in C notation.
static void put_character(uint8_t byte, char *text, size_t room)
{
	static const char plain[] = "\a\b\f\n\r\t\v'\\", letters[] = "abfnrtv'\\";
	const char *found = byte ? strchr(plain, byte) : NULL;

	if (found)
		(void)append_text(text, room, " '\\%c'", letters[found - plain]);
	else
		(void)append_text(text, room, byte >= ' ' && byte < 0x7f ? " '%c'" : " '\\%03o'",
				  byte);
}

// A character is preceded by its number, as in GDB.
static void put_integer(const struct ic_parameter *parameter, uint64_t number, size_t size,
			char *text, size_t room)
{
	if (parameter->is_signed)
		snprintf(text, room, "%" PRId64, signed_of(number, size));
	else
		snprintf(text, room, "%" PRIu64, number);
	if (parameter->encoding == IC_TYPE_CHARACTER &&
	    (size == 1 || (number >= ' ' && number < 0x7f)))
		put_character((uint8_t)number, text, room);
}

// Divides a 128-bit number by 10; returns the remainder.
static unsigned divide_number(uint64_t number[2])
{
	uint64_t rest = number[1] % 10;

	number[1] /= 10;
	for (int half = 1; half >= 0; half--) {
		uint64_t part = rest << 32 | (number[0] >> 32 * half & UINT32_MAX);
		number[0] &= half ? UINT32_MAX : UINT64_MAX << 32;
		number[0] |= part / 10 << 32 * half;
		rest = part % 10;
	}
	return (unsigned)rest;
}

// An integer of 9 to 16 bytes.
static void put_wide(const struct ic_parameter *parameter, const uint8_t *bytes, bool is_big_endian,
		     char *text, size_t room)
{
	size_t high_size = (size_t)parameter->size - 8;
	uint64_t number[2] = {
		ic_value_number(bytes + (is_big_endian ? high_size : 0), 8, is_big_endian),
		ic_value_number(bytes + (is_big_endian ? 0 : 8), high_size, is_big_endian),
	};
	char digits[40];
	size_t at = sizeof(digits) - 1;
	bool is_negative = false;

	if (parameter->is_signed) {
		number[1] = (uint64_t)signed_of(number[1], high_size);
		is_negative = number[1] >> 63;
	}
	if (is_negative) {
		number[1] = ~number[1] + (number[0] == 0);
		number[0] = ~number[0] + 1;
	}
	digits[at] = '\0';
	do
		digits[--at] = (char)('0' + divide_number(number));
	while (number[0] || number[1]);
	snprintf(text, room, "%s%s", is_negative ? "-" : "", digits + at);
}

// ---- Enumerations

static const struct ic_enumerator *find_enumerator(const struct ic_enumeration *enumeration,
						   uint64_t value)
{
	const struct ic_enumerator *list = enumeration->list;
	uint32_t count = (uint32_t)enumeration->count;
	uint32_t first = value > 0 ? ic_search_up_to(list, sizeof(*list), count, value - 1) : 0;

	return first < count && list[first].value == value ? &list[first] : NULL;
}

// The flags that a number contains, as "(A | B | unknown: 0x10)".
static bool put_flags(const struct ic_enumeration *enumeration, uint64_t number, char *text,
		      size_t room)
{
	const char *before = "(";
	bool ok = true;

	for (unsigned bit = 0; ok && bit < 64; bit++) {
		const struct ic_enumerator *flag =
			number >> bit & 1 ? find_enumerator(enumeration, 1ull << bit) : NULL;
		if (!flag)
			continue;
		number &= ~flag->value;
		ok = append_text(text, room, "%s%s%s", before, enumeration->scope, flag->name);
		before = " | ";
	}
	if (ok && number != 0)
		ok = append_text(text, room, "%sunknown: 0x%" PRIx64, before, number);
	return ok && append_text(text, room, ")");
}

// The name of a value, or the flags it contains. False if there is none, or no room.
static bool put_enumerator(const struct ic_parameter *parameter,
			   const struct ic_enumeration *enumeration, uint64_t number, char *text,
			   size_t room)
{
	// For some enumerations compilers omit the sign.
	uint64_t extended = (uint64_t)signed_of(number, (size_t)parameter->size);
	uint64_t first = parameter->is_signed ? extended : number;
	const struct ic_enumerator *found = find_enumerator(enumeration, first);

	if (!found)
		found = find_enumerator(enumeration, parameter->is_signed ? number : extended);
	text[0] = '\0';
	if (found)
		return append_text(text, room, "%s%s", enumeration->scope, found->name);
	return enumeration->is_flags && number != 0 && put_flags(enumeration, number, text, room);
}

// ---- Any

static bool put_number(const struct ic_parameter *parameter,
		       const struct ic_enumeration *enumeration, const struct ic_value_bytes *value,
		       bool is_big_endian, char *text, size_t room)
{
	size_t size = (size_t)parameter->size;
	uint64_t number = size <= 8 ? ic_value_number(value->bytes, size, is_big_endian) : 0;

	switch (parameter->encoding) {
	case IC_TYPE_BOOLEAN:
		if (size <= 8 && number <= 1)
			snprintf(text, room, "%s", number ? "true" : "false");
		else if (size <= 8)
			put_integer(parameter, number, size, text, room);
		return size <= 8;
	case IC_TYPE_FLOAT:
		if (size == 4 || size == 8)
			put_float(number, size, text, room);
		return size == 4 || size == 8;
	case IC_TYPE_ENUMERATION:
		if (size > 8)
			return false;
		if (!put_enumerator(parameter, enumeration, number, text, room))
			put_integer(parameter, number, size, text, room);
		return true;
	case IC_TYPE_INTEGER:
	case IC_TYPE_CHARACTER:
		if (size <= 8)
			put_integer(parameter, number, size, text, room);
		else
			put_wide(parameter, value->bytes, is_big_endian, text, room);
		return true;
	default: return false;
	}
}

bool ic_value_is_bit(const struct ic_parameter *parameter)
{
	enum ic_location_kind kind = parameter->location.kind;

	return parameter->encoding == IC_TYPE_BOOLEAN && parameter->size == 1 &&
	       parameter->bit_size == 0 && kind != IC_LOCATION_MEMORY && kind != IC_LOCATION_PIECES;
}

// ---- Arrays

bool ic_value_has_items(const struct ic_parameter *parameter)
{
	bool is_size = parameter->item_size == 1 || parameter->item_size == 2 ||
		       parameter->item_size == 4 || parameter->item_size == 8;

	if (parameter->encoding != IC_TYPE_ARRAY || !is_size || ic_value_is_text(parameter) ||
	    parameter->size < parameter->item_size)
		return false;
	switch (parameter->item_encoding) {
	case IC_TYPE_INTEGER:
	case IC_TYPE_BOOLEAN:
	case IC_TYPE_CHARACTER:
	case IC_TYPE_ENUMERATION:
	case IC_TYPE_POINTER:
	case IC_TYPE_REFERENCE: return true;
	case IC_TYPE_FLOAT: return parameter->item_size >= 4;
	default: return false;
	}
}

// The items in the bytes, as "{1, 2, 3...}".
static bool put_items(const struct ic_value_memory *memory, const struct ic_parameter *array,
		      const uint8_t *bytes, char *text, size_t room)
{
	const struct ic_parameter item = { .size = array->item_size,
					   .encoding = array->item_encoding,
					   .is_signed = array->item_is_signed };
	const struct ic_enumeration none = { .scope = "" };
	uint64_t size = array->size < IC_VALUE_MOST ? array->size : IC_VALUE_MOST;
	bool ok = append_text(text, room, "{");

	for (uint64_t at = 0; ok && at + item.size <= size; at += item.size) {
		struct ic_value_bytes value = { .has_bytes = true };
		char one[64] = "";
		memcpy(value.bytes, bytes + at, (size_t)item.size);
		ok = ic_value_text(memory, &item, &none, &value, one, sizeof(one)) &&
		     append_text(text, room, "%s%s", at > 0 ? ", " : "", one);
	}
	return ok && append_text(text, room, array->size > size ? "...}" : "}");
}

bool ic_value_text(const struct ic_value_memory *memory, const struct ic_parameter *parameter,
		   const struct ic_enumeration *enumeration, const struct ic_value_bytes *value,
		   char *text, size_t room)
{
	size_t size = (size_t)parameter->size;
	bool has_bytes = value->has_bytes && parameter->size >= 1 &&
			 parameter->size <= IC_VALUE_MOST;

	switch (parameter->encoding) {
	case IC_TYPE_POINTER:
	case IC_TYPE_REFERENCE:
	case IC_TYPE_FUNCTION:
		if (!has_bytes || size > 8)
			return false;
		uint64_t addr = ic_value_number(value->bytes, size, memory->is_big_endian);
		snprintf(text, room, "0x%" PRIx64, addr);
		const struct ic_value_string pointed = { addr, UINT64_MAX };
		if (value->has_string)
			put_pointed(memory, value->string, true, text, room);
		else if (ic_value_is_string(parameter))
			put_pointed(memory, pointed, false, text, room);
		return true;
	default: break;
	}
	if (has_bytes &&
	    put_number(parameter, enumeration, value, memory->is_big_endian, text, room))
		return true;
	text[0] = '\0';
	if (value->has_string && put_string(memory, value->string, true, text, room))
		return true;
	if (value->has_bytes && ic_value_has_items(parameter))
		return put_items(memory, parameter, value->bytes, text, room);
	if (!value->has_addr)
		return false;
	const struct ic_value_string string = { value->addr, parameter->size };
	if (!ic_value_is_text(parameter) || !put_string(memory, string, false, text, room))
		snprintf(text, room, "{...} at 0x%" PRIx64, value->addr);
	return true;
}
