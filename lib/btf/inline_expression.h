// The expressions of `.BTF.inline`, for a stack of values as in DWARF.
#ifndef BTF_INLINE_EXPRESSION_H
#define BTF_INLINE_EXPRESSION_H

#include <inlinecall/location.h>

#include "base/bytes.h"

enum ic_btf_op {
#define OP(name, number, operand_size) IC_BTF_OP_##name = number,
#include "btf/inline_ops.def"
#undef OP
	IC_BTF_OP_COUNT
};

enum { IC_BTF_MOST_OPS = 64 }; // of an expression: no compiler's has a tenth of that

// What an expression leaves on the stack, of a value of `size` bytes, or 0 if that is not known.
// UNREADABLE if it has no end, an operator that is not known, or no value to load from.
struct ic_location ic_btf_expression_read(struct ic_bytes locations, uint32_t off, bool swap,
					  uint64_t size);

// The same of the prototype's form, in which an operator is followed by its size.
struct ic_location ic_btf_prototype_read(struct ic_bytes locations, uint32_t off, bool swap);

// Whether all of the locations are expressions one after another in the prototype's form.
bool ic_btf_prototype_is(struct ic_bytes locations);

// The offset of the operator after the one at `off`, which is before the end of the locations; 0 if
// that one is not known, or cut short.
uint32_t ic_btf_expression_next(struct ic_bytes locations, uint32_t off);

#endif
