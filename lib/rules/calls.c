// Rules about calls.
#include "rules/checker.h"
#include "rules/code_calls.h"

// ---- Calls that the debug information describes

static bool break_at_call(struct ic_rule_checker *checker, uint32_t rule, uint32_t unit,
			  const struct ic_call *call, uint32_t host)
{
	const struct ic_unit_model *model = &checker->index->units[unit];
	struct ic_rule_break broken = { .what = "called",
					.call_line = call->call_line,
					.call_column = call->call_column };

	if (call->call_file != IC_NONE)
		broken.call_file = model->files[call->call_file];
	return ic_rule_checker_break(checker, rule, broken, &model->functions[call->function],
				     ic_rule_checker_function(model, host), call->addr);
}

static bool take_call_of(struct ic_rule_checker *checker, uint32_t rule, uint32_t unit,
			 const struct ic_call *call, uint32_t host)
{
	const struct ic_rule_item *item = &checker->rules->items.items[rule];
	uint32_t around = host == IC_NONE ? IC_NONE
					  : ic_rule_checker_definition(checker, unit, host);

	if (!checker->is_about[rule] ||
	    (item->kind != IC_RULE_NO_CALL && item->kind != IC_RULE_ALWAYS_INLINE) ||
	    (around != IC_NONE && ic_rule_checker_excepts(checker, item, around)))
		return true;
	if (item->kind == IC_RULE_NO_CALL &&
	    (around == IC_NONE ||
	     !ic_rule_subject_list_has(ic_rule_subjects_of(&checker->subjects, around),
				       item->host)))
		return true;
	return break_at_call(checker, rule, unit, call, host);
}

static bool take_call(struct ic_rule_checker *checker, uint32_t unit, const struct ic_call *call)
{
	const struct ic_unit_model *model = &checker->index->units[unit];
	uint32_t definition =
		ic_definition_of_function(&checker->definitions, unit, call->function);
	struct ic_rule_subject_list list;

	if (call->function == IC_NONE)
		return true;
	if (definition != IC_NONE)
		list = ic_rule_subjects_of(&checker->subjects, definition);
	else if (!ic_rule_subjects_declared(&checker->subjects, &model->functions[call->function],
					    &list))
		return false;
	if (list.count == 0 || ic_parts_has_call(&checker->parts, model, call))
		return true;
	uint32_t host = call->parent == IC_NONE ? IC_NONE : checker->around.items[call->parent];
	for (uint32_t i = 0; i < list.count; i++) {
		uint32_t rule = checker->first_named[list.items[i]];
		for (; rule != IC_NONE; rule = checker->next_named[rule])
			if (!take_call_of(checker, rule, unit, call, host))
				return false;
	}
	return true;
}

bool ic_rule_checker_take_calls(struct ic_rule_checker *checker, uint32_t unit)
{
	const struct ic_unit_model *model = &checker->index->units[unit];

	for (uint32_t i = 0; i < model->call_count; i++)
		if (!take_call(checker, unit, &model->calls[i]))
			return false;
	return true;
}

// ---- Calls, if the file describes none

// Whether a rule is about calls, in this file.
static bool is_about_calls(const struct ic_rule_checker *checker, uint32_t rule)
{
	enum ic_rule_kind kind = checker->rules->items.items[rule].kind;

	return checker->is_about[rule] &&
	       (kind == IC_RULE_NO_CALL || kind == IC_RULE_ALWAYS_INLINE);
}

// Of units that describe no calls, those of functions that rules are about.
static bool wants_code_calls(void *context, uint32_t unit, uint32_t host)
{
	struct ic_rule_checker *checker = context;
	struct ic_rule_subject_list list = ic_rule_subjects_of(
		&checker->subjects, ic_rule_checker_definition(checker, unit, host));
	bool any = false;

	if (checker->index->units[unit].call_count > 0)
		return false;
	for (uint32_t i = 0; i < checker->rules->items.count; i++) {
		struct ic_rule_item *item = &checker->rules->items.items[i];
		bool wants = is_about_calls(checker, i) &&
			     (item->kind == IC_RULE_ALWAYS_INLINE
				      ? item->rule.functions > 0
				      : ic_rule_subject_list_has(list, item->host));
		item->needs_code |= wants;
		any |= wants;
	}
	return any;
}

