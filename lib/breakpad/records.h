// Lines of a Breakpad symbol file. The source of the rules is docs/symbol_files.md of Breakpad; for
// INLINE and INLINE_ORIGIN, which it lacks, what Breakpad and dump_syms write.
#ifndef BREAKPAD_RECORDS_H
#define BREAKPAD_RECORDS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/bytes.h"

#include <inlinecall/range.h>

#define IC_BREAKPAD_SECTION ".breakpad" // the name in messages

enum ic_breakpad_kind {
	IC_BREAKPAD_UNKNOWN,
	IC_BREAKPAD_EMPTY,
	IC_BREAKPAD_MODULE,
	IC_BREAKPAD_INFO,
	IC_BREAKPAD_FILE,
	IC_BREAKPAD_ORIGIN, // the name of an inlined function
	IC_BREAKPAD_FUNCTION,
	IC_BREAKPAD_CALL, // an inlined call
	IC_BREAKPAD_ROW,
	IC_BREAKPAD_PUBLIC,
	IC_BREAKPAD_STACK,
};

struct ic_breakpad_module {
	struct ic_bytes system, arch, id, name;
};

struct ic_breakpad_name { // of a file or an inlined function
	uint64_t number;
	struct ic_bytes name;
};

struct ic_breakpad_function { // also a symbol (PUBLIC), whose size is 0
	uint64_t addr, size;
	struct ic_bytes name;
};

#define IC_BREAKPAD_NO_FILE UINT64_MAX

struct ic_breakpad_row {
	uint64_t addr, size;
	uint32_t line; // 0 if unknown
	uint64_t file; // a number, or IC_BREAKPAD_NO_FILE
};

struct ic_breakpad_call {
	uint32_t depth;     // number of calls around it
	uint32_t call_line; // 0 if unknown
	uint64_t call_file; // a number, or IC_BREAKPAD_NO_FILE
	uint64_t origin;
	struct ic_bytes ranges; // what ic_breakpad_range_next() reads
};

// The machine that Breakpad calls `arch`; 0 if unknown.
uint16_t ic_breakpad_machine(struct ic_bytes arch);

// Breakpad's name for a machine; "unknown" if it has none.
const char *ic_breakpad_arch(uint16_t machine, uint8_t addr_size);

// What STACK CFI lines call the registers of a machine.
struct ic_breakpad_registers {
	uint16_t machine;
	uint8_t return_reg; // has the return address, and is called .ra
	uint8_t count;      // those that unwinding needs are 0 to count - 1
	const char *prefix; // precedes their names
};

// NULL if the machine (EM_*) has no STACK CFI lines.
const struct ic_breakpad_registers *ic_breakpad_registers(uint16_t machine);

// Where in a GUID its n-th byte of text is: its first three fields are numbers in little-endian
// byte order.
enum { IC_BREAKPAD_GUID_SIZE = 16 };
extern const uint8_t ic_breakpad_guid_order[IC_BREAKPAD_GUID_SIZE];

// Removes the first word from a text, with the blanks after it.
struct ic_bytes ic_breakpad_word_take(struct ic_bytes *text);

// Inline, so that the size of a literal is known: files have millions of words.
static inline bool ic_breakpad_is_word(struct ic_bytes word, const char *text)
{
	return word.size == strlen(text) && memcmp(word.data, text, strlen(text)) == 0;
}

// The same for a hexadecimal number; false if the word is none that fits.
bool ic_breakpad_hex_take(struct ic_bytes *text, uint64_t *number);

enum ic_breakpad_kind ic_breakpad_kind_of(struct ic_bytes line);

// Parse a line of their kind; false if it is malformed.
bool ic_breakpad_module_read(struct ic_bytes line, struct ic_breakpad_module *module);
bool ic_breakpad_name_read(struct ic_bytes line, struct ic_breakpad_name *name);
bool ic_breakpad_function_read(struct ic_bytes line, struct ic_breakpad_function *function);
bool ic_breakpad_row_read(struct ic_bytes line, struct ic_breakpad_row *row);

// The same for an inlined call; `has_file`: in this file they have the file of the call.
bool ic_breakpad_call_read(struct ic_bytes line, bool has_file, struct ic_breakpad_call *call);
bool ic_breakpad_call_has_file(struct ic_bytes line);

// Parses a line of the kind IC_BREAKPAD_INFO if it has the build ID, in hexadecimal digits; false
// for all others.
bool ic_breakpad_id_read(struct ic_bytes line, struct ic_bytes *digits);

// Whether a line of the kind IC_BREAKPAD_STACK has the addresses and rules that it should have.
bool ic_breakpad_stack_is_sound(struct ic_bytes line);

// Gets the next range of a call's code; false after the last one, and for one that is malformed, of
// which `call->ranges` then begins with the rest.
bool ic_breakpad_range_next(struct ic_breakpad_call *call, struct ic_range *range);

#endif
