// Numbers on the stack of an expression evaluation, and their arithmetic (DWARF 5, 2.5.1). Where
// the standard leaves a choice, GDB's behaviour is followed.
#ifndef DWARF_EXPRESSIONS_TYPED_H
#define DWARF_EXPRESSIONS_TYPED_H

#include "dwarf/expressions/operation.h"

enum ic_typed_kind {
	IC_TYPED_GENERIC, // of address size; signed or unsigned depending on the operation
	IC_TYPED_SIGNED,
	IC_TYPED_UNSIGNED,
	IC_TYPED_FLOAT, // 4 or 8 bytes
};

struct ic_typed {
	uint64_t bits; // `size` bytes; the others are zero
	uint8_t size;  // 1 to 8
	uint8_t kind;  // enum ic_typed_kind
};

// A number from the low-order bytes.
struct ic_typed ic_typed_make(uint64_t bits, uint8_t size, enum ic_typed_kind kind);

// The number sign-extended to 64 bits; generic numbers count as signed.
int64_t ic_typed_signed(const struct ic_typed *number);

// Zero of the type with that size and encoding (DW_ATE_*). Returns why it is not supported, or
// NULL.
const char *ic_typed_of_base(uint64_t size, uint32_t encoding, struct ic_typed *type);

// Each calculates in place, or returns the reason why it cannot: a static part of a sentence.
// Comparisons give a generic number, of address size.
//
// Two operands must have the same size and kind, but compilers mix generic numbers with others of
// the same size: clang multiplies an unsigned number by DW_OP_lit24. With a signed number, a
// generic one counts as the same type, and the left operand's rule applies, as in GDB. With an
// unsigned one it counts as unsigned, unless the result depends on the sign (division, remainder,
// order) and an operand has its highest bit set: then the types differ. Shift counts are integers
// of any type.
const char *ic_typed_unary(uint8_t code, struct ic_typed *number);
const char *ic_typed_binary(uint8_t code, struct ic_typed *left, const struct ic_typed *right,
			    uint8_t addr_size);
const char *ic_typed_convert(struct ic_typed *number, uint8_t size, enum ic_typed_kind kind);
const char *ic_typed_reinterpret(struct ic_typed *number, uint8_t size, enum ic_typed_kind kind);

#endif
