// Shared by the files of a trace. The public part is inlinecall/extra/trace.h.
#ifndef TRACE_HITS_TRACE_H
#define TRACE_HITS_TRACE_H

#include <inlinecall/extra/trace.h>
#include <inlinecall/extra/trace_groups.h>

#include "base/arena.h"
#include "base/byte_pool.h"
#include "trace/bpf/layout.h"
#include "trace/bpf/ring.h"

struct ic_trace_type { // type of an argument, for converting its value
	uint64_t size;
	enum ic_type_encoding encoding;
	bool is_signed, is_string, is_address, item_is_signed;
	uint64_t item_size; // for an array
	enum ic_type_encoding item_encoding;
	const struct ic_enumeration *enumeration;
	uint8_t parts;  // see struct ic_trace_fetch
	bool is_buffer; // its string is bytes
	// Computed from registers when a hit is read; NULL if the program fetches the argument.
	const uint8_t *expression;
	size_t expression_size;
};

struct ic_trace_process { // whose stacks were requested
	uint32_t pid;
	struct ic_target *target;
};

struct ic_trace_exit { // a place where a copy is left
	uint32_t copy;
	uint64_t addr, file_off;
	enum ic_exit_kind kind;
	bool is_return; // observed when the function returns, not at an instruction
	// For a conditional jump: see struct ic_exit.
	int8_t condition;
	bool leaves_if_taken;
	struct ic_trace_place place;
	struct ic_trace_fetch result; // for a return
};

struct ic_trace_entered { // an active copy in a thread
	uint64_t time;    // 0 for an empty slot
	uint64_t cfa;     // of its frame; 0 if it is not known at every place
	uint32_t copy, tid;
	uint32_t sum; // that its duration is added to; see struct ic_trace_groups
};

struct ic_trace_keys { // what the calls of a group have in common
	char names[IC_TRACE_MOST_KEYS][IC_TRACE_TERM_TEXT];
	struct ic_trace_key list[IC_TRACE_MOST_KEYS];
	bool is_word[IC_TRACE_MOST_KEYS];      // it cannot be an argument
	uint8_t arguments[IC_TRACE_MOST_KEYS]; // the keys that are arguments
	size_t count;
	bool has_stack;
	const char *measure; // NULL for none
};

struct ic_trace_sum { // of the calls of a group
	uint64_t count, measured;
	uint64_t low, high;       // see struct ic_trace_group_sums
	uint64_t most, not_least; // ordered as numbers without a sign
	uint32_t copy;
	bool is_signed;
};

struct ic_trace_sums { // by key
	struct ic_byte_map by_key;
	IC_ARRAY(struct ic_trace_sum) list;
	IC_ARRAY(uint64_t) buckets; // 2 * IC_TRACE_POWERS for each, if there are any
	uint64_t left_out;
};

struct ic_trace_groups {
	struct ic_trace_sums followed; // by the reader
	struct ic_trace_sums read;     // these, and the kernel's
	IC_ARRAY(uint32_t) order;
	struct ic_trace_sum all;
	uint64_t all_buckets[2 * IC_TRACE_POWERS];
	uint64_t contended;
	uint64_t left_out_before; // of the kernel, at the last restart
	enum ic_trace_order sort;
	bool has_buckets, is_signed; // is_signed: the measured argument
	uint32_t epoch;
};

struct ic_trace_progress {
	bool (*show)(void *context, unsigned long long done, unsigned long long total);
	void *context;
};

struct ic_trace_spelled { // offsets of a value's texts; UINT32_MAX for none
	uint32_t text, number;
	bool is_known;
};

struct ic_trace_bound {      // what a term of the filter compares at a copy
	uint8_t left, right; // arguments, or IC_TRACE_NO_ARGUMENT
	bool is_available;   // both are
	uint64_t number; // the constant on the right-hand side; its magnitude, if it is negative
	bool is_negative;
};

struct ic_trace_item { // a copy, that is, one of its entries
	struct ic_trace_copy copy;
	const struct ic_trace_type *types; // of its arguments
	struct ic_trace_place place;
	// The function's result, as the only argument of a separate item; NULL if there is none.
	const struct ic_trace_item *result;
	// For the first copy of a site.
	uint32_t first_exit, exit_count;
	bool has_cfa;                 // known at its entry, and at each exit
	struct ic_trace_bound *terms; // by term of the filter
	uint8_t caller; // 1 + the argument of the record that is the return address; 0 for none
};

struct ic_trace_last { // the last hit, with room for the arguments of any copy
	IC_ARRAY(struct ic_trace_value) values;
	IC_ARRAY(struct ic_trace_spelled) spelled;
	IC_ARRAY(char) texts;
};

struct ic_trace {
	struct ic_image *image;
	const struct ic_sites *sites;
	struct ic_arena arena;
	IC_ARRAY(struct ic_trace_item) items;
	IC_ARRAY(struct ic_trace_exit) exits;
	// The initial contents of the array of copies: copies, then exits, which have the same
	// size.
	uint8_t *data;
	struct ic_trace_shape shape;
	struct ic_trace_layout layout;
	const char *path;
	uint32_t ring_size;
	uint32_t string_size; // bytes of each string to print
	bool is_native;
	const struct ic_placement *placement; // of a kernel or module, if the shape is a kernel's
	struct ic_trace_progress progress;
	struct ic_bpf_code code;

	// Valid after the start.
	uint64_t start_time;
	IC_ARRAY(int) links;
	uint8_t *counted; // the array of copies, shared with the kernel
	size_t counted_size;
	struct ic_ring ring;

	IC_ARRAY(struct ic_trace_process) processes;
	struct ic_trace_entered *entered; // a hash table; NULL without exits

	struct ic_trace_last last;
	struct ic_trace_keys keys;
	struct ic_trace_groups groups;
};

// The data of a copy in `bytes`, an array of copies.
static inline struct ic_trace_copy_data *ic_trace_data(const struct ic_trace *trace, uint8_t *bytes,
						       size_t number)
{
	return (void *)(bytes + number * ic_trace_copy_size(&trace->shape));
}

// The size of the kernel's table, which has the groups of two epochs for a while.
static inline uint32_t ic_trace_table_size(const struct ic_trace *trace)
{
	return 2 * trace->shape.grouping.most;
}

// The number of copies and exits in the kernel's array.
static inline uint32_t ic_trace_item_count(const struct ic_trace *trace)
{
	return trace->items.count + trace->exits.count;
}

// Whether a name is that of an argument or member, where "." and "->" are equivalent.
bool ic_trace_is_name(const char *name, const char *wanted);

// Finds the copies of a new trace, how to fetch their arguments, and which arguments the filter
// uses.
bool ic_trace_prepare(struct ic_trace *trace, struct ic_image *image,
		      struct ic_parameters *parameters, const struct ic_trace_options *options,
		      struct ic_error *err) IC_CHECKED;

void ic_trace_stacks_free(struct ic_trace *trace);

// Begins an epoch, from 1: the calls of each are in groups of their own.
void ic_trace_epoch_set(struct ic_trace *trace, uint32_t epoch);

// Closes everything that was opened to start.
void ic_trace_close(struct ic_trace *trace);

#endif
