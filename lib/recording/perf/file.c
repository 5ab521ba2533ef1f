#include "recording/perf/file.h"

#include <inttypes.h>
#include <stdlib.h>

#include "elf/files/unpack_pieces.h"

enum {
	MAGIC_SIZE = 8,
	PIPE_SIZE = 16,    // of the header written into a pipe
	HEADER_SIZE = 104, // of the header of a file
	SECTION_SIZE = 16,
	FEATURE_BITS = 256,
	RECORD_HEADER_SIZE = 8,
	BUILD_ID_ROOM = 24,
};

enum feature { // bits in the header (HEADER_* in tools/perf/util/header.h)
	FEATURE_BUILD_ID = 2,
	FEATURE_RELEASE = 4,
	FEATURE_MACHINE = 6,
	FEATURE_EVENTS = 12,
};

static const char magic[MAGIC_SIZE] = { 'P', 'E', 'R', 'F', 'I', 'L', 'E', '2' };

struct section {
	uint64_t off, size;
};

// The magic number is a 64-bit number, so it is reversed on machines of the other byte order.
static bool is_big_endian(struct ic_bytes bytes)
{
	char reversed[MAGIC_SIZE];

	for (unsigned i = 0; i < MAGIC_SIZE; i++)
		reversed[i] = magic[MAGIC_SIZE - 1 - i];
	return memcmp(bytes.data, reversed, MAGIC_SIZE) == 0;
}

bool ic_perf_file_is(struct ic_bytes bytes)
{
	return bytes.size >= PIPE_SIZE &&
	       (memcmp(bytes.data, magic, MAGIC_SIZE) == 0 || is_big_endian(bytes));
}

static void report_problem(const struct ic_perf_file *file, const struct ic_error *err)
{
	ic_problems_add(file->problems, err, NULL, 0);
}

static void complain_of(const struct ic_perf_file *file, const struct ic_cursor *cur)
{
	struct ic_error err;

	if (!ic_cursor_ok(cur, &err))
		report_problem(file, &err);
}

static struct ic_cursor cursor_at(struct ic_bytes bytes, struct section section, const char *what,
				  bool swap)
{
	struct ic_cursor cur = ic_cursor_at(bytes, "perf.data", section.off, section.size, swap);

	if (cur.fault)
		cur.fault = what;
	return cur;
}

static struct section read_section(struct ic_cursor *cur)
{
	struct section section = { .off = ic_cursor_u64(cur) };

	section.size = ic_cursor_u64(cur);
	return section;
}

// ---- Events

// The kernel's numbers of common events (PERF_COUNT_HW_* and PERF_COUNT_SW_*).
static const char *known_name(const struct ic_perf_event *event)
{
	static const char *const hardware[] = { "cycles",
						"instructions",
						"cache-references",
						"cache-misses",
						"branches",
						"branch-misses",
						"bus-cycles",
						"stalled-cycles-frontend",
						"stalled-cycles-backend",
						"ref-cycles" };
	static const char *const software[] = { "cpu-clock",       "task-clock",
						"page-faults",     "context-switches",
						"cpu-migrations",  "minor-faults",
						"major-faults",    "alignment-faults",
						"emulation-faults" };

	if (event->type == 0 && event->config < sizeof(hardware) / sizeof(*hardware))
		return hardware[event->config];
	if (event->type == 1 && event->config < sizeof(software) / sizeof(*software))
		return software[event->config];
	return NULL;
}

// Adds an event with its IDs. False if memory runs out.
static bool add_event(struct ic_perf_file *file, struct ic_cursor *cur, uint64_t attr_size,
		      struct ic_cursor ids)
{
	struct ic_perf_event *event = IC_ARRAY_PUSH(&file->events);

	if (!event)
		return false;
	ic_perf_event_read(cur, attr_size, event);
	complain_of(file, cur);
	if (cur->fault) {
		file->events.count--;
		return true;
	}
	event->name = known_name(event);
	while (ic_cursor_more(&ids)) {
		uint32_t *place = ic_map_at(&file->event_of, ic_cursor_u64(&ids));
		if (!place)
			return false;
		*place = file->events.count - 1;
	}
	return true;
}

static bool read_events(struct ic_perf_file *file, struct ic_bytes bytes, struct section attrs,
			uint64_t attr_size)
{
	struct ic_cursor cur = cursor_at(bytes, attrs, "events are outside the file", file->swap);

	if (attr_size <= SECTION_SIZE)
		ic_cursor_fault(&cur, "invalid event size");
	while (ic_cursor_more(&cur)) {
		struct ic_cursor attr = cur;
		ic_cursor_take(&cur, attr_size - SECTION_SIZE);
		struct section ids = read_section(&cur);
		struct ic_cursor list =
			cursor_at(bytes, ids, "event IDs are outside the file", file->swap);
		complain_of(file, &list);
		if (!cur.fault && !add_event(file, &attr, attr_size - SECTION_SIZE, list))
			return false;
	}
	complain_of(file, &cur);
	return true;
}

