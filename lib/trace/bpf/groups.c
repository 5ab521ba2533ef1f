// Adds calls up in groups.
#include "trace/bpf/writer.h"

enum {
	SUMS = IC_BPF_SUM, // struct ic_trace_group_sums
	VALUE = BPF_REG_3, // the measured argument
	MOST_TRIES = 8,    // to raise a number that others raise, too
	NO_EXIST = 1,      // BPF_NOEXIST
};

#define SUMS_OFFSET(field) ((int16_t)offsetof(struct ic_trace_group_sums, field))
#define KEY_OFFSET(field) \
	((int16_t)(writer->layout->key + offsetof(struct ic_trace_group_key, field)))

struct writer {
	const struct ic_trace_shape *shape;
	const struct ic_trace_layout *layout;
	struct ic_bpf_code *code;
	struct ic_bpf_jumps left; // to the reader
};

// ---- The key

// Copies 8 bytes within the record, or clears them.
static void write_word(struct writer *writer, int16_t to, bool is_used, int16_t from)
{
	if (is_used)
		ic_bpf_load(writer->code, IC_BPF_8, BPF_REG_1, IC_BPF_RECORD, from);
	else
		ic_bpf_set(writer->code, BPF_REG_1, 0);
	ic_bpf_store(writer->code, IC_BPF_8, IC_BPF_RECORD, to, BPF_REG_1);
}

static void write_fixed(struct writer *writer)
{
	const struct ic_trace_grouping *grouping = &writer->shape->grouping;
	struct ic_bpf_code *code = writer->code;

	ic_bpf_load(code, IC_BPF_8, BPF_REG_1, IC_BPF_COPY, IC_COPY_OFFSET(epoch)); // and `place`
	ic_bpf_store(code, IC_BPF_8, IC_BPF_RECORD, KEY_OFFSET(epoch), BPF_REG_1);
	write_word(writer, KEY_OFFSET(known), false, 0);
	write_word(writer, KEY_OFFSET(pid), grouping->by_pid, IC_RECORD_OFFSET(pid));
	write_word(writer, KEY_OFFSET(tid), grouping->by_tid, IC_RECORD_OFFSET(tid));
	write_word(writer, KEY_OFFSET(cpu), grouping->by_cpu, IC_RECORD_OFFSET(cpu));
	for (int i = 0; i < IC_TRACE_COMMAND_SIZE; i += 8)
		write_word(writer, (int16_t)(KEY_OFFSET(command) + i), grouping->by_command,
			   (int16_t)(IC_RECORD_OFFSET(command) + i));
}

// R1 = the number of an argument, which is at `offset` in the copy; jumps if it is unknown.
static void write_argument_check(struct writer *writer, int16_t offset,
				 struct ic_bpf_jumps *unknown)
{
	struct ic_bpf_code *code = writer->code;

	ic_bpf_load(code, IC_BPF_1, BPF_REG_1, IC_BPF_COPY, offset);
	ic_bpf_jump_from(unknown, ic_bpf_jump(code, BPF_JGE, BPF_REG_1,
					      (int32_t)writer->shape->argument_count));
	ic_bpf_load(code, IC_BPF_8, BPF_REG_2, IC_BPF_RECORD, IC_RECORD_OFFSET(known));
	ic_bpf_do_register(code, BPF_RSH, BPF_REG_2, BPF_REG_1);
	ic_bpf_do(code, BPF_AND, BPF_REG_2, 1);
	ic_bpf_jump_from(unknown, ic_bpf_jump(code, BPF_JEQ, BPF_REG_2, 0));
}

static void write_value(struct writer *writer, int16_t at)
{
	struct ic_bpf_code *code = writer->code;

	ic_bpf_do(code, BPF_MUL, BPF_REG_1, IC_TRACE_VALUE_SIZE);
	ic_bpf_do_register(code, BPF_ADD, BPF_REG_1, IC_BPF_RECORD);
	for (int i = 0; i < IC_TRACE_VALUE_SIZE; i += 8) {
		ic_bpf_load(code, IC_BPF_8, BPF_REG_2, BPF_REG_1,
			    (int16_t)((int)writer->layout->values + i));
		ic_bpf_store(code, IC_BPF_8, IC_BPF_RECORD, (int16_t)(at + i), BPF_REG_2);
	}
}

