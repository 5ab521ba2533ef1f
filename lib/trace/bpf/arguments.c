// Fetches the arguments of a hit.
#include "trace/bpf/writer.h"

// Conditions come before the fetches.
#define FETCH_OFFSET(argument, field) \
	((int16_t)(fetch_offset(shape, argument) + offsetof(struct ic_trace_fetch, field)))

static size_t fetch_offset(const struct ic_trace_shape *shape, uint32_t argument)
{
	return sizeof(struct ic_trace_copy_data) +
	       shape->filter.count * sizeof(struct ic_trace_condition) +
	       argument * sizeof(struct ic_trace_fetch);
}

uint32_t ic_bpf_word_find(const struct ic_thread_layout *layout, int number)
{
	uint32_t word = 0;

	while (word + 1 < layout->count && layout->numbers[word] != number)
		word++;
	return word;
}

// Reads SIZE_AT bytes from SUM to `to` + offset with a helper.
static void call_reader(struct ic_bpf_code *code, int32_t helper, unsigned to, int32_t offset)
{
	ic_bpf_copy(code, BPF_REG_1, to);
	ic_bpf_do(code, BPF_ADD, BPF_REG_1, offset);
	ic_bpf_load(code, IC_BPF_8, BPF_REG_2, IC_BPF_FRAME, IC_BPF_SIZE_AT);
	ic_bpf_copy(code, BPF_REG_3, IC_BPF_SUM);
	ic_bpf_call(code, helper);
}

uint32_t ic_bpf_memory_read(const struct ic_trace_shape *shape, struct ic_bpf_code *code,
			    unsigned to, int32_t offset)
{
	ic_bpf_store(code, IC_BPF_8, IC_BPF_FRAME, IC_BPF_SIZE_AT, BPF_REG_2);
	call_reader(code, shape->is_kernel ? BPF_FUNC_probe_read_kernel : BPF_FUNC_probe_read_user,
		    to, offset);
	if (shape->can_sleep) {
		uint32_t is_read = ic_bpf_jump(code, BPF_JEQ, BPF_REG_0, 0);
		call_reader(code, BPF_FUNC_copy_from_user, to, offset);
		ic_bpf_land(code, is_read);
	}
	return ic_bpf_jump(code, BPF_JNE, BPF_REG_0, 0);
}

// SUM = the base of an argument.
static void write_base(const struct ic_trace_shape *shape, const struct ic_trace_layout *layout,
		       uint32_t argument, struct ic_bpf_code *code, struct ic_bpf_jumps *unknown)
{
	struct ic_bpf_jumps done = { .count = 0 };
	int16_t pc =
		(int16_t)(layout->registers + 8 * ic_bpf_word_find(shape->registers, IC_THREAD_PC));

	ic_bpf_load(code, IC_BPF_1, BPF_REG_1, IC_BPF_COPY, FETCH_OFFSET(argument, base));
	ic_bpf_jump_from(unknown, ic_bpf_jump(code, BPF_JEQ, BPF_REG_1, IC_TRACE_NOTHING));
	ic_bpf_load(code, IC_BPF_8, IC_BPF_SUM, IC_BPF_COPY, FETCH_OFFSET(argument, number));
	ic_bpf_jump_from(&done, ic_bpf_jump(code, BPF_JEQ, BPF_REG_1, IC_TRACE_NUMBER));
	uint32_t in_file = ic_bpf_jump(code, BPF_JEQ, BPF_REG_1, IC_TRACE_IN_FILE);
	ic_bpf_load(code, IC_BPF_1, BPF_REG_1, IC_BPF_COPY, FETCH_OFFSET(argument, word));
	ic_bpf_jump_from(unknown,
			 ic_bpf_jump(code, BPF_JGE, BPF_REG_1, (int32_t)shape->registers->count));
	ic_bpf_do(code, BPF_LSH, BPF_REG_1, 3);
	ic_bpf_do_register(code, BPF_ADD, BPF_REG_1, IC_BPF_RECORD);
	ic_bpf_load(code, IC_BPF_8, IC_BPF_SUM, BPF_REG_1, (int16_t)layout->registers);
	ic_bpf_jump_from(&done, ic_bpf_jump(code, BPF_JA, 0, 0));
	// The load offset is the difference between the code's address here and in the file.
	ic_bpf_land(code, in_file);
	ic_bpf_load(code, IC_BPF_8, BPF_REG_1, IC_BPF_RECORD, pc);
	ic_bpf_do_register(code, BPF_ADD, IC_BPF_SUM, BPF_REG_1);
	ic_bpf_load(code, IC_BPF_8, BPF_REG_1, IC_BPF_COPY, IC_COPY_OFFSET(addr));
	ic_bpf_do_register(code, BPF_SUB, IC_BPF_SUM, BPF_REG_1);
	ic_bpf_land_all(code, &done);
	ic_bpf_load(code, IC_BPF_8, BPF_REG_1, IC_BPF_COPY, FETCH_OFFSET(argument, offsets[0]));
	ic_bpf_do_register(code, BPF_ADD, IC_BPF_SUM, BPF_REG_1);
}

