#include "text/span.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "text/text.h"

bool ic_span_is(struct ic_span span, const char *text)
{
	return span.text && span.size == strlen(text) && memcmp(span.text, text, span.size) == 0;
}

bool ic_span_begins(struct ic_span span, const char *text)
{
	size_t size = strlen(text);

	return span.text && span.size >= size && memcmp(span.text, text, size) == 0;
}

bool ic_span_hex(struct ic_span span, uint64_t *value)
{
	char text[19], *end; // "0x" and 16 digits

	if (span.size == 0 || span.size >= sizeof(text))
		return false;
	memcpy(text, span.text, span.size);
	text[span.size] = 0;
	if (ic_text_hex_digit(text[0]) < 0) // neither blanks nor a sign
		return false;
	errno = 0;
	*value = strtoull(text, &end, 16);
	return errno == 0 && end == text + span.size;
}

const char *ic_span_find(struct ic_span span, const char *text)
{
	size_t size = strlen(text);

	for (const char *at = span.text, *end = at + span.size; (size_t)(end - at) >= size; at++) {
		at = memchr(at, *text, (size_t)(end - at) - size + 1);
		if (!at || memcmp(at, text, size) == 0)
			return at;
	}
	return NULL;
}

bool ic_span_holds(struct ic_span span, const char *text)
{
	return span.text && ic_span_find(span, text) != NULL;
}

struct ic_span ic_span_trimmed(struct ic_span span)
{
	while (span.size > 0 &&
	       (ic_text_is_blank(span.text[span.size - 1]) || span.text[span.size - 1] == '\r'))
		span.size--;
	return span;
}
