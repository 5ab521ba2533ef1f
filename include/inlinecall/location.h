// Where a value is: what a location expression comes down to, in a form that tools can use.
//
// DWARF says it as a program for a stack machine (DWARF 5, 2.5 and 2.6). Nearly all of them are a
// register, a constant, or memory at a register and an offset.
#ifndef INLINECALL_LOCATION_H
#define INLINECALL_LOCATION_H

#include <inlinecall/range.h>

#ifdef __cplusplus
extern "C" {
#endif

enum ic_location_kind {
	IC_LOCATION_UNAVAILABLE, // there is no value: `why` says the reason
	IC_LOCATION_CONSTANT,    // the value is `constant`
	IC_LOCATION_BYTES,       // the value is the `size` bytes at `bytes`
	IC_LOCATION_REGISTER,    // the value is in the register, or is that and `offset`
	IC_LOCATION_ADDRESS,     // the value is `constant`, an address in the file
	IC_LOCATION_MEMORY, // the value is in memory, at `base` and `offset` and through `loads`
	IC_LOCATION_ENTRY_VALUE, // the value is that and `offset` which the register had when the
				 // function was entered whose code this is in
	IC_LOCATION_PIECES,      // parts of the value are in several places
	IC_LOCATION_COMPUTED,    // an expression that comes down to none of these
};

enum ic_location_why {             // a location is not available
	IC_LOCATION_KNOWN,         // it is
	IC_LOCATION_OPTIMISED_OUT, // there is no location anywhere
	IC_LOCATION_NOT_HERE,      // there is none at this address, but at others
	IC_LOCATION_UNREADABLE,    // what there is cannot be read
};

enum ic_location_base {
	IC_BASE_REGISTER,       // `reg`
	IC_BASE_ADDRESS,        // `constant`, an address in the file
	IC_BASE_CFA,            // the canonical frame address (DWARF 5, 6.4) of the function
	IC_BASE_ENTRY_REGISTER, // `reg`, as it was when the function was entered
};

enum { IC_LOCATION_MOST_LOADS = 4 };

struct ic_location_load { // of an address that is in memory
	uint32_t size;    // in bytes
	int64_t offset;   // added to what was loaded
};

/** A location. What its kind does not use is zero. */
struct ic_location {
	enum ic_location_kind kind;
	enum ic_location_why why;
	enum ic_location_base base;
	uint32_t reg;      /**< DWARF's number, as the machine's ABI gives them */
	uint64_t constant; /**< signed ones as two's complement */
	int64_t offset;
	uint32_t load_count;
	struct ic_location_load loads[IC_LOCATION_MOST_LOADS];
	const uint8_t *bytes; /**< in the file's byte order; owned by the file */
	uint64_t size;
};

#ifdef __cplusplus
}
#endif

#endif
