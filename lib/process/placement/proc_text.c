#include "process/placement/proc_text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/auto.h"
#include "text/span.h"

enum {
	READ_SIZE = 1 << 16,
	LONGEST_LINE = 1 << 20, // of a symbol or module: far more than any has
	MOST_WORDS = 6
};

void ic_proc_text_init(struct ic_proc_text *text, const char *path)
{
	*text = (struct ic_proc_text){ .path = path, .fd = -1 };
}

void ic_proc_text_deinit(struct ic_proc_text *text)
{
	if (text->fd >= 0)
		close(text->fd);
	free(text->data);
	ic_proc_text_init(text, text->path);
}

bool ic_proc_text_check(const struct ic_proc_text *text, struct ic_error *err)
{
	if (text->err.code != IC_ERROR_NONE)
		*err = text->err;
	return text->err.code == IC_ERROR_NONE;
}

static bool fail_text(struct ic_proc_text *text, const char *call)
{
	ic_fail_system(&text->err, call, text->path);
	text->ended = true;
	if (text->unreadable)
		text->unreadable(text->context, text->err.message);
	return false;
}

static bool fail_memory(struct ic_proc_text *text)
{
	text->ended = true;
	return ic_fail_memory(&text->err);
}

// False at the end.
static bool read_more(struct ic_proc_text *text)
{
	if (!text->opened) {
		text->opened = true;
		text->fd = open(text->path, O_RDONLY | O_CLOEXEC);
		if (text->fd < 0)
			return fail_text(text, "open");
	}
	if (text->ended)
		return false;
	if (text->capacity - text->size < READ_SIZE) {
		size_t capacity = text->capacity * 2 + READ_SIZE;
		char *data = realloc(text->data, capacity);
		if (!data)
			return fail_memory(text);
		text->data = data;
		text->capacity = capacity;
	}
	for (;;) {
		ssize_t count =
			read(text->fd, text->data + text->size, text->capacity - text->size);
		if (count < 0 && errno == EINTR)
			continue;
		if (count < 0)
			return fail_text(text, "read");
		text->size += (size_t)count;
		text->ended = count == 0;
		return !text->ended;
	}
}

static bool fail_line(struct ic_proc_text *text)
{
	text->ended = true;
	(void)ic_fail(&text->err, IC_ERROR_MALFORMED, "%s: a line is longer than %d bytes",
		      text->path, LONGEST_LINE);
	if (text->unreadable)
		text->unreadable(text->context, text->err.message);
	return false;
}

static bool next_line(struct ic_proc_text *text, size_t *at, struct ic_span *line)
{
	const char *end = NULL;
	size_t searched = *at;

	do {
		if (text->size > searched)
			end = memchr(text->data + searched, '\n', text->size - searched);
		searched = text->size;
		if (!end && text->size - *at > LONGEST_LINE)
			return fail_line(text);
	} while (!end && read_more(text));
	if (text->err.code != IC_ERROR_NONE || (!end && *at == text->size))
		return false;
	size_t line_end = end ? (size_t)(end - text->data) : text->size;
	*line = (struct ic_span){ text->data + *at, line_end - *at };
	*at = line_end + (end != NULL);
	return true;
}

static size_t split_words(struct ic_span line, struct ic_span *words)
{
	size_t at = 0, count = 0;

	while (count < MOST_WORDS) {
		while (at < line.size && strchr(" \t\r", line.text[at] + !line.text[at]))
			at++;
		size_t start = at;
		while (at < line.size && !strchr(" \t\r", line.text[at] + !line.text[at]))
			at++;
		if (at == start)
			return count;
		words[count++] = (struct ic_span){ line.text + start, at - start };
	}
	return count;
}

bool ic_kallsym_next(struct ic_proc_text *text, size_t *at, struct ic_kallsym *symbol)
{
	struct ic_span line, words[MOST_WORDS];

	while (next_line(text, at, &line)) {
		size_t count = split_words(line, words);
		if (count < 3 || words[1].size != 1 || !ic_span_hex(words[0], &symbol->addr))
			continue;
		symbol->type = words[1].text[0];
		symbol->name = words[2];
		symbol->module = (struct ic_span){ NULL, 0 };
		if (count > 3 && words[3].size > 2 && words[3].text[0] == '[')
			symbol->module = (struct ic_span){ words[3].text + 1, words[3].size - 2 };
		return text->has_any = true;
	}
	return false;
}

// "xfs 1957888 2 libcrc32c,dm_mod, Live 0xffffffffc0a00000 (E)"
bool ic_proc_module_next(struct ic_proc_text *text, size_t *at, struct ic_proc_module *module)
{
	struct ic_span line, words[MOST_WORDS];

	while (next_line(text, at, &line)) {
		if (split_words(line, words) < 6 || !ic_span_hex(words[5], &module->addr))
			continue;
		module->name = words[0];
		return text->has_any = true;
	}
	return false;
}

bool ic_proc_text_begin(struct ic_proc_text *text, const char *path, char *buffer)
{
	IC_AUTO(ic_close_fd) int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct stat st;
	ssize_t size = -1;

	if (fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
		size = read(fd, buffer, IC_PROC_TEXT_BEGINNING);
	ic_proc_text_init(text, path);
	text->data = buffer;
	text->size = size > 0 ? (size_t)size : 0;
	text->opened = text->ended = true;
	return size > 0;
}
