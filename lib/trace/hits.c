// Hits of a trace: the records of the ring buffer, and the arguments in them.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "elf/image/image.h"
#include "trace/computed.h"
#include "trace/ways_out.h"
#include "values/value_text.h"

enum { TEXT_SIZE = 1024 + 4 * IC_TRACE_MOST_STRING }; // of an argument's value as text

struct reading { // of one hit
	const uint8_t *record;
	uint64_t known; // a bit for each argument
	struct ic_unwind_registers registers;
	bool knows_load;
	uint64_t load_offset; // added to addresses in the file
};

struct copied_string { // from the traced program
	uint64_t addr;
	const uint8_t *bytes;
	uint64_t size;
};

// Only copied data can be read. A truncated string continues after it.
static bool read_copied(void *context, uint64_t addr, void *bytes, size_t size)
{
	const struct copied_string *string = context;

	if (addr < string->addr || addr - string->addr >= string->size ||
	    size > string->size - (addr - string->addr))
		return false;
	memcpy(bytes, string->bytes + (addr - string->addr), size);
	return true;
}

// The size of an argument's string including its NUL; 0 if it was not copied.
static uint64_t copied_size(const struct ic_trace *trace, const uint8_t *record, uint32_t argument)
{
	int64_t size;

	memcpy(&size, record + ic_trace_string_offset(&trace->shape, &trace->layout, argument),
	       sizeof(size));
	return size > 0 && size <= (int64_t)trace->shape.string_size ? (uint64_t)size : 0;
}

// The string of an argument. The kernel terminates what it copies with a NUL, even if it truncates
// the string: no byte is then left. It does not read pages that are not in memory, such as
// constants that the program has not touched yet: these are read from the file.
static struct copied_string find_string(const struct ic_trace *trace, const struct reading *reading,
					uint32_t argument, uint64_t addr)
{
	uint32_t at = ic_trace_string_offset(&trace->shape, &trace->layout, argument);
	uint64_t most = trace->shape.string_size - IC_TRACE_STRING_MORE;
	struct copied_string string = { .addr = addr,
					.bytes = reading->record + at + 8,
					.size = copied_size(trace, reading->record, argument) };

	if (string.size == 0 && reading->knows_load) {
		const struct ic_bytes constants =
			ic_image_constants_at(trace->image, addr - reading->load_offset);
		string.bytes = constants.data;
		string.size = constants.size < most ? constants.size : most;
	} else if (string.size == trace->shape.string_size) {
		string.size = most;
	}
	return string;
}

// Appends a text to those of the hit; returns its offset, or UINT32_MAX if memory runs out.
static uint32_t add_text(struct ic_trace *trace, const char *text)
{
	size_t size = strlen(text) + 1;
	uint32_t at = trace->texts.count;

	if (!IC_ARRAY_RESERVE(&trace->texts, at + (uint64_t)size))
		return UINT32_MAX;
	memcpy(trace->texts.items + at, text, size);
	trace->texts.count += (uint32_t)size;
	return at;
}

static bool is_signed_number(const struct ic_trace_type *type)
{
	return type->is_signed && type->encoding != IC_TYPE_POINTER;
}

static void put_number(const struct ic_trace_type *type, uint64_t value, char *text, size_t room)
{
	switch (type->encoding) {
	case IC_TYPE_INTEGER:
	case IC_TYPE_BOOLEAN:
	case IC_TYPE_CHARACTER:
	case IC_TYPE_ENUMERATION:
		snprintf(text, room, is_signed_number(type) ? "%" PRId64 : "%" PRIu64, value);
		break;
	default: snprintf(text, room, "0x%" PRIx64, value); break;
	}
}

// The bytes of an argument, from the record or its registers. False if unknown.
static bool find_bytes(const struct ic_trace *trace, const struct ic_trace_item *item,
		       const struct reading *reading, uint32_t argument,
		       struct ic_value_bytes *value)
{
	const struct ic_trace_type *type = &item->types[argument];
	const uint8_t *bytes;

