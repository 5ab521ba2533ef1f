// Text files in which a kernel lists what it has loaded, read only as far as needed.
#ifndef PROCESS_PLACEMENT_PROC_TEXT_H
#define PROCESS_PLACEMENT_PROC_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <inlinecall/extra/span.h>

#include "base/error.h"

struct ic_proc_text {
	const char *path;
	char *data; // what has been read so far, from the start
	size_t size, capacity;
	int fd; // -1 if it is not open
	bool opened, ended;
	bool has_any;        // one of the lines read was in the requested format
	struct ic_error err; // why it could not be read
	void (*unreadable)(void *context, const char *message);
	void *context;
};

void ic_proc_text_init(struct ic_proc_text *text, const char *path);
void ic_proc_text_deinit(struct ic_proc_text *text);

// Whether all lines so far could be read; otherwise *err is set.
bool ic_proc_text_check(const struct ic_proc_text *text, struct ic_error *err);

struct ic_kallsym { // a line of /proc/kallsyms; its spans are valid until more is read
	uint64_t addr;
	char type; // as in nm
	struct ic_span name;
	struct ic_span module; // without brackets; empty for the kernel itself
};

// Gets the next symbol from *at, 0 for the start; lines in other formats are skipped. False at the
// end, and if the file cannot be read.
bool ic_kallsym_next(struct ic_proc_text *text, size_t *at, struct ic_kallsym *symbol);

struct ic_proc_module { // a line of /proc/modules
	struct ic_span name;
	uint64_t addr; // 0 if it is hidden
};

bool ic_proc_module_next(struct ic_proc_text *text, size_t *at, struct ic_proc_module *module);

enum { IC_PROC_TEXT_BEGINNING = 512 };

// The start of a file, read into a buffer of that size; must not be deinitialized. False if it is
// not a regular file, or empty.
bool ic_proc_text_begin(struct ic_proc_text *text, const char *path, char *buffer);

#endif
