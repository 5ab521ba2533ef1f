// What is stored into memory soon after an address: compilers say that a variable is in a slot on
// the stack some instructions before they store it there.
//
// The instructions are followed as long as there is one way: up to a branch, a call or a return.
// What is stored is told by what registers held and memory had at the address. On x86-64 only.
#ifndef CODE_STORED_STORED_H
#define CODE_STORED_STORED_H

#include "code/instructions/disassembler.h"

#include <inlinecall/location.h>

struct ic_stored_source { // the code
	struct ic_disassembler *disassembler;
	// The bytes of code from an address on; none if there are none.
	struct ic_bytes (*bytes)(void *context, uint64_t addr);
	void *context;
};

struct ic_slot {     // memory
	uint8_t reg; // DWARF's number
	uint64_t offset;
	uint64_t size;
	bool moves; // the register counts as it is when the slot is used, not as it is at first
	bool is_reached; // perhaps by the addresses in other registers too
};

enum ic_stored_answer {
	IC_STORED_NOTHING, // the slot is read first, or not written as far as the code was followed
	IC_STORED_UNKNOWN, // something is stored that is not told
	IC_STORED_VALUE,
};

// Finds what is stored into a slot after an address, before anything reads it, and where that value
// is at the address: REGISTER, CONSTANT, ADDRESS or MEMORY. Of a slot that moves, and is one of the
// caller, that is the slot itself. `after` is set to the address after the store.
enum ic_stored_answer ic_stored_find(const struct ic_stored_source *source, uint64_t addr,
				     const struct ic_slot *slot, struct ic_location *value,
				     uint64_t *after);

#endif