	*value = (struct ic_value_bytes){ .has_bytes = !type->is_address,
					  .has_addr = type->is_address };
	if (type->expression)
		return ic_trace_compute(item, type, &reading->registers, value->bytes);
	if (item->copy.arguments[argument].why || argument >= IC_TRACE_MOST_ARGUMENTS ||
	    !(reading->known >> argument & 1))
		return false;
	bytes = reading->record + trace->layout.values + IC_TRACE_VALUE_SIZE * argument;
	memcpy(value->bytes, bytes, sizeof(value->bytes));
	value->addr = ic_value_number(bytes, 8, IC_HOST_IS_BIG_ENDIAN);
	return true;
}

// A value of up to 8 bytes, extended to 64 bits according to its type.
static uint64_t extend_value(const struct ic_trace_type *type, const uint8_t *bytes)
{
	uint64_t number = ic_value_number(bytes, (size_t)type->size, IC_HOST_IS_BIG_ENDIAN);

	return type->is_signed ? ic_extend(number, (unsigned)(8 * type->size), true) : number;
}

static void spell_argument(struct ic_trace *trace, const struct ic_trace_item *item,
			   const struct reading *reading, uint32_t argument,
			   struct ic_trace_spelled *spelled)
{
	const struct ic_trace_type *type = &item->types[argument];
	const struct ic_enumeration none = { .scope = "" };
	const struct ic_parameter parameter = { .type = item->copy.arguments[argument].type,
						.size = type->size,
						.encoding = type->encoding,
						.is_signed = type->is_signed,
						.item_size = type->item_size,
						.item_encoding = type->item_encoding,
						.item_is_signed = type->item_is_signed };
	struct copied_string string = { .addr = 0 };
	const struct ic_value_memory memory = { .is_big_endian = IC_HOST_IS_BIG_ENDIAN,
						.read = read_copied,
						.context = &string };
	struct ic_value_bytes value;
	char text[TEXT_SIZE] = "";

	spelled->is_known = find_bytes(trace, item, reading, argument, &value);
	if (!spelled->is_known)
		return;
	if (type->is_string)
		string = find_string(trace, reading, argument, value.addr);
	spelled->is_known = !type->is_string || !type->is_address || string.size > 0;
	if (!spelled->is_known)
		return;
	if (!ic_value_text(&memory, &parameter, type->enumeration ? type->enumeration : &none,
			   &value, text, sizeof(text)))
		return;
	spelled->text = add_text(trace, text);
	if (type->is_address || type->size > 8 || type->encoding == IC_TYPE_FLOAT ||
	    type->encoding == IC_TYPE_ARRAY)
		return;
	put_number(type, extend_value(type, value.bytes), text, sizeof(text));
	spelled->number = add_text(trace, text);
}

static const char *text_at(const struct ic_trace *trace, uint32_t at)
{
	return at == UINT32_MAX ? NULL : trace->texts.items + at;
}

static const char *why_unknown(const struct ic_trace_item *item, uint32_t argument,
			       const struct ic_trace_spelled *spelled)
{
	if (item->copy.arguments[argument].why)
		return item->copy.arguments[argument].why;
	if (spelled->is_known)
		return "of a type that cannot be printed";
	return item->types[argument].expression ? "computed" : "its memory could not be read";
}

static void find_values(struct ic_trace *trace, const struct ic_trace_item *item,
			const struct reading *reading)
{
	struct ic_trace_spelled *spelled = trace->spelled.items;
	uint32_t count = (uint32_t)item->copy.argument_count;

	trace->texts.count = 0;
	for (uint32_t i = 0; i < count; i++) {
		spelled[i] = (struct ic_trace_spelled){ UINT32_MAX, UINT32_MAX, false };
		spell_argument(trace, item, reading, i, &spelled[i]);
	}
	for (uint32_t i = 0; i < count; i++) {
		struct ic_trace_value *value = &trace->values.items[i];

		*value = (struct ic_trace_value){ .text = text_at(trace, spelled[i].text),
						  .number = text_at(trace, spelled[i].number) };
		if (!value->text)
			value->why = why_unknown(item, i, &spelled[i]);
	}
}

