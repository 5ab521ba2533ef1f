// Checks rules: goes through the copies and calls of an index.
#include <stdlib.h>
#include <string.h>

#include <inlinecall/parameters.h>

#include "base/error.h"
#include "query/find/names.h"
#include "query/find/parts.h"
#include "query/find/sites.h"
#include "rules/subjects.h"
#include "text/text.h"

struct awaited { // a copy that a rule wants in an out-of-line function
	uint32_t rule, unit, host;
	bool is_there;
};

struct copy { // whose arguments a rule is about
	uint32_t rule;
	struct ic_site_place place;
};

struct checker {
	struct ic_rules *rules;
	struct ic_image *image;
	const struct ic_index *index;
	struct ic_definitions definitions;
	struct ic_rule_subjects subjects;
	struct ic_parts parts;
	struct ic_names names;
	const char *path; // of the image, in the rules' arena
	bool *is_about;   // by rule: the file is one that it is about
	// By subject: the first rule with this NAME and this HOST, and by rule the next one.
	uint32_t *first_named, *first_hosted, *next_named, *next_hosted;
	IC_ARRAY(uint32_t) around; // by instance of the unit: the out-of-line function
	uint32_t first;            // the number of the unit's first instance among all
	IC_ARRAY(struct awaited) awaited;
	struct ic_map by_host; // awaited copies, by rule and number of the out-of-line function
	IC_ARRAY(struct copy) copies;
	bool has_calls;
};

// ---- Places

static const char *copy_text(struct checker *checker, const char *text)
{
	return text ? ic_arena_copy(&checker->rules->arena, text, strlen(text) + 1, 1) : NULL;
}

static const char *copy_name(struct checker *checker, const struct ic_function *function)
{
	return function ? copy_text(checker, ic_names_display(&checker->names, function)) : NULL;
}

static const struct ic_function *function_of(const struct ic_unit_model *unit, uint32_t instance)
{
	return instance == IC_NONE || unit->instances[instance].function == IC_NONE
		       ? NULL
		       : &unit->functions[unit->instances[instance].function];
}

static void place_address(struct checker *checker, uint64_t addr, struct ic_rule_break *broken)
{
	const struct ic_code_section *section =
		addr == IC_NO_ADDR ? NULL : ic_index_section_of(checker->index, addr);

	broken->address = section ? addr - section->start : addr;
	broken->section = section ? copy_text(checker, section->name) : NULL;
}

// Adds a place where a rule is broken; `broken` has its position, not its file and address.
static bool add_break(struct checker *checker, uint32_t rule, struct ic_rule_break broken,
		      const struct ic_function *function, const struct ic_function *host,
		      uint64_t addr)
{
	struct ic_rule_item *item = &checker->rules->items.items[rule];

	item->rule.break_count++;
	if (item->breaks.count >= IC_RULES_MOST_BREAKS)
		return true;
	broken.file = checker->path;
	broken.function = copy_name(checker, function);
	broken.host = copy_name(checker, host);
	broken.call_file = copy_text(checker, broken.call_file);
	place_address(checker, addr, &broken);
	return IC_ARRAY_ADD(&item->breaks, broken);
}

static bool break_at_copy(struct checker *checker, uint32_t rule, const char *what, uint32_t unit,
			  uint32_t number)
{
	const struct ic_unit_model *model = &checker->index->units[unit];
	const struct ic_instance *instance = &model->instances[number];
	struct ic_rule_break broken = { .what = what,
					.call_line = instance->call_line,
					.call_column = instance->call_column };

	if (instance->call_file != IC_NONE)
		broken.call_file = model->files[instance->call_file];
	return add_break(checker, rule, broken, function_of(model, number),
			 function_of(model, checker->around.items[number]), instance->entry);
}

// At a function, which is out of line.
static bool break_at_function(struct checker *checker, uint32_t rule, const char *what,
			      uint32_t unit, uint32_t number)
{
	const struct ic_unit_model *model = &checker->index->units[unit];
	const struct ic_function *function = function_of(model, number);
	struct ic_rule_break broken = { .what = what };

	if (function) {
		broken.call_file = function->decl_file;
		broken.call_line = function->decl_line;
	}
	return add_break(checker, rule, broken, function, NULL, model->instances[number].entry);
}

