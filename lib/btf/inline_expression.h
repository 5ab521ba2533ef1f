// The expressions of `.BTF.inline`, which run on a stack of values as in DWARF.
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

enum { IC_BTF_MOST_OPS = 64 }; // per expression: compilers need less than a tenth of that

// The location that an expression describes, for a value of `size` bytes, 0 if unknown. UNREADABLE
// if the expression has no end, an unknown operator, or nothing to load from.
struct ic_location ic_btf_expression_read(struct ic_bytes locations, uint32_t off, bool swap,
					  uint64_t size);

// The offset after the operator at `off`, which must be inside the locations; 0 if the operator is
// unknown or truncated.
uint32_t ic_btf_expression_next(struct ic_bytes locations, uint32_t off);

#endif
