// Location expressions, operation by operation (DWARF 5, 2.5 and 7.7.1): the common basis of
// printing, reducing and evaluating them.
#ifndef DWARF_EXPRESSIONS_OPERATION_H
#define DWARF_EXPRESSIONS_OPERATION_H

#include "dwarf/units/unit.h"

enum {
#define OP(name, code, first, second) DW_OP_##name = code,
#define OPS(name, code, count, first) DW_OP_##name##0 = code,
#include "dwarf/expressions/operations.def"
#undef OPS
#undef OP
};

enum ic_operand {
	IC_OPERAND_NONE,
	IC_OPERAND_U8,
	IC_OPERAND_S8,
	IC_OPERAND_U16,
	IC_OPERAND_S16,
	IC_OPERAND_U32,
	IC_OPERAND_S32,
	IC_OPERAND_U64,
	IC_OPERAND_S64,
	IC_OPERAND_ULEB,
	IC_OPERAND_SLEB,
	IC_OPERAND_ADDR,    // an address
	IC_OPERAND_INDEX,   // ULEB, of an entry in .debug_addr
	IC_OPERAND_REG,     // ULEB, the number of a register
	IC_OPERAND_TYPE,    // ULEB, offset in the unit: a DW_TAG_base_type; 0 is the generic type
	IC_OPERAND_DIE16,   // offset in the unit: a DIE
	IC_OPERAND_DIE32,   // the same
	IC_OPERAND_ENTRY,   // in .debug_info: a DIE; has the size of DW_FORM_ref_addr
	IC_OPERAND_BLOCK,   // ULEB length, and bytes
	IC_OPERAND_BLOCK8,  // one byte of length, and bytes
	IC_OPERAND_ENCODED, // one byte of encoding (DW_EH_PE_*), and a number
};

struct ic_operation_info {
	const char *name;      // without DW_OP_; NULL if the code is unknown
	uint8_t first, second; // enum ic_operand
	uint8_t count; // number of operations in its group, which are numbered as in lit7; 0 for a
		       // single operation
};

// The properties of the operation with a code, or of its group.
const struct ic_operation_info *ic_operation_info(uint8_t code);

enum { IC_OPERATION_NAME_SIZE = 32 };

struct ic_operation {
	uint8_t code;           // DW_OP_*
	uint8_t group;          // the first code of its group: DW_OP_lit0 for lit7
	uint8_t number;         // in its group: 7
	uint32_t off;           // from the start of the expression
	uint64_t first, second; // operands; signed ones in two's complement, the size for blocks
	struct ic_cursor block; // the bytes of a block
};

// Writes the operation's full name: "DW_OP_breg5".
void ic_operation_name(const struct ic_operation *operation, char name[IC_OPERATION_NAME_SIZE]);

struct ic_expression { // an iterator over the operations of one expression
	struct ic_cursor cur;
	const uint8_t *begin;
	const struct ic_unit *unit;
};

// Opens the expression in the bytes from the cursor's position to its end.
struct ic_expression ic_expression_open(struct ic_cursor bytes, const struct ic_unit *unit);

// Gets the next operation. False at the end, and at an error: an unknown operation, or truncated
// operands.
bool ic_expression_next(struct ic_expression *expression, struct ic_operation *operation);

// If an operation loads more bytes than an address has, and they are the whole value, moves past
// the end of the value and returns true: the value is the memory there. Contrary to DWARF 5,
// 2.5.1.3, Clang 19 describes a float this way if it was spilled with its whole vector register.
// False on big-endian machines, where the float need not be in the first bytes.
bool ic_expression_pass_wide_load(struct ic_expression *expression,
				  const struct ic_operation *operation);

// Continues at an offset from the start, as for DW_OP_skip and DW_OP_bra. False, with an error, if
// that is outside the expression; its very end is inside.
bool ic_expression_go(struct ic_expression *expression, int64_t off);

// Fails with an error about an operation, which the message names: "SECTION+0xOFFSET: DW_OP_deref:
// ...".
bool ic_operation_fail(const struct ic_expression *expression, const struct ic_operation *operation,
		       struct ic_error *err, const char *format, ...) IC_COLD IC_PRINTF(4, 5);

// Whether every operation so far could be read.
bool ic_expression_ok(const struct ic_expression *expression, struct ic_error *err) IC_CHECKED;

// Whether the next operation takes an offset in thread-local storage: older GCCs write the offset
// as an address.
bool ic_expression_is_thread_local(const struct ic_expression *walk);

#endif
