// Targets of references: inlined functions, and their parameters.
#ifndef LINT_ORIGIN_H
#define LINT_ORIGIN_H

#include "lint/checker.h"

// The target of a DIE's origin, or of its specification; IC_NONE if it has neither, or they are
// invalid, which is a finding.
uint32_t ic_lint_origin_of(struct ic_lint_checker *checker, const struct ic_lint_die *die);

// Checks the origin of a DIE that is not a function, and of an inlined subroutine.
void ic_lint_origin_check_tag(struct ic_lint_checker *checker, const struct ic_lint_die *die,
			      uint32_t target);

// Checks an inlined subroutine against its function.
void ic_lint_origin_check_function(struct ic_lint_checker *checker, const struct ic_lint_die *die,
				   uint32_t target);

// Checks a parameter of a scope that has an origin. `origin` is the parameter's own origin.
void ic_lint_origin_check_formal(struct ic_lint_checker *checker, const struct ic_lint_die *die,
				 struct ic_lint_scope *scope, uint32_t origin);

#endif
