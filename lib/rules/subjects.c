#include "rules/subjects.h"

#include <stdlib.h>

#include "base/error.h"
#include "text/text.h"

static bool is_of_file(const struct ic_rule_subject *subject, const struct ic_function *function)
{
	return !subject->file ||
	       (function->decl_file && ic_text_path_matches(function->decl_file, subject->file));
}

// Adds the subjects that a function is to subjects->found.
static bool add_matches(struct ic_rule_subjects *subjects, struct ic_matchers *matchers,
			const uint32_t *numbers, const struct ic_function *function)
{
	uint32_t count;

	if (matchers->count == 0)
		return true;
	const uint32_t *found = ic_matchers_find(matchers, function, &count);
	for (uint32_t i = 0; i < count; i++) {
		uint32_t number = numbers[found[i]];
		if (is_of_file(&subjects->rules->subjects.items[number], function) &&
		    !IC_ARRAY_ADD(&subjects->found, number))
			return false;
	}
	return true;
}

bool ic_rule_subjects_declared(struct ic_rule_subjects *subjects,
			       const struct ic_function *function,
			       struct ic_rule_subject_list *list)
{
	subjects->found.count = 0;
	if (!add_matches(subjects, &subjects->exact, subjects->exact_numbers.items, function) ||
	    !add_matches(subjects, &subjects->globs, subjects->glob_numbers.items, function))
		return false;
	*list = (struct ic_rule_subject_list){ subjects->found.items, subjects->found.count };
	return true;
}

static bool match_definitions(struct ic_rule_subjects *subjects)
{
	uint32_t count = subjects->definitions->items.count;
	struct ic_rule_subject_list list = { NULL, 0 };

	subjects->firsts = ic_items_alloc(count + 1ull, sizeof(*subjects->firsts));
	if (!subjects->firsts || !IC_ARRAY_RESERVE(&subjects->numbers, 1)) // may stay empty
		return false;
	for (uint32_t i = 0; i < count; i++) {
		const struct ic_function *function = subjects->definitions->items.items[i];
		subjects->firsts[i] = subjects->numbers.count;
		list.count = 0;
		if (function && !ic_rule_subjects_declared(subjects, function, &list))
			return false;
		for (uint32_t j = 0; j < list.count; j++)
			if (!IC_ARRAY_ADD(&subjects->numbers, list.items[j]))
				return false;
	}
	subjects->firsts[count] = subjects->numbers.count;
	return ic_matchers_are_sound(&subjects->exact) && ic_matchers_are_sound(&subjects->globs);
}

// Makes matchers for the exact names, or for the globs; *numbers are their subjects.
static bool init_matchers(struct ic_rule_subjects *subjects, const struct ic_index *index,
			  bool is_glob, struct ic_error *err)
{
	uint32_t count = subjects->rules->subjects.count;
	const char **names = ic_items_alloc(count + 1ull, sizeof(*names));
	uint32_t used = 0;
	bool ok = names != NULL;

	for (uint32_t i = 0; ok && i < count; i++) {
		const struct ic_rule_subject *subject = &subjects->rules->subjects.items[i];
		if (subject->is_glob != is_glob)
			continue;
		names[used++] = subject->name;
		ok = is_glob ? IC_ARRAY_ADD(&subjects->glob_numbers, i)
			     : IC_ARRAY_ADD(&subjects->exact_numbers, i);
	}
	if (!ok) {
		free(names);
		return ic_fail_memory(err);
	}
	names[used] = NULL;
	ok = ic_matchers_init(is_glob ? &subjects->globs : &subjects->exact, index, NULL, names,
			      is_glob ? IC_MATCH_GLOB : IC_MATCH_NAME, err);
	free(names);
	return ok;
}

bool ic_rule_subjects_find(struct ic_rule_subjects *subjects, const struct ic_rules *rules,
			   const struct ic_index *index, const struct ic_definitions *definitions,
			   struct ic_error *err)
{
	*subjects = (struct ic_rule_subjects){ .rules = rules, .definitions = definitions };
	if (!init_matchers(subjects, index, false, err) ||
	    !init_matchers(subjects, index, true, err))
		return false;
	return match_definitions(subjects) || ic_fail_memory(err);
}

void ic_rule_subjects_free(struct ic_rule_subjects *subjects)
{
	ic_matchers_deinit(&subjects->exact);
	ic_matchers_deinit(&subjects->globs);
	free(subjects->firsts);
	IC_ARRAY_FREE(&subjects->exact_numbers);
	IC_ARRAY_FREE(&subjects->glob_numbers);
	IC_ARRAY_FREE(&subjects->numbers);
	IC_ARRAY_FREE(&subjects->found);
}
