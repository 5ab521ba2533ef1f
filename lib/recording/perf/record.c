#include "recording/perf/record.h"

#include <inttypes.h>

enum { HEADER_SIZE = 8 };

// Bits of perf_event_attr::sample_type, in the order of the fields in a sample.
#define SAMPLE_IDENTIFIER   (1u << 16)
#define SAMPLE_IP           (1u << 0)
#define SAMPLE_TID          (1u << 1)
#define SAMPLE_TIME         (1u << 2)
#define SAMPLE_ADDR         (1u << 3)
#define SAMPLE_ID           (1u << 6)
#define SAMPLE_STREAM_ID    (1u << 9)
#define SAMPLE_CPU          (1u << 7)
#define SAMPLE_PERIOD       (1u << 8)
#define SAMPLE_READ         (1u << 4)
#define SAMPLE_CALLCHAIN    (1u << 5)
#define SAMPLE_RAW          (1u << 10)
#define SAMPLE_BRANCH_STACK (1u << 11)
#define SAMPLE_REGS_USER    (1u << 12)
#define SAMPLE_STACK_USER   (1u << 13)

// Bits of perf_event_attr::read_format and branch_sample_type.
#define READ_ENABLED    (1u << 0)
#define READ_RUNNING    (1u << 1)
#define READ_ID         (1u << 2)
#define READ_GROUP      (1u << 3)
#define READ_LOST       (1u << 4)
#define BRANCH_INDEX    (1u << 17)
#define BRANCH_COUNTERS (1u << 19)
enum { FIRST_ATTR_SIZE = 64 }; // of the first version of struct perf_event_attr

#define FLAG_ID_ALL (1u << 18) // in the bit field of perf_event_attr

bool ic_perf_record_next(struct ic_cursor *cur, struct ic_perf_record *record)
{
	if (!ic_cursor_more(cur))
		return false;
	const uint8_t *start = cur->pos;
	record->type = ic_cursor_u32(cur);
	record->misc = ic_cursor_u16(cur);
	uint16_t size = ic_cursor_u16(cur);
	if (!cur->fault && size < HEADER_SIZE)
		ic_cursor_fault(cur, "record is smaller than its header");
	record->body = *cur;
	if (!ic_cursor_take(cur, size - HEADER_SIZE))
		return false;
	record->body.end = start + size;
	return true;
}

void ic_perf_event_read(struct ic_cursor *cur, uint64_t size, struct ic_perf_event *event)
{
	struct ic_cursor attr = *cur;
	const uint8_t *bytes = ic_cursor_take(cur, size);

	*event = (struct ic_perf_event){ .name = NULL };
	if (!bytes)
		return;
	attr.end = bytes + size;
	event->type = ic_cursor_u32(&attr);
	uint32_t known = ic_cursor_u32(&attr); // to the recording kernel, or 0
	if (known != 0 && (known < FIRST_ATTR_SIZE || known > size))
		ic_cursor_fault(cur, "invalid event size");
	event->config = ic_cursor_u64(&attr);
	ic_cursor_u64(&attr); // the period or frequency
	event->sample_type = ic_cursor_u64(&attr);
	event->read_format = ic_cursor_u64(&attr);
	uint64_t flags = ic_cursor_u64(&attr);
	// A bit field starts with the lowest bit on little-endian machines, and with the highest on
	// others.
	bool is_big = attr.swap != IC_HOST_IS_BIG_ENDIAN;
	event->has_id_all = is_big ? flags >> (63 - 18) & 1 : flags & FLAG_ID_ALL;
	ic_cursor_take(&attr, 24);  // wakeup, breakpoint type, config1 and config2
	if (!ic_cursor_more(&attr)) // the first version ends here
		return;
	event->branch_type = ic_cursor_u64(&attr);
	if (ic_cursor_more(&attr))
		event->user_registers = ic_cursor_u64(&attr);
}

static bool has_bit(const struct ic_perf_event *event, uint64_t bit)
{
	return (event->sample_type & bit) != 0;
}

// The fields at the end of records that are not samples: the start of one, counted from the end of
// the record.
static uint64_t off_from_end(const struct ic_perf_event *event, uint64_t bit)
{
	static const uint32_t fields[] = { SAMPLE_IDENTIFIER, SAMPLE_CPU,  SAMPLE_STREAM_ID,
					   SAMPLE_ID,         SAMPLE_TIME, SAMPLE_TID };
	uint64_t off = 0;

	for (size_t i = 0; i < sizeof(fields) / sizeof(*fields); i++) {
		off += has_bit(event, fields[i]) ? 8 : 0;
		if (fields[i] == bit)
			break;
	}
	return off;
}

