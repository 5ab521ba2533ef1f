// Parts of text, and what they contain. The type is from inlinecall/extra/span.h.
#ifndef TEXT_SPAN_H
#define TEXT_SPAN_H

#include <inlinecall/extra/span.h>

bool ic_span_holds(struct ic_span span, const char *text);

// The first occurrence of a text, which must not be empty, in the span; NULL if there is none.
// Faster than memmem() for short spans, and if the text's first character is rare.
const char *ic_span_find(struct ic_span span, const char *text);

// The span without trailing blanks and carriage returns.
struct ic_span ic_span_trimmed(struct ic_span span);

#endif