// A string that is not in memory is left to the reader, who may find it in the file.
static void write_string(struct writer *writer, uint32_t number, int16_t at)
{
	int16_t offset = (int16_t)(IC_COPY_OFFSET(key_strings) + 4 * (int)number);
	int32_t last = (int32_t)writer->layout->key - 8;
	struct ic_bpf_code *code = writer->code;

	ic_bpf_load(code, IC_BPF_4, BPF_REG_3, IC_BPF_COPY, offset);
	ic_bpf_jump_from(&writer->left, ic_bpf_jump(code, BPF_JGT, BPF_REG_3, last));
	ic_bpf_do_register(code, BPF_ADD, BPF_REG_3, IC_BPF_RECORD);
	ic_bpf_load(code, IC_BPF_8, BPF_REG_1, BPF_REG_3, 0);
	ic_bpf_jump_from(&writer->left, ic_bpf_jump(code, BPF_JSLE, BPF_REG_1, 0));
	ic_bpf_do(code, BPF_ADD, BPF_REG_3, 8);
	ic_bpf_copy(code, BPF_REG_1, IC_BPF_RECORD);
	ic_bpf_do(code, BPF_ADD, BPF_REG_1, at);
	ic_bpf_set(code, BPF_REG_2, (int32_t)writer->layout->key_string_room);
	ic_bpf_call(code, BPF_FUNC_probe_read_kernel_str);
}

static void write_key_argument(struct writer *writer, uint32_t number)
{
	bool is_string = writer->shape->grouping.strings >> number & 1;
	uint32_t offset = ic_trace_key_offset(writer->shape, writer->layout, number);
	uint32_t room = is_string ? writer->layout->key_string_room : IC_TRACE_VALUE_SIZE;
	int16_t at = (int16_t)(writer->layout->key + offset);
	struct ic_bpf_jumps unknown = { .count = 0 };
	struct ic_bpf_code *code = writer->code;

	for (uint32_t i = 0; i < room; i += 8)
		write_word(writer, (int16_t)(at + (int)i), false, 0);
	write_argument_check(writer, (int16_t)(IC_COPY_OFFSET(key_arguments) + (int)number),
			     &unknown);
	if (is_string)
		write_string(writer, number, at);
	else
		write_value(writer, at);
	ic_bpf_load(code, IC_BPF_8, BPF_REG_1, IC_BPF_RECORD, KEY_OFFSET(known));
	ic_bpf_do(code, BPF_OR, BPF_REG_1, 1 << number);
	ic_bpf_store(code, IC_BPF_8, IC_BPF_RECORD, KEY_OFFSET(known), BPF_REG_1);
	ic_bpf_land_all(code, &unknown);
}

// ---- The sums

// R0 = the sums of the group with the key; NULL if there is none.
static void look_up(struct writer *writer)
{
	ic_bpf_key(writer->code, writer->shape->maps.groups, IC_BPF_RECORD,
		   (int32_t)writer->layout->key);
	ic_bpf_call(writer->code, BPF_FUNC_map_lookup_elem);
}

// Adds a group of zeros, and looks it up.
static void add_group(struct writer *writer, struct ic_bpf_jumps *full)
{
	struct ic_bpf_code *code = writer->code;

	ic_bpf_set(code, BPF_REG_1, 0);
	ic_bpf_store(code, IC_BPF_4, IC_BPF_FRAME, IC_BPF_ZERO_AT, BPF_REG_1);
	ic_bpf_key(code, writer->shape->maps.zeros, IC_BPF_FRAME, IC_BPF_ZERO_AT);
	ic_bpf_call(code, BPF_FUNC_map_lookup_elem);
	ic_bpf_jump_from(full,
			 ic_bpf_jump(code, BPF_JEQ, BPF_REG_0, 0)); // never: the array has one item
	ic_bpf_copy(code, BPF_REG_3, BPF_REG_0);
	ic_bpf_key(code, writer->shape->maps.groups, IC_BPF_RECORD, (int32_t)writer->layout->key);
	ic_bpf_set(code, BPF_REG_4, NO_EXIST);
	ic_bpf_call(code, BPF_FUNC_map_update_elem);
	look_up(writer);
	ic_bpf_jump_from(full, ic_bpf_jump(code, BPF_JEQ, BPF_REG_0, 0));
}

