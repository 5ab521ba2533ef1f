#include "stdin_lines.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"

enum { CAPACITY = 64 << 10 }; // longer lines come in parts

static void fill(struct cli_stdin_lines *lines)
{
	ssize_t count;

	// What is left is the beginning of one line.
	memmove(lines->text, lines->text + lines->begin, lines->end - lines->begin);
	lines->end -= lines->begin;
	lines->begin = 0;
	if (fflush(stdout) != 0)
		cli_write_failed(errno, strerror(errno));
	do {
		count = read(STDIN_FILENO, lines->text + lines->end, CAPACITY - lines->end);
	} while (count < 0 && errno == EINTR);
	if (count > 0) {
		lines->end += (size_t)count;
		return;
	}
	lines->ended = true;
	if (count < 0) {
		cli_complain("cannot read standard input: %s", strerror(errno));
		lines->failed = true;
	}
}

static char *take(struct cli_stdin_lines *lines, size_t length, size_t with_end)
{
	char *line = lines->text + lines->begin;

	line[length] = 0;
	lines->begin += with_end;
	return line;
}

char *cli_stdin_lines_next(struct cli_stdin_lines *lines)
{
	if (!lines->text) {
		lines->text = malloc(CAPACITY + 1);
		if (!lines->text) {
			cli_complain("out of memory");
			lines->ended = lines->failed = true;
		}
	}
	for (size_t looked = 0;;) {
		size_t length = lines->end - lines->begin;
		char *end = length > looked ? memchr(lines->text + lines->begin + looked, '\n',
						     length - looked)
					    : NULL;
		if (end) {
			length = (size_t)(end - lines->text) - lines->begin;
			return take(lines, length, length + 1);
		}
		if (lines->ended || length == CAPACITY)
			return length > 0 ? take(lines, length, length) : NULL;
		looked = length;
		fill(lines);
	}
}

bool cli_stdin_lines_end(struct cli_stdin_lines *lines)
{
	free(lines->text);
	return !lines->failed;
}
