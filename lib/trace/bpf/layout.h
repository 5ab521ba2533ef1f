// The data that the BPF program shares with us: an array of copies, a ring buffer of hits, and a
// table of groups.
#ifndef TRACE_BPF_LAYOUT_H
#define TRACE_BPF_LAYOUT_H

#include <inlinecall/extra/trace.h>

#include "trace/bpf/code.h"
#include "trace/bpf/fetch.h"
#include "trace/bpf/filter.h"

enum {
	IC_TRACE_MOST_SHOWN = 32,     // arguments of a copy
	IC_TRACE_MOST_ARGUMENTS = 64, // with the parts of strings, and the return address
	IC_TRACE_NO_ARGUMENT = 255,
	IC_TRACE_COMMAND_SIZE = 16,
	IC_TRACE_STACK_STEP = 512, // bytes of a stack to copy at a time
	IC_TRACE_MOST_STACK = 64 * IC_TRACE_STACK_STEP,
	IC_TRACE_MOST_STRING = 512,
	IC_TRACE_STRING_MORE = 2, // for its NUL, and a byte that shows that it is longer
	IC_TRACE_MOST_BUFFERS = 16,
	IC_TRACE_BUFFER_NAME = 128, // bytes of "buf,len" with a NUL
	IC_TRACE_MOST_KEYS = 8,     // arguments that a group has in common
	IC_TRACE_MOST_KEY = 512,    // bytes, of kernels before 6.4
	IC_TRACE_POWERS = 65,       // buckets of a histogram for numbers without a sign
};

enum ic_trace_answer { IC_TRACE_NO, IC_TRACE_UNKNOWN, IC_TRACE_YES };

// How the program answers a term at a copy: an enum ic_trace_answer that is always true there, or
// one of these.
enum { IC_TRACE_COMPARE_NUMBERS = 3, IC_TRACE_COMPARE_STRINGS };

struct ic_trace_condition { // what a term of the filter compares
	uint64_t number;
	uint32_t string_at; // offset of the string in a record
	uint8_t how;
	uint8_t left, right; // arguments
	uint8_t is_signed;
	uint8_t has_number; // to compare with, on the right-hand side
	uint8_t padding[7];
};

struct ic_trace_copy_data { // an item of the array
	uint64_t addr;      // in the file
	uint64_t hits;      // that pass the filter; counted by the program, like the next two
	uint64_t lost;      // no room in the ring buffer, or no slot
	uint64_t undecided; // an argument of the filter was unavailable
	uint64_t ungrouped; // there was no room for its group
	uint64_t is_exit;   // an exit: all of its hits are reported
	uint64_t asks;      // the reader can answer what the program cannot
	uint32_t epoch;     // of its groups; 0 until all probes are set: nothing is counted
	uint32_t place;     // the same for all copies that are added up
	uint32_t key_strings[IC_TRACE_MOST_KEYS];  // offsets of strings in a record
	uint8_t key_arguments[IC_TRACE_MOST_KEYS]; // IC_TRACE_NO_ARGUMENT if unavailable
	uint8_t measure; // an argument; IC_TRACE_NO_ARGUMENT if unavailable
	uint8_t is_measure_signed;
	uint8_t leaves_groups; // to the reader: only it can find out an argument
	uint8_t padding[5];
	// A struct ic_trace_condition for each term of the filter, and a struct ic_trace_fetch for
	// each argument of the program.
};

