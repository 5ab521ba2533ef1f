// Units with inlined copies for the rules of lib/lint, and what was found in them as text.
#ifndef LINT_FIXTURE_H
#define LINT_FIXTURE_H

#include <inlinecall/lint.h>

#include "scan_fixture.h"

#include "dwarf_constants.h"

enum { LINT_START = CODE_START, LINT_END = CODE_START + 0x100 }; // of main

struct lint_found {
	struct scan scan;
	struct ic_lint *lint;
	char *text; // counts, each with at most two findings; then problems
};

// Takes ownership of the builder; only `rule`, or all rules if it is NULL.
void lint_open(struct lint_found *found, struct dwarf_builder *dw, const char *rule);
void lint_close(struct lint_found *found);

// Opens, compares the text, and closes.
void lint_check(struct dwarf_builder *dw, const char *rule, const char *wanted);

// An open unit with lines for all of main, and f(a, b), which is abstract; with an open main.
struct dwarf_builder *lint_begin(void);
struct dwarf_builder *lint_begin_main(void);

// The end of main and of the unit.
struct dwarf_builder *lint_end(struct dwarf_builder *dw);

// Parameters: of an abstract instance, and of a copy, whose origin may be NULL.
void lint_put_formal(struct dwarf_builder *dw, const char *label);
void lint_put_argument(struct dwarf_builder *dw, const char *origin);

// The file and line of a call.
void lint_put_call(struct dwarf_builder *dw);

// A copy with all that it should have, at offsets from LINT_START; an open one.
void lint_put_copy(struct dwarf_builder *dw, const char *origin, uint64_t start, uint64_t end);
void lint_begin_copy(struct dwarf_builder *dw, const char *origin, uint64_t start, uint64_t end);

#endif