static bool is_true(const struct ic_trace_term *term, bool is_signed, uint64_t number,
		    uint64_t other)
{
	// Gives signed numbers the order of unsigned ones.
	uint64_t flip = is_signed ? 1ull << 63 : 0;
	uint64_t left = number ^ flip, right = other ^ flip;

	switch (term->relation) {
	case IC_TRACE_EQUAL: return left == right;
	case IC_TRACE_UNEQUAL: return left != right;
	case IC_TRACE_LESS: return left < right;
	case IC_TRACE_LESS_EQUAL: return left <= right;
	case IC_TRACE_GREATER: return left > right;
	case IC_TRACE_GREATER_EQUAL: return left >= right;
	}
	return false;
}

enum answer { NO, YES, UNKNOWN };

// Compares a string with a term's, if the kernel could not because the string was not in memory.
static enum answer compare_string(const struct ic_trace *trace, const struct reading *reading,
				  const struct ic_trace_term *term, uint32_t argument)
{
	const uint8_t *value =
		reading->record + trace->layout.values + IC_TRACE_VALUE_SIZE * argument;

	if (copied_size(trace, reading->record, argument) > 0)
		return YES;
	const struct copied_string string = find_string(
		trace, reading, argument, ic_value_number(value, 8, IC_HOST_IS_BIG_ENDIAN));
	if (string.size == 0)
		return UNKNOWN;
	bool is_same = string.size > term->length &&
		       memcmp(string.bytes, term->text, term->length) == 0 &&
		       string.bytes[term->length] == 0;
	return is_same == (term->relation == IC_TRACE_EQUAL) ? YES : NO;
}

// Evaluates a term for an argument that is computed.
static enum answer compare_computed(const struct ic_trace *trace, const struct reading *reading,
				    uint32_t copy, uint32_t term)
{
	const struct ic_trace_item *item = &trace->items.items[copy];
	const struct ic_trace_type *type = &item->types[item->later[term]];
	struct ic_value_bytes value;

	if (!find_bytes(trace, item, reading, item->later[term], &value))
		return UNKNOWN;
	return is_true(&trace->shape.filter.terms[term], type->is_signed,
		       extend_value(type, value.bytes),
		       ic_trace_data(trace, trace->counted, copy)->conditions[term].number)
		       ? YES
		       : NO;
}

// Whether a call passes the filter, by the arguments that the kernel could not compare.
static bool passes_filter(struct ic_trace *trace, uint32_t copy, const struct reading *reading)
{
	const struct ic_trace_item *item = &trace->items.items[copy];
	struct ic_trace_copy_data *data = ic_trace_data(trace, trace->counted, copy);
	enum answer answer = YES;

	for (uint32_t i = 0; answer == YES && i < trace->shape.filter.count; i++) {
		const struct ic_trace_term *term = &trace->shape.filter.terms[i];
		uint32_t argument = data->conditions[i].argument;
		if (item->later[i] < item->copy.argument_count)
			answer = compare_computed(trace, reading, copy, i);
		else if (term->is_string && argument < item->copy.argument_count)
			answer = compare_string(trace, reading, term, argument);
	}
	if (answer == UNKNOWN)
		__atomic_fetch_add(&data->undecided, 1, __ATOMIC_RELAXED);
	return answer == YES;
}

// The next valid record of the ring.
static const uint8_t *next_record(struct ic_trace *trace, struct ic_trace_record *record)
{
	size_t size = 0;
	const uint8_t *bytes = trace->ring.consumer ? ic_ring_next(&trace->ring, &size) : NULL;

	if (!bytes || size < trace->layout.stack)
		return NULL;
	memcpy(record, bytes, sizeof(*record));
	return record->copy < ic_trace_item_count(trace) &&
			       size - trace->layout.stack >= record->stack_size
		       ? bytes
		       : NULL;
}