// SUM = the result of the loads.
static void write_loads(const struct ic_trace_shape *shape, uint32_t argument,
			struct ic_bpf_code *code, struct ic_bpf_jumps *unknown)
{
	struct ic_bpf_jumps done = { .count = 0 };

	for (int i = 0; i < IC_TRACE_MOST_LOADS; i++) {
		ic_bpf_load(code, IC_BPF_1, BPF_REG_1, IC_BPF_COPY,
			    FETCH_OFFSET(argument, load_count));
		ic_bpf_jump_from(&done, ic_bpf_jump(code, BPF_JLE, BPF_REG_1, i));
		ic_bpf_set(code, BPF_REG_1, 0);
		ic_bpf_store(code, IC_BPF_8, IC_BPF_FRAME, IC_BPF_LOADED_AT, BPF_REG_1);
		ic_bpf_load(code, IC_BPF_1, BPF_REG_2, IC_BPF_COPY,
			    FETCH_OFFSET(argument, load_sizes[i]));
		ic_bpf_jump_from(unknown, ic_bpf_jump(code, BPF_JGT, BPF_REG_2, 8));
		ic_bpf_jump_from(unknown,
				 ic_bpf_memory_read(shape, code, IC_BPF_FRAME, IC_BPF_LOADED_AT));
		ic_bpf_load(code, IC_BPF_8, IC_BPF_SUM, IC_BPF_FRAME, IC_BPF_LOADED_AT);
		ic_bpf_load(code, IC_BPF_8, BPF_REG_1, IC_BPF_COPY,
			    FETCH_OFFSET(argument, offsets[i + 1]));
		ic_bpf_do_register(code, BPF_ADD, IC_BPF_SUM, BPF_REG_1);
	}
	ic_bpf_land_all(code, &done);
}

// Extends IC_BPF_SUM, the value, of which only some bits count.
static void write_extension(const struct ic_trace_shape *shape, uint32_t argument,
			    struct ic_bpf_code *code)
{
	ic_bpf_load(code, IC_BPF_1, BPF_REG_1, IC_BPF_COPY, FETCH_OFFSET(argument, unused_bits));
	ic_bpf_do(code, BPF_AND, BPF_REG_1, 63);
	ic_bpf_do_register(code, BPF_LSH, IC_BPF_SUM, BPF_REG_1);
	ic_bpf_load(code, IC_BPF_1, BPF_REG_2, IC_BPF_COPY, FETCH_OFFSET(argument, low_bits));
	ic_bpf_do_register(code, BPF_ADD, BPF_REG_1, BPF_REG_2);
	ic_bpf_do(code, BPF_AND, BPF_REG_1, 63);
	ic_bpf_load(code, IC_BPF_1, BPF_REG_2, IC_BPF_COPY, FETCH_OFFSET(argument, is_signed));
	uint32_t is_signed = ic_bpf_jump(code, BPF_JNE, BPF_REG_2, 0);
	ic_bpf_do_register(code, BPF_RSH, IC_BPF_SUM, BPF_REG_1);
	uint32_t done = ic_bpf_jump(code, BPF_JA, 0, 0);
	ic_bpf_land(code, is_signed);
	ic_bpf_do_register(code, BPF_ARSH, IC_BPF_SUM, BPF_REG_1);
	ic_bpf_land(code, done);
}

// Makes the page of SUM + offset resident, if there is one.
static void touch_byte(struct ic_bpf_code *code, int32_t offset)
{
	ic_bpf_copy(code, BPF_REG_1, IC_BPF_FRAME);
	ic_bpf_do(code, BPF_ADD, BPF_REG_1, IC_BPF_LOADED_AT);
	ic_bpf_set(code, BPF_REG_2, 1);
	ic_bpf_copy(code, BPF_REG_3, IC_BPF_SUM);
	ic_bpf_do(code, BPF_ADD, BPF_REG_3, offset);
	ic_bpf_call(code, BPF_FUNC_copy_from_user);
}

