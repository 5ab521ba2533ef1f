// Whether there is a call right before an address.
#ifndef INSTRUCTIONS_CALL_BEFORE_H
#define INSTRUCTIONS_CALL_BEFORE_H

#include "base/bytes.h"

#include <inlinecall/extra/call_before.h>

enum { IC_CALL_BYTES = 8 }; // bytes before an address that are searched for calls

// Examines the bytes of code that end at an address.
//
// `machine` is EM_*, `swap` whether words are not in our byte order, `addr` the address including
// the bit that selects the instruction set, if it has one.
enum ic_call_before ic_call_before_bytes(unsigned machine, bool swap, struct ic_bytes bytes,
					 uint64_t addr);

#endif
