// The control flow of an image's functions, one at a time.
#ifndef CODE_FLOW_FUNCTION_FLOW_H
#define CODE_FLOW_FUNCTION_FLOW_H

#include <inlinecall/image.h>

#include "code/flow/flow.h"
#include "code/flow/returning.h"
#include "elf/image/stubs.h"
#include "model/index.h"

struct ic_function_flow { // zero-initialised is closed
	struct ic_image *image;
	const struct ic_index *index;
	struct ic_error fault; // why no code can be read; IC_ERROR_NONE if it can
	bool is_go;
	struct ic_flow_source source;
	struct ic_returning returning;
	struct ic_slots slots;
	struct ic_flow flow;
	uint32_t unit, host;            // the host whose flow it is; IC_NONE if none has been read
	uint64_t start;                 // of that host
	IC_ARRAY(struct ic_range) code; // of it
};

// What a file's code is read for.
enum ic_code_use {
	IC_CODE_AS_RUN,    // execution: not for kernels, which patch their code
	IC_CODE_AS_LINKED, // its contents in the file
};

// Prepares to read flows. If the code cannot be read at all, `fault` has the reason. False if
// memory runs out; must be closed even then. Must not be moved.
bool ic_function_flow_open(struct ic_function_flow *function, struct ic_image *image,
			   const struct ic_index *index, enum ic_code_use use, struct ic_error *err)
	IC_CHECKED;

// The out-of-line instance that contains an instance, or the instance itself; IC_NONE if it, or its
// code, is unknown.
uint32_t ic_function_flow_host(const struct ic_unit_model *unit, uint32_t number);

// Reads the flow of a host, unless it was the last one read. Fails if memory runs out, or the
// function is too large (IC_ERROR_LIMIT).
bool ic_function_flow_read(struct ic_function_flow *function, uint32_t unit, uint32_t host,
			   struct ic_error *err) IC_CHECKED;

// Where a call or jump goes; unknown if the address is in a register, or in memory that changes.
struct ic_flow_callee {
	uint64_t addr;    // of the code; IC_NO_ADDR if it is in another file
	const char *name; // of a function in another file; NULL if unknown
};

// The callee of an instruction, also by way of a stub. False if it is unknown.
bool ic_function_flow_callee(const struct ic_function_flow *function,
			     const struct ic_instruction *instruction,
			     struct ic_flow_callee *callee);

void ic_function_flow_close(struct ic_function_flow *function);

#endif