static void add_to(struct ic_bpf_code *code, int16_t offset, int32_t number)
{
	ic_bpf_set(code, BPF_REG_1, number);
	ic_bpf_add(code, SUMS, offset, BPF_REG_1);
}

// Raises a number to R4, unless it is larger. Other processors may raise it, too; if they do so
// time and again, it is noted.
static void raise_number(struct ic_bpf_code *code, int16_t offset)
{
	struct ic_bpf_jumps done = { .count = 0 };

	ic_bpf_load(code, IC_BPF_8, BPF_REG_0, SUMS, offset);
	for (int i = 0; i < MOST_TRIES; i++) {
		ic_bpf_jump_from(&done, ic_bpf_jump_register(code, BPF_JGE, BPF_REG_0, BPF_REG_4));
		ic_bpf_copy(code, BPF_REG_1, BPF_REG_0);
		ic_bpf_compare_exchange(code, SUMS, offset, BPF_REG_4);
		ic_bpf_jump_from(&done, ic_bpf_jump_register(code, BPF_JEQ, BPF_REG_0, BPF_REG_1));
	}
	add_to(code, SUMS_OFFSET(contended), 1);
	ic_bpf_land_all(code, &done);
}

// Counts VALUE in its bucket, by its bits.
static void add_bucket(struct ic_bpf_code *code)
{
	ic_bpf_set(code, BPF_REG_2, (int32_t)sizeof(struct ic_trace_group_sums));
	ic_bpf_load(code, IC_BPF_1, BPF_REG_1, IC_BPF_COPY, IC_COPY_OFFSET(is_measure_signed));
	uint32_t is_unsigned = ic_bpf_jump(code, BPF_JEQ, BPF_REG_1, 0);
	uint32_t is_positive = ic_bpf_jump(code, BPF_JSGE, VALUE, 0);
	ic_bpf_do(code, BPF_ADD, BPF_REG_2, 8 * IC_TRACE_POWERS);
	ic_bpf_set(code, BPF_REG_1, 0);
	ic_bpf_do_register(code, BPF_SUB, BPF_REG_1, VALUE);
	ic_bpf_copy(code, VALUE, BPF_REG_1);
	ic_bpf_land(code, is_unsigned);
	ic_bpf_land(code, is_positive);
	for (int bits = 32; bits > 0; bits /= 2) {
		ic_bpf_copy(code, BPF_REG_1, VALUE);
		ic_bpf_do(code, BPF_RSH, BPF_REG_1, bits);
		uint32_t is_smaller = ic_bpf_jump(code, BPF_JEQ, BPF_REG_1, 0);
		ic_bpf_copy(code, VALUE, BPF_REG_1);
		ic_bpf_do(code, BPF_ADD, BPF_REG_2, 8 * bits);
		ic_bpf_land(code, is_smaller);
	}
	uint32_t is_zero = ic_bpf_jump(code, BPF_JEQ, VALUE, 0);
	ic_bpf_do(code, BPF_ADD, BPF_REG_2, 8);
	ic_bpf_land(code, is_zero);
	ic_bpf_do_register(code, BPF_ADD, SUMS, BPF_REG_2);
	add_to(code, 0, 1);
}