// At an out-of-line function that lacks a copy.
static bool break_at_host(struct checker *checker, const struct awaited *awaited)
{
	struct ic_rule_item *item = &checker->rules->items.items[awaited->rule];
	uint32_t count = item->breaks.count;

	if (!break_at_function(checker, awaited->rule, "not inlined", awaited->unit, awaited->host))
		return false;
	if (item->breaks.count > count) {
		struct ic_rule_break *broken = &item->breaks.items[count];
		broken->host = broken->function;
		broken->function = checker->rules->subjects.items[item->name].name;
	}
	return true;
}

// ---- Copies

static bool is_excepted(const struct checker *checker, const struct ic_rule_item *item,
			uint32_t host)
{
	struct ic_rule_subject_list list = ic_rule_subjects_of(&checker->subjects, host);

	for (uint32_t i = 0; i < item->unless.count; i++)
		if (ic_rule_subject_list_has(list,
					     checker->rules->unless.items[item->unless.first + i]))
			return true;
	return false;
}

static uint64_t size_of(const struct ic_unit_model *unit, const struct ic_instance *instance)
{
	uint64_t size = 0;

	for (uint32_t i = 0; i < instance->range_count; i++) {
		const struct ic_range *range = &unit->ranges[instance->first_range + i];
		size += range->end - range->start;
	}
	return size;
}

// Whether an instance is inside of another one of the same function, whose bytes include its own.
static bool is_nested(const struct checker *checker, uint32_t unit, uint32_t number,
		      uint32_t definition)
{
	const struct ic_unit_model *model = &checker->index->units[unit];
	uint32_t around = model->instances[number].parent;

	while (around != IC_NONE && ic_definition_of(&checker->definitions, unit,
						     &model->instances[around]) != definition)
		around = model->instances[around].parent;
	return around != IC_NONE;
}

static uint32_t definition_of(const struct checker *checker, uint32_t unit, uint32_t instance)
{
	return ic_definition_of(&checker->definitions, unit,
				&checker->index->units[unit].instances[instance]);
}

static bool add_argument_copy(struct checker *checker, uint32_t rule, uint32_t unit,
			      uint32_t number)
{
	const struct ic_unit_model *model = &checker->index->units[unit];
	uint32_t function = model->instances[number].function;
	const struct copy copy = { rule,
				   { .function_off = function == IC_NONE
							     ? UINT64_MAX
							     : model->functions[function].die_off,
				     .unit = unit,
				     .number = number,
				     .kind = IC_SITE_INLINED } };

	return IC_ARRAY_ADD(&checker->copies, copy);
}

// An inlined copy of the function that a rule is about.
static bool take_copy(struct checker *checker, uint32_t rule, uint32_t unit, uint32_t number)
{
	struct ic_rule_item *item = &checker->rules->items.items[rule];
	const struct ic_unit_model *model = &checker->index->units[unit];
	uint32_t host = checker->around.items[number];
	uint32_t around = host == IC_NONE ? IC_NONE : definition_of(checker, unit, host);
	const uint32_t *awaited;

	if (around != IC_NONE && is_excepted(checker, item, around))
		return true;
	item->copies++;
	switch (item->kind) {
	case IC_RULE_NEVER_INLINE: return break_at_copy(checker, rule, "inlined", unit, number);
	case IC_RULE_MOST_COPIES:
		if (!ic_instance_has_code(model, &model->instances[number]))
			return true;
		item->rule.found++;
		return break_at_copy(checker, rule, "inlined", unit, number);
	case IC_RULE_MOST_BYTES:
		if (!is_nested(checker, unit, number, definition_of(checker, unit, number)))
			item->rule.found += size_of(model, &model->instances[number]);
		return true;
	case IC_RULE_NOT_INTO:
		return around == IC_NONE ||
		       !ic_rule_subject_list_has(ic_rule_subjects_of(&checker->subjects, around),
						 item->host) ||
		       break_at_copy(checker, rule, "inlined", unit, number);
	case IC_RULE_INTO:
		awaited = host == IC_NONE
				  ? NULL
				  : ic_map_find(&checker->by_host,
						(uint64_t)rule << 32 | (checker->first + host));
		if (awaited)
			checker->awaited.items[*awaited].is_there = true;
		return true;
	case IC_RULE_ARGUMENT: return add_argument_copy(checker, rule, unit, number);
	case IC_RULE_ALWAYS_INLINE:
	case IC_RULE_NEVER_OUT_OF_LINE:
	case IC_RULE_NO_CALL: break;
	}
	return true;
}

