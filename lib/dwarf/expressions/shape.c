#include "dwarf/expressions/shape.h"

enum part { // bits: what the operations of an expression contribute
	PART_NUMBER = 1,
	PART_ADDRESS = 2,
	PART_REG = 4,
	PART_BREG = 8,
	PART_FRAME = 0x10,
	PART_COMPUTED = 0x40,
	PART_LOAD = 0x80,
	PART_TYPED = 0x100,
	PART_ENTRY = 0x200,
	PART_OUTSIDE = 0x400,
	PART_BRANCH = 0x800,
	PART_BYTES = 0x1000,
	PART_POINTER = 0x2000,
	PART_PIECE = 0x4000,
	PART_VALUE = 0x8000,
};

struct row {
	uint16_t part;
	uint8_t category; // enum ic_location_category
};

#define SHAPE(op, of, rank)    [DW_OP_##op] = { PART_##of, IC_CATEGORY_##rank }
#define NUMBERED(op, of, rank) [DW_OP_##op##0] = { PART_##of, IC_CATEGORY_##rank }

// clang-format off
static const struct row rows[UINT8_MAX + 1] = {
	SHAPE(addr, ADDRESS, LITERAL),
	SHAPE(deref, LOAD, ARITHMETIC),
	SHAPE(const1u, NUMBER, LITERAL),
	SHAPE(const1s, NUMBER, LITERAL),
	SHAPE(const2u, NUMBER, LITERAL),
	SHAPE(const2s, NUMBER, LITERAL),
	SHAPE(const4u, NUMBER, LITERAL),
	SHAPE(const4s, NUMBER, LITERAL),
	SHAPE(const8u, NUMBER, LITERAL),
	SHAPE(const8s, NUMBER, LITERAL),
	SHAPE(constu, NUMBER, LITERAL),
	SHAPE(consts, NUMBER, LITERAL),
	SHAPE(dup, COMPUTED, STACK),
	SHAPE(drop, COMPUTED, STACK),
	SHAPE(over, COMPUTED, STACK),
	SHAPE(pick, COMPUTED, STACK),
	SHAPE(swap, COMPUTED, STACK),
	SHAPE(rot, COMPUTED, STACK),
	SHAPE(xderef, OUTSIDE, ARITHMETIC),
	SHAPE(abs, COMPUTED, ARITHMETIC),
	SHAPE(and, COMPUTED, ARITHMETIC),
	SHAPE(div, COMPUTED, ARITHMETIC),
	[DW_OP_minus] = { 0, IC_CATEGORY_ARITHMETIC },
	SHAPE(mod, COMPUTED, ARITHMETIC),
	SHAPE(mul, COMPUTED, ARITHMETIC),
	SHAPE(neg, COMPUTED, ARITHMETIC),
	SHAPE(not, COMPUTED, ARITHMETIC),
	SHAPE(or, COMPUTED, ARITHMETIC),
	[DW_OP_plus] = { 0, IC_CATEGORY_ARITHMETIC },
	[DW_OP_plus_uconst] = { 0, IC_CATEGORY_ARITHMETIC },
	SHAPE(shl, COMPUTED, ARITHMETIC),
	SHAPE(shr, COMPUTED, ARITHMETIC),
	SHAPE(shra, COMPUTED, ARITHMETIC),
	SHAPE(xor, COMPUTED, ARITHMETIC),
	SHAPE(bra, BRANCH, ARITHMETIC),
	SHAPE(eq, COMPUTED, ARITHMETIC),
	SHAPE(ge, COMPUTED, ARITHMETIC),
	SHAPE(gt, COMPUTED, ARITHMETIC),
	SHAPE(le, COMPUTED, ARITHMETIC),
	SHAPE(lt, COMPUTED, ARITHMETIC),
	SHAPE(ne, COMPUTED, ARITHMETIC),
	SHAPE(skip, BRANCH, ARITHMETIC),
	NUMBERED(lit, NUMBER, LITERAL),
	NUMBERED(reg, REG, REGISTER),
	NUMBERED(breg, BREG, REGISTER),
	SHAPE(regx, REG, REGISTER),
	SHAPE(fbreg, FRAME, STACK),
	SHAPE(bregx, BREG, REGISTER),
	SHAPE(piece, PIECE, COMPOSITE),
	SHAPE(deref_size, LOAD, ARITHMETIC),
	SHAPE(xderef_size, OUTSIDE, ARITHMETIC),
	[DW_OP_nop] = { 0, IC_CATEGORY_LITERAL },
	SHAPE(push_object_address, OUTSIDE, STACK),
	SHAPE(call2, OUTSIDE, ARITHMETIC),
	SHAPE(call4, OUTSIDE, ARITHMETIC),
	SHAPE(call_ref, OUTSIDE, ARITHMETIC),
	SHAPE(form_tls_address, OUTSIDE, ARITHMETIC),
	SHAPE(call_frame_cfa, FRAME, STACK),
	SHAPE(bit_piece, PIECE, COMPOSITE),
	SHAPE(implicit_value, BYTES, LITERAL),
	SHAPE(stack_value, VALUE, LITERAL),
	SHAPE(implicit_pointer, POINTER, COMPOSITE),
	SHAPE(addrx, ADDRESS, LITERAL),
	SHAPE(constx, NUMBER, LITERAL),
	SHAPE(entry_value, ENTRY, ARITHMETIC),
	SHAPE(const_type, TYPED, ARITHMETIC),
	SHAPE(regval_type, TYPED, ARITHMETIC),
	SHAPE(deref_type, TYPED, ARITHMETIC),
	SHAPE(xderef_type, OUTSIDE, ARITHMETIC),
	SHAPE(convert, TYPED, ARITHMETIC),
	SHAPE(reinterpret, TYPED, ARITHMETIC),
	SHAPE(GNU_push_tls_address, OUTSIDE, ARITHMETIC),
	SHAPE(LLVM_user, OUTSIDE, ARITHMETIC),
	[DW_OP_GNU_uninit] = { 0, IC_CATEGORY_LITERAL },
	SHAPE(GNU_encoded_addr, ADDRESS, LITERAL),
	SHAPE(GNU_implicit_pointer, POINTER, COMPOSITE),
	SHAPE(GNU_entry_value, ENTRY, ARITHMETIC),
	SHAPE(GNU_const_type, TYPED, ARITHMETIC),
	SHAPE(GNU_regval_type, TYPED, ARITHMETIC),
	SHAPE(GNU_deref_type, TYPED, ARITHMETIC),
	SHAPE(GNU_convert, TYPED, ARITHMETIC),
	SHAPE(GNU_reinterpret, TYPED, ARITHMETIC),
	SHAPE(GNU_parameter_ref, OUTSIDE, ARITHMETIC),
	SHAPE(GNU_addr_index, ADDRESS, LITERAL),
	SHAPE(GNU_const_index, NUMBER, LITERAL),
	SHAPE(GNU_variable_value, OUTSIDE, ARITHMETIC),
};
// clang-format on

