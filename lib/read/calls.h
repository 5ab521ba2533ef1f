// The positions of calls that were not inlined.
#ifndef READ_CALLS_H
#define READ_CALLS_H

#include "read/reader.h"

// Gives each call of the reader's unit that has no position (compilers seldom write one) the
// position of its address in the line table. Time: O((rows + calls) log calls), if any call lacks
// one.
void ic_calls_place(struct ic_reader *reader, struct ic_call *calls, uint32_t count);

#endif
