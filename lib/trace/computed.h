// Arguments that are computed from the registers of a hit.
#ifndef TRACE_COMPUTED_H
#define TRACE_COMPUTED_H

#include "trace/trace.h"

// Evaluates the expression of an argument of a copy. False if it needs more than registers, as
// memory or what only the caller knows.
bool ic_trace_compute(const struct ic_trace_item *item, const struct ic_trace_type *type,
		      const struct ic_unwind_registers *registers, uint8_t *bytes);

// The canonical frame address at a place; false if it is not known.
bool ic_trace_cfa(const struct ic_trace_place *place, const struct ic_unwind_registers *registers,
		  uint64_t *cfa);

#endif
