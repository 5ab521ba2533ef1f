// Files written by perf record, perf.data, also into a pipe: their records in order of time. See
// tools/perf/Documentation/perf.data-file-format.txt in Linux.
#ifndef RECORDING_PERF_FILE_H
#define RECORDING_PERF_FILE_H

#include "base/arena.h"
#include "base/array.h"
#include "base/byte_pool.h"
#include "base/map.h"
#include "base/problems.h"
#include "base/sort.h"
#include "recording/perf/record.h"

struct ic_perf_build_id { // of a file that was mapped at any time
	uint8_t bytes[IC_PERF_BUILD_ID_SIZE];
	uint8_t size;
	bool is_kernel; // the kernel or one of its modules
};

struct ic_perf_file {
	bool swap;
	IC_ARRAY(struct ic_perf_event) events;
	const char *machine, *release; // as in uname; NULL if unknown
	uint64_t skipped;              // number of records of hardware traces and guests
	// The rest is private.
	struct ic_map event_of; // index by ID
	IC_ARRAY(struct ic_perf_build_id) build_ids;
	struct ic_byte_pool build_id_paths; // with the same numbers
	IC_ARRAY(const uint8_t *) records;
	IC_ARRAY(struct ic_keyed) order;  // of the records, sorted by time
	IC_ARRAY(struct ic_bytes) packed; // records that were compressed together
	uint8_t *unpacked;                // their decompressed contents
	struct ic_problems *problems;
};

// Whether bytes start like such a file.
bool ic_perf_file_is(struct ic_bytes bytes);

// Reads everything except the records' contents. Strings are borrowed from `bytes` or from the
// arena of the problems, to which unreadable data is added. False if nothing can be read. Must be
// closed in any case.
bool ic_perf_file_open(struct ic_perf_file *file, struct ic_bytes bytes,
		       struct ic_problems *problems, struct ic_error *err) IC_CHECKED;

// Gets record number `number`, and its event, an index into the file's events. False if there are
// fewer.
bool ic_perf_file_get(const struct ic_perf_file *file, uint32_t number,
		      struct ic_perf_record *record, uint32_t *event);

// The build ID of a mapped file; NULL if unknown.
const struct ic_perf_build_id *ic_perf_file_build_id(const struct ic_perf_file *file,
						     const char *path);

void ic_perf_file_close(struct ic_perf_file *file);

#endif
