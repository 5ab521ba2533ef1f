// The forms in which text mentions places in code, read from one line of it.
#ifndef MENTIONS_FORMS_H
#define MENTIONS_FORMS_H

#include <inlinecall/extra/mentions.h>

// Each reads the form that begins at `at`, into a mention that is zero but for its start. They
// return its end, or `at` if there is none.
size_t ic_mention_read_symbol(struct ic_span line, size_t at, struct ic_mention *mention);
size_t ic_mention_read_addr(struct ic_span line, size_t at, struct ic_mention *mention);

// A line of perf script's: blanks, an address, a name that may hold anything, "+0xOFF" with
// -F +symoff, and the object in parentheses.
bool ic_mention_read_perf_line(struct ic_span line, struct ic_mention *mention);

// A sample without a stack, in one line of perf script's: "COMM PID TIME: COUNT EVENT:", then the
// place as above. It is the program counter.
bool ic_mention_read_perf_sample(struct ic_span line, struct ic_mention *mention);

// A line of bpftrace's stacks: a symbol with a decimal offset, perhaps with its module.
bool ic_mention_read_decimal_line(struct ic_span line, struct ic_mention *mention);

enum ic_stack_style {
	IC_STACK_PLAIN,  // says nothing of what kind its addresses are
	IC_STACK_EXACT,  // none is a return address
	IC_STACK_FIRST,  // frame 0 of return addresses
	IC_STACK_RETURN, // a return address
	IC_STACK_LISTED, // likewise, but for the first in a list
};

// A place by the object that it is in: "(/usr/bin/prog+0x1114)" of sanitizers and LLVM,
// "(prog + 0x1114)" of coredumpctl, "prog(+0x1114) [0x5581e5f4a114]",
// "prog(main+0x12) [0x5581e5f4a114]" and "./prog[0x401114]" of backtrace_symbols(). The first one
// in the line.
bool ic_mention_read_object_place(struct ic_span line, struct ic_mention *mention,
				  enum ic_stack_style *style);

// The end of the hexadecimal number at `at`, of up to 64 bits, after `lead`, as in " +0x1f"; `at`
// if there is none.
size_t ic_mention_read_hex(struct ic_span line, size_t at, const char *lead, uint64_t *value);

// Where the word begins that ends at `end`.
size_t ic_mention_word_start(struct ic_span line, size_t end);

// Where the ":12" begins that ends at `end`; `end` if there is none.
size_t ic_mention_number_start(struct ic_span text, size_t end);

// A label without what sanitizers and LLVM print around it: "main" of "in main /src/a.c:12:3".
struct ic_span ic_mention_bare_label(struct ic_span label);

// Whether a character may be in the name of a symbol, a module or a release.
static inline bool ic_mention_is_name_char(char character)
{
	unsigned char byte = (unsigned char)character;

	return (byte >= 'a' && byte <= 'z') || (byte >= '@' && byte <= 'Z') ||
	       (byte >= '0' && byte <= '9') || byte >= 0x80 || byte == '_' || byte == '.' ||
	       byte == '$';
}

#endif
