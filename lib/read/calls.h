// The places of calls that were not inlined.
#ifndef READ_CALLS_H
#define READ_CALLS_H

#include "read/reader.h"

// Gives the calls of the reader's unit that have no position (compilers seldom write one) the
// position of their address in the line table. Time: O((rows + calls) log calls), if any call lacks
// one.
void ic_calls_place(struct ic_reader *reader, struct ic_call *calls, uint32_t count);

#endif