// A 64-bit field with the ID of a record's event, or its time.
static bool read_field(const struct ic_perf_record *record, const struct ic_perf_event *event,
		       uint64_t bit, uint64_t *value)
{
	static const uint32_t fields[] = { SAMPLE_IDENTIFIER, SAMPLE_IP,   SAMPLE_TID,
					   SAMPLE_TIME,       SAMPLE_ADDR, SAMPLE_ID };
	struct ic_cursor cur = record->body;
	uint64_t size = (uint64_t)(cur.end - cur.pos), off = 0;

	if (!has_bit(event, bit))
		return false;
	if (record->type == IC_PERF_SAMPLE) {
		for (size_t i = 0; fields[i] != bit; i++)
			off += has_bit(event, fields[i]) ? 8 : 0;
	} else {
		uint64_t from_end = off_from_end(event, bit);
		if (!event->has_id_all || record->type >= IC_PERF_HEADER_ATTR || from_end > size)
			return false;
		off = size - from_end;
	}
	ic_cursor_take(&cur, off);
	*value = ic_cursor_u64(&cur);
	return !cur.fault;
}

bool ic_perf_record_id(const struct ic_perf_record *record, const struct ic_perf_event *event,
		       uint64_t *id)
{
	return read_field(record, event, SAMPLE_IDENTIFIER, id) ||
	       read_field(record, event, SAMPLE_ID, id);
}

uint64_t ic_perf_record_time(const struct ic_perf_record *record, const struct ic_perf_event *event)
{
	uint64_t time;

	return read_field(record, event, SAMPLE_TIME, &time) ? time : 0;
}

bool ic_perf_mapping_read(const struct ic_perf_record *record, struct ic_perf_mapping *mapping,
			  struct ic_error *err)
{
	enum { EXECUTABLE = 4 }; // PROT_EXEC
	struct ic_cursor cur = record->body;

	*mapping = (struct ic_perf_mapping){ .pid = ic_cursor_u32(&cur) };
	ic_cursor_u32(&cur); // the thread
	mapping->start = ic_cursor_u64(&cur);
	mapping->size = ic_cursor_u64(&cur);
	mapping->offset = ic_cursor_u64(&cur);
	mapping->is_code = !(record->misc & IC_PERF_MISC_DATA);
	if (record->type == IC_PERF_MMAP2) {
		struct ic_cursor place = cur; // the device and inode, or the build ID
		ic_cursor_take(&cur, 24);
		uint32_t protection = ic_cursor_u32(&cur);
		ic_cursor_u32(&cur); // flags
		mapping->is_code = protection & EXECUTABLE;
		uint8_t size = ic_cursor_u8(&place);
		ic_cursor_take(&place, 3);
		const uint8_t *bytes = ic_cursor_take(&place, IC_PERF_BUILD_ID_SIZE);
		if (bytes && record->misc & IC_PERF_MISC_BUILD_ID &&
		    size <= IC_PERF_BUILD_ID_SIZE) {
			memcpy(mapping->build_id, bytes, size);
			mapping->build_id_size = size;
		}
	}
	mapping->path = ic_cursor_string(&cur);
	if (mapping->start + mapping->size < mapping->start ||
	    mapping->offset + mapping->size < mapping->offset)
		ic_cursor_fault(&cur, "mapping extends past the last address");
	return ic_cursor_ok(&cur, err);
}

bool ic_perf_code_read(const struct ic_perf_record *record, struct ic_perf_code *code,
		       struct ic_error *err)
{
	enum { UNREGISTER = 1 };
	struct ic_cursor cur = record->body;

	code->start = ic_cursor_u64(&cur);
	code->size = ic_cursor_u32(&cur);
	ic_cursor_u16(&cur); // the kind
	code->is_gone = ic_cursor_u16(&cur) & UNREGISTER;
	code->name = ic_cursor_string(&cur);
	return ic_cursor_ok(&cur, err);
}

bool ic_perf_task_read(const struct ic_perf_record *record, struct ic_task *task,
		       struct ic_error *err)
{
	struct ic_cursor cur = record->body;

