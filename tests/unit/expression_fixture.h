// Expressions as bytes, and whether the cases of a test have every operation.
#ifndef TESTS_UNIT_EXPRESSION_FIXTURE_H
#define TESTS_UNIT_EXPRESSION_FIXTURE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/bytes.h"

#define VALUE        DW_OP_stack_value
#define LIT(number)  (DW_OP_lit0 + (number))
#define REG(number)  (DW_OP_reg0 + (number))
#define BREG(number) (DW_OP_breg0 + (number))

struct operations_seen {
	bool groups[UINT8_MAX + 1];
};

// Notes the operations of an expression of DWARF 5, little-endian.
void operations_note(struct operations_seen *seen, struct ic_bytes expression);

// Fails, with the name of one, if some were not noted.
void operations_check_all(const struct operations_seen *seen);

#endif