// Code out of line of the function that a rule is about.
static bool take_own_code(struct checker *checker, uint32_t rule, uint32_t unit, uint32_t number)
{
	struct ic_rule_item *item = &checker->rules->items.items[rule];
	const struct ic_unit_model *model = &checker->index->units[unit];

	switch (item->kind) {
	case IC_RULE_ALWAYS_INLINE: // calls break it
		item->has_own_code = true;
		return true;
	case IC_RULE_NEVER_OUT_OF_LINE:
		return break_at_function(checker, rule, "out of line", unit, number);
	case IC_RULE_MOST_BYTES:
		item->rule.found += size_of(model, &model->instances[number]);
		return true;
	default: return true;
	}
}

// An out-of-line function that is the host of a rule.
static bool take_host(struct checker *checker, uint32_t rule, uint32_t unit, uint32_t number)
{
	const struct ic_rule_item *item = &checker->rules->items.items[rule];

	if (item->kind != IC_RULE_INTO ||
	    is_excepted(checker, item, definition_of(checker, unit, number)))
		return true;
	uint32_t *place =
		ic_map_at(&checker->by_host, (uint64_t)rule << 32 | (checker->first + number));
	if (!place)
		return false;
	*place = checker->awaited.count;
	return IC_ARRAY_ADD(&checker->awaited, (struct awaited){ rule, unit, number, false });
}

static bool take_function(struct checker *checker, uint32_t unit, uint32_t number)
{
	struct ic_rule_subject_list list =
		ic_rule_subjects_of(&checker->subjects, definition_of(checker, unit, number));

	for (uint32_t i = 0; i < list.count; i++) {
		uint32_t rule = checker->first_named[list.items[i]];
		for (; rule != IC_NONE; rule = checker->next_named[rule])
			if (checker->is_about[rule] && !take_own_code(checker, rule, unit, number))
				return false;
		rule = checker->first_hosted[list.items[i]];
		for (; rule != IC_NONE; rule = checker->next_hosted[rule])
			if (checker->is_about[rule] && !take_host(checker, rule, unit, number))
				return false;
	}
	return true;
}

static bool take_instance(struct checker *checker, uint32_t unit, uint32_t number)
{
	const struct ic_unit_model *model = &checker->index->units[unit];
	const struct ic_instance *instance = &model->instances[number];
	bool is_part;

	checker->around.items[number] = ic_instance_host(model, number, checker->around.items);
	uint32_t host = checker->around.items[number];
	// What is in code that the file does not have is not there either.
	if (host != IC_NONE && model->instances[host].range_count == 0)
		return true;
	struct ic_rule_subject_list list =
		ic_rule_subjects_of(&checker->subjects, definition_of(checker, unit, number));
	if (list.count == 0)
		return true;
	is_part = ic_parts_has(&checker->parts, model, instance);
	if (instance->kind == IC_INSTANCE_HOST)
		return is_part || take_function(checker, unit, number);
	for (uint32_t i = 0; !is_part && i < list.count; i++) {
		uint32_t rule = checker->first_named[list.items[i]];
		for (; rule != IC_NONE; rule = checker->next_named[rule])
			if (checker->is_about[rule] && !take_copy(checker, rule, unit, number))
				return false;
	}
	return true;
}

// ---- Calls

static bool break_at_call(struct checker *checker, uint32_t rule, uint32_t unit,
			  const struct ic_call *call, uint32_t host)
{
	const struct ic_unit_model *model = &checker->index->units[unit];
	struct ic_rule_break broken = { .what = "called",
					.call_line = call->call_line,
					.call_column = call->call_column };

	if (call->call_file != IC_NONE)
		broken.call_file = model->files[call->call_file];
	return add_break(checker, rule, broken, &model->functions[call->function],
			 function_of(model, host), call->addr);
}

static bool take_call_of(struct checker *checker, uint32_t rule, uint32_t unit,
			 const struct ic_call *call, uint32_t host)
{
	const struct ic_rule_item *item = &checker->rules->items.items[rule];
	uint32_t around = host == IC_NONE ? IC_NONE : definition_of(checker, unit, host);

	if (!checker->is_about[rule] ||
	    (item->kind != IC_RULE_NO_CALL && item->kind != IC_RULE_ALWAYS_INLINE) ||
	    (around != IC_NONE && is_excepted(checker, item, around)))
		return true;
	if (item->kind == IC_RULE_NO_CALL &&
	    (around == IC_NONE ||
	     !ic_rule_subject_list_has(ic_rule_subjects_of(&checker->subjects, around),
				       item->host)))
		return true;
	return break_at_call(checker, rule, unit, call, host);
}

