// Functions that are of interest only by name, for saying that no function is called otherwise.
#ifndef READ_FUNCTION_NAMES_H
#define READ_FUNCTION_NAMES_H

#include "read/stream.h"

struct ic_named_function { // what the DIE of a function says of its name
	struct ic_value name, linkage_name, origin;
};

// Notes an attribute, if it is one of these.
void ic_named_function_take(struct ic_named_function *named, uint16_t attribute,
			    const struct ic_value *value);

// Whether the function may be called one of the names of the scan.
bool ic_named_function_may_be_wanted(const struct ic_stream *stream,
				     const struct ic_named_function *named);

// Keeps the name of another one, unless it was kept lately; `die_off` is that of the DIE.
void ic_named_function_keep(struct ic_stream *stream, const struct ic_named_function *named,
			    uint64_t die_off);

// Adds a function for each name that was kept, without anything else: after all others were read.
void ic_named_functions_add(struct ic_stream *stream);

#endif