// SUM, R2 = the parts of the string of an argument, which must be known.
static void write_parts(const struct ic_trace_shape *shape, const struct ic_trace_layout *layout,
			struct ic_bpf_code *code, struct ic_bpf_jumps *unknown)
{
	int16_t values = (int16_t)layout->values;

	ic_bpf_jump_from(unknown,
			 ic_bpf_jump(code, BPF_JGE, BPF_REG_1, (int32_t)shape->argument_count));
	ic_bpf_do(code, BPF_SUB, BPF_REG_1, 1);
	ic_bpf_load(code, IC_BPF_8, BPF_REG_2, IC_BPF_RECORD, IC_RECORD_OFFSET(known));
	ic_bpf_do_register(code, BPF_RSH, BPF_REG_2, BPF_REG_1);
	ic_bpf_do(code, BPF_AND, BPF_REG_2, 3);
	ic_bpf_jump_from(unknown, ic_bpf_jump(code, BPF_JNE, BPF_REG_2, 3));
	ic_bpf_do(code, BPF_MUL, BPF_REG_1, IC_TRACE_VALUE_SIZE);
	ic_bpf_do_register(code, BPF_ADD, BPF_REG_1, IC_BPF_RECORD);
	ic_bpf_load(code, IC_BPF_8, IC_BPF_SUM, BPF_REG_1, values);
	ic_bpf_load(code, IC_BPF_8, BPF_REG_2, BPF_REG_1, (int16_t)(values + IC_TRACE_VALUE_SIZE));
}

// Copies a string that knows its length, and adds a NUL. R0 = its size. An empty one may have an
// invalid address.
static void write_counted(const struct ic_trace_shape *shape, const struct ic_trace_layout *layout,
			  uint32_t argument, struct ic_bpf_code *code, struct ic_bpf_jumps *unknown)
{
	int16_t at = (int16_t)ic_trace_string_offset(shape, layout, argument);
	int32_t most = (int32_t)shape->string_size - 1;

	write_parts(shape, layout, code, unknown);
	uint32_t fits = ic_bpf_jump(code, BPF_JLE, BPF_REG_2, most);
	ic_bpf_set(code, BPF_REG_2, most);
	ic_bpf_land(code, fits);
	ic_bpf_copy(code, BPF_REG_1, IC_BPF_RECORD);
	ic_bpf_do_register(code, BPF_ADD, BPF_REG_1, BPF_REG_2);
	ic_bpf_set(code, BPF_REG_3, 0);
	ic_bpf_store(code, IC_BPF_1, BPF_REG_1, (int16_t)(at + 8), BPF_REG_3);
	ic_bpf_set(code, BPF_REG_0, 1);
	uint32_t is_empty = ic_bpf_jump(code, BPF_JEQ, BPF_REG_2, 0);
	ic_bpf_jump_from(unknown, ic_bpf_memory_read(shape, code, IC_BPF_RECORD, at + 8));
	ic_bpf_load(code, IC_BPF_8, BPF_REG_0, IC_BPF_FRAME, IC_BPF_SIZE_AT);
	ic_bpf_do(code, BPF_ADD, BPF_REG_0, 1);
	ic_bpf_land(code, is_empty);
}

// Copies a string up to a NUL. R0 = its size with that.
static void write_terminated(const struct ic_trace_shape *shape,
			     const struct ic_trace_layout *layout, uint32_t argument,
			     struct ic_bpf_code *code)
{
	int16_t at = (int16_t)ic_trace_string_offset(shape, layout, argument);
	int32_t helper = shape->is_kernel ? BPF_FUNC_probe_read_kernel_str
					  : BPF_FUNC_probe_read_user_str;

	ic_bpf_load(code, IC_BPF_2, BPF_REG_2, IC_BPF_COPY, FETCH_OFFSET(argument, string_size));
	uint32_t is_unknown = ic_bpf_jump(code, BPF_JEQ, BPF_REG_2, 0);
	uint32_t fits = ic_bpf_jump(code, BPF_JLE, BPF_REG_2, (int32_t)shape->string_size);
	ic_bpf_land(code, is_unknown);
	ic_bpf_set(code, BPF_REG_2, (int32_t)shape->string_size);
	ic_bpf_land(code, fits);
	ic_bpf_store(code, IC_BPF_8, IC_BPF_FRAME, IC_BPF_SIZE_AT, BPF_REG_2);
	call_reader(code, helper, IC_BPF_RECORD, at + 8);
	if (!shape->can_sleep)
		return;
	uint32_t is_read = ic_bpf_jump(code, BPF_JSGT, BPF_REG_0, 0);
	touch_byte(code, 0);
	touch_byte(code, (int32_t)shape->string_size - 1); // it may be in the next page
	call_reader(code, helper, IC_BPF_RECORD, at + 8);
	ic_bpf_land(code, is_read);
}

