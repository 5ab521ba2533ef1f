#include "base/addr_lines.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	LONGEST = 1 << 16, // bytes of a line, with its newline; a longer one is not an address
	SHOWN = 60,        // bytes shown of a longer one
};

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

// Adds the bytes, the last of which is the newline, as a text.
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
		*at = '?'; // a NUL must not end the text, and is in no address
	lines->texts[lines->count++] = lines->is_verbatim ? bytes : cli_addr_trimmed(bytes);
	return true;
}

// A line that is too long may begin with an address: gives it an end that no address has.
static bool add_beginning(struct cli_addr_lines *lines, char *bytes)
{
	static const char end[] = "...\n";

	memcpy(bytes + SHOWN, end, sizeof(end) - 1);
	return add_line(lines, bytes, SHOWN + sizeof(end) - 1);
}

// Takes the complete lines in the buffer.
static bool take_lines(struct cli_addr_lines *lines)
{
	char *from, *end;

	while ((from = lines->buffer + lines->taken,
		end = memchr(from, '\n', lines->used - lines->taken))) {
		size_t size = (size_t)(end + 1 - from);
		lines->taken += size;
		if (!lines->is_cut &&
		    !(size <= LONGEST ? add_line(lines, from, size) : add_beginning(lines, from)))
			return false;
		lines->is_cut = false;
	}
	return true;
}

static bool is_ready(void)
{
	struct pollfd input = { .fd = STDIN_FILENO, .events = POLLIN };

	return poll(&input, 1, 0) == 1 && input.revents & POLLIN;
}

// Waits for input, and takes what is there. Returns false if it cannot be read.
static bool read_more(struct cli_addr_lines *lines)
{
	do {
		ssize_t size = read(STDIN_FILENO, lines->buffer + lines->used,
				    CLI_ADDR_LINES_SIZE - lines->used);
		if (size < 0 && errno != EINTR) {
			lines->os_error = errno;
			return false;
		}
		lines->at_end = size == 0;
		lines->used += size > 0 ? (size_t)size : 0;
	} while (!lines->at_end && lines->used < CLI_ADDR_LINES_SIZE &&
		 (lines->used == lines->taken || is_ready()));
	return true;
}

// Takes the last line of a file, which may have no newline.
static bool take_last(struct cli_addr_lines *lines)
{
	char *last = lines->buffer + lines->taken;
	size_t size = lines->used - lines->taken;

	lines->taken = lines->used;
	last[size] = '\n';
	if (size == 0 || lines->is_cut)
		return true;
	return size < LONGEST ? add_line(lines, last, size + 1) : add_beginning(lines, last);
}

// Takes the beginning of a line that is longer than the buffer.
static bool take_beginning(struct cli_addr_lines *lines)
{
	bool was_cut = lines->is_cut;

	lines->is_cut = true;
	lines->taken = lines->used;
	return was_cut || add_beginning(lines, lines->buffer);
}

bool cli_addr_lines_next(struct cli_addr_lines *lines)
{
	lines->count = 0;
	if (!lines->buffer && !(lines->buffer = malloc(CLI_ADDR_LINES_SIZE + 1))) {
		lines->os_error = ENOMEM;
		return false;
	}
	while (lines->count == 0) {
		memmove(lines->buffer, lines->buffer + lines->taken, lines->used - lines->taken);
		lines->used -= lines->taken;
		lines->taken = 0;
		if (lines->used == CLI_ADDR_LINES_SIZE) {
			if (!take_beginning(lines))
				return false;
			continue;
		}
		if ((!lines->at_end && !read_more(lines)) || !take_lines(lines))
			return false;
		if (lines->at_end && lines->count == 0)
			return take_last(lines) && lines->count > 0;
	}
	return true;
}

void cli_addr_lines_free(struct cli_addr_lines *lines)
{
	free(lines->texts);
	free(lines->buffer);
}
