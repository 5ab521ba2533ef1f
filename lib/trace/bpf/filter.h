// Conditions on arguments, which the BPF program checks before reporting a call: "n > 10 && s ==
// \"x\"".
#ifndef TRACE_BPF_FILTER_H
#define TRACE_BPF_FILTER_H

#include <inlinecall/parameters.h>

#include "base/error.h"

enum { IC_TRACE_MOST_TERMS = 8, IC_TRACE_TERM_TEXT = 64 };

enum ic_trace_relation {
	IC_TRACE_EQUAL,
	IC_TRACE_UNEQUAL,
	IC_TRACE_LESS,
	IC_TRACE_LESS_EQUAL,
	IC_TRACE_GREATER,
	IC_TRACE_GREATER_EQUAL
};

struct ic_trace_term { // an argument, and a number, an enumerator's name or a string to compare it
		       // with
	char argument[IC_TRACE_TERM_TEXT];
	enum ic_trace_relation relation;
	bool is_string, is_name;
	char text[IC_TRACE_TERM_TEXT]; // for a string or a name
	uint32_t length;               // for a string
	uint64_t number;
};

struct ic_trace_filter { // all terms must be true
	struct ic_trace_term terms[IC_TRACE_MOST_TERMS];
	uint32_t count;
};

// Parses a filter. False with IC_ERROR_ARGUMENT if it is invalid.
bool ic_trace_filter_read(const char *text, struct ic_trace_filter *filter, struct ic_error *err)
	IC_CHECKED;

// The number that a term compares an argument with; `enumeration` is the argument's, or NULL. False
// if the term has no number for it.
bool ic_trace_term_number(const struct ic_trace_term *term,
			  const struct ic_enumeration *enumeration, uint64_t *number);

#endif