static void read_record(const struct ic_trace *trace, const uint8_t *bytes,
			const struct ic_trace_record *record, struct reading *reading)
{
	const struct ic_bytes registers = { bytes + trace->layout.registers,
					    8u * trace->shape.registers->count };

	*reading = (struct reading){ .record = bytes, .known = record->known };
	ic_thread_registers_read(trace->shape.registers,
				 ic_cursor_at(registers, "registers", 0, registers.size, false),
				 &reading->registers);
	// On some machines kprobes report the address after their breakpoint.
	if (trace->shape.is_kernel)
		reading->registers.pc = ic_trace_data(trace, trace->data, record->copy)->addr +
					trace->kernel_offset;
	// When a function returns, the program is already elsewhere.
	reading->knows_load = record->copy < trace->items.count;
	if (reading->knows_load)
		reading->load_offset = reading->registers.pc -
				       ic_trace_data(trace, trace->data, record->copy)->addr;
}

// Whether to report a call.
static bool is_call(struct ic_trace *trace, const struct ic_trace_record *record,
		    const struct reading *reading)
{
	if (!passes_filter(trace, record->copy, reading))
		return false;
	if (trace->exits.count > 0)
		ic_trace_enter(trace, record, &reading->registers);
	find_values(trace, &trace->items.items[record->copy], reading);
	return true;
}

bool ic_trace_next(struct ic_trace *trace, struct ic_trace_hit *hit)
{
	const struct ic_trace_exit *leave;
	struct ic_trace_record record;
	struct reading reading;
	const uint8_t *bytes;
	uint64_t duration = 0;
	bool is_reported;

	do {
		bytes = next_record(trace, &record);
		if (!bytes)
			return false;
		read_record(trace, bytes, &record, &reading);
		leave = record.copy < trace->items.count
				? NULL
				: &trace->exits.items[record.copy - trace->items.count];
		is_reported = leave ? ic_trace_leave(trace, leave, &record, &reading.registers,
						     bytes + trace->layout.registers, &duration)
				    : is_call(trace, &record, &reading);
	} while (!is_reported);
	const struct ic_trace_item *result =
		leave && leave->is_return ? trace->items.items[leave->copy].result : NULL;
	if (result)
		find_values(trace, result, &reading);
	uint64_t sp = 0, below;
	(void)ic_unwind_register_get(&reading.registers, trace->shape.stack_reg, &sp);
	// Bytes copied from the first step, below the stack pointer.
	below = sp % IC_TRACE_STACK_STEP;
	below = below < record.stack_size ? below : record.stack_size;
	*hit = (struct ic_trace_hit){ .time = record.time,
				      .pid = record.pid,
				      .tid = record.tid,
				      .command = (const char *)bytes +
						 offsetof(struct ic_trace_record, command),
				      .copy = leave ? leave->copy : record.copy,
				      .is_exit = leave != NULL,
				      .exit_kind = leave ? leave->kind : IC_EXIT_END,
				      .duration = duration,
				      .values = leave ? NULL : trace->values.items,
				      .result = result ? trace->values.items : NULL,
				      .registers = reading.registers,
				      .stack = bytes + trace->layout.stack + below,
				      .stack_size = record.stack_size - below };
	return true;
}

bool ic_trace_counts_get(const struct ic_trace *trace, size_t number,
			 struct ic_trace_counts *counts)
{
	*counts = (struct ic_trace_counts){ .hits = 0 };
	if (number >= trace->items.count)
		return false;
	if (!trace->counted)
		return true;
	const struct ic_trace_copy_data *data = ic_trace_data(trace, trace->counted, number);
	counts->hits = __atomic_load_n(&data->hits, __ATOMIC_RELAXED);
	counts->lost = __atomic_load_n(&data->lost, __ATOMIC_RELAXED);
	counts->undecided = __atomic_load_n(&data->undecided, __ATOMIC_RELAXED);
	const struct ic_trace_item *item = &trace->items.items[number];
	for (uint32_t i = 0; i < item->exit_count; i++) {
		data = ic_trace_data(trace, trace->counted,
				     trace->items.count + item->first_exit + i);
		counts->lost_exits += __atomic_load_n(&data->lost, __ATOMIC_RELAXED);
	}
	return true;
}
