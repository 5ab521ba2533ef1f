// The report of stacks: its rows, their schema, and the filling of them.
#ifndef REPORT_STACK_ROW_H
#define REPORT_STACK_ROW_H

#include "report/row.h"

#include <inlinecall/report.h>

struct ic_frame_row {
	const char *function, *linkage_name;
	const char *file;
	uint32_t line, column, discriminator;
	bool inlined;
};

struct ic_stack_row {
	const char *type; // "stack" or "line"
	const char *file;
	uint64_t address;       // an offset where `section` is known
	const char *no_address; // NULL; reported as the address of what is none
	const char *section;
	struct ic_row_list frames; // of struct ic_frame_row
	const char *text;          // of what is no address; else NULL
	// Of the code of a line: where it ends, in the section too, else IC_NO_ADDR; and whether a
	// breakpoint goes there.
	uint64_t end;
	bool is_stmt;
	const char *symbol;                  // that names the address; NULL
	uint64_t symbol_offset, symbol_size; // IC_NO_ADDR where unknown
	bool is_renamed;                     // the last frame's function is called otherwise
};

// Hands every stack to the sink.
bool ic_stack_rows(const struct ic_report_stack *stacks, size_t count,
		   const struct ic_report_options *options, struct ic_row_sink *sink,
		   struct ic_error *err) IC_CHECKED;

#endif
