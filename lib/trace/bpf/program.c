#include "trace/bpf/program.h"

#include <stddef.h>
#include <string.h>

// Use of BPF registers. R1 to R5 are lost in calls, R0 has their result.
enum {
	CONTEXT = BPF_REG_6, // the registers of the traced program
	COPY = BPF_REG_7,    // struct ic_trace_copy_data
	SUM = BPF_REG_8,     // intermediate result for an argument
	RECORD = BPF_REG_9,  // struct ic_trace_record
	FRAME = BPF_REG_10,
};

// On the stack: the index of the copy, the value loaded, and the index of the slot.
enum { NUMBER_AT = -8, LOADED_AT = -16, SLOT_AT = -24 };

enum { NO_WAKEUP = 1 }; // of the ring buffer's reader, who polls (BPF_RB_NO_WAKEUP)

// A program may be interrupted by another hit on its CPU, which then takes the next slot.
enum { MOST_NESTED = 4 };

// One for each step of a stack, and for each part of a compared string.
enum {
	MOST_JUMPS = IC_TRACE_MOST_STACK / IC_TRACE_STACK_STEP + 1 +
		     IC_TRACE_MOST_TERMS * (IC_TRACE_TERM_TEXT / 8 + 4) + MOST_NESTED,
};

struct jumps { // to the same target
	uint32_t list[MOST_JUMPS];
	uint32_t count;
};

static void jump_from(struct jumps *jumps, uint32_t jump)
{
	jumps->list[jumps->count++] = jump;
}

static void land_all(struct ic_bpf_code *code, struct jumps *jumps)
{
	for (uint32_t i = 0; i < jumps->count; i++)
		ic_bpf_land(code, jumps->list[i]);
	jumps->count = 0;
}

// Which word of the registers has a number.
static uint32_t find_word(const struct ic_thread_layout *layout, int number)
{
	uint32_t word = 0;

	while (word + 1 < layout->count && layout->numbers[word] != number)
		word++;
	return word;
}

static uint32_t string_room(const struct ic_trace_shape *shape)
{
	return (8 + shape->string_size + 7) & ~7u;
}

void ic_trace_layout_find(const struct ic_trace_shape *shape, struct ic_trace_layout *layout)
{
	uint32_t strings = (uint32_t)__builtin_popcountll(shape->strings);

	layout->registers = sizeof(struct ic_trace_record);
	layout->values = layout->registers + 8u * shape->registers->count;
	layout->strings = layout->values + IC_TRACE_VALUE_SIZE * shape->argument_count;
	layout->stack = layout->strings + strings * string_room(shape);
	layout->size = layout->stack + shape->stack_size;
}

uint32_t ic_trace_string_offset(const struct ic_trace_shape *shape,
				const struct ic_trace_layout *layout, uint32_t argument)
{
	uint64_t before = shape->strings & ((1ull << argument) - 1);

	return layout->strings + (uint32_t)__builtin_popcountll(before) * (8 + shape->string_size);
}

uint32_t ic_trace_copy_size(const struct ic_trace_shape *shape)
{
	return (uint32_t)(sizeof(struct ic_trace_copy_data) +
			  shape->argument_count * sizeof(struct ic_trace_fetch));
}

// ---- Arguments

#define COPY_OFFSET(field)   ((int16_t)offsetof(struct ic_trace_copy_data, field))
#define RECORD_OFFSET(field) ((int16_t)offsetof(struct ic_trace_record, field))
#define FETCH_OFFSET(argument, field)                           \
	((int16_t)(sizeof(struct ic_trace_copy_data) +          \
		   (argument) * sizeof(struct ic_trace_fetch) + \
		   offsetof(struct ic_trace_fetch, field)))

