// The arguments in a hit's record.
#ifndef TRACE_HITS_READING_H
#define TRACE_HITS_READING_H

#include "trace/hits/trace.h"
#include "values/value_text.h"

struct ic_trace_reading { // of one hit
	const uint8_t *record;
	uint64_t known; // a bit for each argument
	struct ic_unwind_registers registers;
	bool knows_load;
	uint64_t load_offset; // of a program: added to addresses in the file
};

// Converts an address in memory into one in the file. False if it is not known to be there.
bool ic_trace_addr_in_file(const struct ic_trace *trace, const struct ic_trace_reading *reading,
			   uint64_t loaded, uint64_t *addr);

struct ic_trace_string { // from the traced program
	uint64_t addr;
	const uint8_t *bytes;
	uint64_t size; // in bytes, without a NUL
	bool is_read, is_whole;
	bool is_null; // there is none: the pointer is null
};

// The string of an argument with a value, as much as is kept of it. The kernel does not read pages
// that are not in memory, such as constants that the program has not touched yet: these are read
// from the file.
struct ic_trace_string ic_trace_string_find(const struct ic_trace *trace,
					    const struct ic_trace_item *item,
					    const struct ic_trace_reading *reading,
					    uint32_t argument, const struct ic_value_bytes *value);

// Argument number `argument` of the record, which need not be one of the copy.
uint64_t ic_trace_recorded_number(const struct ic_trace *trace,
				  const struct ic_trace_reading *reading, uint32_t argument);

// The bytes of an argument, from the record or its registers. False if unknown.
bool ic_trace_bytes_find(const struct ic_trace *trace, const struct ic_trace_item *item,
			 const struct ic_trace_reading *reading, uint32_t argument,
			 struct ic_value_bytes *value);

// A value of up to 8 bytes, extended to 64 bits according to its type.
uint64_t ic_trace_number_extend(const struct ic_trace_type *type, const uint8_t *bytes);

// Appends a text to those of the last hit; returns its offset, or UINT32_MAX if memory runs out.
uint32_t ic_trace_text_add(struct ic_trace *trace, const char *text);

// The text at an offset, valid until the next one is appended; NULL for UINT32_MAX.
const char *ic_trace_text_at(const struct ic_trace *trace, uint32_t at);

// Why an argument has no text, whether or not its bytes are known.
const char *ic_trace_why_unknown(const struct ic_trace_item *item, uint32_t argument,
				 bool is_known);

struct ic_trace_spelling { // of a value
	const struct ic_trace_argument *argument;
	const struct ic_trace_type *type;
	struct ic_value_bytes value;
	struct ic_trace_string string; // that it points to, if it does
};

// Adds the texts of a value.
void ic_trace_value_spell(struct ic_trace *trace, const struct ic_trace_spelling *spelling,
			  struct ic_trace_spelled *spelled);

// Adds the texts of an argument's value to those of the trace.
void ic_trace_argument_spell(struct ic_trace *trace, const struct ic_trace_item *item,
			     const struct ic_trace_reading *reading, uint32_t argument,
			     struct ic_trace_spelled *spelled);

#endif
