// Checks a unit: walks through its DIEs, and asks the rules about each that is part of a function.
#ifndef LINT_UNIT_H
#define LINT_UNIT_H

#include "lint/checker.h"

// What the tables of abbreviations of the checker's units are read by.
extern const struct ic_abbrev_reader ic_lint_tags;

// Checks a unit, and fills in what was found. Problems of reading are the unit's.
void ic_lint_unit_check(struct ic_lint_checker *checker, uint32_t number,
			struct ic_lint_unit *unit);

#endif
