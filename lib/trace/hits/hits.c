// Hits of a trace: the records of the ring buffer, and the arguments in them.
#include <string.h>

#include "trace/hits/filter.h"
#include "trace/hits/taken.h"

static void find_values(struct ic_trace *trace, const struct ic_trace_item *item,
			const struct ic_trace_reading *reading)
{
	struct ic_trace_spelled *spelled = trace->last.spelled.items;
	uint32_t count = (uint32_t)item->copy.argument_count;

	trace->last.texts.count = 0;
	for (uint32_t i = 0; i < count; i++) {
		spelled[i] = (struct ic_trace_spelled){ UINT32_MAX, UINT32_MAX, false };
		ic_trace_argument_spell(trace, item, reading, i, &spelled[i]);
	}
	for (uint32_t i = 0; i < count; i++) {
		struct ic_trace_value *value = &trace->last.values.items[i];

		*value = (struct ic_trace_value){ .text = ic_trace_text_at(trace, spelled[i].text),
						  .number = ic_trace_text_at(trace,
									     spelled[i].number) };
		if (!value->text)
			value->why = ic_trace_why_unknown(item, i, spelled[i].is_known);
	}
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
			const struct ic_trace_record *record, struct ic_trace_reading *reading)
{
	const struct ic_bytes registers = { bytes + trace->layout.registers,
					    8u * trace->shape.registers->count };

	*reading = (struct ic_trace_reading){ .record = bytes, .known = record->known };
	ic_thread_registers_read(trace->shape.registers,
				 ic_cursor_at(registers, "registers", 0, registers.size, false),
				 &reading->registers);
	// On some machines kprobes report the address after their breakpoint.
	if (trace->placement)
		(void)ic_placement_loaded(trace->placement,
					  ic_trace_data(trace, trace->data, record->copy)->addr,
					  &reading->registers.pc);
	// When a function returns, the program is already elsewhere.
	reading->knows_load = record->copy < trace->items.count;
	if (reading->knows_load)
		reading->load_offset = reading->registers.pc -
				       ic_trace_data(trace, trace->data, record->copy)->addr;
}

// Whether a call that the kernel could not decide on passes the filter and is reported; it is
// counted here.
static bool is_counted(struct ic_trace *trace, uint32_t copy,
		       const struct ic_trace_reading *reading)
{
	struct ic_trace_copy_data *data = ic_trace_data(trace, trace->counted, copy);
	enum ic_trace_answer answer = ic_trace_filter_answer(trace, copy, reading);

	if (answer == IC_TRACE_UNKNOWN)
		__atomic_fetch_add(&data->undecided, 1, __ATOMIC_RELAXED);
	if (answer != IC_TRACE_YES)
		return false;
	uint64_t before = __atomic_fetch_add(&data->hits, 1, __ATOMIC_RELAXED);
	return !trace->shape.only_counts &&
	       (trace->shape.sample <= 1 || before % trace->shape.sample == 0);
}

bool ic_trace_take(struct ic_trace *trace, struct ic_trace_taken *taken)
{
	for (;;) {
		taken->bytes = next_record(trace, &taken->record);
		if (!taken->bytes)
			return false;
		read_record(trace, taken->bytes, &taken->record, &taken->reading);
		taken->exit =
			taken->record.copy < trace->items.count
				? NULL
				: &trace->exits.items[taken->record.copy - trace->items.count];
		if (taken->exit || !taken->record.is_asked ||
		    is_counted(trace, taken->record.copy, &taken->reading))
			return true;
	}
}

struct ic_trace_hit ic_trace_hit_of(const struct ic_trace *trace,
				    const struct ic_trace_taken *taken)
{
	const struct ic_trace_record *record = &taken->record;
	uint64_t sp = 0, below;

	(void)ic_unwind_register_get(&taken->reading.registers, trace->shape.stack_reg, &sp);
	// Bytes copied from the first step, below the stack pointer.
	below = sp % IC_TRACE_STACK_STEP;
	below = below < record->stack_size ? below : record->stack_size;
	return (struct ic_trace_hit){ .time = record->time,
				      .pid = (uint32_t)record->pid,
				      .tid = (uint32_t)record->tid,
				      .cpu = (uint32_t)record->cpu,
				      .command = (const char *)taken->bytes +
						 offsetof(struct ic_trace_record, command),
				      .copy = taken->exit ? taken->exit->copy : record->copy,
				      .is_exit = taken->exit != NULL,
				      .exit_kind = taken->exit ? taken->exit->kind : IC_EXIT_END,
				      .registers = taken->reading.registers,
				      .stack = taken->bytes + trace->layout.stack + below,
				      .stack_size = record->stack_size - below };
}

bool ic_trace_leave_taken(struct ic_trace *trace, const struct ic_trace_taken *taken,
			  struct ic_trace_left *left)
{
	return ic_trace_leave(trace, taken->exit, &taken->record, &taken->reading.registers,
			      taken->bytes + trace->layout.registers, left);
}

static void set_caller(const struct ic_trace *trace, const struct ic_trace_item *item,
		       const struct ic_trace_reading *reading, struct ic_trace_hit *hit)
{
	uint64_t off;

	if (item->caller > 0 && reading->known >> (item->caller - 1) & 1)
		hit->return_address = ic_trace_recorded_number(trace, reading, item->caller - 1u);
	if (hit->return_address == 0 ||
	    !ic_trace_addr_in_file(trace, reading, hit->return_address,
				   &hit->return_addr_in_file) ||
	    (!trace->placement &&
	     !ic_image_offset_of_addr(trace->image, hit->return_addr_in_file, &off)))
		hit->return_addr_in_file = IC_NO_ADDR;
}

bool ic_trace_next(struct ic_trace *trace, struct ic_trace_hit *hit)
{
	struct ic_trace_left left = { .duration = 0 };
	struct ic_trace_taken taken;
	bool is_reported = false;

	while (!is_reported) {
		if (!ic_trace_take(trace, &taken))
			return false;
		is_reported = !taken.exit || ic_trace_leave_taken(trace, &taken, &left);
	}
	*hit = ic_trace_hit_of(trace, &taken);
	hit->duration = left.duration;
	const struct ic_trace_item *item = &trace->items.items[hit->copy];
	if (taken.exit) {
		if (!taken.exit->is_return || !item->result)
			return true;
		find_values(trace, item->result, &taken.reading);
		hit->result = trace->last.values.items;
		return true;
	}
	if (trace->exits.count > 0)
		ic_trace_enter(trace, &taken.record, &taken.reading.registers, 0);
	find_values(trace, item, &taken.reading);
	hit->values = trace->last.values.items;
	set_caller(trace, item, &taken.reading, hit);
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

void ic_trace_epoch_set(struct ic_trace *trace, uint32_t epoch)
{
	trace->groups.epoch = epoch;
	for (uint32_t i = 0; i < ic_trace_item_count(trace); i++)
		__atomic_store_n(&ic_trace_data(trace, trace->counted, i)->epoch, epoch,
				 __ATOMIC_RELAXED);
}
