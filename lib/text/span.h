// Parts of text, and what is in them. The type is inlinecall/extra/span.h's.
#ifndef TEXT_SPAN_H
#define TEXT_SPAN_H

#include <inlinecall/extra/span.h>

bool ic_span_holds(struct ic_span span, const char *text);

// Where a text, which is not empty, begins in the span; NULL if it is not in it. Faster than
// memmem() for short spans, and if the first character is rare.
const char *ic_span_find(struct ic_span span, const char *text);

// The span without blanks and carriage returns at its end.
struct ic_span ic_span_trimmed(struct ic_span span);

#endif
