#include "dwarf/term.h"

static const struct ic_term unknown;

static uint64_t wrap(uint64_t number, uint8_t addr_size)
{
	return addr_size == 8 ? number : number & UINT32_MAX;
}

static int64_t wrap_signed(uint64_t number, uint8_t addr_size)
{
	return addr_size == 8 ? (int64_t)number : (int32_t)(uint32_t)number;
}

struct ic_term ic_term_number(uint64_t number, uint8_t addr_size)
{
	return (struct ic_term){ .is_known = true,
				 .base = IC_BASE_CONSTANT,
				 .constant = wrap(number, addr_size) };
}

struct ic_term ic_term_of(enum ic_location_base base, uint64_t reg, int64_t offset)
{
	if (reg > UINT32_MAX)
		return unknown;
	return (struct ic_term){
		.is_known = true, .base = base, .reg = (uint32_t)reg, .offset = offset
	};
}

struct ic_term ic_term_address(uint64_t addr)
{
	return (struct ic_term){ .is_known = true, .base = IC_BASE_ADDRESS, .constant = addr };
}

static bool is_absolute(const struct ic_term *term)
{
	return term->base == IC_BASE_ADDRESS || term->base == IC_BASE_CONSTANT;
}

void ic_term_add(struct ic_term *term, uint64_t number, uint8_t addr_size)
{
	int64_t *offset = term->load_count ? &term->loads[term->load_count - 1].offset
					   : &term->offset;

	if (!term->is_known)
		return;
	if (term->load_count == 0 && is_absolute(term))
		term->constant = wrap(term->constant + number, addr_size);
	else
		*offset = wrap_signed((uint64_t)*offset + number, addr_size);
}

void ic_term_load(struct ic_term *term, uint32_t size)
{
	if (!term->is_known || term->load_count == IC_LOCATION_MOST_LOADS)
		*term = unknown;
	else
		term->loads[term->load_count++] = (struct ic_location_load){ .size = size };
}

struct ic_term ic_term_unary(uint8_t code, const struct ic_term *term, uint8_t addr_size)
{
	if (!ic_term_is_number(term))
		return unknown;
	uint64_t number = term->constant;
	switch (code) {
	case DW_OP_abs:
		if (wrap_signed(number, addr_size) < 0)
			number = -number;
		break;
	case DW_OP_neg: number = -number; break;
	case DW_OP_not: number = ~number; break;
	}
	return ic_term_number(number, addr_size);
}

// Division and comparisons are signed, the remainder is not.
static bool divide(uint8_t code, uint64_t left, uint64_t right, uint8_t addr_size, uint64_t *result)
{
	int64_t dividend = wrap_signed(left, addr_size), divisor = wrap_signed(right, addr_size);

	if (right == 0)
		return false;
	if (code == DW_OP_mod)
		*result = left % right;
	else
		*result = divisor == -1 ? -left : (uint64_t)(dividend / divisor);
	return true;
}

static uint64_t shift(uint8_t code, uint64_t number, uint64_t count, uint8_t addr_size)
{
	uint64_t most = 8u * addr_size - 1;

	if (code == DW_OP_shra)
		return (uint64_t)(wrap_signed(number, addr_size) >> (count < most ? count : most));
	if (count > most)
		return 0;
	return code == DW_OP_shl ? number << count : number >> count;
}

static bool compare(uint8_t code, int64_t left, int64_t right)
{
	switch (code) {
	case DW_OP_eq: return left == right;
	case DW_OP_ge: return left >= right;
	case DW_OP_gt: return left > right;
	case DW_OP_le: return left <= right;
	case DW_OP_lt: return left < right;
	default: return left != right;
	}
}

static bool fold(uint8_t code, uint64_t left, uint64_t right, uint8_t addr_size, uint64_t *result)
{
	switch (code) {
	case DW_OP_and: *result = left & right; return true;
	case DW_OP_or: *result = left | right; return true;
	case DW_OP_xor: *result = left ^ right; return true;
	case DW_OP_plus: *result = left + right; return true;
	case DW_OP_minus: *result = left - right; return true;
	case DW_OP_mul: *result = left * right; return true;
	case DW_OP_div:
	case DW_OP_mod: return divide(code, left, right, addr_size, result);
	case DW_OP_shl:
	case DW_OP_shr:
	case DW_OP_shra: *result = shift(code, left, right, addr_size); return true;
	default:
		*result =
			compare(code, wrap_signed(left, addr_size), wrap_signed(right, addr_size));
		return true;
	}
}

struct ic_term ic_term_binary(uint8_t code, const struct ic_term *left, const struct ic_term *right,
			      uint8_t addr_size)
{
	struct ic_term sum = unknown;
	uint64_t result;

	if (ic_term_is_number(left) && ic_term_is_number(right)) {
		if (fold(code, left->constant, right->constant, addr_size, &result))
			sum = ic_term_number(result, addr_size);
	} else if (code == DW_OP_plus && ic_term_is_number(left)) {
		sum = *right;
		ic_term_add(&sum, left->constant, addr_size);
	} else if ((code == DW_OP_plus || code == DW_OP_minus) && ic_term_is_number(right)) {
		sum = *left;
		ic_term_add(&sum, code == DW_OP_plus ? right->constant : -right->constant,
			    addr_size);
	}
	return sum;
}
