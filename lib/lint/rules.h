// The rules, by number.
#ifndef LINT_RULES_H
#define LINT_RULES_H

#include <inlinecall/extra/lint.h>

enum ic_lint_rule_number {
#define RULE(identifier, name, paragraph, severity, summary, explanation) IC_LINT_RULE_##identifier,
#include "lint/rules.def"
#undef RULE
	IC_LINT_RULES
};

extern const struct ic_lint_rule ic_lint_rules[IC_LINT_RULES];

#endif