static bool break_at_code_call(struct ic_rule_checker *checker, uint32_t rule,
			       const struct ic_code_call *call,
			       const struct ic_awaited_copy *callee)
{
	const struct ic_rule_item *item = &checker->rules->items.items[rule];
	uint32_t around = ic_rule_checker_definition(checker, call->unit, call->host);
	struct ic_rule_subject_list list = ic_rule_subjects_of(&checker->subjects, around);
	const struct ic_rule_break broken = { .what = "called" };

	if (!is_about_calls(checker, rule) || ic_rule_checker_excepts(checker, item, around) ||
	    (item->kind == IC_RULE_NO_CALL && !ic_rule_subject_list_has(list, item->host)))
		return true;
	return ic_rule_checker_break(
		checker, rule, broken,
		ic_rule_checker_function(&checker->index->units[callee->unit], callee->host),
		ic_rule_checker_function(&checker->index->units[call->unit], call->host),
		call->addr);
}

static bool take_code_call(void *context, const struct ic_code_call *call)
{
	struct ic_rule_checker *checker = context;
	const uint32_t *number = ic_map_find(&checker->by_entry, call->target);

	if (!number)
		return true;
	const struct ic_awaited_copy *callee = &checker->called.items[*number];
	struct ic_rule_subject_list list = ic_rule_subjects_of(
		&checker->subjects,
		ic_rule_checker_definition(checker, callee->unit, callee->host));
	for (uint32_t i = 0; i < list.count; i++) {
		uint32_t rule = checker->first_named[list.items[i]];
		for (; rule != IC_NONE; rule = checker->next_named[rule])
			if (!break_at_code_call(checker, rule, call, callee))
				return false;
	}
	return true;
}

// Numbers the entries of the functions that rules are about.
static bool number_entries(struct ic_rule_checker *checker)
{
	for (uint32_t i = 0; i < checker->index->unit_count; i++) {
		const struct ic_unit_model *unit = &checker->index->units[i];
		for (uint32_t j = 0; j < unit->instance_count; j++) {
			const struct ic_instance *host = &unit->instances[j];
			if (host->kind != IC_INSTANCE_HOST || host->range_count == 0 ||
			    host->entry == IC_NO_ADDR ||
			    ic_rule_subjects_of(&checker->subjects,
						ic_rule_checker_definition(checker, i, j))
					    .count == 0)
				continue;
			uint32_t *number = ic_map_at(&checker->by_entry, host->entry);
			if (!number)
				return false;
			*number = checker->called.count;
			if (!IC_ARRAY_ADD(&checker->called,
					  (struct ic_awaited_copy){ .unit = i, .host = j }))
				return false;
		}
	}
	return true;
}

// Functions of other files are called through stubs, whose names are not looked up: rules about
// these are unknown.
bool ic_rule_checker_read_calls(struct ic_rule_checker *checker)
{
	bool any = false, complete;

	for (uint32_t i = 0; i < checker->rules->items.count; i++)
		any |= is_about_calls(checker, i);
	if (!any)
		return true;
	if (!number_entries(checker) ||
	    !ic_code_calls_find(checker->image, checker->index, wants_code_calls, take_code_call,
				checker, &complete))
		return false;
	for (uint32_t i = 0; i < checker->rules->items.count; i++) {
		struct ic_rule_item *item = &checker->rules->items.items[i];
		item->is_unknown |= item->needs_code && (!complete || item->rule.functions == 0);
		item->needs_code = false;
	}
	return true;
}
