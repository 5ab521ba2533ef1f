// A part of a text, not necessarily followed by a NUL.
#ifndef INLINECALL_EXTRA_SPAN_H
#define INLINECALL_EXTRA_SPAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <inlinecall/version.h>

#ifdef __cplusplus
extern "C" {
#endif

struct ic_span {
	const char *text; /**< borrowed; NULL if there is no such part */
	size_t size;      /**< in bytes; 0 if there is none */
};

/** Whether a span equals a text; false if it is NULL. */
IC_API bool ic_span_is(struct ic_span span, const char *text);

/** Whether a span starts with a text; false if it is NULL. */
IC_API bool ic_span_begins(struct ic_span span, const char *text);

/**
 * Parses a whole span as a hexadecimal number, with or without 0x; false if it is not a number of
 * at most 64 bits.
 */
IC_API bool ic_span_hex(struct ic_span span, uint64_t *value);

#ifdef __cplusplus
}
#endif

#endif