// Reads R2 bytes from SUM to `to` + offset: jumps if that fails.
static uint32_t read_memory(const struct ic_trace_shape *shape, struct ic_bpf_code *code,
			    unsigned to, int32_t offset)
{
	ic_bpf_copy(code, BPF_REG_1, to);
	ic_bpf_do(code, BPF_ADD, BPF_REG_1, offset);
	ic_bpf_copy(code, BPF_REG_3, SUM);
	ic_bpf_call(code, shape->is_kernel ? BPF_FUNC_probe_read_kernel : BPF_FUNC_probe_read_user);
	return ic_bpf_jump(code, BPF_JNE, BPF_REG_0, 0);
}

// SUM = the base of an argument.
static void write_base(const struct ic_trace_shape *shape, const struct ic_trace_layout *layout,
		       uint32_t argument, struct ic_bpf_code *code, struct jumps *unknown)
{
	struct jumps done = { .count = 0 };
	int16_t pc = (int16_t)(layout->registers + 8 * find_word(shape->registers, IC_THREAD_PC));

	ic_bpf_load(code, IC_BPF_1, BPF_REG_1, COPY, FETCH_OFFSET(argument, base));
	jump_from(unknown, ic_bpf_jump(code, BPF_JEQ, BPF_REG_1, IC_TRACE_NOTHING));
	ic_bpf_load(code, IC_BPF_8, SUM, COPY, FETCH_OFFSET(argument, number));
	jump_from(&done, ic_bpf_jump(code, BPF_JEQ, BPF_REG_1, IC_TRACE_NUMBER));
	uint32_t in_file = ic_bpf_jump(code, BPF_JEQ, BPF_REG_1, IC_TRACE_IN_FILE);
	ic_bpf_load(code, IC_BPF_1, BPF_REG_1, COPY, FETCH_OFFSET(argument, word));
	jump_from(unknown, ic_bpf_jump(code, BPF_JGE, BPF_REG_1, (int32_t)shape->registers->count));
	ic_bpf_do(code, BPF_LSH, BPF_REG_1, 3);
	ic_bpf_do_register(code, BPF_ADD, BPF_REG_1, RECORD);
	ic_bpf_load(code, IC_BPF_8, SUM, BPF_REG_1, (int16_t)layout->registers);
	jump_from(&done, ic_bpf_jump(code, BPF_JA, 0, 0));
	// The load offset is the difference between the code's address here and in the file.
	ic_bpf_land(code, in_file);
	ic_bpf_load(code, IC_BPF_8, BPF_REG_1, RECORD, pc);
	ic_bpf_do_register(code, BPF_ADD, SUM, BPF_REG_1);
	ic_bpf_load(code, IC_BPF_8, BPF_REG_1, COPY, COPY_OFFSET(addr));
	ic_bpf_do_register(code, BPF_SUB, SUM, BPF_REG_1);
	land_all(code, &done);
	ic_bpf_load(code, IC_BPF_8, BPF_REG_1, COPY, FETCH_OFFSET(argument, offsets[0]));
	ic_bpf_do_register(code, BPF_ADD, SUM, BPF_REG_1);
}

// SUM = the result of the loads.
static void write_loads(const struct ic_trace_shape *shape, uint32_t argument,
			struct ic_bpf_code *code, struct jumps *unknown)
{
	struct jumps done = { .count = 0 };

	for (int i = 0; i < IC_TRACE_MOST_LOADS; i++) {
		ic_bpf_load(code, IC_BPF_1, BPF_REG_1, COPY, FETCH_OFFSET(argument, load_count));
		jump_from(&done, ic_bpf_jump(code, BPF_JLE, BPF_REG_1, i));
		ic_bpf_set(code, BPF_REG_1, 0);
		ic_bpf_store(code, IC_BPF_8, FRAME, LOADED_AT, BPF_REG_1);
		ic_bpf_load(code, IC_BPF_1, BPF_REG_2, COPY, FETCH_OFFSET(argument, load_sizes[i]));
		jump_from(unknown, ic_bpf_jump(code, BPF_JGT, BPF_REG_2, 8));
		jump_from(unknown, read_memory(shape, code, FRAME, LOADED_AT));
		ic_bpf_load(code, IC_BPF_8, SUM, FRAME, LOADED_AT);
		ic_bpf_load(code, IC_BPF_8, BPF_REG_1, COPY,
			    FETCH_OFFSET(argument, offsets[i + 1]));
		ic_bpf_do_register(code, BPF_ADD, SUM, BPF_REG_1);
	}
	land_all(code, &done);
}

