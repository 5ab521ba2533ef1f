// Reduces a location expression to a register, a constant, memory at a register plus an offset, or
// another kind in include/inlinecall/location.h.
#ifndef DWARF_EXPRESSIONS_REDUCE_H
#define DWARF_EXPRESSIONS_REDUCE_H

#include "base/arena.h"
#include "dwarf/units/form.h"

#include <inlinecall/location.h>

struct ic_reduction { // input for reducing an expression
	const struct ic_unit *unit;
	// The expression in DW_AT_frame_base of the enclosing subprogram, outside any inlined
	// subroutines; `pos` is NULL if there is none.
	struct ic_cursor frame_base;
	uint64_t size;          // of the value's type in bytes; 0 if unknown
	struct ic_arena *arena; // owns the pieces
};

// Reduces the expression from the cursor's position to its end, without approximation: the location
// has the value that evaluation gives, whenever that succeeds. An expression that is not that
// simple becomes IC_LOCATION_COMPUTED. For an empty expression the value is optimised out; only the
// caller knows whether that is so in its whole list.
//
// False if it cannot be read, which the location also shows (IC_LOCATION_WHY_UNREADABLE), or memory
// runs out. The bytes are borrowed. Time: O(size).
bool ic_expression_reduce(const struct ic_reduction *reduction, struct ic_cursor bytes,
			  struct ic_location *location, struct ic_error *err) IC_CHECKED;

// The same for a DW_AT_const_value, whose unread bytes are at the cursor: numbers of a fixed size
// are signed if their type is. False if it cannot be read, as above.
bool ic_const_value_reduce(struct ic_cursor attr, const struct ic_attr_spec *spec,
			   const struct ic_unit *unit, bool is_signed, struct ic_location *location,
			   struct ic_error *err) IC_CHECKED;

#endif
