// Rules about the arguments and the entries of copies.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <inlinecall/extra/entries.h>
#include <inlinecall/parameters.h>

#include "base/error.h"
#include "base/sort.h"
#include "rules/checker.h"
#include "text/text.h"

// The longest text of probes in bytes, of one of them, and of its symbol.
enum { MOST_PROBES = 1024, MOST_PROBE = 320, MOST_SYMBOL = 256 };

static enum ic_rule_kind kind_of(const struct ic_rule_checker *checker,
				 const struct ic_rule_site *site)
{
	return checker->rules->items.items[site->rule].kind;
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

	if (!checker->readers.parameters)
		return ic_rule_checker_doubt(checker, copy->rule, copy->place.unit,
					     copy->place.number,
					     "there is no reader of arguments") ||
		       ic_fail_memory(err);
	ic_site_describe(checker->index, &copy->place, &site);
	if (site.range_count == 0)
		return true;
	if (!ic_parameters_find(checker->readers.parameters, &site, IC_NO_ADDR, err))
		return false;
	item->rule.found++;
	if (is_readable(checker->readers.parameters, item->argument)) {
		item->readable++;
		return true;
	}
	const struct ic_rule_break broken = { .what = "not readable" };
	return ic_rule_checker_break_at(checker, copy->rule, broken, copy->place.unit,
					copy->place.number, IC_NO_ADDR) ||
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

static bool is_about_entries(enum ic_rule_kind kind)
{
	return kind == IC_RULE_PROBE || kind == IC_RULE_START_PROBE;
}

static bool doubt_copy(struct ic_rule_checker *checker, const struct ic_rule_site *copy,
		       const char *why)
{
	return ic_rule_checker_doubt(checker, copy->rule, copy->place.unit, copy->place.number,
				     why);
}

// The entries as symbols and offsets, as probes take them; empty if there are none.
static void name_entries(const struct ic_rule_checker *checker, const struct ic_function *host,
			 const struct ic_site_entries *entries, char text[MOST_PROBES])
{
	struct ic_symbol symbol;

	*text = 0;
	for (size_t i = 0; i < entries->count; i++) {
		uint64_t addr = entries->addrs[i];
		if (strlen(text) + MOST_PROBE >= MOST_PROBES) {
			ic_text_append(text, MOST_PROBES, " and %zu more", entries->count - i);
			return;
		}
		ic_text_append(text, MOST_PROBES, "%s", i > 0 ? ", " : "");
		if (ic_index_symbol_of(checker->index, (struct ic_range){ addr, addr + 1 },
				       host ? ic_function_symbol(host) : NULL, &symbol))
			ic_text_append(text, MOST_PROBES, "%.*s+0x%" PRIx64, MOST_SYMBOL,
				       symbol.name, addr - symbol.start);
		else
			ic_text_append(text, MOST_PROBES, "0x%" PRIx64, addr);
	}
}

// A copy that a probe at the start of the function does not see, and the probes that do.
static bool break_at_inlined(struct ic_rule_checker *checker, const struct ic_rule_site *copy,
			     const struct ic_site_entries *entries)
{
	struct ic_rule_break broken = { .what = "inlined" };
	char probes[MOST_PROBES];

	name_entries(checker, ic_site_host(checker->index, &copy->place), entries, probes);
	if (*probes) {
		broken.probes =
			ic_arena_copy(&checker->rules->arena, probes, strlen(probes) + 1, 1);
		if (!broken.probes)
			return false;
	}
	return ic_rule_checker_break_at(checker, copy->rule, broken, copy->place.unit,
					copy->place.number, IC_NO_ADDR);
}

static bool check_entries_of(struct ic_rule_checker *checker, const struct ic_rule_site *copy,
			     const struct ic_site_entries *entries)
{
	const struct ic_rule_break broken = { .what = "may be missed" };

	if (kind_of(checker, copy) == IC_RULE_START_PROBE)
		return break_at_inlined(checker, copy, entries);
	if (entries->why_not && !doubt_copy(checker, copy, entries->why_not))
		return false;
	for (size_t i = 0; i < entries->doubt_count; i++) {
		const struct ic_entry_doubt *doubt = &entries->doubts[i];
		switch (doubt->kind) {
		case IC_ENTRY_LOOP: continue; // counts too many, if anything
		case IC_ENTRY_REPEATED:       // any loop may have been a call of itself
			if (!doubt_copy(checker, copy, ic_entry_doubt_text(doubt->kind)))
				return false;
			continue;
		case IC_ENTRY_PASSED_BY:
		case IC_ENTRY_PACKED: break;
		}
		return ic_rule_checker_break_at(checker, copy->rule, broken, copy->place.unit,
						copy->place.number, doubt->target);
	}
	return true;
}

// The copies of each function follow one another.
static bool order_sites(const struct ic_rule_checker *checker, struct ic_keyed *order,
			uint32_t *count)
{
	for (uint32_t i = 0; i < checker->sites.count; i++) {
		const struct ic_rule_site *site = &checker->sites.items[i];
		if (is_about_entries(kind_of(checker, site)))
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
	struct ic_keyed *order = ic_items_alloc(checker->sites.count + 1ull, sizeof(*order));
	bool ok = (order && order_sites(checker, order, &count)) || ic_fail_memory(err);
	if (ok && count > 0)
		ok = check_ordered(checker, order, count, err);
	free(order);
	return ok;
}

bool ic_rule_checker_check_sites(struct ic_rule_checker *checker, struct ic_error *err)
{
	return check_arguments(checker, err) && check_entries(checker, err);
}
