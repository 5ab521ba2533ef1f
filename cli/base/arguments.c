#include "base/arguments.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cli.h"

enum { MOST_FILES = 2000 }; // a file may name itself

struct words {
	char **values;
	int count, capacity;
};

static void free_words(struct words *words)
{
	for (int i = 0; i < words->count; i++)
		free(words->values[i]);
	free(words->values);
}

static bool push_word(struct words *words, char *value)
{
	if (words->count == words->capacity) {
		int capacity = 2 * words->capacity + 16;
		char **values = realloc(words->values, (size_t)capacity * sizeof(char *));
		if (!values)
			return false;
		words->values = values;
		words->capacity = capacity;
	}
	words->values[words->count++] = value;
	return true;
}

// Reads the word that begins at *text into `word`, which must be large enough, and advances *text
// past it.
static void read_word(const char **text, char *word)
{
	const char *at = *text;
	char quote = 0;

	for (; *at && (quote || !isspace((unsigned char)*at)); at++) {
		if (*at == '\\' && at[1])
			*word++ = *++at;
		else if (quote && *at == quote)
			quote = 0;
		else if (!quote && (*at == '"' || *at == '\''))
			quote = *at;
		else
			*word++ = *at;
	}
	*word = 0;
	*text = at;
}

static bool split_text(const char *text, struct words *words)
{
	char *word = malloc(strlen(text) + 1);
	bool ok = word != NULL;

	while (ok) {
		while (isspace((unsigned char)*text))
			text++;
		if (!*text)
			break;
		read_word(&text, word);
		char *copy = strdup(word);
		ok = copy && push_word(words, copy);
		if (!ok)
			free(copy);
	}
	free(word);
	return ok;
}

// Replaces `taken` arguments at `index` with words, which `arguments` then owns.
static bool replace_words(struct cli_arguments *arguments, int index, int taken,
			  const struct words *words)
{
	int count = arguments->count - taken + words->count;
	int behind = arguments->count - index - taken;
	char **all = malloc(((size_t)count + 1) * sizeof(char *));

	if (!all)
		return false;
	if (index > 0)
		memcpy(all, arguments->values, (size_t)index * sizeof(char *));
	if (words->count > 0)
		memcpy(all + index, words->values, (size_t)words->count * sizeof(char *));
	if (behind > 0)
		memcpy(all + index + words->count, arguments->values + index + taken,
		       (size_t)behind * sizeof(char *));
	all[count] = NULL;
	for (int i = 0; i < taken; i++)
		free(arguments->values[index + i]);
	free(arguments->values);
	arguments->values = all;
	arguments->count = count;
	return true;
}

static bool replace_by_text(struct cli_arguments *arguments, int index, int taken, const char *text)
{
	struct words words = { NULL, 0, 0 };

	if (split_text(text, &words) && replace_words(arguments, index, taken, &words)) {
		free(words.values);
		return true;
	}
	free_words(&words);
	cli_complain("out of memory");
	return false;
}

// Reads a file to its end. NULL with errno on failure.
static char *read_all(FILE *file)
{
	size_t size = 0, capacity = 0;
	char *text = NULL;

	do {
		capacity = 2 * capacity + 4096;
		char *larger = realloc(text, capacity);
		if (!larger) {
			free(text);
			return NULL;
		}
		text = larger;
		size += fread(text + size, 1, capacity - size - 1, file);
		text[size] = 0;
	} while (size == capacity - 1);
	if (!ferror(file))
		return text;
	int reason = errno;
	free(text);
	errno = reason;
	return NULL;
}

// Reads a text file. *text is NULL if there is no such file. Prints an error and returns false if
// it can be opened, but not read.
static bool read_text(const char *path, char **text)
{
	struct stat status;
	FILE *file = fopen(path, "r");
	bool ok = file || errno != ENOMEM;

	*text = NULL;
	if (file && fstat(fileno(file), &status) == 0 && !S_ISDIR(status.st_mode)) {
		*text = read_all(file);
		ok = *text != NULL;
	}
	if (!ok)
		cli_complain("%s: cannot read: %s", path, strerror(errno));
	if (file)
		fclose(file);
	return ok;
}

static bool expand_files(struct cli_arguments *arguments)
{
	for (int i = 1; i < arguments->count;) {
		const char *value = arguments->values[i];
		char *text = NULL;
		if (value[0] == '@' && !read_text(value + 1, &text))
			return false;
		if (!text) {
			i++;
			continue;
		}
		bool ok = arguments->files++ < MOST_FILES;
		if (!ok)
			cli_complain("%s: more than %d argument files; do they include each "
				     "other?",
				     value, MOST_FILES);
		ok = ok && replace_by_text(arguments, i, 1, text);
		free(text);
		if (!ok)
			return false;
	}
	return true;
}

bool cli_arguments_begin(struct cli_arguments *arguments, int argc, char **argv)
{
	struct words words = { NULL, 0, 0 };

	*arguments = (struct cli_arguments){ .values = NULL };
	for (int i = 0; i < argc; i++) {
		char *copy = strdup(argv[i]);
		if (!copy || !push_word(&words, copy)) {
			free(copy);
			free_words(&words);
			cli_complain("out of memory");
			return false;
		}
	}
	if (!replace_words(arguments, 0, 0, &words)) {
		free_words(&words);
		cli_complain("out of memory");
		return false;
	}
	free(words.values);
	return expand_files(arguments);
}

bool cli_arguments_insert(struct cli_arguments *arguments, const char *text)
{
	return replace_by_text(arguments, arguments->count > 0, 0, text);
}

void cli_arguments_end(struct cli_arguments *arguments)
{
	for (int i = 0; i < arguments->count; i++)
		free(arguments->values[i]);
	free(arguments->values);
}
