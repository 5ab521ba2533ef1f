#include "proc_text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli.h"

enum { READ_SIZE = 1 << 16, MOST_WORDS = 6 };

void cli_proc_text_init(struct cli_proc_text *text, const char *path)
{
	*text = (struct cli_proc_text){ .path = path, .fd = -1 };
}

void cli_proc_text_deinit(struct cli_proc_text *text)
{
	if (text->fd >= 0)
		close(text->fd);
	free(text->data);
	cli_proc_text_init(text, text->path);
}

static bool fail(struct cli_proc_text *text, const char *what, int os_error)
{
	cli_complain("%s: cannot %s: %s", text->path, what, strerror(os_error));
	text->failed = text->ended = true;
	return false;
}

// False at the end.
static bool read_more(struct cli_proc_text *text)
{
	if (!text->opened) {
		text->opened = true;
		text->fd = open(text->path, O_RDONLY | O_CLOEXEC);
		if (text->fd < 0)
			return fail(text, "open", errno);
	}
	if (text->ended)
		return false;
	if (text->capacity - text->size < READ_SIZE) {
		size_t capacity = text->capacity * 2 + READ_SIZE;
		char *data = realloc(text->data, capacity);
		if (!data)
			return fail(text, "read", ENOMEM);
		text->data = data;
		text->capacity = capacity;
	}
	for (;;) {
		ssize_t count =
			read(text->fd, text->data + text->size, text->capacity - text->size);
		if (count < 0 && errno == EINTR)
			continue;
		if (count < 0)
			return fail(text, "read", errno);
		text->size += (size_t)count;
		text->ended = count == 0;
		return !text->ended;
	}
}

static bool next_line(struct cli_proc_text *text, size_t *at, struct cli_word *line)
{
	const char *end = NULL;
	size_t searched = *at;

	do {
		if (text->size > searched)
			end = memchr(text->data + searched, '\n', text->size - searched);
		searched = text->size;
	} while (!end && read_more(text));
	if (text->failed || (!end && *at == text->size))
		return false;
	size_t line_end = end ? (size_t)(end - text->data) : text->size;
	*line = (struct cli_word){ text->data + *at, line_end - *at };
	*at = line_end + (end != NULL);
	return true;
}

static size_t split(struct cli_word line, struct cli_word *words)
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
		words[count++] = (struct cli_word){ line.text + start, at - start };
	}
	return count;
}

bool cli_word_hex(struct cli_word word, uint64_t *value)
{
	char text[19], *end; // "0x" and 16 digits

	if (word.size == 0 || word.size >= sizeof(text))
		return false;
	memcpy(text, word.text, word.size);
	text[word.size] = 0;
	if (!strchr("0123456789abcdefABCDEF", text[0])) // no blanks, no sign
		return false;
	errno = 0;
	*value = strtoull(text, &end, 16);
	return errno == 0 && *end == 0;
}

bool cli_word_is(struct cli_word word, const char *text)
{
	return word.size == strlen(text) && memcmp(word.text, text, word.size) == 0;
}

bool cli_kallsym_next(struct cli_proc_text *text, size_t *at, struct cli_kallsym *symbol)
{
	struct cli_word line, words[MOST_WORDS];

	while (next_line(text, at, &line)) {
		size_t count = split(line, words);
		if (count < 3 || words[1].size != 1 || !cli_word_hex(words[0], &symbol->addr))
			continue;
		symbol->type = words[1].text[0];
		symbol->name = words[2];
		symbol->module = (struct cli_word){ NULL, 0 };
		if (count > 3 && words[3].size > 2 && words[3].text[0] == '[')
			symbol->module = (struct cli_word){ words[3].text + 1, words[3].size - 2 };
		return true;
	}
	return false;
}

// "xfs 1957888 2 libcrc32c,dm_mod, Live 0xffffffffc0a00000 (E)"
bool cli_proc_module_next(struct cli_proc_text *text, size_t *at, struct cli_proc_module *module)
{
	struct cli_word line, words[MOST_WORDS];

	while (next_line(text, at, &line)) {
		if (split(line, words) < 6 || !cli_word_hex(words[5], &module->addr))
			continue;
		module->name = words[0];
		return true;
	}
	return false;
}

enum { BEGINNING_SIZE = 512 };

// The beginning of a file, in a buffer of that size. False if it is none to look in.
static bool read_beginning(struct cli_proc_text *text, const char *path, char *buffer)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct stat st;
	ssize_t size = -1;

	if (fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
		size = read(fd, buffer, BEGINNING_SIZE);
	if (fd >= 0)
		close(fd);
	cli_proc_text_init(text, path);
	text->data = buffer;
	text->size = size > 0 ? (size_t)size : 0;
	text->opened = text->ended = true;
	return size > 0;
}

static bool is_first_line(const struct cli_proc_text *text, size_t end)
{
	return end > 0 && !memchr(text->data, '\n', end - 1);
}

bool cli_proc_text_is_kallsyms(const char *path)
{
	char buffer[BEGINNING_SIZE];
	struct cli_kallsym symbol;
	struct cli_proc_text text;
	size_t at = 0;

	return read_beginning(&text, path, buffer) && cli_kallsym_next(&text, &at, &symbol) &&
	       is_first_line(&text, at);
}

bool cli_proc_text_is_modules(const char *path)
{
	char buffer[BEGINNING_SIZE];
	struct cli_proc_module module;
	struct cli_proc_text text;
	size_t at = 0;

	return read_beginning(&text, path, buffer) && cli_proc_module_next(&text, &at, &module) &&
	       is_first_line(&text, at);
}
