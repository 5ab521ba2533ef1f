// The function that a call goes to, and the one that makes it.
#ifndef SYMBOLIZE_CALLS_CALLEE_H
#define SYMBOLIZE_CALLS_CALLEE_H

#include "symbolize/symbolizer.h"
#include "values/call_values.h"

struct ic_host {
	uint32_t unit, die_off; // of its DIE, from the start of the unit
	uint64_t entry;         // IC_NO_ADDR if not known
	uint64_t origin;        // of the function, as in struct ic_function; IC_NO_ADDR likewise
	const char *name;       // NULL if it has none
};

// The function that has the code at an address; false if no DIE says so.
bool ic_host_at(struct ic_symbolizer *symbolizer, uint64_t addr, struct ic_host *host);

// Where the code of the function begins that a call goes to, which is at an address or, if
// `is_after`, before it; IC_NO_ADDR if that is not certain: the dynamic linker may choose it, its
// DIE does not say, and names may be those of others.
uint64_t ic_callee_addr(struct ic_symbolizer *symbolizer, const struct ic_callee *callee,
			uint64_t addr, bool is_after);

// Whether the function that is called is one of another file that has a name: the one that begins
// at `entry` in the other. False if that cannot be told.
bool ic_callee_is_in(struct ic_symbolizer *symbolizer, const struct ic_callee *callee,
		     struct ic_symbolizer *other, uint64_t entry);

#endif
