// Functions that a process compiled at run time, as written into a file by the process: a list
// (/tmp/perf-PID.map) or a jitdump. See tools/perf/Documentation/jit-interface.txt and
// jitdump-specification.txt in Linux.
#ifndef PROCESS_JIT_CODE_H
#define PROCESS_JIT_CODE_H

#include "base/array.h"
#include "base/bytes.h"
#include "base/error.h"

struct ic_jit_function {
	uint64_t start, size;
	uint64_t reach; // the largest end of all functions up to this one
	uint32_t order; // in the file
	struct ic_bytes name;
	uint32_t first_line, line_count;
};

struct ic_jit_line {
	uint64_t addr; // where the line starts
	struct ic_bytes source;
	uint32_t line;
};

struct ic_jit_code {                                // zero-initialised is empty
	IC_ARRAY(struct ic_jit_function) functions; // sorted by address
	IC_ARRAY(struct ic_jit_line) lines;         // sorted by function and address
	bool is_cut; // a jitdump ends within a record, which is one of the invalid ones
};

// Parses the bytes of a file; names are borrowed from them. Invalid lines and records are counted.
// False if memory runs out; must be freed in any case.
bool ic_jit_code_read(struct ic_jit_code *code, struct ic_bytes file, uint64_t *wrong) IC_CHECKED;

// The function at an address; NULL if there is none. If functions overlap, it is the one that was
// written last: others have been freed, or moved, since. Only the few that start last before the
// address are examined.
const struct ic_jit_function *ic_jit_code_find(const struct ic_jit_code *code, uint64_t addr);

// The source line of an address in a function; NULL if unknown.
const struct ic_jit_line *ic_jit_code_line(const struct ic_jit_code *code,
					   const struct ic_jit_function *function, uint64_t addr);

void ic_jit_code_free(struct ic_jit_code *code);

#endif