// VALUE = the measured argument; adds it up.
static void write_measure(struct writer *writer)
{
	struct ic_bpf_jumps unknown = { .count = 0 };
	struct ic_bpf_code *code = writer->code;

	write_argument_check(writer, IC_COPY_OFFSET(measure), &unknown);
	ic_bpf_do(code, BPF_MUL, BPF_REG_1, IC_TRACE_VALUE_SIZE);
	ic_bpf_do_register(code, BPF_ADD, BPF_REG_1, IC_BPF_RECORD);
	ic_bpf_load(code, IC_BPF_8, VALUE, BPF_REG_1, (int16_t)writer->layout->values);
	add_to(code, SUMS_OFFSET(measured), 1);
	ic_bpf_load(code, IC_BPF_1, BPF_REG_5, IC_BPF_COPY, IC_COPY_OFFSET(is_measure_signed));
	ic_bpf_copy(code, BPF_REG_1, VALUE);
	ic_bpf_copy(code, BPF_REG_4, VALUE);
	ic_bpf_do(code, BPF_ARSH, BPF_REG_1, 32);
	uint32_t is_signed = ic_bpf_jump(code, BPF_JNE, BPF_REG_5, 0);
	ic_bpf_copy(code, BPF_REG_1, VALUE);
	ic_bpf_do(code, BPF_RSH, BPF_REG_1, 32);
	ic_bpf_land(code, is_signed);
	ic_bpf_add(code, SUMS, SUMS_OFFSET(high), BPF_REG_1);
	ic_bpf_copy(code, BPF_REG_1, VALUE);
	ic_bpf_do(code, BPF_LSH, BPF_REG_1, 32);
	ic_bpf_do(code, BPF_RSH, BPF_REG_1, 32);
	ic_bpf_add(code, SUMS, SUMS_OFFSET(low), BPF_REG_1);
	ic_bpf_do(code, BPF_LSH, BPF_REG_5, 63);
	ic_bpf_do_register(code, BPF_XOR, BPF_REG_4, BPF_REG_5);
	raise_number(code, SUMS_OFFSET(most));
	ic_bpf_do(code, BPF_XOR, BPF_REG_4, -1);
	raise_number(code, SUMS_OFFSET(not_least));
	if (writer->shape->grouping.has_buckets)
		add_bucket(code);
	ic_bpf_land_all(code, &unknown);
}

struct ic_bpf_jumps ic_bpf_group_write(const struct ic_trace_shape *shape,
				       const struct ic_trace_layout *layout,
				       struct ic_bpf_code *code)
{
	struct writer writer = { .shape = shape, .layout = layout, .code = code };
	struct ic_bpf_jumps full = { .count = 0 };

	ic_bpf_load(code, IC_BPF_1, BPF_REG_1, IC_BPF_COPY, IC_COPY_OFFSET(leaves_groups));
	ic_bpf_jump_from(&writer.left, ic_bpf_jump(code, BPF_JNE, BPF_REG_1, 0));
	write_fixed(&writer);
	for (uint32_t i = 0; i < shape->grouping.key_count; i++)
		write_key_argument(&writer, i);
	look_up(&writer);
	uint32_t is_found = ic_bpf_jump(code, BPF_JNE, BPF_REG_0, 0);
	add_group(&writer, &full);
	ic_bpf_land(code, is_found);
	ic_bpf_copy(code, SUMS, BPF_REG_0);
	add_to(code, SUMS_OFFSET(count), 1);
	ic_bpf_load(code, IC_BPF_8, BPF_REG_1, SUMS, SUMS_OFFSET(copy));
	uint32_t has_copy = ic_bpf_jump(code, BPF_JNE, BPF_REG_1, 0);
	ic_bpf_load(code, IC_BPF_4, BPF_REG_1, IC_BPF_RECORD, IC_RECORD_OFFSET(copy));
	ic_bpf_do(code, BPF_ADD, BPF_REG_1, 1);
	ic_bpf_store(code, IC_BPF_8, SUMS, SUMS_OFFSET(copy), BPF_REG_1);
	ic_bpf_land(code, has_copy);
	if (shape->grouping.has_measure)
		write_measure(&writer);
	uint32_t done = ic_bpf_jump(code, BPF_JA, 0, 0);
	ic_bpf_land_all(code, &full);
	ic_bpf_set(code, BPF_REG_1, 1);
	ic_bpf_add(code, IC_BPF_COPY, IC_COPY_OFFSET(ungrouped), BPF_REG_1);
	ic_bpf_land(code, done);
	return writer.left;
}
