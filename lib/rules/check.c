// Checks rules: goes through the copies and calls of an index.
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "rules/checker.h"
#include "text/text.h"

static bool break_at(struct ic_rule_checker *checker, uint32_t rule, const char *what,
		     uint32_t unit, uint32_t number)
{
	const struct ic_rule_break broken = { .what = what };

	return ic_rule_checker_break_at(checker, rule, broken, unit, number, IC_NO_ADDR);
}

// At an out-of-line function that lacks a copy.
static bool break_at_host(struct ic_rule_checker *checker, const struct ic_awaited_copy *awaited)
{
	struct ic_rule_item *item = &checker->rules->items.items[awaited->rule];
	uint32_t count = item->breaks.count;

	if (!break_at(checker, awaited->rule, "not inlined", awaited->unit, awaited->host))
		return false;
	if (item->breaks.count > count) {
		struct ic_rule_break *broken = &item->breaks.items[count];
		broken->host = broken->function;
		broken->function = checker->rules->subjects.items[item->name].name;
	}
	return true;
}

// ---- Copies

static bool add_site(struct ic_rule_checker *checker, uint32_t rule, uint32_t unit, uint32_t number)
{
	const struct ic_unit_model *model = &checker->index->units[unit];
	uint32_t function = model->instances[number].function;
	const struct ic_rule_site copy = {
		rule,
		{ .function_off = function == IC_NONE ? UINT64_MAX
						      : model->functions[function].die_off,
		  .unit = unit,
		  .number = number,
		  .kind = model->instances[number].kind == IC_INSTANCE_HOST ? IC_SITE_OUT_OF_LINE
									    : IC_SITE_INLINED }
	};

	return IC_ARRAY_ADD(&checker->sites, copy);
}

// An inlined copy of the function that a rule is about.
static bool take_copy(struct ic_rule_checker *checker, uint32_t rule, uint32_t unit,
		      uint32_t number)
{
	struct ic_rule_item *item = &checker->rules->items.items[rule];
	const struct ic_unit_model *model = &checker->index->units[unit];
	uint32_t host = checker->around.items[number];
	uint32_t around = host == IC_NONE ? IC_NONE
					  : ic_rule_checker_definition(checker, unit, host);
	const uint32_t *awaited;

	if (around != IC_NONE && ic_rule_checker_excepts(checker, item, around))
		return true;
	item->copies++;
	switch (item->kind) {
	case IC_RULE_NEVER_INLINE: return break_at(checker, rule, "inlined", unit, number);
	case IC_RULE_MOST_COPIES:
		if (!ic_instance_has_code(model, &model->instances[number]))
			return true;
		item->rule.found++;
		return break_at(checker, rule, "inlined", unit, number);
	case IC_RULE_MOST_BYTES:
		if (!ic_definition_is_nested(&checker->definitions, model, unit, number))
			item->rule.found += ic_instance_size(model, &model->instances[number]);
		return true;
	case IC_RULE_NOT_INTO:
		return around == IC_NONE ||
		       !ic_rule_subject_list_has(ic_rule_subjects_of(&checker->subjects, around),
						 item->host) ||
		       break_at(checker, rule, "inlined", unit, number);
	case IC_RULE_INTO:
		awaited = host == IC_NONE
				  ? NULL
				  : ic_map_find(&checker->by_host,
						(uint64_t)rule << 32 | (checker->first + host));
		if (awaited)
			checker->awaited.items[*awaited].is_there = true;
		return true;
	case IC_RULE_START_PROBE:
		return ic_instance_has_code(model, &model->instances[number])
			       ? add_site(checker, rule, unit, number)
			       : break_at(checker, rule, "inlined", unit, number);
	case IC_RULE_ARGUMENT:
	case IC_RULE_PROBE: return add_site(checker, rule, unit, number);
	case IC_RULE_ALWAYS_INLINE:
	case IC_RULE_NEVER_OUT_OF_LINE:
	case IC_RULE_LINE_PROBE:
	case IC_RULE_STACK:
	case IC_RULE_NO_CALL: break;
	}
	return true;
}

// Code out of line of the function that a rule is about.
static bool take_own_code(struct ic_rule_checker *checker, uint32_t rule, uint32_t unit,
			  uint32_t number)
{
	struct ic_rule_item *item = &checker->rules->items.items[rule];
	const struct ic_unit_model *model = &checker->index->units[unit];

	switch (item->kind) {
	case IC_RULE_ALWAYS_INLINE: // calls break it
		item->has_own_code = true;
		return true;
	case IC_RULE_NEVER_OUT_OF_LINE: return break_at(checker, rule, "out of line", unit, number);
	case IC_RULE_MOST_BYTES:
		item->rule.found += ic_instance_size(model, &model->instances[number]);
		return true;
	case IC_RULE_PROBE: return add_site(checker, rule, unit, number);
	default: return true;
	}
}

