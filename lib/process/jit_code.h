// The functions that a process has compiled while it ran, as it has written them into a file: a
// list
// (/tmp/perf-PID.map) or a jitdump. See tools/perf/Documentation/jit-interface.txt and
// jitdump-specification.txt of Linux.
#ifndef PROCESS_JIT_CODE_H
#define PROCESS_JIT_CODE_H

#include "base/array.h"
#include "base/bytes.h"
#include "base/error.h"

struct ic_jit_function {
	uint64_t start, size;
	uint64_t reach; // the largest end of those up to this one
	struct ic_bytes name;
	uint32_t first_line, line_count;
};

struct ic_jit_line {
	uint64_t addr; // from which on
	struct ic_bytes source;
	uint32_t line;
};

struct ic_jit_code {                                // zero-initialised is empty
	IC_ARRAY(struct ic_jit_function) functions; // by address
	IC_ARRAY(struct ic_jit_line) lines;         // by function and address
};

// Reads the bytes of a file, from which names are borrowed. Lines and records that make no sense
// are counted. False if memory runs out; to be freed in any case.
bool ic_jit_code_read(struct ic_jit_code *code, struct ic_bytes file, uint64_t *wrong) IC_CHECKED;

// The function at an address; NULL if none is there. Where functions overlap, it is the one that
// starts last, and of those that start at the same address the one that was written last; but only
// those few that start last before the address are looked at.
const struct ic_jit_function *ic_jit_code_find(const struct ic_jit_code *code, uint64_t addr);

// The source line of an address in a function; NULL if it is not known.
const struct ic_jit_line *ic_jit_code_line(const struct ic_jit_code *code,
					   const struct ic_jit_function *function, uint64_t addr);

void ic_jit_code_free(struct ic_jit_code *code);

#endif
