// One function of a GSYM file, with its lines and its inlined calls. The source of the rules is
// LLVM's implementation (llvm/DebugInfo/GSYM/FunctionInfo.h, LineTable.cpp, InlineInfo.cpp and
// MergedFunctionsInfo.cpp).
#ifndef GSYM_FUNCTION_H
#define GSYM_FUNCTION_H

#include "base/cursor.h"
#include "gsym/file.h"

#include <inlinecall/range.h>

enum { // what is known about a function
	IC_GSYM_INFO_END,
	IC_GSYM_INFO_LINES,
	IC_GSYM_INFO_INLINED,
	IC_GSYM_INFO_MERGED,
	IC_GSYM_INFO_CALLS,
};

enum { // operations of its lines; from the last on, a row with small steps
	IC_GSYM_LINE_END,
	IC_GSYM_LINE_FILE,
	IC_GSYM_LINE_ADDR,
	IC_GSYM_LINE_LINE,
	IC_GSYM_LINE_SPECIAL,
};

struct ic_gsym_part { // of the file; empty if the function has none
	uint64_t off, size;
};

struct ic_gsym_function {
	uint64_t off; // of its info in the file
	uint64_t start;
	uint32_t size; // 0 if unknown
	uint64_t name; // offset of a string
	struct ic_gsym_part lines, inlined, merged;
};

// Reads function `number`, which must be below the count. False if its info is malformed.
bool ic_gsym_function_read(const struct ic_gsym *gsym, uint32_t number,
			   struct ic_gsym_function *function, struct ic_error *err) IC_CHECKED;

struct ic_gsym_merged { // functions with the same code
	const struct ic_gsym *gsym;
	struct ic_cursor cur;
	uint32_t left;
	uint64_t start;
};

// Starts with the functions that were merged into one.
void ic_gsym_merged_begin(struct ic_gsym_merged *merged, const struct ic_gsym *gsym,
			  const struct ic_gsym_function *function);

// Gets the next one. False after the last one, with err->code IC_ERROR_NONE, and at an error.
bool ic_gsym_merged_next(struct ic_gsym_merged *merged, struct ic_gsym_function *function,
			 struct ic_error *err);

struct ic_gsym_row {
	uint64_t addr;
	uint64_t file; // 0 if unknown
	uint32_t line; // 0 if unknown
};

struct ic_gsym_rows {
	struct ic_cursor cur;
	int64_t least_step;  // of lines, by a special operation
	uint64_t step_count; // of such steps; not 0
	uint64_t line;
	struct ic_gsym_row row;
	bool is_over;
};

// Starts with the rows of a function, which are in the order of their addresses.
void ic_gsym_rows_begin(struct ic_gsym_rows *rows, const struct ic_gsym *gsym,
			const struct ic_gsym_function *function);

// Gets the next row. False after the last one, with err->code IC_ERROR_NONE, and at an error.
bool ic_gsym_rows_next(struct ic_gsym_rows *rows, struct ic_gsym_row *row, struct ic_error *err);

struct ic_gsym_call {            // an inlined call, or the function itself
	uint64_t off;            // in the file
	uint32_t depth;          // number of calls around it
	uint64_t name;           // offset of a string
	uint64_t call_file;      // 0 if unknown
	uint64_t call_line;      // 0 if unknown
	struct ic_cursor ranges; // what ic_gsym_range_next() reads
	uint64_t base;           // the start of the code around it
	uint64_t first;          // the start of its own
};

// Whether a call is not one, but the function that the tree belongs to: LLVM writes it as the
// outermost.
static inline bool ic_gsym_call_is_function(const struct ic_gsym_call *call)
{
	return call->depth == 0 && (call->name == 0 || call->call_file == 0);
}

enum { IC_GSYM_MOST_DEPTH = 2048 };

struct ic_gsym_calls {
	struct ic_cursor cur;
	uint8_t string_size;
	uint32_t depth; // of the next call
	bool is_over;
	uint64_t base[IC_GSYM_MOST_DEPTH + 1]; // by depth: the address that ranges count from
};

// Starts with the inlined calls of a function, parents before their children.
void ic_gsym_calls_begin(struct ic_gsym_calls *calls, const struct ic_gsym *gsym,
			 const struct ic_gsym_function *function);

// Gets the next call. False after the last one, with err->code IC_ERROR_NONE, and at an error.
bool ic_gsym_calls_next(struct ic_gsym_calls *calls, struct ic_gsym_call *call,
			struct ic_error *err);

// Gets the next range of a call's code; false after the last one.
bool ic_gsym_range_next(struct ic_gsym_call *call, struct ic_range *range);

#endif