// An out-of-line function that is the host of a rule, or a part of one.
static bool take_host(struct ic_rule_checker *checker, uint32_t rule, uint32_t unit,
		      uint32_t number, bool is_part)
{
	const struct ic_rule_item *item = &checker->rules->items.items[rule];

	if ((item->kind != IC_RULE_INTO && item->kind != IC_RULE_STACK) ||
	    ic_rule_checker_excepts(checker, item,
				    ic_rule_checker_definition(checker, unit, number)))
		return true;
	if (item->kind == IC_RULE_STACK)
		return add_site(checker, rule, unit, number);
	if (is_part)
		return true;
	uint32_t *place =
		ic_map_at(&checker->by_host, (uint64_t)rule << 32 | (checker->first + number));
	if (!place)
		return false;
	*place = checker->awaited.count;
	return IC_ARRAY_ADD(&checker->awaited,
			    (struct ic_awaited_copy){ rule, unit, number, false });
}

static bool take_function(struct ic_rule_checker *checker, uint32_t unit, uint32_t number,
			  bool is_part)
{
	struct ic_rule_subject_list list = ic_rule_subjects_of(
		&checker->subjects, ic_rule_checker_definition(checker, unit, number));

	for (uint32_t i = 0; i < list.count; i++) {
		uint32_t rule = checker->first_named[list.items[i]];
		for (; !is_part && rule != IC_NONE; rule = checker->next_named[rule])
			if (checker->is_about[rule] && !take_own_code(checker, rule, unit, number))
				return false;
		rule = checker->first_hosted[list.items[i]];
		for (; rule != IC_NONE; rule = checker->next_hosted[rule])
			if (checker->is_about[rule] &&
			    !take_host(checker, rule, unit, number, is_part))
				return false;
	}
	return true;
}

static bool take_instance(struct ic_rule_checker *checker, uint32_t unit, uint32_t number)
{
	const struct ic_unit_model *model = &checker->index->units[unit];
	const struct ic_instance *instance = &model->instances[number];
	bool is_part;

	checker->around.items[number] = ic_instance_host(model, number, checker->around.items);
	uint32_t host = checker->around.items[number];
	// What is in code that the file does not have is not there either.
	if (host != IC_NONE && model->instances[host].range_count == 0)
		return true;
	struct ic_rule_subject_list list = ic_rule_subjects_of(
		&checker->subjects, ic_rule_checker_definition(checker, unit, number));
	if (list.count == 0)
		return true;
	is_part = ic_parts_has(&checker->parts, model, instance);
	if (instance->kind == IC_INSTANCE_HOST)
		return take_function(checker, unit, number, is_part);
	for (uint32_t i = 0; !is_part && i < list.count; i++) {
		uint32_t rule = checker->first_named[list.items[i]];
		for (; rule != IC_NONE; rule = checker->next_named[rule])
			if (checker->is_about[rule] && !take_copy(checker, rule, unit, number))
				return false;
	}
	return true;
}

// ---- All of it

static bool is_about_file(const struct ic_rules *rules, const struct ic_rule_item *item,
			  const char *path)
{
	for (uint32_t i = 0; i < item->files.count; i++)
		if (ic_text_path_matches(path, rules->files.items[item->files.first + i]))
			return true;
	return item->files.count == 0;
}

static bool link_rules(struct ic_rule_checker *checker)
{
	const struct ic_rules *rules = checker->rules;
	size_t count = rules->items.count + 1, subjects = rules->subjects.count + 1;

	checker->is_about = ic_items_alloc(count, sizeof(*checker->is_about));
	checker->first_named = ic_items_alloc(2 * subjects, sizeof(*checker->first_named));
	checker->next_named = ic_items_alloc(2 * count, sizeof(*checker->next_named));
	if (!checker->is_about || !checker->first_named || !checker->next_named)
		return false;
	checker->first_hosted = checker->first_named + subjects;
	checker->next_hosted = checker->next_named + count;
	memset(checker->first_named, 0xff, 2 * subjects * sizeof(*checker->first_named)); // IC_NONE
	for (uint32_t i = rules->items.count; i-- > 0;) {
		const struct ic_rule_item *item = &rules->items.items[i];
		checker->is_about[i] = is_about_file(rules, item, checker->path);
		if (item->name != IC_NONE) {
			checker->next_named[i] = checker->first_named[item->name];
			checker->first_named[item->name] = i;
		}
		if (item->host != IC_NONE) {
			checker->next_hosted[i] = checker->first_hosted[item->host];
			checker->first_hosted[item->host] = i;
		} else if (item->kind == IC_RULE_ALWAYS_INLINE) {
			checker->next_hosted[i] = checker->first_always;
			checker->first_always = i;
		}
	}
	return true;
}

