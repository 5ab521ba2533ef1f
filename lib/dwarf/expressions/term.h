// Symbolic values of a location expression, as far as they are known without running it: a number,
// or a register, an address or the like plus an offset, and loads from there.
#ifndef DWARF_EXPRESSIONS_TERM_H
#define DWARF_EXPRESSIONS_TERM_H

#include "dwarf/expressions/operation.h"

#include <inlinecall/location.h>

struct ic_term {
	bool is_known;
	enum ic_location_base base;
	uint32_t reg;
	uint32_t load_count;
	uint64_t constant; // for IC_BASE_ADDRESS and IC_BASE_CONSTANT, which have no offset
	int64_t offset;
	struct ic_location_load loads[IC_LOCATION_MOST_LOADS];
};

// Arithmetic is modulo the size of an address, 4 or 8 bytes: on the generic type (DWARF 5, 2.5.1).
struct ic_term ic_term_number(uint64_t number, uint8_t addr_size);
struct ic_term ic_term_of(enum ic_location_base base, uint64_t reg, int64_t offset);
struct ic_term ic_term_address(uint64_t addr);

// Whether it is a number, in `constant`.
static inline bool ic_term_is_number(const struct ic_term *term)
{
	return term->is_known && term->base == IC_BASE_CONSTANT && term->load_count == 0;
}

void ic_term_add(struct ic_term *term, uint64_t number, uint8_t addr_size);

// Turns the term into the number of `size` bytes in memory at its address.
void ic_term_load(struct ic_term *term, uint32_t size);

// The result of an arithmetic operation with one or two operands.
struct ic_term ic_term_unary(uint8_t code, const struct ic_term *term, uint8_t addr_size);
struct ic_term ic_term_binary(uint8_t code, const struct ic_term *left, const struct ic_term *right,
			      uint8_t addr_size);

#endif