// Extends SUM, the value, of which only some bits count.
static void write_extension(uint32_t argument, struct ic_bpf_code *code)
{
	ic_bpf_load(code, IC_BPF_1, BPF_REG_1, COPY, FETCH_OFFSET(argument, unused_bits));
	ic_bpf_do(code, BPF_AND, BPF_REG_1, 63);
	ic_bpf_do_register(code, BPF_LSH, SUM, BPF_REG_1);
	ic_bpf_load(code, IC_BPF_1, BPF_REG_2, COPY, FETCH_OFFSET(argument, low_bits));
	ic_bpf_do_register(code, BPF_ADD, BPF_REG_1, BPF_REG_2);
	ic_bpf_do(code, BPF_AND, BPF_REG_1, 63);
	ic_bpf_load(code, IC_BPF_1, BPF_REG_2, COPY, FETCH_OFFSET(argument, is_signed));
	uint32_t is_signed = ic_bpf_jump(code, BPF_JNE, BPF_REG_2, 0);
	ic_bpf_do_register(code, BPF_RSH, SUM, BPF_REG_1);
	uint32_t done = ic_bpf_jump(code, BPF_JA, 0, 0);
	ic_bpf_land(code, is_signed);
	ic_bpf_do_register(code, BPF_ARSH, SUM, BPF_REG_1);
	ic_bpf_land(code, done);
}

static void write_string(const struct ic_trace_shape *shape, const struct ic_trace_layout *layout,
			 uint32_t argument, struct ic_bpf_code *code)
{
	int16_t at = (int16_t)ic_trace_string_offset(shape, layout, argument);

	ic_bpf_load(code, IC_BPF_1, BPF_REG_1, COPY, FETCH_OFFSET(argument, is_string));
	uint32_t is_none = ic_bpf_jump(code, BPF_JEQ, BPF_REG_1, 0);
	ic_bpf_copy(code, BPF_REG_1, RECORD);
	ic_bpf_do(code, BPF_ADD, BPF_REG_1, at + 8);
	ic_bpf_load(code, IC_BPF_2, BPF_REG_2, COPY, FETCH_OFFSET(argument, string_size));
	uint32_t is_unknown = ic_bpf_jump(code, BPF_JEQ, BPF_REG_2, 0);
	uint32_t fits = ic_bpf_jump(code, BPF_JLE, BPF_REG_2, (int32_t)shape->string_size);
	ic_bpf_land(code, is_unknown);
	ic_bpf_set(code, BPF_REG_2, (int32_t)shape->string_size);
	ic_bpf_land(code, fits);
	ic_bpf_copy(code, BPF_REG_3, SUM);
	ic_bpf_call(code, shape->is_kernel ? BPF_FUNC_probe_read_kernel_str
					   : BPF_FUNC_probe_read_user_str);
	ic_bpf_store(code, IC_BPF_8, RECORD, at, BPF_REG_0);
	ic_bpf_land(code, is_none);
}

