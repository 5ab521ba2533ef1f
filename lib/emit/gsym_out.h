// Writes GSYM, version 1 or 2.
#ifndef EMIT_GSYM_OUT_H
#define EMIT_GSYM_OUT_H

#include "base/byte_pool.h"
#include "emit/function_list.h"
#include "emit/instance_links.h"

struct ic_gsym_out { // zero-initialise, then set the version and the byte order
	unsigned version;
	bool swap;
	struct ic_function_list list;
	struct ic_byte_pool strings;
	struct ic_out files;   // its entries
	struct ic_map file_of; // by the offsets of its directory and name: number of the file
	uint32_t file_count;
	bool left_out;      // inlined calls of functions in very many parts
	bool failed;        // memory ran out, or a part is too large
	struct ic_out file; // the result
};

// Adds the functions of unit number `number`. Returns false if memory runs out.
bool ic_gsym_out_put(struct ic_gsym_out *out, const struct ic_index *index, uint32_t number);

// Adds the symbols of code that is in no function, and makes the file. Returns false if memory runs
// out, or it is too large.
bool ic_gsym_out_finish(struct ic_gsym_out *out, const struct ic_index *index,
			struct ic_bytes build_id);

bool ic_gsym_out_is_too_large(const struct ic_gsym_out *out);

void ic_gsym_out_free(struct ic_gsym_out *out);

#endif
