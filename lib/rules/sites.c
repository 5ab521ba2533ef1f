// Rules about the arguments and the entries of copies.
#include <stdlib.h>
#include <string.h>

#include <inlinecall/extra/entries.h>
#include <inlinecall/parameters.h>

#include "base/error.h"
#include "base/sort.h"
#include "rules/checker.h"

static enum ic_rule_kind kind_of(const struct ic_rule_checker *checker,
				 const struct ic_rule_site *site)
{
	return checker->rules->items.items[site->rule].kind;
}

static bool has_sites(const struct ic_rule_checker *checker, enum ic_rule_kind kind)
{
	for (uint32_t i = 0; i < checker->sites.count; i++)
		if (kind_of(checker, &checker->sites.items[i]) == kind)
			return true;
	return false;
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

static bool check_argument(struct ic_rule_checker *checker, const struct ic_rule_site *copy,
			   struct ic_error *err)
{
	struct ic_rule_item *item = &checker->rules->items.items[copy->rule];
	struct ic_site site;

	item->is_unknown |= !checker->parameters;
	if (!checker->parameters)
		return true;
	ic_site_describe(checker->index, &copy->place, &site);
	if (site.range_count == 0)
		return true;
	if (!ic_parameters_find(checker->parameters, &site, IC_NO_ADDR, err))
		return false;
	item->rule.found++;
	if (is_readable(checker->parameters, item->argument)) {
		item->readable++;
		return true;
	}
	const struct ic_unit_model *unit = &checker->index->units[copy->place.unit];
	struct ic_rule_break broken = { .what = "not readable",
					.call_file = site.call_file,
					.call_line = site.call_line,
					.call_column = site.call_column };
	return ic_rule_checker_break(checker, copy->rule, broken,
				     ic_rule_checker_function(unit, copy->place.number),
				     ic_site_host(checker->index, &copy->place), site.entry) ||
	       ic_fail_memory(err);
}

static bool check_arguments(struct ic_rule_checker *checker, struct ic_error *err)
{
	for (uint32_t i = 0; i < checker->sites.count; i++)
		if (kind_of(checker, &checker->sites.items[i]) == IC_RULE_ARGUMENT &&
		    !check_argument(checker, &checker->sites.items[i], err))
			return false;
	return true;
}

// ---- Entries

// Whether calls may be missing if there is such a doubt. In a loop there may be too many.
static bool may_miss(enum ic_entry_doubt_kind kind)
{
	return kind != IC_ENTRY_LOOP;
}

static bool check_entries_of(struct ic_rule_checker *checker, const struct ic_rule_site *copy,
			     const struct ic_site_entries *entries)
{
	const struct ic_unit_model *unit = &checker->index->units[copy->place.unit];
	const struct ic_instance *instance = &unit->instances[copy->place.number];
	struct ic_rule_break broken = { .what = "may be missed",
					.call_line = instance->call_line,
					.call_column = instance->call_column };
	size_t doubt = 0;

	checker->rules->items.items[copy->rule].is_unknown |= entries->why_not != NULL;
	while (doubt < entries->doubt_count && !may_miss(entries->doubts[doubt].kind))
		doubt++;
	if (doubt == entries->doubt_count)
		return true;
	const struct ic_function *function = ic_rule_checker_function(unit, copy->place.number);
	bool is_copy = instance->kind == IC_INSTANCE_INLINED;
	if (is_copy && instance->call_file != IC_NONE)
		broken.call_file = unit->files[instance->call_file];
	if (!is_copy && function) {
		broken.call_file = function->decl_file;
		broken.call_line = function->decl_line;
	}
	return ic_rule_checker_break(checker, copy->rule, broken, function,
				     is_copy ? ic_site_host(checker->index, &copy->place) : NULL,
				     entries->doubts[doubt].target);
}

// The copies of each function follow one another.
static bool order_sites(const struct ic_rule_checker *checker, struct ic_keyed *order,
			uint32_t *count)
{
	for (uint32_t i = 0; i < checker->sites.count; i++) {
		const struct ic_rule_site *site = &checker->sites.items[i];
		if (kind_of(checker, site) == IC_RULE_PROBE)
			order[(*count)++] = (struct ic_keyed){ site->place.function_off, i };
	}
	return ic_keyed_sort(order, *count);
}

static bool check_ordered(struct ic_rule_checker *checker, const struct ic_keyed *order,
			  uint32_t count, struct ic_error *err)
{
	struct ic_sites sites = { .index = checker->index };
	bool ok = true;

	for (uint32_t i = 0; ok && i < count; i++)
		ok = IC_ARRAY_ADD(&sites.places, checker->sites.items[order[i].number].place);
	struct ic_entries *entries =
		ok ? ic_entries_find(checker->image, checker->index, &sites, NULL, err) : NULL;
	if (!ok)
		ic_fail_memory(err);
	ok = entries != NULL;
	for (uint32_t i = 0; ok && i < count; i++) {
		const struct ic_site_entries found = ic_entries_of(entries, i);
		ok = check_entries_of(checker, &checker->sites.items[order[i].number], &found) ||
		     ic_fail_memory(err);
	}
	ic_entries_free(entries);
	IC_ARRAY_FREE(&sites.places);
	return ok;
}

static bool check_entries(struct ic_rule_checker *checker, struct ic_error *err)
{
	uint32_t count = 0;

	if (!has_sites(checker, IC_RULE_PROBE))
		return true;
	struct ic_keyed *order = ic_items_alloc(checker->sites.count, sizeof(*order));
	bool ok = order && order_sites(checker, order, &count)
			  ? check_ordered(checker, order, count, err)
			  : ic_fail_memory(err);
	free(order);
	return ok;
}

bool ic_rule_checker_check_sites(struct ic_rule_checker *checker, struct ic_error *err)
{
	return check_arguments(checker, err) && check_entries(checker, err);
}
