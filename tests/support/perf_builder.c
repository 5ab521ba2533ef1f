#include "perf_builder.h"

enum {
	HEADER_SIZE = 104,
	PIPE_HEADER_SIZE = 16,
	ATTR_SIZE = 112, // of struct perf_event_attr, version 5
	RECORD_HEADER_ATTR = 64,
	RECORD_HEADER_FEATURE = 80,
	RECORD_MMAP2 = 10,
	FLAG_ID_ALL = 18,
};

void perf_add_event(struct perf_builder *perf, const struct perf_event *event)
{
	if (perf->event_count == PERF_MOST_EVENTS)
		support_fail("more than %d events", PERF_MOST_EVENTS);
	perf->events[perf->event_count++] = *event;
}

void perf_begin(struct perf_builder *perf, uint32_t type, uint16_t misc)
{
	perf->records.big_endian = perf->big_endian;
	perf->record_off = perf->records.size;
	byte_buffer_put(&perf->records, type, 4);
	byte_buffer_put(&perf->records, misc, 2);
	byte_buffer_put(&perf->records, 0, 2);
}

void perf_end(struct perf_builder *perf)
{
	byte_buffer_align(&perf->records, 8);
	byte_buffer_patch(&perf->records, perf->record_off + 6,
			  perf->records.size - perf->record_off, 2);
}

void perf_u32(struct perf_builder *perf, uint32_t number)
{
	byte_buffer_put(&perf->records, number, 4);
}

void perf_u64(struct perf_builder *perf, uint64_t number)
{
	byte_buffer_put(&perf->records, number, 8);
}

void perf_text(struct perf_builder *perf, const char *text)
{
	byte_buffer_string(&perf->records, text);
	byte_buffer_align(&perf->records, 8);
}

void perf_map(struct perf_builder *perf, uint32_t pid, uint64_t start, uint64_t size,
	      uint64_t offset, const char *path)
{
	enum { USER = 2, READ_AND_EXECUTE = 5, PRIVATE = 2 };

	perf_begin(perf, RECORD_MMAP2, USER);
	perf_u32(perf, pid);
	perf_u32(perf, pid);
	perf_u64(perf, start);
	perf_u64(perf, size);
	perf_u64(perf, offset);
	for (unsigned i = 0; i < 3; i++) // the device and the inode
		perf_u64(perf, 0);
	perf_u32(perf, READ_AND_EXECUTE);
	perf_u32(perf, PRIVATE);
	perf_text(perf, path);
}

void perf_feature_text(struct perf_builder *perf, unsigned feature, const char *text)
{
	struct byte_buffer *to = &perf->features[feature];
	size_t off = to->size;

	to->big_endian = perf->big_endian;
	byte_buffer_put(to, 0, 4);
	byte_buffer_string(to, text);
	byte_buffer_align(to, 4);
	byte_buffer_patch(to, off, to->size - off - 4, 4);
}

static void put_attr(struct byte_buffer *to, const struct perf_event *event)
{
	uint64_t flags = event->has_id_all ? 1ull << FLAG_ID_ALL : 0;

	if (to->big_endian) // bit fields begin at the other end
		flags = event->has_id_all ? 1ull << (63 - FLAG_ID_ALL) : 0;
	byte_buffer_put(to, event->type, 4);
	byte_buffer_put(to, ATTR_SIZE, 4);
	byte_buffer_put(to, event->config, 8);
	byte_buffer_put(to, 1, 8);
	byte_buffer_put(to, event->sample_type, 8);
	byte_buffer_put(to, event->read_format, 8);
	byte_buffer_put(to, flags, 8);
	byte_buffer_fill(to, 0, 24);
	byte_buffer_put(to, event->branch_type, 8);
	byte_buffer_put(to, event->user_registers, 8);
	byte_buffer_fill(to, 0, ATTR_SIZE - 88);
}

// A machine writes the magic number as it has it, so that on others it is reversed.
static void put_magic(struct byte_buffer *to)
{
	static const char magic[] = "PERFILE2";

	for (unsigned i = 0; i < 8; i++)
		byte_buffer_put(to, (uint8_t)magic[to->big_endian ? 7 - i : i], 1);
}

static void put_record(struct byte_buffer *to, uint32_t type, size_t size)
{
	byte_buffer_put(to, type, 4);
	byte_buffer_put(to, 0, 2);
	byte_buffer_put(to, 8 + size, 2);
}

static void put_pipe(struct perf_builder *perf, struct byte_buffer *to)
{
	byte_buffer_put(to, PIPE_HEADER_SIZE, 8);
	for (unsigned i = 0; i < perf->event_count; i++) {
		put_record(to, RECORD_HEADER_ATTR, ATTR_SIZE + 8);
		put_attr(to, &perf->events[i]);
		byte_buffer_put(to, perf->events[i].id, 8);
	}
	for (unsigned i = 0; i < PERF_MOST_FEATURES; i++) {
		struct bytes feature = byte_buffer_view(&perf->features[i]);
		if (feature.size == 0)
			continue;
		put_record(to, RECORD_HEADER_FEATURE, 8 + feature.size);
		byte_buffer_put(to, i, 8);
		byte_buffer_append(to, feature.data, feature.size);
	}
	byte_buffer_append(to, perf->records.data, perf->records.size);
}

static void put_section(struct byte_buffer *to, size_t off, size_t size)
{
	byte_buffer_put(to, off, 8);
	byte_buffer_put(to, size, 8);
}

static void put_file(struct perf_builder *perf, struct byte_buffer *to)
{
	size_t ids = HEADER_SIZE, attrs = ids + 8 * perf->event_count;
	size_t data = attrs + (ATTR_SIZE + 16) * (size_t)perf->event_count;
	size_t sections = data + perf->records.size, next = sections;
	uint64_t bits = 0;

	for (unsigned i = 0; i < PERF_MOST_FEATURES; i++)
		if (perf->features[i].size > 0)
			bits |= 1ull << i;
	byte_buffer_put(to, HEADER_SIZE, 8);
	byte_buffer_put(to, ATTR_SIZE + 16, 8);
	put_section(to, attrs, data - attrs);
	put_section(to, data, perf->records.size);
	put_section(to, 0, 0);
	byte_buffer_put(to, bits, 8);
	byte_buffer_fill(to, 0, 24);
	for (unsigned i = 0; i < perf->event_count; i++)
		byte_buffer_put(to, perf->events[i].id, 8);
	for (unsigned i = 0; i < perf->event_count; i++) {
		put_attr(to, &perf->events[i]);
		put_section(to, ids + 8 * (size_t)i, 8);
	}
	byte_buffer_append(to, perf->records.data, perf->records.size);
	next += 16 * (size_t)__builtin_popcountll(bits);
	for (unsigned i = 0; i < PERF_MOST_FEATURES; i++) {
		if (perf->features[i].size == 0)
			continue;
		put_section(to, next, perf->features[i].size);
		next += perf->features[i].size;
	}
	for (unsigned i = 0; i < PERF_MOST_FEATURES; i++)
		byte_buffer_append(to, perf->features[i].data, perf->features[i].size);
}

struct byte_buffer perf_build(struct perf_builder *perf)
{
	struct byte_buffer file = { .big_endian = perf->big_endian };

	put_magic(&file);
	if (perf->is_pipe)
		put_pipe(perf, &file);
	else
		put_file(perf, &file);
	byte_buffer_deinit(&perf->records);
	for (unsigned i = 0; i < PERF_MOST_FEATURES; i++)
		byte_buffer_deinit(&perf->features[i]);
	return file;
}
