// Which functions of an index the subjects of rules are.
#ifndef RULES_SUBJECTS_H
#define RULES_SUBJECTS_H

#include "query/find/definitions.h"
#include "query/find/matcher.h"
#include "rules/rules.h"

struct ic_rule_subjects {
	const struct ic_rules *rules;
	const struct ic_definitions *definitions;
	struct ic_matchers exact, globs;
	IC_ARRAY(uint32_t) exact_numbers, glob_numbers; // subjects, by matcher
	uint32_t *firsts; // by definition: where its subjects start in `numbers`
	IC_ARRAY(uint32_t) numbers;
	IC_ARRAY(uint32_t) found; // of the latest function
};

struct ic_rule_subject_list {
	const uint32_t *items;
	uint32_t count;
};

// Finds the subjects that each definition is. False if memory runs out; must be freed in any case.
bool ic_rule_subjects_find(struct ic_rule_subjects *subjects, const struct ic_rules *rules,
			   const struct ic_index *index, const struct ic_definitions *definitions,
			   struct ic_error *err) IC_CHECKED;

// The subjects that a definition is.
static inline struct ic_rule_subject_list ic_rule_subjects_of(
	const struct ic_rule_subjects *subjects, uint32_t definition)
{
	uint32_t first = subjects->firsts[definition];

	return (struct ic_rule_subject_list){ subjects->numbers.items + first,
					      subjects->firsts[definition + 1] - first };
}

// The subjects that a function is which has neither code nor copies; valid until the next call.
// False if memory runs out.
bool ic_rule_subjects_declared(struct ic_rule_subjects *subjects,
			       const struct ic_function *function,
			       struct ic_rule_subject_list *list) IC_CHECKED;

static inline bool ic_rule_subject_list_has(struct ic_rule_subject_list list, uint32_t subject)
{
	for (uint32_t i = 0; i < list.count; i++)
		if (list.items[i] == subject)
			return true;
	return false;
}

void ic_rule_subjects_free(struct ic_rule_subjects *subjects);

#endif
