#include "trace/bpf/program.h"

#include "trace/bpf/writer.h"

enum { NO_WAKEUP = 1 }; // of the ring buffer's reader, who polls (BPF_RB_NO_WAKEUP)

// A program may be interrupted by other hits on its CPU, or wait for memory: then these take the
// next slots.
enum { MOST_NESTED = 8 };

// ---- The record

// Fills in what every hit has.
static void write_head(const struct ic_trace_shape *shape, const struct ic_trace_layout *layout,
		       struct ic_bpf_code *code)
{
	for (uint32_t i = 0; i < shape->registers->count; i++) {
		ic_bpf_load(code, IC_BPF_8, BPF_REG_1, IC_BPF_CONTEXT, (int16_t)(8 * i));
		ic_bpf_store(code, IC_BPF_8, IC_BPF_RECORD, (int16_t)(layout->registers + 8 * i),
			     BPF_REG_1);
	}
	ic_bpf_call(code, BPF_FUNC_get_current_pid_tgid);
	ic_bpf_copy(code, BPF_REG_1, BPF_REG_0);
	ic_bpf_do(code, BPF_RSH, BPF_REG_1, 32);
	ic_bpf_store(code, IC_BPF_8, IC_BPF_RECORD, IC_RECORD_OFFSET(pid), BPF_REG_1);
	ic_bpf_do(code, BPF_LSH, BPF_REG_0, 32);
	ic_bpf_do(code, BPF_RSH, BPF_REG_0, 32);
	ic_bpf_store(code, IC_BPF_8, IC_BPF_RECORD, IC_RECORD_OFFSET(tid), BPF_REG_0);
	ic_bpf_call(code, BPF_FUNC_get_smp_processor_id);
	ic_bpf_store(code, IC_BPF_8, IC_BPF_RECORD, IC_RECORD_OFFSET(cpu), BPF_REG_0);
	ic_bpf_load(code, IC_BPF_4, BPF_REG_1, IC_BPF_FRAME, IC_BPF_NUMBER_AT);
	ic_bpf_store(code, IC_BPF_4, IC_BPF_RECORD, IC_RECORD_OFFSET(copy), BPF_REG_1);
	ic_bpf_set(code, BPF_REG_1, 0);
	ic_bpf_store(code, IC_BPF_4, IC_BPF_RECORD, IC_RECORD_OFFSET(stack_size), BPF_REG_1);
	ic_bpf_store(code, IC_BPF_8, IC_BPF_RECORD, IC_RECORD_OFFSET(is_asked), BPF_REG_1);
	ic_bpf_store(code, IC_BPF_8, IC_BPF_RECORD, IC_RECORD_OFFSET(known), BPF_REG_1);
	ic_bpf_set(code, BPF_REG_1, IC_TRACE_COMMAND_SIZE);
	ic_bpf_store(code, IC_BPF_8, IC_BPF_RECORD, IC_RECORD_OFFSET(command_size), BPF_REG_1);
}

static void write_command(struct ic_bpf_code *code)
{
	ic_bpf_copy(code, BPF_REG_1, IC_BPF_RECORD);
	ic_bpf_do(code, BPF_ADD, BPF_REG_1, IC_RECORD_OFFSET(command));
	ic_bpf_set(code, BPF_REG_2, IC_TRACE_COMMAND_SIZE);
	ic_bpf_call(code, BPF_FUNC_get_current_comm);
}

// Fills in the members that only reported records need.
static void write_rest(struct ic_bpf_code *code)
{
	ic_bpf_call(code, BPF_FUNC_ktime_get_ns);
	ic_bpf_store(code, IC_BPF_8, IC_BPF_RECORD, IC_RECORD_OFFSET(time), BPF_REG_0);
	write_command(code);
}

// Copies the stack from the step that contains the stack pointer, up to where nothing is mapped,
// which is at the end of a step.
static void write_stack(const struct ic_trace_shape *shape, const struct ic_trace_layout *layout,
			struct ic_bpf_code *code)
{
	uint32_t word = ic_bpf_word_find(shape->registers, shape->stack_reg);
	struct ic_bpf_jumps end = { .count = 0 };