// Reads an event from a recording in a pipe.
static bool read_event(struct ic_perf_file *file, const struct ic_perf_record *record)
{
	struct ic_cursor cur = record->body, ids = record->body, size = record->body;

	ic_cursor_u32(&size);
	uint32_t attr_size = ic_cursor_u32(&size);
	ic_cursor_take(&ids, attr_size);
	complain_of(file, &ids);
	return ids.fault || add_event(file, &cur, attr_size, ids);
}

static void name_event(struct ic_perf_file *file, uint64_t id, const char *name)
{
	const uint32_t *number = ic_map_find(&file->event_of, id);

	if (number && *name)
		file->events.items[*number].name = name;
}

// ---- Features

static const char *read_string(struct ic_cursor *cur)
{
	uint32_t size = ic_cursor_u32(cur);
	const uint8_t *bytes = ic_cursor_take(cur, size);

	if (!bytes || !memchr(bytes, 0, size)) {
		ic_cursor_fault(cur, "unterminated string");
		return NULL;
	}
	return (const char *)bytes;
}

static void read_event_names(struct ic_perf_file *file, struct ic_cursor *cur)
{
	uint32_t count = ic_cursor_u32(cur), attr_size = ic_cursor_u32(cur);

	for (uint32_t i = 0; i < count && !cur->fault; i++) {
		ic_cursor_take(cur, attr_size);
		uint32_t ids = ic_cursor_u32(cur);
		const char *name = read_string(cur);
		if (ids == 0 && name && i < file->events.count)
			file->events.items[i].name = name;
		for (uint32_t j = 0; j < ids && !cur->fault; j++)
			name_event(file, ic_cursor_u64(cur), name);
	}
}

// Reads one of the records in the build ID feature, or in a pipe.
static bool read_build_id(struct ic_perf_file *file, const struct ic_perf_record *record)
{
	struct ic_cursor cur = record->body;

	ic_cursor_u32(&cur); // the machine: -1 for the host, otherwise a guest
	const uint8_t *bytes = ic_cursor_take(&cur, BUILD_ID_ROOM);
	const char *path = ic_cursor_string(&cur);
	unsigned mode = record->misc & IC_PERF_MISC_CPU_MODE;
	struct ic_perf_build_id build_id = { .size = IC_PERF_BUILD_ID_SIZE,
					     .is_kernel = mode == IC_PERF_MISC_KERNEL };

	complain_of(file, &cur);
	if (cur.fault || (mode != IC_PERF_MISC_KERNEL && mode != IC_PERF_MISC_USER))
		return true;
	memcpy(build_id.bytes, bytes, IC_PERF_BUILD_ID_SIZE);
	if (record->misc & IC_PERF_MISC_BUILD_ID_SIZE &&
	    bytes[IC_PERF_BUILD_ID_SIZE] < IC_PERF_BUILD_ID_SIZE)
		build_id.size = bytes[IC_PERF_BUILD_ID_SIZE];
	uint32_t number = ic_byte_pool_add(&file->build_id_paths, path, (uint32_t)strlen(path));
	if (number < file->build_ids.count) // only the first counts
		return true;
	struct ic_perf_build_id *place = IC_ARRAY_PUSH(&file->build_ids);
	if (place)
		*place = build_id;
	return place && number != IC_NONE;
}

static bool read_build_ids(struct ic_perf_file *file, struct ic_cursor *cur)
{
	struct ic_perf_record record;
	bool ok = true;

	while (ok && ic_perf_record_next(cur, &record))
		ok = read_build_id(file, &record);
	return ok;
}

static bool read_feature(struct ic_perf_file *file, uint64_t feature, struct ic_cursor cur)
{
	bool ok = true;

	switch (feature) {
	case FEATURE_BUILD_ID: ok = read_build_ids(file, &cur); break;
	case FEATURE_RELEASE: file->release = read_string(&cur); break;
	case FEATURE_MACHINE: file->machine = read_string(&cur); break;
	case FEATURE_EVENTS: read_event_names(file, &cur); break;
	}
	complain_of(file, &cur);
	return ok;
}

// The positions of the features are listed after the records, in order of their bits.
static bool read_features(struct ic_perf_file *file, struct ic_bytes bytes, uint64_t off,
			  const uint64_t bits[FEATURE_BITS / 64])
{
	struct section all = { off, off <= bytes.size ? bytes.size - off : 1 };
	struct ic_cursor cur =
		cursor_at(bytes, all, "records extend past the end of the file", file->swap);
	bool ok = true;

	for (unsigned i = 0; ok && i < FEATURE_BITS; i++) {
		if (!(bits[i / 64] >> i % 64 & 1))
			continue;
		struct section section = read_section(&cur);
		if (!cur.fault)
			ok = read_feature(file, i,
					  cursor_at(bytes, section,
						    "a header section is outside the file",
						    file->swap));
	}
	complain_of(file, &cur);
	return ok;
}

