#include "dwarf/expressions/typed.h"

#include "dwarf/units/constants.h"

static uint64_t mask_of(uint8_t size)
{
	return UINT64_MAX >> (64 - 8 * size);
}

struct ic_typed ic_typed_make(uint64_t bits, uint8_t size, enum ic_typed_kind kind)
{
	return (struct ic_typed){ .bits = bits & mask_of(size),
				  .size = size,
				  .kind = (uint8_t)kind };
}

int64_t ic_typed_signed(const struct ic_typed *number)
{
	return (int64_t)ic_extend(number->bits, 8 * number->size, true);
}

static double float_of(const struct ic_typed *number)
{
	uint32_t low = (uint32_t)number->bits;
	double wide;
	float narrow;

	if (number->size == 8) {
		memcpy(&wide, &number->bits, sizeof(wide));
		return wide;
	}
	memcpy(&narrow, &low, sizeof(narrow));
	return (double)narrow;
}

static void set_narrow(struct ic_typed *number, float value)
{
	uint32_t bits;

	memcpy(&bits, &value, sizeof(bits));
	*number = (struct ic_typed){ .bits = bits, .size = 4, .kind = IC_TYPED_FLOAT };
}

static void set_float(struct ic_typed *number, double value, uint8_t size)
{
	if (size == 4) {
		set_narrow(number, (float)value);
		return;
	}
	memcpy(&number->bits, &value, sizeof(value));
	number->size = 8;
	number->kind = IC_TYPED_FLOAT;
}

const char *ic_typed_unary(uint8_t code, struct ic_typed *number)
{
	uint64_t sign = (mask_of(number->size) >> 1) + 1, bits = number->bits;

	if (number->kind == IC_TYPED_FLOAT) {
		if (code == DW_OP_not)
			return "operand is not an integer";
		number->bits = code == DW_OP_neg ? bits ^ sign : bits & ~sign;
		return NULL;
	}
	if (code == DW_OP_not)
		bits = ~bits;
	else if (code == DW_OP_neg || (number->kind != IC_TYPED_UNSIGNED && bits & sign))
		bits = -bits;
	number->bits = bits & mask_of(number->size);
	return NULL;
}

static bool compare_values(uint8_t code, bool is_less, bool is_equal, bool is_greater)
{
	switch (code) {
	case DW_OP_eq: return is_equal;
	case DW_OP_ge: return is_greater || is_equal;
	case DW_OP_gt: return is_greater;
	case DW_OP_le: return is_less || is_equal;
	case DW_OP_lt: return is_less;
	default: return !is_equal;
	}
}

static const char *binary_float(uint8_t code, struct ic_typed *left, const struct ic_typed *right,
				uint8_t addr_size)
{
	double a = float_of(left), b = float_of(right);

	switch (code) {
	case DW_OP_plus: set_float(left, a + b, left->size); return NULL;
	case DW_OP_minus: set_float(left, a - b, left->size); return NULL;
	case DW_OP_mul: set_float(left, a * b, left->size); return NULL;
	case DW_OP_div: set_float(left, a / b, left->size); return NULL; // infinity, if by zero
	case DW_OP_eq:
	case DW_OP_ge:
	case DW_OP_gt:
	case DW_OP_le:
	case DW_OP_lt:
	case DW_OP_ne:
		*left = ic_typed_make(compare_values(code, a<b, a == b, a> b), addr_size,
				      IC_TYPED_GENERIC);
		return NULL;
	}
	return "operands are not integers";
}

// Division of generic numbers is signed, but their remainder is unsigned.
static const char *divide_value(uint8_t code, struct ic_typed *left, const struct ic_typed *right)
{
	int64_t dividend = ic_typed_signed(left), divisor = ic_typed_signed(right);
	bool is_signed = left->kind == IC_TYPED_SIGNED ||
			 (left->kind == IC_TYPED_GENERIC && code == DW_OP_div);
	uint64_t result;

	if (right->bits == 0)
		return "division by zero";
	if (!is_signed)
		result = code == DW_OP_div ? left->bits / right->bits : left->bits % right->bits;
	else if (divisor == -1) // the least number divided by -1 would overflow
		result = code == DW_OP_div ? -(uint64_t)dividend : 0;
	else
		result = (uint64_t)(code == DW_OP_div ? dividend / divisor : dividend % divisor);
	left->bits = result & mask_of(left->size);
	return NULL;
}

// Shifts in zeros, or the sign for shra. The count may exceed the number of bits.
static void shift_value(uint8_t code, struct ic_typed *left, uint64_t count)
{
	uint64_t most = 8u * left->size - 1;

	if (code == DW_OP_shra)
		left->bits = (uint64_t)(ic_typed_signed(left) >> (count < most ? count : most));
	else if (count > most)
		left->bits = 0;
	else
		left->bits = code == DW_OP_shl ? left->bits << count : left->bits >> count;
	left->bits &= mask_of(left->size);
}

static bool depends_on_sign(uint8_t code)
{
	switch (code) {
	case DW_OP_div:
	case DW_OP_mod:
	case DW_OP_ge:
	case DW_OP_gt:
	case DW_OP_le:
	case DW_OP_lt: return true;
	}
	return false;
}

