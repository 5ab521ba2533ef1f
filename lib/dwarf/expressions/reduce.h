// What a location expression comes down to: a register, a constant, memory at a register and an
// offset, and what else include/inlinecall/location.h has.
#ifndef DWARF_EXPRESSIONS_REDUCE_H
#define DWARF_EXPRESSIONS_REDUCE_H

#include "base/arena.h"
#include "dwarf/units/form.h"

#include <inlinecall/location.h>

struct ic_reduction { // of an expression
	const struct ic_unit *unit;
	// The expression of the enclosing subprogram's DW_AT_frame_base, past inlined subroutines;
	// `pos` is NULL if there is none.
	struct ic_cursor frame_base;
	uint64_t size;          // of the value's type in bytes; 0 if unknown
	struct ic_arena *arena; // of the pieces
};

// What the expression between the cursor's position and its end comes down to, exactly: the value
// of the location is what evaluating the expression gives, wherever that gives one. What is not so
// simple is IC_LOCATION_COMPUTED. Of an empty expression the value is optimised out; only the
// caller knows whether that is so in all of its list.
//
// False if it cannot be read, which the location says too (IC_LOCATION_WHY_UNREADABLE), or memory
// is out. The bytes are borrowed. Time: O(size).
bool ic_expression_reduce(const struct ic_reduction *reduction, struct ic_cursor bytes,
			  struct ic_location *location, struct ic_error *err) IC_CHECKED;

// What DW_AT_const_value says, whose unread bytes are at the cursor: numbers of a fixed size are
// signed if their type is. False if it cannot be read, as above.
bool ic_const_value_reduce(struct ic_cursor attr, const struct ic_attr_spec *spec,
			   const struct ic_unit *unit, bool is_signed, struct ic_location *location,
			   struct ic_error *err) IC_CHECKED;

#endif