	ic_bpf_load(code, IC_BPF_8, IC_BPF_SUM, IC_BPF_RECORD,
		    (int16_t)(layout->registers + 8 * word));
	ic_bpf_do(code, BPF_AND, IC_BPF_SUM, -IC_TRACE_STACK_STEP);
	for (uint32_t done = 0; done < shape->stack_size; done += IC_TRACE_STACK_STEP) {
		ic_bpf_set(code, BPF_REG_2, IC_TRACE_STACK_STEP);
		ic_bpf_jump_from(&end, ic_bpf_memory_read(shape, code, IC_BPF_RECORD,
							  (int32_t)(layout->stack + done)));
		ic_bpf_do(code, BPF_ADD, IC_BPF_SUM, IC_TRACE_STACK_STEP);
		ic_bpf_set(code, BPF_REG_1, (int32_t)(done + IC_TRACE_STACK_STEP));
		ic_bpf_store(code, IC_BPF_4, IC_BPF_RECORD, IC_RECORD_OFFSET(stack_size),
			     BPF_REG_1);
	}
	ic_bpf_land_all(code, &end);
}

// Jumps if a copy is left here; returns the jump.
static uint32_t write_exit_check(struct ic_bpf_code *code)
{
	ic_bpf_load(code, IC_BPF_8, BPF_REG_2, IC_BPF_COPY, IC_COPY_OFFSET(is_exit));
	return ic_bpf_jump(code, BPF_JNE, BPF_REG_2, 0);
}

// Counts a call. Returns the jump taken by calls that are not sampled; 0 if there is none.
static uint32_t write_count(const struct ic_trace_shape *shape, struct ic_bpf_code *code)
{
	ic_bpf_set(code, BPF_REG_1, 1);
	if (shape->sample <= 1) {
		ic_bpf_add(code, IC_BPF_COPY, IC_COPY_OFFSET(hits), BPF_REG_1);
		return 0;
	}
	uint32_t is_exit = 0;
	ic_bpf_fetch_add(code, IC_BPF_COPY, IC_COPY_OFFSET(hits), BPF_REG_1);
	if (shape->has_exits)
		is_exit = write_exit_check(code);
	ic_bpf_set_wide(code, BPF_REG_2, shape->sample);
	ic_bpf_do_register(code, BPF_MOD, BPF_REG_1, BPF_REG_2);
	uint32_t is_left_out = ic_bpf_jump(code, BPF_JNE, BPF_REG_1, 0);
	if (shape->has_exits)
		ic_bpf_land(code, is_exit);
	return is_left_out;
}

static void write_increment(struct ic_bpf_code *code, int16_t offset)
{
	ic_bpf_set(code, BPF_REG_1, 1);
	ic_bpf_add(code, IC_BPF_COPY, offset, BPF_REG_1);
}

// Passes a hit that the filter cannot decide on to the reader, or counts it as undecided. Returns
// the jump to take for the reader.
static uint32_t write_question(struct ic_bpf_code *code)
{
	ic_bpf_load(code, IC_BPF_8, BPF_REG_1, IC_BPF_RECORD, IC_RECORD_OFFSET(asks));
	ic_bpf_store(code, IC_BPF_8, IC_BPF_RECORD, IC_RECORD_OFFSET(is_asked), BPF_REG_1);
	uint32_t is_asked = ic_bpf_jump(code, BPF_JNE, BPF_REG_1, 0);
	write_increment(code, IC_COPY_OFFSET(undecided));
	return is_asked;
}

// Copies the record to the ring buffer, with as much as there is of the stack.
static void write_report(const struct ic_trace_shape *shape, const struct ic_trace_layout *layout,
			 struct ic_bpf_code *code)
{
	ic_bpf_load(code, IC_BPF_4, BPF_REG_3, IC_BPF_RECORD, IC_RECORD_OFFSET(stack_size));
	uint32_t is_invalid =
		ic_bpf_jump(code, BPF_JGT, BPF_REG_3, (int32_t)shape->stack_size); // never
	ic_bpf_do(code, BPF_ADD, BPF_REG_3, (int32_t)layout->stack);
	ic_bpf_map(code, BPF_REG_1, shape->maps.ring);
	ic_bpf_copy(code, BPF_REG_2, IC_BPF_RECORD);
	ic_bpf_set(code, BPF_REG_4, NO_WAKEUP);
	ic_bpf_call(code, BPF_FUNC_ringbuf_output);
	uint32_t is_reported = ic_bpf_jump(code, BPF_JEQ, BPF_REG_0, 0);
	ic_bpf_land(code, is_invalid);
	write_increment(code, IC_COPY_OFFSET(lost));
	ic_bpf_land(code, is_reported);
}

