// The code of copies: ranges and entries, compared with those of hosts and with the line table.
#ifndef LINT_CODE_H
#define LINT_CODE_H

#include "lint/checker.h"

// Prepares the checker for the ranges of its unit.
void ic_lint_code_begin(struct ic_lint_checker *checker);

// Appends the ranges of the scope's DIE to the checker's, only those in code, and checks each. The
// scope is dead if the linker discarded some, and none is in code. False if they cannot be read,
// which is a problem: its code is then unknown.
bool ic_lint_code_read(struct ic_lint_checker *checker, const struct ic_lint_die *die,
		       struct ic_lint_scope *scope);

// Reads the ranges of the unit's root DIE.
void ic_lint_code_read_unit(struct ic_lint_checker *checker, const struct ic_lint_die *root);

// Checks that a function's code is in its unit's ranges.
void ic_lint_code_check_function(struct ic_lint_checker *checker, const struct ic_lint_die *die,
				 const struct ic_lint_scope *function);

// Checks the code of a copy in its host.
void ic_lint_code_check_copy(struct ic_lint_checker *checker, const struct ic_lint_die *die,
			     const struct ic_lint_scope *host, const struct ic_lint_scope *copy);

// Checks that the copies in a scope, which ends, share no code, and drops them.
void ic_lint_code_end_scope(struct ic_lint_checker *checker, const struct ic_lint_scope *scope);

#endif
