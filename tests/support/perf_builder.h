// Recordings of perf, made record by record.
//
//	struct perf_builder perf = { .is_pipe = true };
//	perf_add_event(&perf, &(struct perf_event){ .type = 1, .sample_type = PERF_TID, .id = 7 });
//	perf_begin(&perf, PERF_RECORD_COMM, 0);
//	...
//	perf_end(&perf);
//	struct byte_buffer file = perf_build(&perf);
#ifndef TESTS_SUPPORT_PERF_BUILDER_H
#define TESTS_SUPPORT_PERF_BUILDER_H

#include "byte_buffer.h"

enum { PERF_MOST_EVENTS = 4, PERF_MOST_FEATURES = 32 };

struct perf_event {
	uint32_t type;
	uint64_t config, sample_type, read_format, branch_type, user_registers, id;
	bool has_id_all;
};

struct perf_builder { // zero-initialised, with what it is
	bool big_endian, is_pipe;
	struct perf_event events[PERF_MOST_EVENTS];
	unsigned event_count;
	struct byte_buffer records;
	struct byte_buffer features[PERF_MOST_FEATURES]; // by their bits; empty if not there
	size_t record_off;                               // of the record that was begun
};

void perf_add_event(struct perf_builder *perf, const struct perf_event *event);

// Begins a record, whose fields are then added to `records`, and ends it: pads it to 8 bytes and
// sets its size.
void perf_begin(struct perf_builder *perf, uint32_t type, uint16_t misc);
void perf_end(struct perf_builder *perf);

// Fields of the record that was begun: numbers, and strings with their ends.
void perf_u32(struct perf_builder *perf, uint32_t number);
void perf_u64(struct perf_builder *perf, uint64_t number);
void perf_text(struct perf_builder *perf, const char *text);

// A mapping of a file, as MMAP2.
void perf_map(struct perf_builder *perf, uint32_t pid, uint64_t start, uint64_t size,
	      uint64_t offset, const char *path);

// Adds a string to a feature, as release and machine have them.
void perf_feature_text(struct perf_builder *perf, unsigned feature, const char *text);

// The file. The builder has nothing then.
struct byte_buffer perf_build(struct perf_builder *perf);

#endif
