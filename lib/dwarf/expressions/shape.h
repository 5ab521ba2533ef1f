// Classifies the operations in an expression: the categories and shapes of
// include/inlinecall/location.h, whose comments have the rules. They are for statistics; for the
// value of an expression use dwarf/expressions/reduce.h.
#ifndef DWARF_EXPRESSIONS_SHAPE_H
#define DWARF_EXPRESSIONS_SHAPE_H

#include "dwarf/expressions/operation.h"

#include <inlinecall/location.h>

// For the expression from the cursor's position to its end. Operations after an unreadable one do
// not count. Time: O(size).
enum ic_location_category ic_expression_category(struct ic_cursor bytes,
						 const struct ic_unit *unit);
enum ic_location_shape ic_expression_shape(struct ic_cursor bytes, const struct ic_unit *unit);

#endif
