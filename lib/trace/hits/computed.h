// Arguments computed from the registers of a hit.
#ifndef TRACE_HITS_COMPUTED_H
#define TRACE_HITS_COMPUTED_H

#include "trace/hits/trace.h"

// Evaluates the expression of a copy's argument. False if it needs more than registers, such as
// memory, or values that only the caller knows.
bool ic_trace_compute(const struct ic_trace *trace, const struct ic_trace_item *item,
		      const struct ic_trace_type *type, const struct ic_unwind_registers *registers,
		      uint8_t *bytes);

// The canonical frame address at a place; false if unknown.
bool ic_trace_cfa(const struct ic_trace_place *place, const struct ic_unwind_registers *registers,
		  uint64_t *cfa);

#endif
