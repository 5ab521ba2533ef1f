// What the spellings of tracers are made of. Nothing that a file has gets into a definition but
// through these functions: names become identifiers, paths and symbols are refused if a tracer
// could read anything else in them, and all else are numbers.
#ifndef PROBE_SPELLING_H
#define PROBE_SPELLING_H

#include "base/array.h"

#include <inlinecall/extra/probe.h>
#include <inlinecall/extra/registers.h>

struct ic_probe_target { // what all probes of a file have in common
	const char *path;
	const char *module; // of the kernel; NULL if it is none
	bool is_kernel;     // the kernel or a module
	unsigned machine, addr_size;
};

struct ic_probe_text {
	IC_ARRAY(char) bytes; // ends with NUL when it is not empty
	bool out_of_memory;
};

struct ic_spelling {
	const struct ic_probe_target *target;
	const struct ic_probe *probe;
	const struct ic_parameter *params;
	size_t param_count;
	struct ic_probe_text text;     // the definition
	struct ic_probe_text left_out; // arguments, with the reasons
};

void ic_probe_text_add(struct ic_probe_text *text, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

// Removes what comes after the first bytes.
void ic_probe_text_cut(struct ic_probe_text *text, uint32_t length);

// The name as an identifier in C, of `size` bytes at most with its NUL: other bytes are
// underscores. "arg" for an empty name or NULL.
void ic_probe_identifier(const char *name, char *identifier, size_t size);

// Why an argument is left out.
void ic_spelling_leave_out(struct ic_spelling *spelling, const struct ic_parameter *param,
			   const char *why);

// Whether a path has only letters, digits, bytes above 127 and any of "/._-+,@=~^" and `more`, and
// has a slash: no tracer reads anything else in it.
bool ic_probe_path_is_plain(const char *path, const char *more);

// Whether the kernel reads all of a path that has no blanks: it takes 0xa0 for one, as in Latin-1,
// which is also the second byte of letters in UTF-8.
bool ic_probe_path_is_of_kernel(const char *path);

// Whether a symbol has only letters, digits and any of "_.$": likewise.
bool ic_probe_symbol_is_plain(const char *symbol);

// Why the place cannot be named by its symbol, for tracers that need it; NULL if it can.
const char *ic_probe_symbol_fault(const struct ic_probe *probe);

// How an argument is fetched.
enum ic_fetch_kind {
	IC_FETCH_NONE,
	IC_FETCH_NUMBER,   // `number`
	IC_FETCH_REGISTER, // `reg`
	IC_FETCH_MEMORY, // what is at `base` and offsets[0]; at the pointer there and offsets[1]...
	IC_FETCH_SUM     // the register and offsets[0]
};

enum { IC_FETCH_MOST_OFFSETS = IC_LOCATION_MOST_LOADS + 1 };

struct ic_fetch {
	enum ic_fetch_kind kind;
	bool is_absolute; // memory: the base is `number`, an address in the file; else the register
	uint32_t reg;
	uint64_t number;
	int64_t offsets[IC_FETCH_MOST_OFFSETS];
	uint32_t offset_count;
	unsigned size; // of what is read: 1, 2, 4 or 8 bytes
	// Of a bit-field, which bits of that it has, from the least significant on; else 0.
	unsigned bit_size, bit_offset;
	bool is_bit; // only the lowest one of what is read counts
	bool is_signed;
	bool is_pointer; // or raw bits: best in hexadecimal
	const char *why; // IC_FETCH_NONE: why not
};

// Finds how to fetch an argument.
struct ic_fetch ic_fetch_of(const struct ic_parameter *param, unsigned addr_size);

// The number of a fetch as its type has it: sign-extended, or cut to its size.
int64_t ic_fetch_signed(const struct ic_fetch *fetch);
uint64_t ic_fetch_unsigned(const struct ic_fetch *fetch);

// The name of a general register in Linux's struct pt_regs; NULL if it has none, or the machine is
// not known. "di" for 5 of x86-64.
const char *ic_probe_kernel_register(unsigned machine, uint32_t reg);

// Appends " name=fetch:type" for each argument that Linux's tracefs can fetch, to `most` bytes of
// text in all; perf-probe(1) takes the same.
void ic_spelling_add_fetches(struct ic_spelling *spelling, uint32_t most);

// Appends "[MODULE:]SYMBOL+OFFSET", a place in the kernel.
void ic_spelling_add_kernel_place(struct ic_spelling *spelling);

// An expression in C's operators for an argument that is not left out.
struct ic_expression_style {
	// Writes a register's value; false if it cannot.
	bool (*reg)(struct ic_spelling *spelling, struct ic_probe_text *text, uint32_t reg);
	// Around the type of what is loaded; the address and ")" follow.
	const char *load, *load_type_end;
	const char *const *types; // of numbers: signed and unsigned of 1, 2, 4 and 8 bytes
	bool has_one_type;        // no casts: numbers are cut by arithmetic
	unsigned most;            // arguments of a printf
};

// Writes it to `text`; false, after leaving the argument out, if it cannot be had.
bool ic_spelling_expression(struct ic_spelling *spelling, const struct ic_parameter *param,
			    const struct ic_expression_style *style, struct ic_probe_text *text,
			    struct ic_fetch *fetch);

// Appends the operands of a printf with the name of the event and all arguments: a format in C,
// then each after a comma. formats[0] is for signed numbers, [1] for unsigned ones, [2] for others.
void ic_spelling_add_printf(struct ic_spelling *spelling, const struct ic_expression_style *style,
			    const char *const formats[3]);

// Each writes the definition of a probe to spelling->text, without the end of the line. Returns why
// it cannot; NULL if it did. Static text.
#define TRACER(identifier, name, ...) const char *ic_spell_##name(struct ic_spelling *spelling);
#include "probe/tracers.def"
#undef TRACER

#endif