// Counts the functions that rules are about.
static void count_functions(struct ic_rule_checker *checker)
{
	struct ic_rule_item *items = checker->rules->items.items;

	for (uint32_t i = 0; i + 1 < checker->definitions.items.count; i++) {
		struct ic_rule_subject_list list = ic_rule_subjects_of(&checker->subjects, i);
		for (uint32_t j = 0; j < list.count; j++) {
			uint32_t rule = checker->first_named[list.items[j]];
			for (; rule != IC_NONE; rule = checker->next_named[rule])
				items[rule].rule.functions += checker->is_about[rule];
			rule = checker->first_hosted[list.items[j]];
			for (; rule != IC_NONE; rule = checker->next_hosted[rule])
				items[rule].hosts += checker->is_about[rule];
		}
	}
}

static bool check_units(struct ic_rule_checker *checker)
{
	const struct ic_index *index = checker->index;

	for (uint32_t i = 0; i < index->unit_count; i++) {
		const struct ic_unit_model *unit = &index->units[i];
		if (!IC_ARRAY_RESERVE(&checker->around, unit->instance_count))
			return false;
		for (uint32_t j = 0; j < unit->instance_count; j++)
			if (!take_instance(checker, i, j))
				return false;
		if (!ic_rule_checker_take_calls(checker, i))
			return false;
		checker->first += unit->instance_count;
	}
	return true;
}

static bool check_index(struct ic_rule_checker *checker, struct ic_error *err)
{
	if (!ic_definitions_build(&checker->definitions, checker->index, NULL))
		return ic_fail_memory(err);
	if (!ic_rule_subjects_find(&checker->subjects, checker->rules, checker->index,
				   &checker->definitions, err))
		return false;
	if (!link_rules(checker))
		return ic_fail_memory(err);
	count_functions(checker);
	if (!check_units(checker))
		return ic_fail_memory(err);
	for (uint32_t i = 0; i < checker->awaited.count; i++)
		if (!checker->awaited.items[i].is_there &&
		    !break_at_host(checker, &checker->awaited.items[i]))
			return ic_fail_memory(err);
	if (!ic_rule_checker_read_calls(checker))
		return ic_fail_memory(err);
	return ic_rule_checker_check_sites(checker, err) &&
	       ic_rule_checker_check_lines(checker, err) &&
	       ic_rule_checker_check_stacks(checker, err);
}

bool ic_rules_check(struct ic_rules *rules, struct ic_image *image, const struct ic_index *index,
		    const struct ic_rule_readers *readers, struct ic_error *err)
{
	static const struct ic_rule_readers none = { .parameters = NULL };

	if (!readers)
		readers = &none;
	struct ic_rule_checker checker = { .rules = rules,
					   .image = image,
					   .index = index,
					   .readers = *readers,
					   .first_always = IC_NONE,
					   .noted = { IC_NONE, IC_NONE, false },
					   .names = { .index = index, .style = IC_DEMANGLE_NAME } };
	struct ic_error unwanted;

	if (!err)
		err = &unwanted;
	if (index->inline_table)
		return ic_fail(err, IC_ERROR_UNSUPPORTED,
			       "rules cannot be checked with a table of inlined calls");
	const char *path = ic_image_path(image);
	checker.path = ic_arena_copy(&rules->arena, path, strlen(path) + 1, 1);
	if (!checker.path)
		return ic_fail_memory(err);
	ic_parts_init(&checker.parts, index);
	bool ok = check_index(&checker, err);
	if (ok && (checker.parts.out_of_memory || checker.names.out_of_memory))
		ok = ic_fail_memory(err);
	ic_definitions_free(&checker.definitions);
	ic_rule_subjects_free(&checker.subjects);
	ic_parts_free(&checker.parts);
	ic_names_free(&checker.names);
	IC_ARRAY_FREE(&checker.around);
	IC_ARRAY_FREE(&checker.awaited);
	IC_ARRAY_FREE(&checker.sites);
	IC_ARRAY_FREE(&checker.callees);
	ic_map_free(&checker.by_host);
	ic_map_free(&checker.by_entry);
	ic_map_free(&checker.described_before);
	ic_map_free(&checker.described_at);
	free(checker.is_about);
	free(checker.first_named);
	free(checker.next_named);
	return ok;
}
