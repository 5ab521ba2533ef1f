// The file that perf record writes, perf.data, also into a pipe: its records in the order of their
// times. See tools/perf/Documentation/perf.data-file-format.txt of Linux.
#ifndef RECORDING_PERF_FILE_H
#define RECORDING_PERF_FILE_H

#include "base/arena.h"
#include "base/array.h"
#include "base/byte_pool.h"
#include "base/map.h"
#include "base/problems.h"
#include "base/sort.h"
#include "recording/perf/record.h"

struct ic_perf_build_id { // of a file that was mapped, whenever that was
	uint8_t bytes[IC_PERF_BUILD_ID_SIZE];
	uint8_t size;
	bool is_kernel; // or a module of it
};

struct ic_perf_file {
	bool swap;
	IC_ARRAY(struct ic_perf_event) events;
	const char *machine, *release; // as uname has them; NULL if not known
	uint64_t skipped;              // records of hardware traces and guests
	// The rest is its own.
	struct ic_map event_of; // by id
	IC_ARRAY(struct ic_perf_build_id) build_ids;
	struct ic_byte_pool build_id_paths; // with the same numbers
	IC_ARRAY(const uint8_t *) records;
	IC_ARRAY(struct ic_keyed) order;  // of the records, by time
	IC_ARRAY(struct ic_bytes) packed; // records that are compressed together
	uint8_t *unpacked;                // the same, decompressed
	struct ic_problems *problems;
};

// Whether bytes begin as such a file does.
bool ic_perf_file_is(struct ic_bytes bytes);

// Reads all but the records' contents. Strings are borrowed from `bytes` or the arena of the
// problems, to which it adds what cannot be read. False if there is nothing that can be. To be
// closed in any case.
bool ic_perf_file_open(struct ic_perf_file *file, struct ic_bytes bytes,
		       struct ic_problems *problems, struct ic_error *err) IC_CHECKED;

// Record number `number`, and the event that it is of, an index in the file's. False if there are
// not so many.
bool ic_perf_file_get(const struct ic_perf_file *file, uint32_t number,
		      struct ic_perf_record *record, uint32_t *event);

// What is known of a file that was mapped; NULL if nothing is.
const struct ic_perf_build_id *ic_perf_file_build_id(const struct ic_perf_file *file,
						     const char *path);

void ic_perf_file_close(struct ic_perf_file *file);

#endif