// Whether most records are not reported.
static bool only_adds(const struct ic_trace_shape *shape)
{
	return shape->only_counts || shape->grouping.is_on;
}

static bool needs_command(const struct ic_trace_shape *shape)
{
	bool is_needed = shape->grouping.by_command;

	for (uint32_t i = 0; i < shape->filter.count; i++)
		is_needed |= shape->filter.terms[i].left.builtin == IC_TRACE_COMMAND;
	return is_needed;
}

// Decides whether the record is reported, with the stack.
static void write_decision(const struct ic_trace_shape *shape, const struct ic_trace_layout *layout,
			   struct ic_bpf_code *code)
{
	struct ic_bpf_jumps rejected = { .count = 0 };
	uint32_t is_asked = 0, is_exit = 0;

	if (shape->filter.count > 0) {
		if (shape->has_exits)
			is_exit = write_exit_check(code);
		ic_bpf_filter_write(shape, layout, code);
		ic_bpf_jump_from(&rejected, ic_bpf_jump(code, BPF_JEQ, BPF_REG_0, IC_TRACE_NO));
		uint32_t passes = ic_bpf_jump(code, BPF_JEQ, BPF_REG_0, IC_TRACE_YES);
		is_asked = write_question(code);
		ic_bpf_jump_from(&rejected, ic_bpf_jump(code, BPF_JA, 0, 0));
		ic_bpf_land(code, passes);
		if (shape->has_exits)
			ic_bpf_land(code, is_exit);
		uint32_t is_left_out = write_count(shape, code);
		if (is_left_out)
			ic_bpf_jump_from(&rejected, is_left_out);
	}
	bool has_more = is_asked || !only_adds(shape);
	struct ic_bpf_jumps left = { .count = 0 };
	if (shape->grouping.is_on) {
		left = ic_bpf_group_write(shape, layout, code);
		has_more = true;
	}
	if (only_adds(shape) && has_more)
		ic_bpf_jump_from(&rejected, ic_bpf_jump(code, BPF_JA, 0, 0));
	ic_bpf_land_all(code, &left);
	if (is_asked)
		ic_bpf_land(code, is_asked);
	if (only_adds(shape) && has_more)
		write_rest(code);
	if (shape->stack_size > 0)
		write_stack(shape, layout, code);
	if (has_more)
		write_report(shape, layout, code);
	ic_bpf_land_all(code, &rejected);
}

// RECORD = a free slot; jumps if there is none.
static void take_slot(const struct ic_trace_shape *shape, struct ic_bpf_code *code,
		      struct ic_bpf_jumps *none)
{
	struct ic_bpf_jumps found = { .count = 0 };

	ic_bpf_call(code, BPF_FUNC_get_smp_processor_id);
	ic_bpf_store(code, IC_BPF_4, IC_BPF_FRAME, IC_BPF_SLOT_AT, BPF_REG_0);
	for (int i = 0; i < MOST_NESTED; i++) {
		ic_bpf_load(code, IC_BPF_4, BPF_REG_1, IC_BPF_FRAME, IC_BPF_SLOT_AT);
		ic_bpf_do(code, BPF_ADD, BPF_REG_1, i > 0);
		ic_bpf_do(code, BPF_MOD, BPF_REG_1, (int32_t)shape->slot_count);
		ic_bpf_store(code, IC_BPF_4, IC_BPF_FRAME, IC_BPF_SLOT_AT, BPF_REG_1);
		ic_bpf_key(code, shape->maps.slots, IC_BPF_FRAME, IC_BPF_SLOT_AT);
		ic_bpf_call(code, BPF_FUNC_map_lookup_elem);
		ic_bpf_jump_from(none, ic_bpf_jump(code, BPF_JEQ, BPF_REG_0, 0));
		ic_bpf_copy(code, IC_BPF_RECORD, BPF_REG_0);
		ic_bpf_set(code, BPF_REG_1, 1);
		ic_bpf_exchange(code, IC_BPF_RECORD, IC_RECORD_OFFSET(is_busy), BPF_REG_1);
		ic_bpf_jump_from(&found, ic_bpf_jump(code, BPF_JEQ, BPF_REG_1, 0));
	}
	ic_bpf_jump_from(none, ic_bpf_jump(code, BPF_JA, 0, 0));
	ic_bpf_land_all(code, &found);
}

