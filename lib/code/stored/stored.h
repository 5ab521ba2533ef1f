// Values stored into memory soon after an address: compilers describe a variable as in a stack slot
// some instructions before they store it there.
//
// The instructions are followed as long as there is only one path: up to a branch, a call or a
// return. Stored values are expressed by the contents of registers and memory at the address. Only
// on x86-64 and AArch64.
#ifndef CODE_STORED_STORED_H
#define CODE_STORED_STORED_H

#include "instructions/disassembler.h"

#include <inlinecall/location.h>

struct ic_stored_source { // source of the code
	struct ic_disassembler *disassembler;
	// The bytes of code from an address on; empty if there are none.
	struct ic_bytes (*bytes)(void *context, uint64_t addr);
	void *context;
};

struct ic_slot {     // in memory
	uint8_t reg; // DWARF register number
	uint64_t offset;
	uint64_t size;
	bool moves;      // the register's value when the slot is used counts, not its initial value
	bool is_reached; // may also be reached through addresses in other registers
};

enum ic_stored_answer {
	IC_STORED_NOTHING, // the slot is read first, or not written in the code that was followed
	IC_STORED_UNKNOWN, // something unknown is stored
	IC_STORED_VALUE,
};

// Finds what is stored into a slot after an address, before anything reads it, and where that value
// is at the address: REGISTER, CONSTANT, ADDRESS or MEMORY. For a slot that moves and belongs to
// the caller, that is the slot itself. `after` is set to the address after the store.
enum ic_stored_answer ic_stored_find(const struct ic_stored_source *source, uint64_t addr,
				     const struct ic_slot *slot, struct ic_location *value,
				     uint64_t *after);

#endif
