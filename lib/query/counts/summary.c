// What happened to a function that has no sites.
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "query/find/matcher.h"
#include "query/find/names.h"
#include "query/find/nearest.h"
#include "query/find/parts.h"

#include <inlinecall/extra/sites.h>

// The position of a definition, which has copies, is preferred over that of a declaration.
static void take_place(struct ic_function_summary *summary, const struct ic_function *function,
		       bool is_defined)
{
	if (!function->decl_file || (summary->decl_file && summary->is_defined >= is_defined))
		return;
	summary->decl_file = function->decl_file;
	summary->decl_line = function->decl_line;
	summary->is_defined = is_defined;
}

struct summarizer {
	const struct ic_index *index;
	struct ic_matchers matchers;
	struct ic_parts parts;
	struct ic_function_summary *summaries;
	// The names of each function in a unit: from its offset in `names` to the next function's
	// offset.
	IC_ARRAY(uint32_t) offsets, names;
};

static void add_function(struct ic_function_summary *summary, const struct ic_function *function)
{
	summary->functions++;
	summary->was_inlined |= function->inlining == IC_INLINING_INLINED ||
				function->inlining == IC_INLINING_DECLARED_INLINED;
	take_place(summary, function, false);
}

static void add_instance(struct ic_function_summary *summary, const struct ic_unit_model *unit,
			 const struct ic_instance *instance, bool is_part)
{
	take_place(summary, &unit->functions[instance->function], true);
	if (is_part)
		return;
	if (instance->kind == IC_INSTANCE_HOST) {
		summary->hosts += instance->range_count > 0;
	} else {
		summary->inlined++;
		summary->with_code += ic_instance_has_code(unit, instance);
	}
}

// Adds the names that a function has; if the query has none, the only one is number 0.
static bool add_names(struct summarizer *summarizer, const struct ic_function *function)
{
	static const uint32_t all = 0;
	const uint32_t *found = &all;
	uint32_t count = 1;

	if (summarizer->matchers.count > 0)
		found = ic_matchers_find(&summarizer->matchers, function, &count);
	for (uint32_t i = 0; i < count; i++) {
		if (!IC_ARRAY_ADD(&summarizer->names, found[i]))
			return false;
		add_function(&summarizer->summaries[found[i]], function);
	}
	return true;
}

static bool add_unit(struct summarizer *summarizer, const struct ic_unit_model *unit)
{
	summarizer->names.count = 0;
	if (!IC_ARRAY_RESERVE(&summarizer->offsets, unit->function_count + 1ull))
		return false;
	uint32_t *offsets = summarizer->offsets.items;
	for (uint32_t i = 0; i < unit->function_count; i++) {
		offsets[i] = summarizer->names.count;
		if (!add_names(summarizer, &unit->functions[i]))
			return false;
	}
	offsets[unit->function_count] = summarizer->names.count;
	for (uint32_t i = 0; summarizer->names.count > 0 && i < unit->instance_count; i++) {
		const struct ic_instance *instance = &unit->instances[i];
		uint32_t function = instance->function;
		if (function == IC_NONE || offsets[function] == offsets[function + 1])
			continue;
		bool is_part = ic_parts_has(&summarizer->parts, unit, instance);
		for (uint32_t j = offsets[function]; j < offsets[function + 1]; j++)
			add_instance(&summarizer->summaries[summarizer->names.items[j]], unit,
				     instance, is_part);
	}
	return !summarizer->parts.out_of_memory;
}

bool ic_sites_summary(const struct ic_index *index, const struct ic_sites_query *query,
		      struct ic_function_summary *summaries, struct ic_error *err)
{
	struct summarizer summarizer = { .index = index, .summaries = summaries };
	struct ic_error unwanted;
	bool ok = true;

	if (!err)
		err = &unwanted;
	if (!ic_matchers_init(&summarizer.matchers, index, query->function,
			      query->function ? query->more_functions : NULL, query->match, err))
		return false;
	ic_parts_init(&summarizer.parts, index);
	for (uint32_t i = 0; i == 0 || i < summarizer.matchers.count; i++)
		summaries[i] = (struct ic_function_summary){ 0 };
	for (uint32_t i = 0; ok && i < index->unit_count; i++)
		ok = add_unit(&summarizer, &index->units[i]);
	ok = ok && ic_matchers_are_sound(&summarizer.matchers);
	ic_matchers_deinit(&summarizer.matchers);
	ic_parts_free(&summarizer.parts);
	IC_ARRAY_FREE(&summarizer.offsets);
	IC_ARRAY_FREE(&summarizer.names);
	return ok || ic_fail_memory(err);
}

size_t ic_index_nearest_names(const struct ic_index *index, const char *name, const char **names,
			      size_t count, size_t capacity)
{
	struct ic_nearest nearest;

	if (!name)
		return count;
	ic_nearest_init(&nearest, name, names, count, capacity);
	for (uint32_t i = 0; i < index->unit_count; i++) {
		const struct ic_unit_model *unit = &index->units[i];
		for (uint32_t j = 0; j < unit->function_count; j++)
			if (unit->functions[j].name)
				ic_nearest_consider(&nearest, unit->functions[j].name);
	}
	return ic_nearest_names(&nearest, names);
}
