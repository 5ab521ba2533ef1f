// Single lines of perf script's output: recognises and parses them. The fields depend on the
// options of perf (perf-script(1), -F).
#ifndef RECORDING_TEXT_SCRIPT_LINE_H
#define RECORDING_TEXT_SCRIPT_LINE_H

#include "base/bytes.h"
#include "base/error.h"

struct ic_script_sample {              // "comm 12/13 [001] 1.234567: 100 cycles:u: "
	struct ic_bytes thread, event; // NULL data if absent
	uint32_t pid, tid;             // `pid` is `tid` if only that is present
	uint64_t period;               // 1 if absent
	uint64_t time;                 // in nanoseconds; UINT64_MAX if absent
	bool has_period;
};

// Parses the line that starts a sample. `following` is the text after it: a line without a time and
// an event is one only before a stack, or if it contains a frame. `rest` is that frame, if the
// sample has no stack.
bool ic_script_sample_line(struct ic_bytes line, struct ic_bytes following,
			   struct ic_script_sample *sample, struct ic_bytes *rest) IC_CHECKED;

struct ic_script_frame { // "  401136 main+0x12 (/bin/program)"
	uint64_t addr;
	struct ic_bytes name; // without an offset; NULL data if unknown
	uint64_t in_function; // that offset; UINT64_MAX if absent
	struct ic_bytes file; // NULL data if unknown; "inlined" for a function that perf found to
			      // be inlined
	uint64_t file_offset; // offset in the file, if has_offset: "(/bin/program+0x1136)"
	bool has_offset;
};

bool ic_script_frame_line(struct ic_bytes line, struct ic_script_frame *frame) IC_CHECKED;

// Whether perf prints such a line in a stack.
bool ic_script_is_of_stack(struct ic_bytes line);

// Whether it is the source line of the preceding frame (-F srcline).
bool ic_script_is_source_line(struct ic_bytes line);

struct ic_script_mapping { // "... PERF_RECORD_MMAP2 12/12: [0x1000(0x200) @ 0 ...]: r-xp
			   // /bin/program"
	uint32_t pid;
	uint64_t start, size, offset;
	struct ic_bytes path;
	bool is_code;
};

bool ic_script_mapping_line(struct ic_bytes line, struct ic_script_mapping *mapping) IC_CHECKED;

#endif
