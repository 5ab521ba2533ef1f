// Finds the function that a call goes to, and the function that makes it.
#ifndef SYMBOLIZE_CALLS_CALLEE_H
#define SYMBOLIZE_CALLS_CALLEE_H

#include "symbolize/symbolizer.h"
#include "values/call_values.h"

struct ic_host {
	uint32_t unit, die_off; // of its DIE, from the start of the unit
	uint64_t entry;         // IC_NO_ADDR if unknown
	uint64_t origin;        // of the function, as in struct ic_function; IC_NO_ADDR if unknown
	const char *name;       // NULL if it has none
};

// Finds the function that has the code at an address; false if no DIE describes it.
bool ic_host_at(struct ic_symbolizer *symbolizer, uint64_t addr, struct ic_host *host);

// The entry of the function that a call goes to. The call is at `addr` or, if `is_after`, just
// before it. IC_NO_ADDR if the entry is not certain: the dynamic linker may choose it, the DIE may
// not give it, and a name may belong to other functions.
uint64_t ic_callee_addr(struct ic_symbolizer *symbolizer, const struct ic_callee *callee,
			uint64_t addr, bool is_after);

// Whether the called function is a named one in another file: the one whose entry in `other` is
// `entry`. Returns false if that is uncertain.
bool ic_callee_is_in(struct ic_symbolizer *symbolizer, const struct ic_callee *callee,
		     struct ic_symbolizer *other, uint64_t entry);

#endif