static void write_argument(const struct ic_trace_shape *shape, const struct ic_trace_layout *layout,
			   uint32_t argument, struct ic_bpf_code *code)
{
	int16_t at = (int16_t)(layout->values + IC_TRACE_VALUE_SIZE * argument);
	struct jumps unknown = { .count = 0 };

	write_base(shape, layout, argument, code, &unknown);
	write_loads(shape, argument, code, &unknown);
	ic_bpf_load(code, IC_BPF_1, BPF_REG_2, COPY, FETCH_OFFSET(argument, memory_size));
	uint32_t is_value = ic_bpf_jump(code, BPF_JEQ, BPF_REG_2, 0);
	jump_from(&unknown, ic_bpf_jump(code, BPF_JGT, BPF_REG_2, IC_TRACE_VALUE_SIZE));
	ic_bpf_set(code, BPF_REG_1, 0);
	ic_bpf_store(code, IC_BPF_8, RECORD, at, BPF_REG_1);
	jump_from(&unknown, read_memory(shape, code, RECORD, at));
	ic_bpf_load(code, IC_BPF_8, SUM, RECORD, at);
	ic_bpf_land(code, is_value);
	write_extension(argument, code);
	ic_bpf_store(code, IC_BPF_8, RECORD, at, SUM);
	if (shape->strings >> argument & 1)
		write_string(shape, layout, argument, code);
	ic_bpf_load(code, IC_BPF_8, BPF_REG_1, RECORD, RECORD_OFFSET(known));
	ic_bpf_set_wide(code, BPF_REG_2, 1ull << argument);
	ic_bpf_do_register(code, BPF_OR, BPF_REG_1, BPF_REG_2);
	ic_bpf_store(code, IC_BPF_8, RECORD, RECORD_OFFSET(known), BPF_REG_1);
	land_all(code, &unknown);
}

// ---- The record

// Fills in what every hit has.
static void write_head(const struct ic_trace_shape *shape, const struct ic_trace_layout *layout,
		       struct ic_bpf_code *code)
{
	for (uint32_t i = 0; i < shape->registers->count; i++) {
		ic_bpf_load(code, IC_BPF_8, BPF_REG_1, CONTEXT, (int16_t)(8 * i));
		ic_bpf_store(code, IC_BPF_8, RECORD, (int16_t)(layout->registers + 8 * i),
			     BPF_REG_1);
	}
	ic_bpf_call(code, BPF_FUNC_ktime_get_ns);
	ic_bpf_store(code, IC_BPF_8, RECORD, RECORD_OFFSET(time), BPF_REG_0);
	ic_bpf_call(code, BPF_FUNC_get_current_pid_tgid);
	ic_bpf_store(code, IC_BPF_4, RECORD, RECORD_OFFSET(tid), BPF_REG_0);
	ic_bpf_do(code, BPF_RSH, BPF_REG_0, 32);
	ic_bpf_store(code, IC_BPF_4, RECORD, RECORD_OFFSET(pid), BPF_REG_0);
	ic_bpf_copy(code, BPF_REG_1, RECORD);
	ic_bpf_do(code, BPF_ADD, BPF_REG_1, RECORD_OFFSET(command));
	ic_bpf_set(code, BPF_REG_2, IC_TRACE_COMMAND_SIZE);
	ic_bpf_call(code, BPF_FUNC_get_current_comm);
	ic_bpf_load(code, IC_BPF_4, BPF_REG_1, FRAME, NUMBER_AT);
	ic_bpf_store(code, IC_BPF_4, RECORD, RECORD_OFFSET(copy), BPF_REG_1);
	ic_bpf_set(code, BPF_REG_1, 0);
	ic_bpf_store(code, IC_BPF_4, RECORD, RECORD_OFFSET(stack_size), BPF_REG_1);
	ic_bpf_store(code, IC_BPF_8, RECORD, RECORD_OFFSET(known), BPF_REG_1);
}

// Copies the stack from the step that contains the stack pointer, up to where nothing is mapped,
// which is at the end of a step.
static void write_stack(const struct ic_trace_shape *shape, const struct ic_trace_layout *layout,
			struct ic_bpf_code *code)
{
	uint32_t word = find_word(shape->registers, shape->stack_reg);
	struct jumps end = { .count = 0 };

