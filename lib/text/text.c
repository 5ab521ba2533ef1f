#include "text/text.h"

#include <fnmatch.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/bytes.h"

static bool continues_text(unsigned char byte, unsigned char first, unsigned char last)
{
	return byte >= first && byte <= last;
}

size_t ic_text_character(const char *text)
{
	const unsigned char *at = (const unsigned char *)text;
	// The second byte rules out overlong forms, surrogates, and values above U+10FFFF.
	unsigned char first = at[0] == 0xe0 ? 0xa0 : at[0] == 0xf0 ? 0x90 : 0x80;
	unsigned char last = at[0] == 0xed ? 0x9f : at[0] == 0xf4 ? 0x8f : 0xbf;

	if (at[0] < 0x80)
		return 1;
	if (at[0] < 0xc2 || at[0] > 0xf4 || !continues_text(at[1], first, last))
		return 0;
	if (at[0] < 0xe0)
		return 2;
	if (!continues_text(at[2], 0x80, 0xbf))
		return 0;
	if (at[0] < 0xf0)
		return 3;
	return continues_text(at[3], 0x80, 0xbf) ? 4 : 0;
}

uint64_t ic_text_hash(const char *text)
{
	return ic_text_hash_up_to(text, strlen(text));
}

uint64_t ic_text_hash_up_to(const char *text, size_t size)
{
	// FNV, but eight bytes at a time while there are as many.
	uint64_t hash = 0xcbf29ce484222325;

	for (; size >= sizeof(hash); text += sizeof(hash), size -= sizeof(hash)) {
		hash = (hash ^ ic_load64((const uint8_t *)text, false)) * 0x9e3779b97f4a7c15;
		hash ^= hash >> 32;
	}
	for (; size > 0; text++, size--)
		hash = (hash ^ (uint8_t)*text) * 0x100000001b3;
	return hash;
}

bool ic_text_is_same(const char *left, const char *right)
{
	return left == right || (left && right && strcmp(left, right) == 0);
}

bool ic_text_contains(const char *text, const char *part, size_t length)
{
	if (length == 0)
		return true;
	while ((text = strchr(text, *part))) {
		if (length == 1 ||
		    (text[1] == part[1] && strncmp(text + 1, part + 1, length - 1) == 0))
			return true;
		text++;
	}
	return false;
}

int ic_text_hex_digit(char character)
{
	if (character >= '0' && character <= '9')
		return character - '0';
	if (character >= 'a' && character <= 'f')
		return character - 'a' + 10;
	if (character >= 'A' && character <= 'F')
		return character - 'A' + 10;
	return -1;
}

bool ic_text_take_line(struct ic_bytes *text, struct ic_bytes *line)
{
	const uint8_t *end = text->size > 0 ? memchr(text->data, '\n', text->size) : NULL;
	size_t size = end ? (size_t)(end - text->data) : text->size;

	if (text->size == 0)
		return false;
	*line = (struct ic_bytes){ text->data, size };
	size += end != NULL;
	*text = (struct ic_bytes){ text->data + size, text->size - size };
	if (line->size > 0 && line->data[line->size - 1] == '\r')
		line->size--;
	return true;
}

const char *ic_text_base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

struct ic_bytes ic_text_directory(const char *path)
{
	const char *slash = strrchr(path, '/');

	if (!slash)
		return (struct ic_bytes){ (const uint8_t *)".", 1 };
	return (struct ic_bytes){ (const uint8_t *)path,
				  slash == path ? 1 : (size_t)(slash - path) };
}

// The start of the last part of the path so far.
static size_t last_part(const char *path, size_t length)
{
	while (length > 0 && path[length - 1] != '/')
		length--;
	return length;
}

void ic_text_plain_path(const char *path, char *to, size_t size)
{
	size_t length = 0, part_size;

	for (const char *part = path; *part; part += part_size + (part[part_size] == '/')) {
		part_size = strcspn(part, "/");
		size_t last = last_part(to, length);
		bool can_go_up = length > last &&
				 !(length - last == 2 && !memcmp(to + last, "..", 2));

		if (part_size == 0 || (part_size == 1 && part[0] == '.'))
			continue;
		if (part_size == 2 && part[0] == '.' && part[1] == '.' && can_go_up) {
			length = last > 0 ? last - 1 : 0;
			continue;
		}
		if (part_size + 2 > size - length) // including a slash and the NUL
			break;
		if (length > 0 || path[0] == '/')
			to[length++] = '/';
		memcpy(to + length, part, part_size);
		length += part_size;
	}
	to[length] = 0;
}

static bool is_plain(const char *path)
{
	return !strstr(path, "./") && !strstr(path, "//");
}

bool ic_text_path_matches(const char *path, const char *glob)
{
	char plain[4096], tail[4096];

	if (!strchr(glob, '/'))
		return fnmatch(glob, ic_text_base_name(path), 0) == 0;
	ic_text_plain_path(path, plain, sizeof(plain));
	snprintf(tail, sizeof(tail), "*/%s", glob);
	return fnmatch(glob, path, 0) == 0 || fnmatch(glob, plain, 0) == 0 ||
	       (glob[0] != '/' && fnmatch(tail, plain, 0) == 0);
}

int ic_text_compare_paths(const char *left, const char *right)
{
	char a[4096], b[4096];

	if (!left || !right)
		return (left != NULL) - (right != NULL);
	if (strcmp(left, right) == 0 || (is_plain(left) && is_plain(right)))
		return strcmp(left, right);
	ic_text_plain_path(left, a, sizeof(a));
	ic_text_plain_path(right, b, sizeof(b));
	return strcmp(a, b);
}

bool ic_text_append(char *text, size_t size, const char *format, ...)
{
	size_t length = strlen(text);
	va_list args;

	va_start(args, format);
	int written = vsnprintf(text + length, size - length, format, args);
	va_end(args);
	if (written >= 0 && (size_t)written < size - length)
		return true;
	text[length] = 0;
	return false;
}