static void write_record(const struct ic_trace_shape *shape, struct ic_bpf_code *code)
{
	struct ic_bpf_jumps none = { .count = 0 };
	struct ic_trace_layout layout;

	ic_trace_layout_find(shape, &layout);
	take_slot(shape, code, &none);
	write_head(shape, &layout, code);
	if (!only_adds(shape))
		write_rest(code);
	else if (needs_command(shape))
		write_command(code);
	for (uint32_t i = shape->argument_count; i-- > 0;) // the parts of strings come last
		if (!(shape->unused >> i & 1))
			ic_bpf_argument_write(shape, &layout, i, code);
	write_decision(shape, &layout, code);
	ic_bpf_set(code, BPF_REG_1, 0);
	ic_bpf_store(code, IC_BPF_8, IC_BPF_RECORD, IC_RECORD_OFFSET(is_busy), BPF_REG_1);
	uint32_t done = ic_bpf_jump(code, BPF_JA, 0, 0);
	ic_bpf_land_all(code, &none);
	write_increment(code, IC_COPY_OFFSET(lost));
	ic_bpf_land(code, done);
}

// Jumps if nothing is counted yet, or not for this process.
static void write_switch(const struct ic_trace_shape *shape, struct ic_bpf_code *code,
			 struct ic_bpf_jumps *off)
{
	ic_bpf_load(code, IC_BPF_4, BPF_REG_1, IC_BPF_COPY, IC_COPY_OFFSET(epoch));
	ic_bpf_jump_from(off, ic_bpf_jump(code, BPF_JEQ, BPF_REG_1, 0));
	if (shape->has_processes) {
		ic_bpf_call(code, BPF_FUNC_get_current_pid_tgid);
		ic_bpf_do(code, BPF_RSH, BPF_REG_0, 32);
		ic_bpf_store(code, IC_BPF_4, IC_BPF_FRAME, IC_BPF_SLOT_AT, BPF_REG_0);
		ic_bpf_key(code, shape->maps.processes, IC_BPF_FRAME, IC_BPF_SLOT_AT);
		ic_bpf_call(code, BPF_FUNC_map_lookup_elem);
		ic_bpf_jump_from(off, ic_bpf_jump(code, BPF_JEQ, BPF_REG_0, 0));
	}
	if (shape->without_pid == 0)
		return;
	ic_bpf_call(code, BPF_FUNC_get_current_pid_tgid);
	ic_bpf_do(code, BPF_RSH, BPF_REG_0, 32);
	ic_bpf_jump_from(off, ic_bpf_jump(code, BPF_JEQ, BPF_REG_0, (int32_t)shape->without_pid));
}

void ic_trace_program_write(const struct ic_trace_shape *shape, struct ic_bpf_code *code)
{
	bool has_filter = shape->filter.count > 0;
	uint32_t is_left_out = 0;

	ic_bpf_copy(code, IC_BPF_CONTEXT, BPF_REG_1);
	ic_bpf_call(code, BPF_FUNC_get_attach_cookie);
	ic_bpf_store(code, IC_BPF_4, IC_BPF_FRAME, IC_BPF_NUMBER_AT, BPF_REG_0);
	ic_bpf_key(code, shape->maps.copies, IC_BPF_FRAME, IC_BPF_NUMBER_AT);
	ic_bpf_call(code, BPF_FUNC_map_lookup_elem);
	uint32_t is_none = ic_bpf_jump(code, BPF_JEQ, BPF_REG_0, 0);
	ic_bpf_copy(code, IC_BPF_COPY, BPF_REG_0);
	struct ic_bpf_jumps off = { .count = 0 };
	write_switch(shape, code, &off);
	if (!has_filter)
		is_left_out = write_count(shape, code);
	if (!shape->only_counts || has_filter)
		write_record(shape, code);
	if (is_left_out)
		ic_bpf_land(code, is_left_out);
	ic_bpf_land(code, is_none);
	ic_bpf_land_all(code, &off);
	ic_bpf_set(code, BPF_REG_0, 0);
	ic_bpf_exit(code);
}
