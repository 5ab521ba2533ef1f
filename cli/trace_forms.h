// The forms in which text mentions places in code, read from one line of it.
#ifndef CLI_TRACE_FORMS_H
#define CLI_TRACE_FORMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cli_slice { // of a line; `text` is NULL if there is none
	const char *text;
	size_t size;
};

enum cli_origin { // what an offset in an object counts from
	CLI_ORIGIN_NONE,
	CLI_ORIGIN_BIAS,  // the load bias: the offset is an address of the file
	CLI_ORIGIN_START, // the page of the lowest loaded segment
};

struct cli_mention {           // of a place in the code
	size_t start;          // where it begins in the line
	struct cli_slice name; // of the symbol, as in NAME+0xOFF/0xSIZE
	uint64_t off, size;
	bool has_size;
	bool has_addr; // with the symbol or without
	uint64_t addr;
	bool is_plain;           // the address is only digits, as registers are printed
	bool is_doubtful;        // marked with "?": found on the stack, not by unwinding
	struct cli_slice module; // as in "[xfs]"
	struct cli_slice object; // as in perf script's "(/usr/lib/libc.so.6)", without parentheses
	struct cli_slice build_id; // of the module or the object, in hexadecimal
	enum cli_origin origin;    // of object_off, if there is one
	uint64_t object_off;
	struct cli_slice label; // a symbol without an offset, as perf script has it
	bool is_return;         // a return address: what is meant is the call before it
};

// Each reads the form that begins at `at`, into a mention that is zero but for its start. They
// return its end, or `at` if there is none.
size_t cli_read_symbol(struct cli_slice line, size_t at, struct cli_mention *mention);
size_t cli_read_addr(struct cli_slice line, size_t at, struct cli_mention *mention);

// A line of perf script's: blanks, an address, a name that may hold anything, "+0xOFF" with
// -F +symoff, and the object in parentheses.
bool cli_read_perf_line(struct cli_slice line, struct cli_mention *mention);

// A line of bpftrace's stacks: a symbol with a decimal offset, perhaps with its module.
bool cli_read_decimal_line(struct cli_slice line, struct cli_mention *mention);

enum cli_stack_style {
	CLI_STACK_PLAIN,  // says nothing of what kind its addresses are
	CLI_STACK_EXACT,  // none is a return address
	CLI_STACK_FIRST,  // frame 0 of return addresses
	CLI_STACK_RETURN, // a return address
};

// A place by the object that it is in: "(/usr/bin/prog+0x1114)" of sanitizers and LLVM,
// "(prog + 0x1114)" of coredumpctl, "prog(+0x1114) [0x5581e5f4a114]",
// "prog(main+0x12) [0x5581e5f4a114]" and "./prog[0x401114]" of backtrace_symbols(). The first one
// in the line.
bool cli_read_object_place(struct cli_slice line, struct cli_mention *mention,
			   enum cli_stack_style *style);

bool cli_is_name_char(char character);
bool cli_is_blank(char character);
int cli_hex_digit(char character); // -1 if it is none

bool cli_slice_is(struct cli_slice slice, const char *text);
bool cli_slice_begins(struct cli_slice slice, const char *text);
bool cli_slice_holds(struct cli_slice slice, const char *text);

// The line without blanks and carriage returns at its end.
struct cli_slice cli_slice_trimmed(struct cli_slice line);

#endif
