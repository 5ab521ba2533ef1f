// A trace: what its files share. The public half is inlinecall/trace.h.
#ifndef TRACE_TRACE_H
#define TRACE_TRACE_H

#include <inlinecall/trace.h>

#include "base/arena.h"
#include "trace/program.h"
#include "trace/ring.h"

struct ic_trace_type { // of an argument, for its value
	uint64_t size;
	enum ic_type_encoding encoding;
	bool is_signed, is_string, is_address;
	const struct ic_enumeration *enumeration;
	// Computed from registers when a hit is read; NULL if the program fetches it.
	const uint8_t *expression;
	size_t expression_size;
};

struct ic_trace_process { // whose stacks were asked for
	uint32_t pid;
	struct ic_target *target;
};

struct ic_trace_item { // a copy
	struct ic_trace_copy copy;
	const struct ic_trace_type *types; // of its arguments
	struct ic_trace_place place;
	// By term of the filter: the argument that is compared when a call is read, less than
	// IC_TRACE_LATER.
	uint8_t later[IC_TRACE_MOST_TERMS];
};

struct ic_trace {
	const struct ic_sites *sites;
	struct ic_arena arena;
	IC_ARRAY(struct ic_trace_item) items;
	// What the array of copies begins with: the copies, one after the other, each of its size.
	uint8_t *data;
	struct ic_trace_shape shape;
	struct ic_trace_layout layout;
	const char *path;
	uint32_t ring_size;
	bool one_by_one, is_native;
	struct ic_bpf_code code;

	// Once it was started.
	uint64_t start_time;
	IC_ARRAY(int) links;
	uint8_t *counted; // the array of copies, as the kernel has it
	size_t counted_size;
	struct ic_ring ring;

	IC_ARRAY(struct ic_trace_process) processes;

	// Of the last hit.
	struct ic_trace_value values[IC_TRACE_MOST_ARGUMENTS];
	IC_ARRAY(char) texts;
};

// The data of a copy in `bytes`, an array of copies.
static inline struct ic_trace_copy_data *ic_trace_data(const struct ic_trace *trace, uint8_t *bytes,
						       size_t number)
{
	return (void *)(bytes + number * ic_trace_copy_size(&trace->shape));
}

void ic_trace_stacks_free(struct ic_trace *trace);

// Closes what was started.
void ic_trace_close(struct ic_trace *trace);

#endif
