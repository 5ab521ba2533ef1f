// What kinds of operations an expression has: the categories and shapes of
// include/inlinecall/location.h, whose comments have the rules. They are for statistics; what the
// value of an expression is, is asked of dwarf/expressions/reduce.h.
#ifndef DWARF_EXPRESSIONS_SHAPE_H
#define DWARF_EXPRESSIONS_SHAPE_H

#include "dwarf/expressions/operation.h"

#include <inlinecall/location.h>

// Of the expression between the cursor's position and its end. What follows an operation that
// cannot be read does not count. Time: O(size).
enum ic_location_category ic_expression_category(struct ic_cursor bytes,
						 const struct ic_unit *unit);
enum ic_location_shape ic_expression_shape(struct ic_cursor bytes, const struct ic_unit *unit);

#endif