// ---- Records

static bool is_used(const struct ic_perf_record *record)
{
	switch (record->type) {
	case IC_PERF_MMAP:
	case IC_PERF_MMAP2:
	case IC_PERF_SAMPLE: {
		unsigned mode = record->misc & IC_PERF_MISC_CPU_MODE;
		return mode != IC_PERF_MISC_GUEST_KERNEL && mode != IC_PERF_MISC_GUEST_USER;
	}
	case IC_PERF_LOST:
	case IC_PERF_COMM:
	case IC_PERF_EXIT:
	case IC_PERF_FORK:
	case IC_PERF_KSYMBOL:
	case IC_PERF_LOST_SAMPLES: return true;
	}
	return false;
}

static bool keep_packed(struct ic_perf_file *file, const struct ic_perf_record *record)
{
	struct ic_cursor cur = record->body;
	// The newer kind is padded, and has the actual size.
	uint64_t size = record->type == IC_PERF_COMPRESSED2 ? ic_cursor_u64(&cur)
							    : (uint64_t)(cur.end - cur.pos);
	const uint8_t *bytes = ic_cursor_take(&cur, size);
	struct ic_bytes *place = bytes ? IC_ARRAY_PUSH(&file->packed) : NULL;

	complain_of(file, &cur);
	if (place)
		*place = (struct ic_bytes){ bytes, (size_t)size };
	return place || !bytes;
}

// Handles a record about the recording itself, and bytes after it that are not records.
static bool take_own(struct ic_perf_file *file, const struct ic_perf_record *record,
		     struct ic_cursor *behind)
{
	struct ic_cursor cur = record->body;

	switch (record->type) {
	case IC_PERF_HEADER_ATTR: return read_event(file, record);
	case IC_PERF_HEADER_BUILD_ID: return read_build_id(file, record);
	case IC_PERF_HEADER_FEATURE: {
		uint64_t feature = ic_cursor_u64(&cur);
		return read_feature(file, feature, cur);
	}
	case IC_PERF_EVENT_UPDATE: {
		enum { NAME = 2 };
		uint64_t kind = ic_cursor_u64(&cur), id = ic_cursor_u64(&cur);
		if (kind == NAME)
			name_event(file, id, ic_cursor_string(&cur));
		return true;
	}
	case IC_PERF_COMPRESSED:
	case IC_PERF_COMPRESSED2: return keep_packed(file, record);
	case IC_PERF_HEADER_TRACING_DATA:
		ic_cursor_take(behind, (ic_cursor_u32(&cur) + 7ull) & ~7ull);
		return true;
	case IC_PERF_AUXTRACE:
		file->skipped++;
		ic_cursor_take(behind, ic_cursor_u64(&cur));
		return true;
	}
	return true;
}

static bool list_records(struct ic_perf_file *file, struct ic_cursor *cur)
{
	struct ic_perf_record record;
	bool ok = true;

	while (ok) {
		const uint8_t *at = cur->pos;
		if (!ic_perf_record_next(cur, &record))
			break;
		if (is_used(&record)) {
			const uint8_t **place = IC_ARRAY_PUSH(&file->records);
			ok = place;
			if (place)
				*place = at;
		} else {
			file->skipped += record.type == IC_PERF_SAMPLE;
			ok = take_own(file, &record, cur);
		}
	}
	return ok;
}

// Adds the compressed records to the list: any piece may end within a record.
static bool list_packed(struct ic_perf_file *file)
{
	struct ic_error err;
	size_t size;

	if (file->packed.count == 0)
		return true;
	if (!ic_unpack_pieces(file->packed.items, file->packed.count, &file->unpacked, &size,
			      &err)) {
		if (err.code == IC_ERROR_MEMORY)
			return false;
		report_problem(file, &err);
	}
	file->packed.count = 0;
	struct ic_cursor cur = { .pos = file->unpacked,
				 .end = file->unpacked + size,
				 .begin = file->unpacked,
				 .section = "compressed records",
				 .swap = file->swap };
	bool ok = list_records(file, &cur);
	complain_of(file, &cur);
	return ok;
}

static void open_record(const struct ic_perf_file *file, const uint8_t *at,
			struct ic_perf_record *record)
{
	struct ic_cursor cur = { .pos = at,
				 .begin = at,
				 .end = at + ic_load16(at + 6, file->swap),
				 .section = "perf.data",
				 .swap = file->swap };

	ic_perf_record_next(&cur, record); // checked before
}