	*task = (struct ic_task){ .pid = ic_cursor_u32(&cur) };
	if (record->type == IC_PERF_COMM) {
		task->tid = ic_cursor_u32(&cur);
		task->name = ic_cursor_string(&cur);
	} else {
		task->parent_pid = ic_cursor_u32(&cur);
		task->tid = ic_cursor_u32(&cur);
		task->parent_tid = ic_cursor_u32(&cur);
	}
	return ic_cursor_ok(&cur, err);
}

// The value of a counter, or of several (PERF_SAMPLE_READ).
static void skip_read(struct ic_cursor *cur, const struct ic_perf_event *event)
{
	uint64_t format = event->read_format;
	uint64_t times = (format & READ_ENABLED ? 8u : 0) + (format & READ_RUNNING ? 8u : 0);
	uint64_t value = 8u + (format & READ_ID ? 8u : 0) + (format & READ_LOST ? 8u : 0);
	uint64_t count = format & READ_GROUP ? ic_cursor_u64(cur) : 1;

	ic_cursor_take(cur, times);
	if (count > (uint64_t)(cur->end - cur->pos) / value)
		ic_cursor_fault(cur, "too many counters for the record");
	else
		ic_cursor_take(cur, count * value);
}

static void skip_branches(struct ic_cursor *cur, const struct ic_perf_event *event)
{
	uint64_t size = 24 + (event->branch_type & BRANCH_COUNTERS ? 8 : 0);
	uint64_t count = ic_cursor_u64(cur);

	if (event->branch_type & BRANCH_INDEX)
		ic_cursor_u64(cur);
	if (count > (uint64_t)(cur->end - cur->pos) / size)
		ic_cursor_fault(cur, "too many branches for the record");
	else
		ic_cursor_take(cur, count * size);
}

static void read_chain(struct ic_cursor *cur, struct ic_perf_sample *sample)
{
	uint64_t count = ic_cursor_u64(cur);

	if (count > (uint64_t)(cur->end - cur->pos) / 8) {
		ic_cursor_fault(cur, "call chain is longer than its record");
		return;
	}
	sample->chain = *cur;
	sample->chain_count = count;
	sample->has_chain = true;
	ic_cursor_take(cur, count * 8);
}

static void read_stack(struct ic_cursor *cur, const struct ic_perf_event *event,
		       struct ic_perf_sample *sample)
{
	if (has_bit(event, SAMPLE_REGS_USER)) {
		sample->user_abi = ic_cursor_u64(cur);
		sample->registers = *cur;
		if (sample->user_abi != 0)
			ic_cursor_take(
				cur, 8ull * (unsigned)__builtin_popcountll(event->user_registers));
	}
	if (!has_bit(event, SAMPLE_STACK_USER))
		return;
	uint64_t size = ic_cursor_u64(cur);
	const uint8_t *bytes = ic_cursor_take(cur, size);
	uint64_t used = size > 0 ? ic_cursor_u64(cur) : 0;
	if (bytes && used <= size)
		sample->stack = (struct ic_bytes){ bytes, (size_t)used };
}

bool ic_perf_sample_read(const struct ic_perf_record *record, const struct ic_perf_event *event,
			 struct ic_perf_sample *sample, struct ic_error *err)
{
	struct ic_cursor cur = record->body;

	*sample = (struct ic_perf_sample){ .period = 1 };
	if (has_bit(event, SAMPLE_IDENTIFIER))
		ic_cursor_u64(&cur);
	if (has_bit(event, SAMPLE_IP))
		sample->ip = ic_cursor_u64(&cur);
	if (has_bit(event, SAMPLE_TID)) {
		sample->pid = ic_cursor_u32(&cur);
		sample->tid = ic_cursor_u32(&cur);
	}
	for (uint64_t bits = event->sample_type & (SAMPLE_TIME | SAMPLE_ADDR | SAMPLE_ID |
						   SAMPLE_STREAM_ID | SAMPLE_CPU);
	     bits != 0; bits &= bits - 1)
		ic_cursor_u64(&cur);
	if (has_bit(event, SAMPLE_PERIOD))
		sample->period = ic_cursor_u64(&cur);
	if (has_bit(event, SAMPLE_READ))
		skip_read(&cur, event);
	if (has_bit(event, SAMPLE_CALLCHAIN))
		read_chain(&cur, sample);
	if (has_bit(event, SAMPLE_RAW))
		ic_cursor_take(&cur, ic_cursor_u32(&cur));
	if (has_bit(event, SAMPLE_BRANCH_STACK))
		skip_branches(&cur, event);
	read_stack(&cur, event, sample);
	return ic_cursor_ok(&cur, err);
}