	ic_bpf_load(code, IC_BPF_8, SUM, RECORD, (int16_t)(layout->registers + 8 * word));
	ic_bpf_do(code, BPF_AND, SUM, -IC_TRACE_STACK_STEP);
	for (uint32_t done = 0; done < shape->stack_size; done += IC_TRACE_STACK_STEP) {
		ic_bpf_set(code, BPF_REG_2, IC_TRACE_STACK_STEP);
		jump_from(&end, read_memory(shape, code, RECORD, (int32_t)(layout->stack + done)));
		ic_bpf_do(code, BPF_ADD, SUM, IC_TRACE_STACK_STEP);
		ic_bpf_set(code, BPF_REG_1, (int32_t)(done + IC_TRACE_STACK_STEP));
		ic_bpf_store(code, IC_BPF_4, RECORD, RECORD_OFFSET(stack_size), BPF_REG_1);
	}
	land_all(code, &end);
}

// ---- The filter

struct ways { // out of the filter
	struct jumps rejected, undecided;
};

// Jumps unless a relation between R1 and R2 holds.
static void reject_numbers(uint32_t term, const struct ic_trace_filter *filter,
			   struct ic_bpf_code *code, struct jumps *rejected)
{
	static const uint8_t opposites[] = {
		[IC_TRACE_EQUAL] = BPF_JNE,   [IC_TRACE_UNEQUAL] = BPF_JEQ,
		[IC_TRACE_LESS] = BPF_JGE,    [IC_TRACE_LESS_EQUAL] = BPF_JGT,
		[IC_TRACE_GREATER] = BPF_JLE, [IC_TRACE_GREATER_EQUAL] = BPF_JLT,
	};
	static const uint8_t of_signed[] = {
		[IC_TRACE_LESS] = BPF_JSGE,
		[IC_TRACE_LESS_EQUAL] = BPF_JSGT,
		[IC_TRACE_GREATER] = BPF_JSLE,
		[IC_TRACE_GREATER_EQUAL] = BPF_JSLT,
	};
	enum ic_trace_relation relation = filter->terms[term].relation;
	uint8_t opposite = opposites[relation];

	if (relation > IC_TRACE_UNEQUAL) {
		ic_bpf_load(code, IC_BPF_1, BPF_REG_3, COPY,
			    COPY_OFFSET(conditions[term].is_signed));
		uint32_t is_unsigned = ic_bpf_jump(code, BPF_JEQ, BPF_REG_3, 0);
		jump_from(rejected,
			  ic_bpf_jump_register(code, of_signed[relation], BPF_REG_1, BPF_REG_2));
		uint32_t done = ic_bpf_jump(code, BPF_JA, 0, 0);
		ic_bpf_land(code, is_unsigned);
		jump_from(rejected, ic_bpf_jump_register(code, opposite, BPF_REG_1, BPF_REG_2));
		ic_bpf_land(code, done);
		return;
	}
	jump_from(rejected, ic_bpf_jump_register(code, opposite, BPF_REG_1, BPF_REG_2));
}

// Jumps if the string at R1 differs, or if it is equal; including its NUL, eight bytes at a time.
static void reject_strings(const struct ic_trace_term *term, struct ic_bpf_code *code,
			   struct jumps *rejected)
{
	struct jumps different = { .count = 0 };
	struct jumps *mismatch = term->relation == IC_TRACE_EQUAL ? rejected : &different;
	uint32_t size = term->length + 1;

	for (uint32_t done = 0; done < size; done += 8) {
		uint32_t part = size - done < 8 ? size - done : 8;
		uint8_t bytes[8] = { 0 }, mask[8] = { 0 };
		uint64_t wanted, wanted_bits;

		memcpy(bytes, term->text + done, part);
		memset(mask, 0xff, part);
		memcpy(&wanted, bytes, sizeof(wanted));
		memcpy(&wanted_bits, mask, sizeof(wanted_bits));
		ic_bpf_load(code, IC_BPF_8, BPF_REG_2, BPF_REG_1, (int16_t)(8 + done));
		ic_bpf_set_wide(code, BPF_REG_3, wanted_bits);
		ic_bpf_do_register(code, BPF_AND, BPF_REG_2, BPF_REG_3);
		ic_bpf_set_wide(code, BPF_REG_3, wanted);
		jump_from(mismatch, ic_bpf_jump_register(code, BPF_JNE, BPF_REG_2, BPF_REG_3));
	}
	if (term->relation == IC_TRACE_UNEQUAL)
		jump_from(rejected, ic_bpf_jump(code, BPF_JA, 0, 0));
	land_all(code, &different);
}

