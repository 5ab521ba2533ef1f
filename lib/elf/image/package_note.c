#include "elf/image/package_note.h"

#include <string.h>

#include "elf/files/note.h"
#include "elf/image/image.h"

enum { LONGEST_KEY = 32 };
static const uint32_t package_note = 0xcafe1a7e;

struct reader { // of JSON (RFC 8259)
	const uint8_t *at, *end;
	bool failed;
};

static bool has_next(struct reader *reader, char wanted)
{
	while (reader->at < reader->end && *reader->at && strchr(" \t\r\n", *reader->at))
		reader->at++;
	return reader->at < reader->end && *reader->at == (uint8_t)wanted;
}

static bool skip_sign(struct reader *reader, char wanted)
{
	bool has = has_next(reader, wanted);

	reader->at += has;
	return has;
}

// The character that an escape sequence stands for: what no package is named with becomes '?'.
static char read_escape(struct reader *reader)
{
	static const char letters[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";

	if (reader->at == reader->end) {
		reader->failed = true;
		return 0;
	}
	uint8_t letter = *reader->at++;
	const char *found = letter ? strchr(letters, letter) : NULL;
	if (found)
		return meant[found - letters];
	size_t left = (size_t)(reader->end - reader->at);
	reader->failed |= letter != 'u' || left < 4;
	reader->at += reader->failed ? 0 : 4;
	return '?';
}

// Reads a string, of which `text` gets what fits, with a zero.
static void read_string(struct reader *reader, char *text, size_t size)
{
	size_t length = 0;

	reader->failed |= !skip_sign(reader, '"');
	while (!reader->failed && reader->at < reader->end && *reader->at != '"') {
		char character = (char)*reader->at++;
		if (character == '\\')
			character = read_escape(reader);
		if (length + 1 < size)
			text[length++] = character;
	}
	text[length] = 0;
	reader->failed |= !skip_sign(reader, '"');
}

// Skips a value up to the sign after it.
static void skip_value(struct reader *reader)
{
	char text[LONGEST_KEY];
	size_t depth = 0;

	while (!reader->failed && reader->at < reader->end) {
		if (has_next(reader, '"')) {
			read_string(reader, text, sizeof(text));
			continue;
		}
		if (reader->at == reader->end)
			return;
		char sign = (char)*reader->at;
		if (depth == 0 && (sign == ',' || sign == '}'))
			return;
		depth += sign == '{' || sign == '[';
		depth -= depth > 0 && (sign == '}' || sign == ']');
		reader->at++;
	}
}

// Of several members with one name, the last one counts.
static void read_member(struct reader *reader, struct ic_image_package *package)
{
	char key[LONGEST_KEY];

	read_string(reader, key, sizeof(key));
	reader->failed |= !skip_sign(reader, ':');
	bool is_name = strcmp(key, "name") == 0, is_version = strcmp(key, "version") == 0;
	char *text = is_name ? package->name : is_version ? package->version : NULL;
	if (text)
		text[0] = 0;
	if (text && has_next(reader, '"'))
		read_string(reader, text,
			    is_name ? sizeof(package->name) : sizeof(package->version));
	else
		skip_value(reader);
}

bool ic_package_note_read(struct ic_bytes json, struct ic_image_package *package)
{
	package->name[0] = package->version[0] = 0;
	if (json.size == 0)
		return false;
	struct reader reader = { json.data, json.data + json.size, false };
	if (!skip_sign(&reader, '{'))
		return false;
	do
		read_member(&reader, package);
	while (!reader.failed && skip_sign(&reader, ','));
	return !reader.failed && has_next(&reader, '}') && package->name[0];
}

bool ic_image_package(const struct ic_image *image, struct ic_image_package *package)
{
	return ic_package_note_read(ic_note_find(&image->file, "FDO", package_note), package);
}
