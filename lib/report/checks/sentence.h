// What became of a rule, in words.
#ifndef REPORT_CHECKS_SENTENCE_H
#define REPORT_CHECKS_SENTENCE_H

#include <inlinecall/extra/rule_row.h>

#include "base/output.h"

enum { IC_SENTENCE_SIZE = 2048 };

// Of a rule: "broken at 2 places", "no function has this name". The reason is not included.
void ic_rule_sentence(const struct ic_rule_row *row, char text[IC_SENTENCE_SIZE]);

// Of a place: "leaf inlined into main, seen at main+0x1c".
void ic_rule_place_sentence(const struct ic_rule_row *row, char text[IC_SENTENCE_SIZE]);

// Where a place is: of a call or a declaration, or else of the rule. *line is 0 if unknown.
const char *ic_rule_place_file(const struct ic_rule_row *row, uint32_t *line);

#endif