// A hit of a copy or an exit. The program makes it in a slot, an item of another array, and copies
// it to the ring buffer if it is to be reported. It is followed by the registers in the machine's
// layout, the values of IC_TRACE_VALUE_SIZE bytes each, the strings, each preceded by 8 bytes with
// its size, and the stack.
struct ic_trace_record {
	uint64_t is_busy; // the slot is in use
	uint64_t time;    // in nanoseconds, from CLOCK_MONOTONIC
	uint64_t tid, pid, cpu;
	uint32_t copy;
	uint32_t stack_size;
	uint64_t is_asked; // the reader must decide whether the hit passes the filter
	// Used by the filter: whether the reader can answer it, and the answers of its terms so
	// far. They are here because the verifier would follow each combination of values on the
	// stack.
	uint64_t asks;
	uint8_t answers[IC_TRACE_MOST_TERMS];
	uint64_t known; // a bit for each argument
	uint64_t command_size;
	char command[IC_TRACE_COMMAND_SIZE];
};

// The key of a group of calls. It is followed by the arguments that they have in common: values of
// IC_TRACE_VALUE_SIZE bytes, or strings with zeros up to their room. What they do not have in
// common is zero.
struct ic_trace_group_key {
	uint32_t epoch, place;
	uint64_t known; // a bit for each argument of the key
	uint64_t pid, tid, cpu;
	char command[IC_TRACE_COMMAND_SIZE];
};

// The sums of a group, followed by the buckets of a histogram, if there is one: for numbers of 0 to
// 64 bits, and the same for negative numbers.
struct ic_trace_group_sums {
	uint64_t count;
	uint64_t copy;            // 1 + the number of the first one
	uint64_t measured;        // calls in which the measured argument was available
	uint64_t low, high;       // sums of the lower 32 bits and of the upper ones
	uint64_t most, not_least; // in the order of numbers without a sign; inverted
	uint64_t contended;       // calls whose `most` or `not_least` was not taken
};

struct ic_trace_layout {                                 // of records
	uint32_t registers, values, strings, key, stack; // their offsets
	uint32_t size;
	uint32_t key_size, key_string_room, sums_size;
};

struct ic_trace_grouping { // what the program adds up
	bool is_on;
	bool by_pid, by_tid, by_cpu, by_command;
	uint8_t key_count; // arguments
	uint8_t strings;   // a bit for each of these that is a string
	bool has_measure, has_buckets;
	uint32_t most; // groups
};

struct ic_trace_shape { // the parameters of a program
	const struct ic_thread_layout *registers;
	uint8_t stack_reg; // DWARF number of the stack pointer
	uint32_t argument_count;
	uint64_t strings;     // a bit for each argument that is a string in any copy
	uint64_t unused;      // the same for arguments that need not be fetched
	uint32_t string_size; // bytes to copy of each, including IC_TRACE_STRING_MORE
	uint32_t stack_size;  // bytes of the stack to copy; 0 for none
	uint64_t sample;      // report every n-th hit of a copy; 0 or 1 for all
	bool only_counts;
	bool has_exits;       // some items of the array are exits
	bool is_kernel;       // memory is the kernel's, not a user program's
	bool can_sleep;       // and wait for memory that is not resident
	bool has_processes;   // only those in maps.processes are traced
	uint32_t without_pid; // calls of this process are ignored; 0 for none
	struct ic_trace_filter filter;
	struct ic_trace_grouping grouping;
	struct ic_trace_maps maps;
	uint32_t slot_count;
};

void ic_trace_layout_find(const struct ic_trace_shape *shape, struct ic_trace_layout *layout);

// The offset of an argument's string in a record.
uint32_t ic_trace_string_offset(const struct ic_trace_shape *shape,
				const struct ic_trace_layout *layout, uint32_t argument);

// The offset of an argument in the key of a group.
uint32_t ic_trace_key_offset(const struct ic_trace_shape *shape,
			     const struct ic_trace_layout *layout, uint32_t number);

// The conditions and the fetches of an item in the array of copies.
struct ic_trace_condition *ic_trace_conditions(struct ic_trace_copy_data *data);
struct ic_trace_fetch *ic_trace_fetches(const struct ic_trace_shape *shape,
					struct ic_trace_copy_data *data);

// The size of an item in the array of copies.
uint32_t ic_trace_copy_size(const struct ic_trace_shape *shape);

#endif
