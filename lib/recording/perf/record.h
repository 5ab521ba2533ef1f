// Records of a perf recording: layouts as in include/uapi/linux/perf_event.h in Linux.
#ifndef RECORDING_PERF_RECORD_H
#define RECORDING_PERF_RECORD_H

#include "base/cursor.h"
#include "recording/processes/processes.h"

enum ic_perf_type { // the types in use; numbers from 64 on are perf's own
	IC_PERF_MMAP = 1,
	IC_PERF_LOST = 2,
	IC_PERF_COMM = 3,
	IC_PERF_EXIT = 4,
	IC_PERF_FORK = 7,
	IC_PERF_SAMPLE = 9,
	IC_PERF_MMAP2 = 10,
	IC_PERF_LOST_SAMPLES = 13,
	IC_PERF_KSYMBOL = 17,
	IC_PERF_HEADER_ATTR = 64,
	IC_PERF_HEADER_TRACING_DATA = 66, // the data follows the record
	IC_PERF_HEADER_BUILD_ID = 67,
	IC_PERF_AUXTRACE = 71, // data follows the record
	IC_PERF_EVENT_UPDATE = 78,
	IC_PERF_HEADER_FEATURE = 80,
	IC_PERF_COMPRESSED = 81,
	IC_PERF_COMPRESSED2 = 83,
};

enum { // bits of `misc` in a record's header
	IC_PERF_MISC_CPU_MODE = 7,
	IC_PERF_MISC_KERNEL = 1,
	IC_PERF_MISC_USER = 2,
	IC_PERF_MISC_GUEST_KERNEL = 4,
	IC_PERF_MISC_GUEST_USER = 5,
	IC_PERF_MISC_DATA = 1 << 13,     // for a mapping: it is not executable
	IC_PERF_MISC_EXEC = 1 << 13,     // for COMM: a program was started
	IC_PERF_MISC_BUILD_ID = 1 << 14, // for MMAP2: it has a build ID
	IC_PERF_MISC_BUILD_ID_SIZE = 1 << 15,
};

// A recorded event, which determines the layout of its records.
struct ic_perf_event {
	const char *name; // NULL if unknown
	uint32_t type;
	uint64_t config;
	uint64_t sample_type, read_format, branch_type, user_registers;
	bool has_id_all; // all records end with the fields that identify a sample
};

struct ic_perf_record {
	uint32_t type;
	uint16_t misc;
	struct ic_cursor body; // after the header
};

// Reads the record at the cursor, and moves past it. False at the end, and after an error.
bool ic_perf_record_next(struct ic_cursor *cur, struct ic_perf_record *record);

// Reads the properties of an event (struct perf_event_attr) from `size` bytes.
void ic_perf_event_read(struct ic_cursor *cur, uint64_t size, struct ic_perf_event *event);

// The ID of a record's event, in its header or its trailer. `event` may be any, because all have
// the ID at the same place. False if records have none.
bool ic_perf_record_id(const struct ic_perf_record *record, const struct ic_perf_event *event,
		       uint64_t *id);

// The time of a record in nanoseconds; 0 if it has none.
uint64_t ic_perf_record_time(const struct ic_perf_record *record,
			     const struct ic_perf_event *event);

enum { IC_PERF_BUILD_ID_SIZE = 20 };

struct ic_perf_mapping { // from MMAP and MMAP2
	uint32_t pid;
	uint64_t start, size, offset;
	uint8_t build_id[IC_PERF_BUILD_ID_SIZE];
	uint8_t build_id_size; // 0 if unknown
	bool is_code;
	const char *path;
};

bool ic_perf_mapping_read(const struct ic_perf_record *record, struct ic_perf_mapping *mapping,
			  struct ic_error *err) IC_CHECKED;

struct ic_perf_code { // from KSYMBOL: code made by the kernel, such as a BPF program
	uint64_t start, size;
	const char *name;
	bool is_gone; // it existed until then
};

bool ic_perf_code_read(const struct ic_perf_record *record, struct ic_perf_code *code,
		       struct ic_error *err) IC_CHECKED;

// From COMM, FORK and EXIT.
bool ic_perf_task_read(const struct ic_perf_record *record, struct ic_task *task,
		       struct ic_error *err) IC_CHECKED;

struct ic_perf_sample {
	uint64_t ip, period; // `period` is 1 if a sample has none
	uint32_t pid, tid;
	struct ic_cursor chain; // addresses and marks
	uint64_t chain_count;
	bool has_chain;
	uint64_t user_abi;          // 0 if there are no registers, 1 for 32 bits, 2 for 64
	struct ic_cursor registers; // those in ic_perf_event::user_registers
	struct ic_bytes stack;      // from the stack pointer up
};

bool ic_perf_sample_read(const struct ic_perf_record *record, const struct ic_perf_event *event,
			 struct ic_perf_sample *sample, struct ic_error *err) IC_CHECKED;

// The kind of the addresses that follow a mark in a chain (PERF_CONTEXT_*).
#define IC_PERF_IS_MARK(addr) ((addr) >= (uint64_t)-4095)
#define IC_PERF_MARK_KERNEL   ((uint64_t)-128)
#define IC_PERF_MARK_USER     ((uint64_t)-512)

#endif
