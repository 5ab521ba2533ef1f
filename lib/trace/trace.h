// A trace: what its files share. The public half is inlinecall/extra/trace.h.
#ifndef TRACE_TRACE_H
#define TRACE_TRACE_H

#include <inlinecall/extra/trace.h>

#include "base/arena.h"
#include "trace/bpf/program.h"
#include "trace/bpf/ring.h"

struct ic_trace_type { // of an argument, for its value
	uint64_t size;
	enum ic_type_encoding encoding;
	bool is_signed, is_string, is_address, item_is_signed;
	uint64_t item_size; // of an array
	enum ic_type_encoding item_encoding;
	const struct ic_enumeration *enumeration;
	// Computed from registers when a hit is read; NULL if the program fetches it.
	const uint8_t *expression;
	size_t expression_size;
};

struct ic_trace_process { // whose stacks were asked for
	uint32_t pid;
	struct ic_target *target;
};

struct ic_trace_exit { // where a copy is left
	uint32_t copy;
	uint64_t addr, file_off;
	enum ic_exit_kind kind;
	bool is_return; // seen when the function returns, not at an instruction
	// Of a conditional jump: struct ic_exit.
	int8_t condition;
	bool leaves_if_taken;
	struct ic_trace_place place;
	struct ic_trace_fetch result; // if it is a return
};

struct ic_trace_entered { // a copy that is under way in a thread
	uint64_t time;    // 0 for none
	uint64_t cfa;     // of the frame it is in; 0 if that is not known everywhere
	uint32_t copy, tid;
};

struct ic_trace_spelled { // offsets of the texts of a value; UINT32_MAX for none
	uint32_t text, number;
	bool is_known;
};

struct ic_trace_item { // a copy: that is, one entry of it
	struct ic_trace_copy copy;
	const struct ic_trace_type *types; // of its arguments
	struct ic_trace_place place;
	// What the function returns, as the only argument of another item; NULL for nothing.
	const struct ic_trace_item *result;
	// Of the first copy of a site.
	uint32_t first_exit, exit_count;
	bool has_cfa; // where it is entered, and at each exit
	// By term of the filter: the argument that is compared when a call is read, less than
	// IC_TRACE_LATER.
	uint8_t later[IC_TRACE_MOST_TERMS];
};

struct ic_trace {
	const struct ic_image *image;
	const struct ic_sites *sites;
	struct ic_arena arena;
	IC_ARRAY(struct ic_trace_item) items;
	IC_ARRAY(struct ic_trace_exit) exits;
	// What the array of copies begins with: the copies, then the exits, each of the size of a
	// copy.
	uint8_t *data;
	struct ic_trace_shape shape;
	struct ic_trace_layout layout;
	const char *path;
	uint32_t ring_size;
	bool is_native;
	uint64_t kernel_offset; // if the shape is of a kernel
	bool (*progress)(void *context, unsigned long long done, unsigned long long total);
	void *progress_context;
	struct ic_bpf_code code;

	// Once it was started.
	uint64_t start_time;
	IC_ARRAY(int) links;
	uint8_t *counted; // the array of copies, as the kernel has it
	size_t counted_size;
	struct ic_ring ring;

	IC_ARRAY(struct ic_trace_process) processes;
	struct ic_trace_entered *entered; // a table by hash; NULL without exits

	// Of the last hit, with room for the arguments of any copy.
	IC_ARRAY(struct ic_trace_value) values;
	IC_ARRAY(struct ic_trace_spelled) spelled;
	IC_ARRAY(char) texts;
};

// The data of a copy in `bytes`, an array of copies.
static inline struct ic_trace_copy_data *ic_trace_data(const struct ic_trace *trace, uint8_t *bytes,
						       size_t number)
{
	return (void *)(bytes + number * ic_trace_copy_size(&trace->shape));
}

// Copies and exits, as the kernel counts them.
static inline uint32_t ic_trace_item_count(const struct ic_trace *trace)
{
	return trace->items.count + trace->exits.count;
}

// Whether a name is that of an argument or a member, in which "." and "->" are the same.
bool ic_trace_is_name(const char *name, const char *wanted);

// Finds the copies of a new trace, how their arguments are fetched and which the filter takes.
bool ic_trace_prepare(struct ic_trace *trace, struct ic_image *image,
		      struct ic_parameters *parameters, const struct ic_trace_options *options,
		      struct ic_error *err) IC_CHECKED;

void ic_trace_stacks_free(struct ic_trace *trace);

// Closes what was started.
void ic_trace_close(struct ic_trace *trace);

#endif
