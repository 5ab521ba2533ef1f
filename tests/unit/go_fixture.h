// A table of two functions of Go, into the second of which two calls were inlined, one within the
// other, in the format of any release; and a program that has it.
#ifndef TESTS_UNIT_GO_FIXTURE_H
#define TESTS_UNIT_GO_FIXTURE_H

#include "go_builder.h"

enum {
	GO_BEFORE = 0x300000,
	GO_TEXT = 0x401000,
	GO_TEXT_SIZE = 0x1000,
	GO_TABLE = 0x500000,
	GO_CALLS = 0x600000,
	GO_MODULE = 0x700000,
};

static const struct go_run go_files[] = { { 32, 1 }, { 16, 2 }, { 0, 0 } };
static const struct go_run go_lines[] = { { 8, 10 }, { 8, 70 }, { 8, 71 }, { 24, 12 }, { 0, 0 } };
static const struct go_run go_inlined[] = { { 8, -1 }, { 8, 0 }, { 8, 1 }, { 24, -1 }, { 0, 0 } };
static const struct go_inlined go_calls[] = {
	{ .name = "main.mid",
	  .parent = -1,
	  .parent_pc = 4,
	  .file = 1,
	  .line = 10,
	  .start_line = 68 },
	{ .name = "main.leaf",
	  .parent = 0,
	  .parent_pc = 12,
	  .file = 1,
	  .line = 70,
	  .start_line = 60 },
	{ .name = NULL },
};
static const struct go_function go_functions[] = {
	{ .entry = 0, .name = "main.first", .files = go_files, .lines = go_lines, .start_line = 5 },
	{ .entry = 64,
	  .name = "main.main",
	  .files = go_files,
	  .lines = go_lines,
	  .inlined = go_inlined,
	  .calls = go_calls,
	  .start_line = 9 },
};
static const char *const go_paths[] = { "/src/zero.go", "/src/main.go", "/src/other.go", NULL };

static inline struct go_table go_table_of(uint32_t release, uint8_t pointer_size, bool big_endian)
{
	return (struct go_table){ .release = release,
				  .pointer_size = pointer_size,
				  .quantum = pointer_size == 8 ? 1 : 4,
				  .big_endian = big_endian,
				  .text = GO_TEXT,
				  .functions = go_functions,
				  .count = 2,
				  .end = 128,
				  // File 0 is none before Go 1.16.
				  .paths = go_paths + (release < 16),
				  .calls_addr = GO_CALLS };
}

// A program with such a table: its parts, which a test may change before it is written.
struct go_parts {
	struct go_table table;
	struct byte_buffer bytes, calls; // of the table, and of the inlined calls
	struct byte_buffer module;       // module data, zeros before Go 1.18
	struct byte_buffer before;       // loaded at GO_BEFORE, if it is not empty
	const char *section;             // that has the table
	bool in_code;                    // the table can be executed
	bool is_joined;                  // a section says that it is a program of Go
	bool is_headless;                // there are no section headers
};

void go_parts_make(struct go_parts *parts, const struct go_table *table);

// Sets a word of the module data.
void go_module_set(struct go_parts *parts, uint32_t word, uint64_t value);

// Writes the program, frees the parts, and returns the file's path.
const char *go_parts_write(struct go_parts *parts, const char *name);

#endif
