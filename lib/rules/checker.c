#include "rules/checker.h"

#include <stdio.h>
#include <string.h>

// Replaces a text, unless it is NULL, by a copy. False if memory runs out.
static bool keep_text(struct ic_rule_checker *checker, const char **text)
{
	if (!*text)
		return true;
	*text = ic_arena_copy(&checker->rules->arena, *text, strlen(*text) + 1, 1);
	return *text;
}

static const char *name_of(struct ic_rule_checker *checker, const struct ic_function *function)
{
	return function ? ic_names_display(&checker->names, function) : NULL;
}

static void place_address(const struct ic_rule_checker *checker, uint64_t addr,
			  struct ic_rule_break *broken)
{
	const struct ic_code_section *section =
		addr == IC_NO_ADDR ? NULL : ic_index_section_of(checker->index, addr);

	broken->address = section ? addr - section->start : addr;
	broken->section = section ? section->name : NULL;
}

bool ic_rule_checker_break(struct ic_rule_checker *checker, uint32_t rule,
			   struct ic_rule_break broken, const struct ic_function *function,
			   const struct ic_function *host, uint64_t addr)
{
	struct ic_rule_item *item = &checker->rules->items.items[rule];

	item->rule.break_count++;
	if (item->breaks.count >= IC_RULES_MOST_BREAKS)
		return true;
	broken.file = checker->path;
	if (function)
		broken.function = name_of(checker, function);
	broken.host = name_of(checker, host);
	place_address(checker, addr, &broken);
	return keep_text(checker, &broken.function) && keep_text(checker, &broken.host) &&
	       keep_text(checker, &broken.call_file) && keep_text(checker, &broken.section) &&
	       IC_ARRAY_ADD(&item->breaks, broken);
}

bool ic_rule_checker_break_at(struct ic_rule_checker *checker, uint32_t rule,
			      struct ic_rule_break broken, uint32_t unit, uint32_t instance,
			      uint64_t addr)
{
	const struct ic_unit_model *model = &checker->index->units[unit];
	const struct ic_instance *place = &model->instances[instance];
	const struct ic_function *function = ic_rule_checker_function(model, instance);
	const struct ic_function *host = NULL;

	if (place->kind == IC_INSTANCE_INLINED) {
		const struct ic_site_place site = { .unit = unit,
						    .number = instance,
						    .kind = IC_SITE_INLINED };
		host = ic_site_host(checker->index, &site);
		broken.call_file = place->call_file == IC_NONE ? NULL
							       : model->files[place->call_file];
		broken.call_line = place->call_line;
		broken.call_column = place->call_column;
	} else if (function) {
		broken.call_file = function->decl_file;
		broken.call_line = function->decl_line;
	}
	return ic_rule_checker_break(checker, rule, broken, function, host,
				     addr == IC_NO_ADDR ? place->entry : addr);
}

bool ic_rule_checker_doubt(struct ic_rule_checker *checker, uint32_t rule, uint32_t unit,
			   uint32_t instance, const char *why)
{
	struct ic_rule_item *item = &checker->rules->items.items[rule];
	const struct ic_function *function =
		ic_rule_checker_function(&checker->index->units[unit], instance);

	if (item->rule.why)
		return true;
	const char *name = name_of(checker, function);
	name = name ? name : "??";
	size_t size = strlen(name) + sizeof(": ") + strlen(why);
	char *text = ic_arena_alloc(&checker->rules->arena, size);
	if (text)
		snprintf(text, size, "%s: %s", name, why);
	item->rule.why = text;
	return text;
}

bool ic_rule_checker_excepts(const struct ic_rule_checker *checker, const struct ic_rule_item *item,
			     uint32_t host)
{
	struct ic_rule_subject_list list = ic_rule_subjects_of(&checker->subjects, host);

	for (uint32_t i = 0; i < item->unless.count; i++)
		if (ic_rule_subject_list_has(list,
					     checker->rules->unless.items[item->unless.first + i]))
			return true;
	return false;
}
