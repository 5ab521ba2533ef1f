// Writes Breakpad symbol files.
#ifndef EMIT_BREAKPAD_OUT_H
#define EMIT_BREAKPAD_OUT_H

#include "base/byte_pool.h"
#include "elf/image/image.h"
#include "emit/function_list.h"
#include "emit/instance_links.h"
#include "query/find/names.h"

struct ic_breakpad_out { // zero-initialise
	const struct ic_index *index;
	uint64_t load_addr; // addresses count from this one
	struct ic_function_list list;
	struct ic_byte_pool files, origins; // by their number in the output
	struct ic_names names;
	uint64_t symbols;   // number of those that are in no function
	bool left_out;      // inlined calls of functions in very many parts
	bool failed;        // memory ran out
	struct ic_out file; // the result
};

// Starts with an index, whose names are used until this is freed.
void ic_breakpad_out_begin(struct ic_breakpad_out *out, const struct ic_index *index,
			   const struct ic_image *image);

// Adds the functions of unit number `number`. Returns false if memory runs out.
bool ic_breakpad_out_put(struct ic_breakpad_out *out, uint32_t number);

// Adds the symbols of code that is in no function, and makes the file up to its call frame
// information. Returns false if memory runs out, or it is too large.
bool ic_breakpad_out_finish(struct ic_breakpad_out *out, const struct ic_image *image);

bool ic_breakpad_out_is_too_large(const struct ic_breakpad_out *out);

void ic_breakpad_out_free(struct ic_breakpad_out *out);

#endif
