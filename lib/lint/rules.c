#include "lint/rules.h"

const struct ic_lint_rule ic_lint_rules[IC_LINT_RULES] = {
#define RULE(identifier, name, paragraph, severity, summary, explanation) \
	{ name, paragraph, IC_LINT_##severity, summary, explanation },
#include "lint/rules.def"
#undef RULE
};

bool ic_lint_rule_get(size_t number, struct ic_lint_rule *rule)
{
	if (number >= IC_LINT_RULES)
		return false;
	*rule = ic_lint_rules[number];
	return true;
}
