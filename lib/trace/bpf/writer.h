// Shared by the files that write the BPF program. The program itself is program.h.
#ifndef TRACE_BPF_WRITER_H
#define TRACE_BPF_WRITER_H

#include <stddef.h>

#include "trace/bpf/layout.h"

// Use of BPF registers. R1 to R5 are lost in calls, R0 has their result.
enum {
	IC_BPF_CONTEXT = BPF_REG_6, // the registers of the traced program
	IC_BPF_COPY = BPF_REG_7,    // struct ic_trace_copy_data
	IC_BPF_SUM = BPF_REG_8,     // intermediate result for an argument
	IC_BPF_RECORD = BPF_REG_9,  // struct ic_trace_record
	IC_BPF_FRAME = BPF_REG_10,
};

// On the stack: the index of the copy, the value loaded, the index of the slot, and the size of
// memory to read.
enum {
	IC_BPF_NUMBER_AT = -8,
	IC_BPF_LOADED_AT = -16,
	IC_BPF_SLOT_AT = -24,
	IC_BPF_SIZE_AT = -32,
	IC_BPF_ZERO_AT = IC_BPF_SLOT_AT, // the slot is taken by then
};

// One for each step of a stack, and for each part of a compared string.
enum { IC_BPF_MOST_JUMPS = IC_TRACE_MOST_STACK / IC_TRACE_STACK_STEP + 2 };

struct ic_bpf_jumps { // to the same target
	uint32_t list[IC_BPF_MOST_JUMPS];
	uint32_t count;
};

static inline void ic_bpf_jump_from(struct ic_bpf_jumps *jumps, uint32_t jump)
{
	jumps->list[jumps->count++] = jump;
}

static inline void ic_bpf_land_all(struct ic_bpf_code *code, struct ic_bpf_jumps *jumps)
{
	for (uint32_t i = 0; i < jumps->count; i++)
		ic_bpf_land(code, jumps->list[i]);
	jumps->count = 0;
}

#define IC_COPY_OFFSET(field)   ((int16_t)offsetof(struct ic_trace_copy_data, field))
#define IC_RECORD_OFFSET(field) ((int16_t)offsetof(struct ic_trace_record, field))

// Which word of the registers has a number.
uint32_t ic_bpf_word_find(const struct ic_thread_layout *layout, int number);

// Reads R2 bytes from SUM to `to` + offset: jumps if that fails.
uint32_t ic_bpf_memory_read(const struct ic_trace_shape *shape, struct ic_bpf_code *code,
			    unsigned to, int32_t offset);

// Fetches an argument into the record.
void ic_bpf_argument_write(const struct ic_trace_shape *shape, const struct ic_trace_layout *layout,
			   uint32_t argument, struct ic_bpf_code *code);

// R0 = the answer of the filter, enum ic_trace_answer.
void ic_bpf_filter_write(const struct ic_trace_shape *shape, const struct ic_trace_layout *layout,
			 struct ic_bpf_code *code);

// Adds the call to its group, or leaves it to the reader. Returns the jumps of what is left.
struct ic_bpf_jumps ic_bpf_group_write(const struct ic_trace_shape *shape,
				       const struct ic_trace_layout *layout,
				       struct ic_bpf_code *code);

#endif
