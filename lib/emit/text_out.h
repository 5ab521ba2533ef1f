// Text in a section or file being written.
#ifndef EMIT_TEXT_OUT_H
#define EMIT_TEXT_OUT_H

#include "emit/out.h"

static inline void ic_text_out(struct ic_out *out, const char *text)
{
	ic_out_bytes(out, text, strlen(text));
}

// Appends a number in digits of a base: 10 or 16.
static inline void ic_number_out(struct ic_out *out, uint64_t number, unsigned base)
{
	char digits[20];
	size_t at = sizeof(digits);

	do
		digits[--at] = "0123456789abcdef"[number % base];
	while (number /= base);
	ic_out_bytes(out, digits + at, sizeof(digits) - at);
}

// Appends a number after a blank.
static inline void ic_field_out(struct ic_out *out, uint64_t number, unsigned base)
{
	ic_out_uint(out, ' ', 1);
	ic_number_out(out, number, base);
}

// Appends the last field of a line, which may contain anything but the ends of lines, and ends it.
static inline void ic_line_out(struct ic_out *out, const char *text)
{
	ic_out_uint(out, ' ', 1);
	for (; *text; text++)
		ic_out_uint(out, *text == '\n' || *text == '\r' ? '?' : (uint8_t)*text, 1);
	ic_out_uint(out, '\n', 1);
}

#endif
