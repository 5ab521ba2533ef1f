// What an expression is reduced to, and what evaluating it gives, must be the same: two paths that
// share nothing but the reading of operations.
#ifndef TESTS_SUPPORT_EXPRESSION_AGREEMENT_H
#define TESTS_SUPPORT_EXPRESSION_AGREEMENT_H

#include "base/bytes.h"

struct expression_setting {
	uint8_t addr_size;
	bool is_big_endian;
	uint8_t frame; // 0 to 2: what the frame base is
	uint8_t size;  // of the value: 1 to 8
};

enum expression_agreement {
	EXPRESSION_UNKNOWN, // it is computed, or cannot be evaluated
	EXPRESSION_FAULTY,  // it is no expression, for both
	EXPRESSION_AGREES,
	EXPRESSION_DIFFERS,
};

// Both ways, with made-up registers, memory and values on entry. *why says what differs, static.
enum expression_agreement expression_compare(struct ic_bytes expression,
					     const struct expression_setting *setting,
					     const char **why);

#endif