// The event of a record. If events are mixed, all have their ID at the same place; for a single
// event the ID may be missing.
static uint32_t event_of(const struct ic_perf_file *file, const struct ic_perf_record *record)
{
	uint64_t id;

	if (file->events.count < 2 || !ic_perf_record_id(record, &file->events.items[0], &id))
		return 0;
	const uint32_t *found = ic_map_find(&file->event_of, id);
	return found ? *found : 0;
}

static bool sort_records(struct ic_perf_file *file)
{
	for (uint32_t i = 0; i < file->records.count; i++) {
		struct ic_keyed *place = IC_ARRAY_PUSH(&file->order);
		struct ic_perf_record record;
		if (!place)
			return false;
		open_record(file, file->records.items[i], &record);
		const struct ic_perf_event *event = &file->events.items[event_of(file, &record)];
		*place = (struct ic_keyed){ ic_perf_record_time(&record, event), i };
	}
	return ic_keyed_sort(file->order.items, file->order.count);
}

// ---- The file

// Reads everything before the records. False if memory runs out.
static bool read_header(struct ic_perf_file *file, struct ic_bytes bytes, struct section *data)
{
	struct ic_cursor cur = cursor_at(bytes, (struct section){ 0, bytes.size }, "", file->swap);
	uint64_t bits[FEATURE_BITS / 64];

	ic_cursor_take(&cur, MAGIC_SIZE);
	uint64_t size = ic_cursor_u64(&cur);
	*data = (struct section){ PIPE_SIZE, bytes.size - PIPE_SIZE };
	if (size == PIPE_SIZE)
		return true;
	if (size < HEADER_SIZE)
		ic_cursor_fault(&cur, "invalid header size");
	uint64_t attr_size = ic_cursor_u64(&cur);
	struct section attrs = read_section(&cur);
	*data = read_section(&cur);
	read_section(&cur); // event names, in very old files
	for (unsigned i = 0; i < FEATURE_BITS / 64; i++)
		bits[i] = ic_cursor_u64(&cur);
	if (cur.fault) {
		complain_of(file, &cur);
		data->size = 0;
		return true;
	}
	return read_events(file, bytes, attrs, attr_size) &&
	       read_features(file, bytes, data->off + data->size, bits);
}

// In a recording that was cut short, or is still being written, the size of the records is not set.
static void check_size(const struct ic_perf_file *file, struct section *data, uint64_t size)
{
	struct ic_error err;

	if (data->off <= size && data->size <= size - data->off && data->size > 0)
		return;
	ic_fail(&err, IC_ERROR_MALFORMED,
		"the recording was not finished, or is truncated: records are at 0x%" PRIx64
		", with 0x%" PRIx64 " bytes",
		data->off, data->size);
	report_problem(file, &err);
	data->size = data->off <= size ? size - data->off : 0;
}

bool ic_perf_file_open(struct ic_perf_file *file, struct ic_bytes bytes,
		       struct ic_problems *problems, struct ic_error *err)
{
	struct section data;

	*file = (struct ic_perf_file){ .problems = problems };
	if (!ic_perf_file_is(bytes))
		return ic_fail(err, IC_ERROR_UNSUPPORTED, "not a perf recording");
	file->swap = is_big_endian(bytes) != IC_HOST_IS_BIG_ENDIAN;
	if (!read_header(file, bytes, &data))
		return ic_fail_memory(err);
	check_size(file, &data, bytes.size);
	struct ic_cursor cur = cursor_at(bytes, data, "", file->swap);
	bool ok = list_records(file, &cur);
	complain_of(file, &cur);
	if (!ok || !list_packed(file))
		return ic_fail_memory(err);
	if (file->events.count == 0)
		return ic_fail(err, IC_ERROR_MALFORMED, "perf recording without events");
	return sort_records(file) || ic_fail_memory(err);
}

bool ic_perf_file_get(const struct ic_perf_file *file, uint32_t number,
		      struct ic_perf_record *record, uint32_t *event)
{
	if (number >= file->order.count)
		return false;
	open_record(file, file->records.items[file->order.items[number].number], record);
	*event = event_of(file, record);
	return true;
}

const struct ic_perf_build_id *ic_perf_file_build_id(const struct ic_perf_file *file,
						     const char *path)
{
	uint32_t number = ic_byte_pool_find(&file->build_id_paths, path, (uint32_t)strlen(path));

	return number == IC_NONE ? NULL : &file->build_ids.items[number];
}

void ic_perf_file_close(struct ic_perf_file *file)
{
	IC_ARRAY_FREE(&file->events);
	IC_ARRAY_FREE(&file->build_ids);
	IC_ARRAY_FREE(&file->records);
	IC_ARRAY_FREE(&file->order);
	IC_ARRAY_FREE(&file->packed);
	free(file->unpacked);
	ic_map_free(&file->event_of);
	ic_byte_pool_free(&file->build_id_paths);
}