static void write_term(const struct ic_trace_shape *shape, const struct ic_trace_layout *layout,
		       uint32_t number, struct ic_bpf_code *code, struct ways *ways)
{
	const struct ic_trace_term *term = &shape->filter.terms[number];
	int32_t last_string = (int32_t)(layout->stack - string_room(shape));

	ic_bpf_load(code, IC_BPF_1, BPF_REG_1, COPY, COPY_OFFSET(conditions[number].argument));
	uint32_t is_later = ic_bpf_jump(code, BPF_JEQ, BPF_REG_1, IC_TRACE_LATER);
	jump_from(&ways->undecided,
		  ic_bpf_jump(code, BPF_JGE, BPF_REG_1, (int32_t)shape->argument_count));
	ic_bpf_load(code, IC_BPF_8, BPF_REG_2, RECORD, RECORD_OFFSET(known));
	ic_bpf_do_register(code, BPF_RSH, BPF_REG_2, BPF_REG_1);
	ic_bpf_do(code, BPF_AND, BPF_REG_2, 1);
	jump_from(&ways->undecided, ic_bpf_jump(code, BPF_JEQ, BPF_REG_2, 0));
	if (!term->is_string) {
		ic_bpf_do(code, BPF_MUL, BPF_REG_1, IC_TRACE_VALUE_SIZE);
		ic_bpf_do_register(code, BPF_ADD, BPF_REG_1, RECORD);
		ic_bpf_load(code, IC_BPF_8, BPF_REG_1, BPF_REG_1, (int16_t)layout->values);
		ic_bpf_load(code, IC_BPF_8, BPF_REG_2, COPY,
			    COPY_OFFSET(conditions[number].number));
		reject_numbers(number, &shape->filter, code, &ways->rejected);
		ic_bpf_land(code, is_later);
		return;
	}
	ic_bpf_land(code, is_later); // strings never are
	if (!shape->strings) { // always taken; but the verifier must consider the rest reachable
		jump_from(&ways->undecided, ic_bpf_jump(code, BPF_JGE, BPF_REG_1, 0));
		return;
	}
	ic_bpf_load(code, IC_BPF_4, BPF_REG_1, COPY, COPY_OFFSET(conditions[number].string_at));
	jump_from(&ways->undecided, ic_bpf_jump(code, BPF_JGT, BPF_REG_1, last_string));
	ic_bpf_do_register(code, BPF_ADD, BPF_REG_1, RECORD);
	ic_bpf_load(code, IC_BPF_8, BPF_REG_2, BPF_REG_1, 0);
	// It is not in memory: the reader of the call may find it in the file.
	uint32_t is_unread = ic_bpf_jump(code, BPF_JSLE, BPF_REG_2, 0);
	if (shape->only_counts)
		jump_from(&ways->undecided, is_unread);
	reject_strings(term, code, &ways->rejected);
	if (!shape->only_counts)
		ic_bpf_land(code, is_unread);
}

// ---- The whole

// Jumps if a copy is left here; returns the jump.
static uint32_t write_exit_check(struct ic_bpf_code *code)
{
	ic_bpf_load(code, IC_BPF_8, BPF_REG_2, COPY, COPY_OFFSET(is_exit));
	return ic_bpf_jump(code, BPF_JNE, BPF_REG_2, 0);
}

