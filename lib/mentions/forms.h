// Formats in which text mentions places in code, parsed from one line.
#ifndef MENTIONS_FORMS_H
#define MENTIONS_FORMS_H

#include <inlinecall/extra/mentions.h>

// Each parses the format that starts at `at`, into a mention that is zero except for `start`. They
// return the end of what they parsed, or `at` if it does not match.
size_t ic_mention_read_symbol(struct ic_span line, size_t at, struct ic_mention *mention);
size_t ic_mention_read_addr(struct ic_span line, size_t at, struct ic_mention *mention);

// A line of perf script output: blanks, an address, a name that may contain anything, "+0xOFF" with
// -F +symoff, and the object in parentheses.
bool ic_mention_read_perf_line(struct ic_span line, struct ic_mention *mention);

// A sample without a stack, one line of perf script output: "COMM PID TIME: COUNT EVENT:", then the
// place as above. It is the program counter.
bool ic_mention_read_perf_sample(struct ic_span line, struct ic_mention *mention);

// A line of a bpftrace stack: a symbol with a decimal offset, possibly with its module.
bool ic_mention_read_decimal_line(struct ic_span line, struct ic_mention *mention);

enum ic_stack_style {
	IC_STACK_PLAIN,  // the kind of its addresses is unknown
	IC_STACK_EXACT,  // not a return address
	IC_STACK_FIRST,  // frame 0 of a list of return addresses
	IC_STACK_RETURN, // a return address
	IC_STACK_LISTED, // a return address, unless it is the first in a list
};

// A place identified by its object: "(/usr/bin/prog+0x1114)" from sanitizers and LLVM, "(prog +
// 0x1114)" from coredumpctl, "prog(+0x1114) [0x5581e5f4a114]", "prog(main+0x12) [0x5581e5f4a114]"
// and "./prog[0x401114]" from backtrace_symbols(). Finds the first one in the line.
bool ic_mention_read_object_place(struct ic_span line, struct ic_mention *mention,
				  enum ic_stack_style *style);

// The end of the hexadecimal number at `at`, of up to 64 bits, that follows `lead`, as in " +0x1f";
// `at` if there is none.
size_t ic_mention_read_hex(struct ic_span line, size_t at, const char *lead, uint64_t *value);

// The start of the word that ends at `end`.
size_t ic_mention_word_start(struct ic_span line, size_t end);

// The start of the ":12" that ends at `end`; `end` if there is none.
size_t ic_mention_number_start(struct ic_span text, size_t end);

// A label without what sanitizers and LLVM print around it: "main" in "in main /src/a.c:12:3".
struct ic_span ic_mention_bare_label(struct ic_span label);

// Whether a character may occur in the name of a symbol, a module or a release.
static inline bool ic_mention_is_name_char(char character)
{
	unsigned char byte = (unsigned char)character;

	return (byte >= 'a' && byte <= 'z') || (byte >= '@' && byte <= 'Z') ||
	       (byte >= '0' && byte <= '9') || byte >= 0x80 || byte == '_' || byte == '.' ||
	       byte == '$';
}

#endif
