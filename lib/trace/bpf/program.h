// The BPF program that runs where copies are entered, and what it shares with us: an array of
// copies, and a ring buffer of hits.
#ifndef TRACE_BPF_PROGRAM_H
#define TRACE_BPF_PROGRAM_H

#include "trace/bpf/code.h"
#include "trace/bpf/fetch.h"
#include "trace/bpf/filter.h"

enum {
	IC_TRACE_MOST_ARGUMENTS = 32, // of a copy
	IC_TRACE_NO_ARGUMENT = 255,
	IC_TRACE_LATER = 254, // the argument is computed, and compared, when the call is read
	IC_TRACE_COMMAND_SIZE = 16,
	IC_TRACE_STACK_STEP = 512, // bytes of a stack that are copied at once
	IC_TRACE_MOST_STACK = 64 * IC_TRACE_STACK_STEP,
	IC_TRACE_MOST_STRING = 512,
	IC_TRACE_STRING_MORE = 2, // its NUL, and a byte that says that there is more of it
};

struct ic_trace_condition { // what a term of the filter compares
	uint64_t number;
	uint32_t string_at; // where the string of the argument begins in a record
	// IC_TRACE_NO_ARGUMENT if there is none that can be compared, or IC_TRACE_LATER.
	uint8_t argument;
	uint8_t is_signed;
	uint8_t padding[2];
};

struct ic_trace_copy_data { // an item of the array
	uint64_t addr;      // in the file
	uint64_t hits;      // that the filter lets through; counted by the program, as are these:
	uint64_t lost;      // there was no room in the ring buffer
	uint64_t undecided; // the filter asks for an argument that could not be had
	uint64_t is_exit;   // a copy is left there: all of these are reported
	uint64_t is_off;    // not all probes are there yet: nothing is counted
	struct ic_trace_condition conditions[IC_TRACE_MOST_TERMS];
	struct ic_trace_fetch fetches[]; // one for each argument that the program has
};

// A hit in the ring buffer, of a copy or of an exit. Behind it are the registers, as the machine
// has them, the values of IC_TRACE_VALUE_SIZE bytes each, the strings, each behind 8 bytes for its
// size, and the stack.
struct ic_trace_record {
	uint64_t time; // in nanoseconds, of CLOCK_MONOTONIC
	uint32_t tid, pid;
	char command[IC_TRACE_COMMAND_SIZE];
	uint32_t copy;
	uint32_t stack_size;
	uint64_t known; // a bit for each argument
};

struct ic_trace_layout {                            // of records
	uint32_t registers, values, strings, stack; // where they begin
	uint32_t size;
};

struct ic_trace_shape { // what a program is made for
	const struct ic_thread_layout *registers;
	uint8_t stack_reg; // DWARF's number of the stack pointer
	uint32_t argument_count;
	uint64_t strings;     // a bit for each argument that is a string in any copy
	uint32_t string_size; // bytes of one that are copied, IC_TRACE_STRING_MORE among them
	uint32_t stack_size;  // bytes of the stack that are copied; 0 for none
	uint64_t sample;      // each hit of this many of a copy; 0 or 1 for all
	bool only_counts;
	bool has_exits;       // some items of the array are exits
	bool is_kernel;       // memory is the kernel's, not a program's
	uint32_t without_pid; // whose calls are left out; 0 for none
	struct ic_trace_filter filter;
	int copies, ring; // descriptors of the maps
};

void ic_trace_layout_find(const struct ic_trace_shape *shape, struct ic_trace_layout *layout);

// Where the string of an argument begins in a record.
uint32_t ic_trace_string_offset(const struct ic_trace_shape *shape,
				const struct ic_trace_layout *layout, uint32_t argument);

// Bytes of an item of the array of copies.
uint32_t ic_trace_copy_size(const struct ic_trace_shape *shape);

void ic_trace_program_write(const struct ic_trace_shape *shape, struct ic_bpf_code *code);

#endif
