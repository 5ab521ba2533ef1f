// Whether there is a call right before an address. The public half is
// inlinecall/extra/call_before.h.
#ifndef CODE_STORED_CALL_BEFORE_H
#define CODE_STORED_CALL_BEFORE_H

#include "base/bytes.h"

#include <inlinecall/extra/call_before.h>

enum { IC_CALL_BYTES = 8 }; // before an address, that calls are looked for in

// What the bytes of code say that end at an address.
//
// `machine` is EM_*, `swap` whether words are not in our byte order, `addr` the address with the
// bit that says which instruction set it is of, if it has one.
enum ic_call_before ic_call_before_bytes(unsigned machine, bool swap, struct ic_bytes bytes,
					 uint64_t addr);

#endif