// Counts a call. Returns the jump taken by calls that are not sampled; 0 if there is none.
static uint32_t write_count(const struct ic_trace_shape *shape, struct ic_bpf_code *code)
{
	ic_bpf_set(code, BPF_REG_1, 1);
	if (shape->sample <= 1) {
		ic_bpf_add(code, COPY, COPY_OFFSET(hits), BPF_REG_1);
		return 0;
	}
	uint32_t is_exit = 0;
	ic_bpf_fetch_add(code, COPY, COPY_OFFSET(hits), BPF_REG_1);
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
	ic_bpf_add(code, COPY, offset, BPF_REG_1);
}

// Copies the record to the ring buffer, with as much as there is of the stack.
static void write_report(const struct ic_trace_shape *shape, const struct ic_trace_layout *layout,
			 struct ic_bpf_code *code)
{
	ic_bpf_load(code, IC_BPF_4, BPF_REG_3, RECORD, RECORD_OFFSET(stack_size));
	uint32_t is_invalid =
		ic_bpf_jump(code, BPF_JGT, BPF_REG_3, (int32_t)shape->stack_size); // never
	ic_bpf_do(code, BPF_ADD, BPF_REG_3, (int32_t)layout->stack);
	ic_bpf_map(code, BPF_REG_1, shape->maps.ring);
	ic_bpf_copy(code, BPF_REG_2, RECORD);
	ic_bpf_set(code, BPF_REG_4, NO_WAKEUP);
	ic_bpf_call(code, BPF_FUNC_ringbuf_output);
	uint32_t is_reported = ic_bpf_jump(code, BPF_JEQ, BPF_REG_0, 0);
	ic_bpf_land(code, is_invalid);
	write_increment(code, COPY_OFFSET(lost));
	ic_bpf_land(code, is_reported);
}

// Decides whether the record is reported, with the stack.
static void write_decision(const struct ic_trace_shape *shape, const struct ic_trace_layout *layout,
			   struct ic_bpf_code *code)
{
	struct ways ways = { .rejected = { .count = 0 } };
	bool may_pass = shape->has_exits && shape->filter.count > 0;
	uint32_t is_exit = may_pass ? write_exit_check(code) : 0;

	for (uint32_t i = 0; i < shape->filter.count; i++)
		write_term(shape, layout, i, code, &ways);
	if (may_pass)
		ic_bpf_land(code, is_exit);
	if (shape->filter.count > 0) {
		uint32_t is_left_out = write_count(shape, code);
		if (is_left_out)
			jump_from(&ways.rejected, is_left_out);
	}
	if (!shape->only_counts && shape->stack_size > 0)
		write_stack(shape, layout, code);
	if (!shape->only_counts)
		write_report(shape, layout, code);
	if (shape->filter.count == 0)
		return;
	jump_from(&ways.rejected, ic_bpf_jump(code, BPF_JA, 0, 0));
	land_all(code, &ways.undecided);
	write_increment(code, COPY_OFFSET(undecided));
	land_all(code, &ways.rejected);
}

// RECORD = a free slot; jumps if there is none.
static void take_slot(const struct ic_trace_shape *shape, struct ic_bpf_code *code,
		      struct jumps *none)
{
	struct jumps found = { .count = 0 };

