// The text files in which a kernel says what it has loaded, read as far as is needed.
#ifndef CLI_PROC_TEXT_H
#define CLI_PROC_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cli_proc_text {
	const char *path;
	char *data; // what has been read of it, from its beginning
	size_t size, capacity;
	int fd; // -1 where it is not open
	bool opened, ended;
	bool failed; // and said so
};

void cli_proc_text_init(struct cli_proc_text *text, const char *path);
void cli_proc_text_deinit(struct cli_proc_text *text);

struct cli_word { // of a line; borrowed from the text until more of it is read
	const char *text;
	size_t size;
};

struct cli_kallsym { // a line of /proc/kallsyms
	uint64_t addr;
	char type; // as in nm
	struct cli_word name;
	struct cli_word module; // without brackets; of size 0 in the kernel itself
};

// Reads on from *at, 0 for the beginning; lines that are none are passed over. False at the end,
// and after a complaint where the file cannot be read (`failed`).
bool cli_kallsym_next(struct cli_proc_text *text, size_t *at, struct cli_kallsym *symbol);

struct cli_proc_module { // a line of /proc/modules
	struct cli_word name;
	uint64_t addr; // 0 where it is hidden
};

bool cli_proc_module_next(struct cli_proc_text *text, size_t *at, struct cli_proc_module *module);

// Whether a file begins as /proc/kallsyms or /proc/modules do.
bool cli_proc_text_is_kallsyms(const char *path);
bool cli_proc_text_is_modules(const char *path);

// A whole word as a number in hexadecimal, with or without "0x".
bool cli_word_hex(struct cli_word word, uint64_t *value);

bool cli_word_is(struct cli_word word, const char *text);

#endif
