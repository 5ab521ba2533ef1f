// Conditions on calls: "n > 10 && (s ~ \"x*\" || flags & 4)".
#ifndef TRACE_BPF_FILTER_H
#define TRACE_BPF_FILTER_H

#include <inlinecall/parameters.h>

#include "base/error.h"

enum {
	IC_TRACE_MOST_TERMS = 16,
	IC_TRACE_TERM_TEXT = 64,
	IC_TRACE_MOST_STEPS = 4 * IC_TRACE_MOST_TERMS,
	IC_TRACE_MOST_NESTED = 32, // parentheses and negations
};

enum ic_trace_relation {
	IC_TRACE_EQUAL,
	IC_TRACE_UNEQUAL,
	IC_TRACE_LESS,
	IC_TRACE_LESS_EQUAL,
	IC_TRACE_GREATER,
	IC_TRACE_GREATER_EQUAL,
	IC_TRACE_LIKE, // a glob
	IC_TRACE_UNLIKE
};

// What a term compares other than arguments.
enum ic_trace_builtin {
	IC_TRACE_NO_BUILTIN,
	IC_TRACE_PID,
	IC_TRACE_TID,
	IC_TRACE_CPU,
	IC_TRACE_COMMAND,
};

struct ic_trace_operand {
	char name[IC_TRACE_TERM_TEXT]; // of an argument; "" for none
	// What the name means if no copy has an argument with this name, and what it means.
	enum ic_trace_builtin fallback, builtin;
};

enum ic_trace_right { // the right-hand side of a term
	IC_TRACE_WITH_NUMBER,
	IC_TRACE_WITH_CHARACTER,
	IC_TRACE_WITH_REAL,
	IC_TRACE_WITH_NAME, // of an enumerator, or an operand
	IC_TRACE_WITH_STRING
};

struct ic_trace_term {
	struct ic_trace_operand left, right;
	bool has_mask;
	uint64_t mask; // of the left-hand side
	enum ic_trace_relation relation;
	enum ic_trace_right with;
	char text[IC_TRACE_TERM_TEXT]; // a string
	uint32_t length;               // of it
	bool is_negative;              // `number` is to be subtracted from 0
	uint64_t number;
	long double real;
};

// In postfix order: the number of a term, or one of these.
enum { IC_TRACE_AND = 128, IC_TRACE_OR, IC_TRACE_NOT };

struct ic_trace_filter {
	struct ic_trace_term terms[IC_TRACE_MOST_TERMS];
	uint32_t count;
	uint8_t steps[IC_TRACE_MOST_STEPS];
	uint32_t step_count;
};

// Parses a filter. False with IC_ERROR_ARGUMENT if it is invalid.
bool ic_trace_filter_read(const char *text, struct ic_trace_filter *filter, struct ic_error *err)
	IC_CHECKED;

// The enumerator that the right-hand side of a term names; `enumeration` is that of its left-hand
// side, or NULL. False if there is none.
bool ic_trace_term_enumerator(const struct ic_trace_term *term,
			      const struct ic_enumeration *enumeration, uint64_t *number);

// The length of the text that a string must start with, if that is all that a pattern demands;
// UINT32_MAX if it demands more.
uint32_t ic_trace_prefix_length(const struct ic_trace_term *term);

#endif
