// Functions: whatever instances and calls refer to, followed to its name.
#ifndef SCAN_SCAN_FUNCTION_H
#define SCAN_SCAN_FUNCTION_H

#include "scan/scan_stream.h"

// The function (in the stream's unit) whose entry is at an offset of .debug_info, in whatever
// unit. IC_NONE where memory is out.
uint32_t ic_scan_function_of(struct ic_scan_stream *stream, uint64_t die_off);

// Reads the entries of all functions of the stream's unit. Those that lead to another unit become
// references of the stream.
void ic_scan_functions_read(struct ic_scan_stream *stream);

// Follows a function from an entry of the stream's unit, as far as that unit knows: to its end, or
// to another unit, which becomes a reference of the stream.
void ic_scan_function_follow(struct ic_scan_stream *stream, struct ic_function *function,
			     struct ic_scan_reference reference);

#endif