// Gives the left operand the type in which to calculate, or returns why there is none.
static const char *match_types(uint8_t code, struct ic_typed *left, const struct ic_typed *right)
{
	static const char differ[] = "operands have different types";
	bool has_generic = left->kind == IC_TYPED_GENERIC || right->kind == IC_TYPED_GENERIC;
	bool has_float = left->kind == IC_TYPED_FLOAT || right->kind == IC_TYPED_FLOAT;

	if (left->size != right->size)
		return differ;
	if (left->kind == right->kind)
		return NULL;
	if (!has_generic || has_float)
		return differ;
	if (left->kind == IC_TYPED_SIGNED || right->kind == IC_TYPED_SIGNED)
		return NULL;
	if (depends_on_sign(code) && (left->bits | right->bits) >> (8 * left->size - 1))
		return differ;
	left->kind = IC_TYPED_UNSIGNED;
	return NULL;
}

const char *ic_typed_binary(uint8_t code, struct ic_typed *left, const struct ic_typed *right,
			    uint8_t addr_size)
{
	bool is_shift = code == DW_OP_shl || code == DW_OP_shr || code == DW_OP_shra;
	int64_t a = ic_typed_signed(left), b = ic_typed_signed(right);
	const char *why = is_shift ? NULL : match_types(code, left, right);

	if (why)
		return why;
	if (left->kind == IC_TYPED_FLOAT || right->kind == IC_TYPED_FLOAT)
		return left->kind != right->kind ? "operands are not integers"
						 : binary_float(code, left, right, addr_size);
	if (is_shift) {
		shift_value(code, left, right->bits);
		return NULL;
	}
	switch (code) {
	case DW_OP_and: left->bits &= right->bits; return NULL;
	case DW_OP_or: left->bits |= right->bits; return NULL;
	case DW_OP_xor: left->bits ^= right->bits; return NULL;
	case DW_OP_plus: left->bits += right->bits; break;
	case DW_OP_minus: left->bits -= right->bits; break;
	case DW_OP_mul: left->bits *= right->bits; break;
	case DW_OP_div:
	case DW_OP_mod: return divide_value(code, left, right);
	default: {
		bool is_less = left->kind == IC_TYPED_UNSIGNED ? left->bits < right->bits : a < b;
		bool is_equal = left->bits == right->bits;
		*left = ic_typed_make(
			compare_values(code, is_less, is_equal, !is_less && !is_equal), addr_size,
			IC_TYPED_GENERIC);
		return NULL;
	}
	}
	left->bits &= mask_of(left->size);
	return NULL;
}

static void set_float_of_integer(struct ic_typed *number, uint8_t size)
{
	int64_t value = ic_typed_signed(number);
	bool is_unsigned = number->kind == IC_TYPED_UNSIGNED;

	if (size == 4) // not through a double, which would round twice
		set_narrow(number, is_unsigned ? (float)number->bits : (float)value);
	else
		set_float(number, is_unsigned ? (double)number->bits : (double)value, 8);
}

// Truncates towards zero. Fails if the result does not fit.
static const char *convert_to_integer(struct ic_typed *number, uint8_t size,
				      enum ic_typed_kind kind)
{
	double value = float_of(number), limit = 18446744073709551616.0; // 2 to the power of 64
	uint64_t bits;

	if (!(value >= -limit / 2 && value < limit))
		return "value does not fit in its type";
	bits = value < 0 ? (uint64_t)(int64_t)value : (uint64_t)value;
	struct ic_typed result = ic_typed_make(bits, size, kind);
	bool is_negative = value <= -1, is_same = result.bits == bits;
	if (kind == IC_TYPED_SIGNED || (kind == IC_TYPED_GENERIC && is_negative))
		is_same = (uint64_t)ic_typed_signed(&result) == bits &&
			  (ic_typed_signed(&result) < 0) == is_negative;
	else if (is_negative)
		is_same = false;
	if (!is_same)
		return "value does not fit in its type";
	*number = result;
	return NULL;
}

const char *ic_typed_convert(struct ic_typed *number, uint8_t size, enum ic_typed_kind kind)
{
	if (kind == IC_TYPED_FLOAT) {
		if (number->kind == IC_TYPED_FLOAT)
			set_float(number, float_of(number), size);
		else
			set_float_of_integer(number, size);
		return NULL;
	}
	if (number->kind == IC_TYPED_FLOAT)
		return convert_to_integer(number, size, kind);
	uint64_t bits = number->kind == IC_TYPED_UNSIGNED ? number->bits
							  : (uint64_t)ic_typed_signed(number);
	*number = ic_typed_make(bits, size, kind);
	return NULL;
}

const char *ic_typed_reinterpret(struct ic_typed *number, uint8_t size, enum ic_typed_kind kind)
{
	if (number->size != size)
		return "types have different sizes";
	number->kind = (uint8_t)kind;
	return NULL;
}

const char *ic_typed_of_base(uint64_t size, uint32_t encoding, struct ic_typed *type)
{
	switch (encoding) {
	case DW_ATE_signed:
	case DW_ATE_signed_char: type->kind = IC_TYPED_SIGNED; break;
	case DW_ATE_address:
	case DW_ATE_boolean:
	case DW_ATE_unsigned:
	case DW_ATE_unsigned_char:
	case DW_ATE_UTF:
	case DW_ATE_UCS:
	case DW_ATE_ASCII: type->kind = IC_TYPED_UNSIGNED; break;
	case DW_ATE_float: type->kind = IC_TYPED_FLOAT; break;
	default: return "unsupported base type encoding";
	}
	if (type->kind == IC_TYPED_FLOAT ? size != 4 && size != 8 : size == 0 || size > 8)
		return "unsupported base type size";
	type->size = (uint8_t)size;
	type->bits = 0;
	return NULL;
}
