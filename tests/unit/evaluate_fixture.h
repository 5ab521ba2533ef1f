// Expressions evaluated with made-up registers and memory, as texts.
#ifndef TESTS_UNIT_EVALUATE_FIXTURE_H
#define TESTS_UNIT_EVALUATE_FIXTURE_H

#include <inlinecall/evaluate.h>

#include "base/bytes.h"
#include "expression_fixture.h"

// The offsets of types.
enum { U32 = 1, S32, U64, FLOAT, DOUBLE, S8, LONG_DOUBLE, ODD }; // offsets of types

// A register holds 0x1000 times its number, but 98 and 99 cannot be read; a byte of memory holds
// the low-order byte of its address. There is room for four pieces.
extern const struct ic_evaluate_options evaluate_amd64;

// What an expression gives, or an error's message; until the next one.
const char *evaluate_text(const struct ic_evaluate_options *options, struct ic_bytes bytes,
			  struct ic_evaluated *evaluated);

#endif
