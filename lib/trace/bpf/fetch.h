// How the BPF program fetches an argument of a copy: data in a map, so that the same instructions
// serve all copies.
#ifndef TRACE_BPF_FETCH_H
#define TRACE_BPF_FETCH_H

#include <inlinecall/extra/call_frames.h>
#include <inlinecall/parameters.h>

#include "unwind/frames/thread_registers.h"

enum { IC_TRACE_MOST_LOADS = IC_LOCATION_MOST_LOADS, IC_TRACE_VALUE_SIZE = 16 };

enum ic_trace_base {
	IC_TRACE_NOTHING,  // do not fetch the argument
	IC_TRACE_NUMBER,   // `number`
	IC_TRACE_REGISTER, // word `word` of the registers
	IC_TRACE_IN_FILE   // `number`, an address in the file
};

// Starting with the base plus offsets[0], each load reads a number from memory there and adds the
// next offset. The result is the value, or its address in memory.
struct ic_trace_fetch {
	uint8_t base, word;
	uint8_t load_count;
	uint8_t memory_size; // the value is in memory, with up to 16 bytes; 0 if it is the result
			     // itself
	uint8_t unused_bits; // above a value of up to 8 bytes
	uint8_t is_signed;
	uint8_t is_string;  // the result points to characters
	uint8_t is_address; // the result is the address of a value that is too large to copy
	uint8_t load_sizes[IC_TRACE_MOST_LOADS];
	uint16_t string_size; // at most this many bytes of them including a NUL; 0 if unknown
	uint8_t low_bits;     // number of bits below the value that are not part of it
	// 1 + the argument that is the address of the characters, followed by the one that is their
	// number; 0 if they end at a NUL.
	uint8_t parts;
	uint64_t number;
	uint64_t offsets[IC_TRACE_MOST_LOADS + 1];
};

struct ic_trace_place { // of a copy
	const struct ic_thread_layout *layout;
	unsigned addr_size;
	bool is_big_endian;
	// The canonical frame address there; has_cfa is false if it is not a register plus an
	// offset.
	bool has_cfa;
	uint32_t cfa_reg;
	int64_t cfa_offset;
	struct ic_register_rule return_rule; // for the return address, UNDEFINED without `has_cfa`
};

// Determines how to fetch an argument. Returns why that is impossible, as a static text; NULL if it
// is possible.
const char *ic_trace_fetch_make(const struct ic_parameter *parameter,
				const struct ic_trace_place *place, struct ic_trace_fetch *fetch);

// Determines how to fetch the parts of a string that knows its length: its address, and the length.
// False if that is impossible.
bool ic_trace_fetch_string(const struct ic_parameter *parameter, const struct ic_trace_place *place,
			   struct ic_trace_fetch parts[2]);

// Determines how to fetch the return address. False if it is unknown at the place.
bool ic_trace_fetch_return(const struct ic_trace_place *place, struct ic_trace_fetch *fetch);

#endif
