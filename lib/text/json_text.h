// JSON strings (RFC 8259).
#ifndef TEXT_JSON_TEXT_H
#define TEXT_JSON_TEXT_H

#include "base/output.h"

// Writes a text as a string; null for NULL. Names in a file are arbitrary bytes, but JSON is UTF-8
// (RFC 8259, 8.1): a byte that is not part of a character becomes U+FFFD.
void ic_json_text(struct ic_output *output, const char *text);

// The same for a script in HTML, which ends at any "</script": "<" is escaped.
void ic_json_script_text(struct ic_output *output, const char *text);

#endif