enum ic_location_category ic_expression_category(struct ic_cursor bytes, const struct ic_unit *unit)
{
	struct ic_expression walk = ic_expression_open(bytes, unit);
	enum ic_location_category category = IC_CATEGORY_EMPTY;
	struct ic_operation op;

	while (ic_expression_next(&walk, &op))
		if (rows[op.group].category > category)
			category = rows[op.group].category;
	return category;
}

// The shape of an expression without special parts: a single value, or its sum with constants.
static enum ic_location_shape simple_shape(uint32_t parts)
{
	bool is_value = parts & PART_VALUE;

	if (parts & PART_FRAME)
		return IC_SHAPE_FRAME;
	if (parts & PART_REG)
		return IC_SHAPE_REGISTER;
	if (parts & PART_BREG)
		return is_value ? IC_SHAPE_REGISTER_VALUE : IC_SHAPE_REGISTER_MEMORY;
	if (parts & PART_ADDRESS)
		return is_value ? IC_SHAPE_ADDRESS : IC_SHAPE_ADDRESS_MEMORY;
	if (parts & PART_NUMBER)
		return is_value ? IC_SHAPE_NUMBER : IC_SHAPE_NUMBER_MEMORY;
	return IC_SHAPE_EMPTY;
}

enum ic_location_shape ic_expression_shape(struct ic_cursor bytes, const struct ic_unit *unit)
{
	static const struct {
		uint16_t part;
		uint8_t shape; // enum ic_location_shape
	} shapes[] = {
		// in the order of the enumerators
		{ PART_PIECE, IC_SHAPE_PIECES },      { PART_POINTER, IC_SHAPE_IMPLICIT_POINTER },
		{ PART_BYTES, IC_SHAPE_BYTES },       { PART_BRANCH, IC_SHAPE_BRANCH },
		{ PART_OUTSIDE, IC_SHAPE_OUTSIDE },   { PART_ENTRY, IC_SHAPE_ENTRY_VALUE },
		{ PART_TYPED, IC_SHAPE_TYPED },       { PART_LOAD, IC_SHAPE_LOAD },
		{ PART_COMPUTED, IC_SHAPE_COMPUTED },
	};
	static const uint32_t places = PART_FRAME | PART_BREG | PART_ADDRESS;
	struct ic_expression walk = ic_expression_open(bytes, unit);
	unsigned place_count = 0; // more than one: their sum is none of the simple shapes
	struct ic_operation op;
	uint32_t parts = 0;

	while (ic_expression_next(&walk, &op)) {
		parts |= rows[op.group].part;
		place_count += (rows[op.group].part & places) != 0;
	}
	for (size_t i = 0; i < sizeof(shapes) / sizeof(*shapes); i++)
		if (parts & shapes[i].part)
			return (enum ic_location_shape)shapes[i].shape;
	return place_count > 1 ? IC_SHAPE_COMPUTED : simple_shape(parts);
}
