#include "text/json_text.h"

#include <string.h>

#include "text/text.h"

static const uint64_t ONES = 0x0101010101010101;

// Sets the top bit of each byte that equals `byte`; only whether any is set is reliable.
static uint64_t mark_byte(uint64_t bytes, uint8_t byte)
{
	uint64_t different = bytes ^ (byte * ONES);

	return (different - ONES) & ~different;
}

// Whether a byte represents itself in a string; bytes that are not ASCII may not be UTF-8.
static bool is_plain(char byte)
{
	return byte >= ' ' && byte != '"' && byte != '\\' && (uint8_t)byte < 0x80;
}

// The number of bytes at the start of a text that represent themselves.
static size_t plain_size(const char *text, size_t size)
{
	size_t i = 0;

	for (; size - i >= sizeof(uint64_t); i += sizeof(uint64_t)) {
		uint64_t bytes;
		memcpy(&bytes, text + i, sizeof(bytes));
		// Control characters, and anything that is not ASCII.
		uint64_t others = (bytes - ' ' * ONES) | bytes;
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

static void write_text(struct ic_output *output, const char *text, const char *end)
{
	for (;;) {
		size_t plain = plain_size(text, (size_t)(end - text));
		ic_output_bytes(output, text, plain);
		text += plain;
		if (text == end)
			return;
		size_t character = ic_text_character(text);
		if (character == 1)
			write_escaped(output, *text);
		else if (character > 1)
			ic_output_bytes(output, text, character);
		else
			ic_output_text(output, "\xef\xbf\xbd");
		text += character > 0 ? character : 1;
	}
}

void ic_json_text(struct ic_output *output, const char *text)
{
	if (!text) {
		ic_output_text(output, "null");
		return;
	}
	ic_output_char(output, '"');
	write_text(output, text, text + strlen(text));
	ic_output_char(output, '"');
}

void ic_json_script_text(struct ic_output *output, const char *text)
{
	ic_output_char(output, '"');
	for (;;) {
		const char *end = text + strcspn(text, "<");
		write_text(output, text, end);
		if (!*end)
			break;
		ic_output_text(output, "\\u003c");
		text = end + 1;
	}
	ic_output_char(output, '"');
}
