#include "dwarf/expressions/term.h"

#include "dwarf/expressions/typed.h"

static const struct ic_term unknown;

static uint64_t wrap_number(uint64_t number, uint8_t addr_size)
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
				 .constant = wrap_number(number, addr_size) };
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
		term->constant = wrap_number(term->constant + number, addr_size);
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

static struct ic_typed typed_of(const struct ic_term *term, uint8_t addr_size)
{
	return ic_typed_make(term->constant, addr_size, IC_TYPED_GENERIC);
}

struct ic_term ic_term_unary(uint8_t code, const struct ic_term *term, uint8_t addr_size)
{
	struct ic_typed number = typed_of(term, addr_size);

	if (!ic_term_is_number(term) || ic_typed_unary(code, &number))
		return unknown;
	return ic_term_number(number.bits, addr_size);
}

struct ic_term ic_term_binary(uint8_t code, const struct ic_term *left, const struct ic_term *right,
			      uint8_t addr_size)
{
	struct ic_term sum = unknown;

	if (ic_term_is_number(left) && ic_term_is_number(right)) {
		struct ic_typed first = typed_of(left, addr_size);
		struct ic_typed second = typed_of(right, addr_size);
		if (!ic_typed_binary(code, &first, &second, addr_size))
			sum = ic_term_number(first.bits, addr_size);
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
