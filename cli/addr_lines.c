#include "addr_lines.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SHOWN = 60 }; // bytes of a line that is too long

static bool is_blank(char character)
{
	return character == ' ' || (character >= '\t' && character <= '\r');
}

char *cli_addr_trimmed(char *text)
{
	while (is_blank(*text))
		text++;
	for (size_t length = strlen(text); length > 0 && is_blank(text[length - 1]); length--)
		text[length - 1] = 0;
	return text;
}

// Makes a text of the bytes, whose last one is the newline.
static bool add_line(struct cli_addr_lines *lines, char *bytes, size_t size)
{
	if (lines->count == lines->capacity) {
		size_t capacity = lines->capacity ? 2 * lines->capacity : 1024;
		void *grown = realloc(lines->texts, capacity * sizeof(*lines->texts));
		if (!grown) {
			lines->os_error = ENOMEM;
			return false;
		}
		lines->texts = grown;
		lines->capacity = capacity;
	}
	bytes[size - 1] = 0;
	for (char *at = bytes; (at = memchr(at, 0, (size_t)(bytes + size - 1 - at)));)
		*at = '?'; // it is no end, and in no address
	lines->texts[lines->count++] = cli_addr_trimmed(bytes);
	return true;
}

// Takes the whole lines of the buffer.
static bool take_lines(struct cli_addr_lines *lines)
{
	char *from, *end;

	while ((from = lines->buffer + lines->taken,
		end = memchr(from, '\n', lines->used - lines->taken))) {
		lines->taken += (size_t)(end + 1 - from);
		if (!lines->is_cut && !add_line(lines, from, (size_t)(end + 1 - from)))
			return false;
		lines->is_cut = false;
	}
	return true;
}

static ssize_t read_more(struct cli_addr_lines *lines)
{
	ssize_t size;

	do {
		size = read(STDIN_FILENO, lines->buffer + lines->used,
			    CLI_ADDR_LINES_SIZE - lines->used);
	} while (size < 0 && errno == EINTR);
	if (size < 0)
		lines->os_error = errno;
	else
		lines->used += (size_t)size;
	return size;
}

// The last line of a file may have no newline.
static bool take_last(struct cli_addr_lines *lines)
{
	char *last = lines->buffer + lines->taken;
	size_t size = lines->used - lines->taken;

	lines->taken = lines->used;
	last[size] = '\n';
	return size == 0 || lines->is_cut || add_line(lines, last, size + 1);
}

// What is longer than the buffer is no address. What it begins with may be one: it gets an end that
// none has.
static bool take_beginning(struct cli_addr_lines *lines)
{
	static const char end[] = "...\n";
	bool was_cut = lines->is_cut;

	lines->is_cut = true;
	lines->taken = lines->used;
	memcpy(lines->buffer + SHOWN, end, sizeof(end) - 1);
	return was_cut || add_line(lines, lines->buffer, SHOWN + sizeof(end) - 1);
}

bool cli_addr_lines_next(struct cli_addr_lines *lines)
{
	lines->count = 0;
	while (lines->count == 0 && lines->os_error == 0) {
		memmove(lines->buffer, lines->buffer + lines->taken, lines->used - lines->taken);
		lines->used -= lines->taken;
		lines->taken = 0;
		if (lines->used == CLI_ADDR_LINES_SIZE) {
			if (!take_beginning(lines))
				return false;
			continue;
		}
		ssize_t size = read_more(lines);
		if (size == 0)
			return take_last(lines) && lines->count > 0;
		if (size > 0 && !take_lines(lines))
			return false;
	}
	return lines->count > 0 && lines->os_error == 0;
}

void cli_addr_lines_free(struct cli_addr_lines *lines)
{
	free(lines->texts);
}