static bool take_call(struct checker *checker, uint32_t unit, const struct ic_call *call)
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

// ---- Arguments

static bool is_readable(const struct ic_parameters *parameters, const char *name)
{
	const struct ic_parameter *list;
	size_t count = ic_parameters_list(parameters, &list);

	for (size_t i = 0; i < count; i++)
		if (list[i].name && strcmp(list[i].name, name) == 0 &&
		    list[i].location.why == IC_LOCATION_WHY_KNOWN)
			return true;
	return false;
}

static bool check_argument(struct checker *checker, struct ic_parameters *parameters,
			   const struct copy *copy, struct ic_error *err)
{
	struct ic_rule_item *item = &checker->rules->items.items[copy->rule];
	struct ic_site_place place = copy->place;
	const struct ic_sites sites = { .index = checker->index,
					.places = { .items = &place, .count = 1 } };
	struct ic_site site;

	if (!ic_sites_get(&sites, 0, &site) || site.range_count == 0)
		return true;
	if (!ic_parameters_find(parameters, &site, IC_NO_ADDR, err))
		return false;
	item->rule.found++;
	if (is_readable(parameters, item->argument)) {
		item->readable++;
		return true;
	}
	const struct ic_unit_model *unit = &checker->index->units[place.unit];
	struct ic_rule_break broken = { .what = "not readable",
					.call_file = site.call_file,
					.call_line = site.call_line,
					.call_column = site.call_column };
	return add_break(checker, copy->rule, broken, function_of(unit, place.number),
			 ic_site_host(checker->index, &place), site.entry) ||
	       ic_fail_memory(err);
}

static bool check_arguments(struct checker *checker, struct ic_error *err)
{
	if (checker->copies.count == 0)
		return true;
	struct ic_parameters *parameters =
		ic_parameters_open(checker->image, checker->index, NULL, err);
	bool ok = parameters != NULL;
	for (uint32_t i = 0; ok && i < checker->copies.count; i++)
		ok = check_argument(checker, parameters, &checker->copies.items[i], err);
	ic_parameters_free(parameters);
	return ok;
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

static bool link_rules(struct checker *checker)
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
		}
	}
	return true;
}

// Counts the functions that rules are about.
static void count_functions(struct checker *checker)
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

static bool check_units(struct checker *checker)
{
	const struct ic_index *index = checker->index;

	for (uint32_t i = 0; i < index->unit_count; i++) {
		const struct ic_unit_model *unit = &index->units[i];
		if (!IC_ARRAY_RESERVE(&checker->around, unit->instance_count))
			return false;
		for (uint32_t j = 0; j < unit->instance_count; j++)
			if (!take_instance(checker, i, j))
				return false;
		for (uint32_t j = 0; j < unit->call_count; j++)
			if (!take_call(checker, i, &unit->calls[j]))
				return false;
		checker->has_calls |= unit->call_count > 0;
		checker->first += unit->instance_count;
	}
	return true;
}

// Rules about calls cannot be checked in a file without call sites.
static void note_lacks(struct checker *checker)
{
	for (uint32_t i = 0; !checker->has_calls && i < checker->rules->items.count; i++) {
		struct ic_rule_item *item = &checker->rules->items.items[i];
		bool is_about_calls = item->kind == IC_RULE_NO_CALL ||
				      item->kind == IC_RULE_ALWAYS_INLINE;
		item->lacks_calls |= is_about_calls && checker->is_about[i] &&
				     item->rule.functions + item->hosts > 0;
	}
}

static bool check_index(struct checker *checker, struct ic_error *err)
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
	note_lacks(checker);
	return check_arguments(checker, err);
}

bool ic_rules_check(struct ic_rules *rules, struct ic_image *image, const struct ic_index *index,
		    struct ic_error *err)
{
	struct checker checker = { .rules = rules,
				   .image = image,
				   .index = index,
				   .names = { .index = index, .style = IC_DEMANGLE_NAME } };
	struct ic_error unwanted;

	if (!err)
		err = &unwanted;
	if (index->inline_table)
		return ic_fail(err, IC_ERROR_UNSUPPORTED,
			       "rules cannot be checked with a table of inlined calls");
	checker.path = copy_text(&checker, ic_image_path(image));
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
	IC_ARRAY_FREE(&checker.copies);
	ic_map_free(&checker.by_host);
	free(checker.is_about);
	free(checker.first_named);
	free(checker.next_named);
	return ok;
}