	ic_bpf_call(code, BPF_FUNC_get_smp_processor_id);
	ic_bpf_store(code, IC_BPF_4, FRAME, SLOT_AT, BPF_REG_0);
	for (int i = 0; i < MOST_NESTED; i++) {
		ic_bpf_load(code, IC_BPF_4, BPF_REG_1, FRAME, SLOT_AT);
		ic_bpf_do(code, BPF_ADD, BPF_REG_1, i > 0);
		ic_bpf_do(code, BPF_MOD, BPF_REG_1, (int32_t)shape->slot_count);
		ic_bpf_store(code, IC_BPF_4, FRAME, SLOT_AT, BPF_REG_1);
		ic_bpf_map(code, BPF_REG_1, shape->maps.slots);
		ic_bpf_copy(code, BPF_REG_2, FRAME);
		ic_bpf_do(code, BPF_ADD, BPF_REG_2, SLOT_AT);
		ic_bpf_call(code, BPF_FUNC_map_lookup_elem);
		jump_from(none, ic_bpf_jump(code, BPF_JEQ, BPF_REG_0, 0));
		ic_bpf_copy(code, RECORD, BPF_REG_0);
		ic_bpf_set(code, BPF_REG_1, 1);
		ic_bpf_exchange(code, RECORD, RECORD_OFFSET(is_busy), BPF_REG_1);
		jump_from(&found, ic_bpf_jump(code, BPF_JEQ, BPF_REG_1, 0));
	}
	jump_from(none, ic_bpf_jump(code, BPF_JA, 0, 0));
	land_all(code, &found);
}

static void write_record(const struct ic_trace_shape *shape, struct ic_bpf_code *code)
{
	struct jumps none = { .count = 0 };
	struct ic_trace_layout layout;

	ic_trace_layout_find(shape, &layout);
	take_slot(shape, code, &none);
	write_head(shape, &layout, code);
	for (uint32_t i = 0; i < shape->argument_count; i++)
		write_argument(shape, &layout, i, code);
	write_decision(shape, &layout, code);
	ic_bpf_set(code, BPF_REG_1, 0);
	ic_bpf_store(code, IC_BPF_8, RECORD, RECORD_OFFSET(is_busy), BPF_REG_1);
	uint32_t done = ic_bpf_jump(code, BPF_JA, 0, 0);
	land_all(code, &none);
	write_increment(code, COPY_OFFSET(lost));
	ic_bpf_land(code, done);
}

// Jumps if nothing is counted yet, or not for this process.
static void write_switch(const struct ic_trace_shape *shape, struct ic_bpf_code *code,
			 struct jumps *off)
{
	ic_bpf_load(code, IC_BPF_8, BPF_REG_1, COPY, COPY_OFFSET(is_off));
	jump_from(off, ic_bpf_jump(code, BPF_JNE, BPF_REG_1, 0));
	if (shape->without_pid == 0)
		return;
	ic_bpf_call(code, BPF_FUNC_get_current_pid_tgid);
	ic_bpf_do(code, BPF_RSH, BPF_REG_0, 32);
	jump_from(off, ic_bpf_jump(code, BPF_JEQ, BPF_REG_0, (int32_t)shape->without_pid));
}

void ic_trace_program_write(const struct ic_trace_shape *shape, struct ic_bpf_code *code)
{
	bool has_filter = shape->filter.count > 0;
	uint32_t is_left_out = 0;

	ic_bpf_copy(code, CONTEXT, BPF_REG_1);
	ic_bpf_call(code, BPF_FUNC_get_attach_cookie);
	ic_bpf_store(code, IC_BPF_4, FRAME, NUMBER_AT, BPF_REG_0);
	ic_bpf_map(code, BPF_REG_1, shape->maps.copies);
	ic_bpf_copy(code, BPF_REG_2, FRAME);
	ic_bpf_do(code, BPF_ADD, BPF_REG_2, NUMBER_AT);
	ic_bpf_call(code, BPF_FUNC_map_lookup_elem);
	uint32_t is_none = ic_bpf_jump(code, BPF_JEQ, BPF_REG_0, 0);
	ic_bpf_copy(code, COPY, BPF_REG_0);
	struct jumps off = { .count = 0 };
	write_switch(shape, code, &off);
	if (!has_filter)
		is_left_out = write_count(shape, code);
	if (!shape->only_counts || has_filter)
		write_record(shape, code);
	if (is_left_out)
		ic_bpf_land(code, is_left_out);
	ic_bpf_land(code, is_none);
	land_all(code, &off);
	ic_bpf_set(code, BPF_REG_0, 0);
	ic_bpf_exit(code);
}
