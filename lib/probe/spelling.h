// Building blocks of definitions. Text from a file gets into a definition only through these
// functions: names are turned into identifiers, paths and symbols are rejected if a tracer could
// read them in another way, and everything else is a number.
#ifndef PROBE_SPELLING_H
#define PROBE_SPELLING_H

#include "base/array.h"

#include <inlinecall/extra/probe.h>
#include <inlinecall/extra/registers.h>

struct ic_probe_target { // what all probes of a file have in common
	const char *path;
	const char *module; // name of the kernel module; NULL if the file is not one
	bool is_kernel;     // the kernel or one of its modules
	unsigned machine, addr_size;
};

struct ic_probe_text {
	IC_ARRAY(char) bytes; // NUL-terminated unless empty
	bool out_of_memory;
};

struct ic_spelling {
	const struct ic_probe_target *target;
	const struct ic_probe *probe;
	const struct ic_parameter *params;
	size_t param_count;
	struct ic_probe_text text;     // the definition
	struct ic_probe_text left_out; // arguments left out, with the reasons
};

void ic_probe_text_add(struct ic_probe_text *text, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

// Truncates the text to its first bytes.
void ic_probe_text_cut(struct ic_probe_text *text, uint32_t length);

// Turns a name into a C identifier of at most `size` bytes, including its NUL: other bytes become
// underscores. An empty name or NULL becomes "arg".
void ic_probe_identifier(const char *name, char *identifier, size_t size);

// Records why an argument is left out.
void ic_spelling_leave_out(struct ic_spelling *spelling, const struct ic_parameter *param,
			   const char *why);

// Whether a path contains a slash, and otherwise only letters, digits, bytes above 127, and any of
// "/._-+,@=~^" and `more`, so that every tracer reads it correctly.
bool ic_probe_path_is_plain(const char *path, const char *more);

// Whether the kernel reads all of a path without blanks: it takes 0xa0, which is also the second
// byte of some letters in UTF-8, for a blank, as in Latin-1.
bool ic_probe_path_is_of_kernel(const char *path);

// The same for a symbol, of letters, digits and any of "_.$".
bool ic_probe_symbol_is_plain(const char *symbol);

// Why the symbol cannot locate the place, for tracers that need it to; NULL if it can.
const char *ic_probe_symbol_fault(const struct ic_probe *probe);

// How an argument is fetched.
enum ic_fetch_kind {
	IC_FETCH_NONE,
	IC_FETCH_NUMBER,   // `number`
	IC_FETCH_REGISTER, // `reg`
	IC_FETCH_MEMORY,   // the memory at `base` + offsets[0], at the pointer there + offsets[1],
			   // and so on
	IC_FETCH_SUM       // the register + offsets[0]
};

enum { IC_FETCH_MOST_OFFSETS = IC_LOCATION_MOST_LOADS + 1 };

struct ic_fetch {
	enum ic_fetch_kind kind;
	bool is_absolute; // memory: the base is `number`, an address in the file, instead of the
			  // register
	uint32_t reg;
	uint64_t number;
	int64_t offsets[IC_FETCH_MOST_OFFSETS];
	uint32_t offset_count;
	unsigned size; // of the value read: 1, 2, 4 or 8 bytes
	// For a bit-field, its bits in that value, counted from the least significant one;
	// otherwise 0.
	unsigned bit_size, bit_offset;
	bool is_bit; // only the lowest bit of the value counts
	bool is_signed;
	bool is_pointer; // or raw bits: show in hexadecimal
	// The memory is text that ends at a NUL or, for an array, at its end after `most_text`
	// bytes.
	bool is_text;
	uint64_t most_text;
	const char *why; // for IC_FETCH_NONE: the reason
};

// Finds how to fetch an argument: of a pointer to characters, what it points to.
struct ic_fetch ic_fetch_of(const struct ic_parameter *param, unsigned addr_size);

// The same, but of such a pointer its value.
struct ic_fetch ic_fetch_value_of(const struct ic_parameter *param, unsigned addr_size);

// The number of a fetch as its type represents it: sign-extended, or cut to its size.
int64_t ic_fetch_signed(const struct ic_fetch *fetch);
uint64_t ic_fetch_unsigned(const struct ic_fetch *fetch);

// The name of a general register in Linux's struct pt_regs, such as "di" for 5 on x86-64; NULL if
// it has none, or the machine is unknown.
const char *ic_probe_kernel_register(unsigned machine, uint32_t reg);

// Appends " name=fetch:type" for each argument that Linux's tracefs can fetch, as long as the whole
// text has at most `most` bytes. perf-probe(1) has the same syntax.
void ic_spelling_add_fetches(struct ic_spelling *spelling, uint32_t most);

// Appends a place in the kernel, "[MODULE:]SYMBOL+OFFSET".
void ic_spelling_add_kernel_place(struct ic_spelling *spelling);

// The style of expressions with C's operators, for arguments that are not left out.
struct ic_expression_style {
	// Writes the value of a register; returns false if that is impossible.
	bool (*reg)(struct ic_spelling *spelling, struct ic_probe_text *text, uint32_t reg);
	// Text before and after the type of a load; the address and ")" follow.
	const char *load, *load_type_end;
	const char *const *types; // of numbers: signed and unsigned, with 1, 2, 4 and 8 bytes
	bool has_one_type;        // no casts: arithmetic cuts numbers to their size
	unsigned most;            // arguments that printf takes
	const char *formats[3];   // of signed, unsigned and other numbers
	// Before the address of text, which a parenthesis follows; and before one that ", SIZE" and
	// its end follow, NULL if a precision in the format limits the text.
	const char *text, *sized_text, *sized_text_end;
	const char *quote; // around text; "" if the tracer quotes it
};

// Appends the operands of a printf of the event's name and all arguments: a C format, then the
// arguments after commas.
void ic_spelling_add_printf(struct ic_spelling *spelling, const struct ic_expression_style *style);

// Each of these writes a probe's definition to spelling->text, without a newline. Returns NULL, or
// why it is impossible, as static text.
#define TRACER(identifier, name, ...) const char *ic_spell_##name(struct ic_spelling *spelling);
#include "probe/tracers.def"
#undef TRACER

#endif
