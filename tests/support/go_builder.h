// Writes Go's table of functions, runtime.pclntab, in any of its formats.
#ifndef TESTS_SUPPORT_GO_BUILDER_H
#define TESTS_SUPPORT_GO_BUILDER_H

#include "byte_buffer.h"

struct go_run { // of one value: how many instructions' bytes it lasts
	uint32_t size;
	int32_t value;
};

struct go_inlined { // a call that was inlined
	const char *name;
	int32_t parent; // -1 if none
	uint32_t parent_pc;
	int32_t file;
	uint32_t line, start_line;
};

struct go_function {    // runs and calls end with one that is all zeros
	uint64_t entry; // from the start of the text
	const char *name;
	const struct go_run *files, *lines, *inlined;
	const struct go_inlined *calls;
	uint32_t start_line;
};

struct go_table {
	uint32_t release; // of Go, 1.N
	uint8_t pointer_size, quantum;
	bool big_endian;
	uint64_t text; // address
	const struct go_function *functions;
	uint32_t count;
	uint64_t end;             // of the last function, from the start of the text
	const char *const *paths; // of files, the first of which is number 0, or 1 before Go 1.16
	uint64_t calls_addr;      // where the records of inlined calls will be
};

// Writes the table, and the records that its functions refer to: their offsets count from the start
// of `calls`, their addresses from calls_addr.
void go_table_write(const struct go_table *table, struct byte_buffer *out,
		    struct byte_buffer *calls);

#endif