static void write_string(const struct ic_trace_shape *shape, const struct ic_trace_layout *layout,
			 uint32_t argument, struct ic_bpf_code *code)
{
	int16_t at = (int16_t)ic_trace_string_offset(shape, layout, argument);
	struct ic_bpf_jumps unknown = { .count = 0 };

	ic_bpf_load(code, IC_BPF_1, BPF_REG_1, IC_BPF_COPY, FETCH_OFFSET(argument, is_string));
	uint32_t is_none = ic_bpf_jump(code, BPF_JEQ, BPF_REG_1, 0);
	ic_bpf_load(code, IC_BPF_1, BPF_REG_1, IC_BPF_COPY, FETCH_OFFSET(argument, parts));
	// From "greater", also verifiers of 2022 learn that it is not 0.
	uint32_t has_parts = ic_bpf_jump(code, BPF_JGT, BPF_REG_1, 0);
	write_terminated(shape, layout, argument, code);
	uint32_t is_read = ic_bpf_jump(code, BPF_JA, 0, 0);
	ic_bpf_land(code, has_parts);
	write_counted(shape, layout, argument, code, &unknown);
	uint32_t is_counted = ic_bpf_jump(code, BPF_JA, 0, 0);
	ic_bpf_land_all(code, &unknown);
	ic_bpf_set(code, BPF_REG_0, 0);
	ic_bpf_land(code, is_read);
	ic_bpf_land(code, is_counted);
	ic_bpf_store(code, IC_BPF_8, IC_BPF_RECORD, at, BPF_REG_0);
	ic_bpf_land(code, is_none);
}

void ic_bpf_argument_write(const struct ic_trace_shape *shape, const struct ic_trace_layout *layout,
			   uint32_t argument, struct ic_bpf_code *code)
{
	int16_t at = (int16_t)(layout->values + IC_TRACE_VALUE_SIZE * argument);
	struct ic_bpf_jumps unknown = { .count = 0 };

	write_base(shape, layout, argument, code, &unknown);
	write_loads(shape, argument, code, &unknown);
	ic_bpf_set(code, BPF_REG_1, 0);
	ic_bpf_store(code, IC_BPF_8, IC_BPF_RECORD, at, BPF_REG_1);
	ic_bpf_store(code, IC_BPF_8, IC_BPF_RECORD, (int16_t)(at + 8), BPF_REG_1);
	ic_bpf_load(code, IC_BPF_1, BPF_REG_2, IC_BPF_COPY, FETCH_OFFSET(argument, memory_size));
	uint32_t is_value = ic_bpf_jump(code, BPF_JEQ, BPF_REG_2, 0);
	ic_bpf_jump_from(&unknown, ic_bpf_jump(code, BPF_JGT, BPF_REG_2, IC_TRACE_VALUE_SIZE));
	ic_bpf_jump_from(&unknown, ic_bpf_memory_read(shape, code, IC_BPF_RECORD, at));
	ic_bpf_load(code, IC_BPF_8, IC_BPF_SUM, IC_BPF_RECORD, at);
	ic_bpf_land(code, is_value);
	write_extension(shape, argument, code);
	ic_bpf_store(code, IC_BPF_8, IC_BPF_RECORD, at, IC_BPF_SUM);
	if (shape->strings >> argument & 1)
		write_string(shape, layout, argument, code);
	ic_bpf_load(code, IC_BPF_8, BPF_REG_1, IC_BPF_RECORD, IC_RECORD_OFFSET(known));
	ic_bpf_set_wide(code, BPF_REG_2, 1ull << argument);
	ic_bpf_do_register(code, BPF_OR, BPF_REG_1, BPF_REG_2);
	ic_bpf_store(code, IC_BPF_8, IC_BPF_RECORD, IC_RECORD_OFFSET(known), BPF_REG_1);
	ic_bpf_land_all(code, &unknown);
}
