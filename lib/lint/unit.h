// Checks a unit: walks through its DIEs, and applies the rules to those that are part of a
// function.
#ifndef LINT_UNIT_H
#define LINT_UNIT_H

#include "lint/checker.h"

// The reader of abbreviation tables for the checker.
extern const struct ic_abbrev_reader ic_lint_tags;

// Checks a unit, and fills in the findings. Problems while reading are the unit's.
void ic_lint_unit_check(struct ic_lint_checker *checker, uint32_t number,
			struct ic_lint_unit *unit);

#endif
