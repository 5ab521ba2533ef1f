// Buffered text to a stream. A failure is remembered, and checked for once at the end.
#ifndef BASE_OUTPUT_H
#define BASE_OUTPUT_H

#include <stdio.h>

#include "base/error.h"

struct ic_output {
	FILE *stream;
	size_t used;
	int os_error; // errno of the first failed write, or 0
	char buffer[1 << 16];
};

void ic_output_init(struct ic_output *output, FILE *stream);

void ic_output_bytes(struct ic_output *output, const char *bytes, size_t size);
void ic_output_text(struct ic_output *output, const char *text);
// Writes text for humans: control characters, which would affect a terminal, become question marks.
// ("C0", DEL, and "C1" in UTF-8.)
void ic_output_printable(struct ic_output *output, const char *text);
// The same for the first bytes of a text.
void ic_output_printable_bytes(struct ic_output *output, const char *text, size_t size);
void ic_output_char(struct ic_output *output, char character);
void ic_output_hex(struct ic_output *output, uint64_t number); // "0x2a"
void ic_output_decimal(struct ic_output *output, uint64_t number);
void ic_output_signed(struct ic_output *output, int64_t number); // "-42"

// Flushes the buffer; returns false if that, or an earlier write, failed.
bool ic_output_finish(struct ic_output *output, struct ic_error *err) IC_CHECKED;

#endif
