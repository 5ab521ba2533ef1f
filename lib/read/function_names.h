// Functions of which only the names are needed, to suggest them if no function has the name that
// was requested.
#ifndef READ_FUNCTION_NAMES_H
#define READ_FUNCTION_NAMES_H

#include "read/stream.h"

struct ic_named_function { // the attributes of a function's DIE that name it
	struct ic_value name, linkage_name, origin;
};

// Stores an attribute if it is one of these.
void ic_named_function_take(struct ic_named_function *named, uint16_t attribute,
			    const struct ic_value *value);

// Whether the function may have one of the scan's names.
bool ic_named_function_may_be_wanted(const struct ic_stream *stream,
				     const struct ic_named_function *named);

// Keeps the name of another function, unless it was kept recently; `die_off` is its DIE's.
void ic_named_function_keep(struct ic_stream *stream, const struct ic_named_function *named,
			    uint64_t die_off);

// Adds a function with nothing but a name for each name kept; call after all others were read.
void ic_named_functions_add(struct ic_stream *stream);

#endif
