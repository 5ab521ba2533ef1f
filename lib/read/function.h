// Functions: follows the DIEs that instances and calls refer to, up to their names.
#ifndef READ_FUNCTION_H
#define READ_FUNCTION_H

#include "read/stream.h"

// Finds or adds the function of the stream's unit whose DIE is at an offset in .debug_info, in any
// unit. Returns IC_NONE if memory runs out.
uint32_t ic_function_of(struct ic_stream *stream, uint64_t die_off);

// Reads the DIEs of all functions of the stream's unit. A function that continues in another unit
// becomes a reference of the stream.
void ic_functions_read(struct ic_stream *stream);

// Follows a function from a DIE of the stream's unit to the end of its chain, or to another unit,
// in which case it becomes a reference of the stream.
void ic_function_follow(struct ic_stream *stream, struct ic_function *function,
			struct ic_reference reference);

#endif
