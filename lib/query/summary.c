// What became of a function that has no sites.
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/name_parts.h"
#include "query/matcher.h"
#include "query/names.h"
#include "query/nearest.h"

// The position of a definition, which has copies, is preferred to that of a prototype.
static void take_place(struct ic_function_summary *summary, const struct ic_function *function,
		       bool is_defined)
{
	if (!function->decl_file || (summary->decl_file && summary->is_defined >= is_defined))
		return;
	summary->decl_file = function->decl_file;
	summary->decl_line = function->decl_line;
	summary->is_defined = is_defined;
}

static void add_unit(struct ic_function_summary *summary, struct ic_matchers *matchers,
		     const struct ic_unit_model *unit, bool *matches)
{
	for (uint32_t i = 0; i < unit->function_count; i++) {
		const struct ic_function *function = &unit->functions[i];

		matches[i] = ic_matchers_match(matchers, function);
		if (!matches[i])
			continue;
		summary->functions++;
		summary->was_inlined |= function->inlining == IC_INLINING_INLINED ||
					function->inlining == IC_INLINING_DECLARED_INLINED;
		take_place(summary, function, false);
	}
	for (uint32_t i = 0; i < unit->instance_count; i++) {
		const struct ic_instance *instance = &unit->instances[i];

		if (instance->function == IC_NONE || !matches[instance->function])
			continue;
		take_place(summary, &unit->functions[instance->function], true);
		if (instance->kind == IC_INSTANCE_HOST) {
			summary->hosts += instance->range_count > 0;
		} else {
			summary->inlined++;
			summary->with_code += ic_instance_has_code(unit, instance);
		}
	}
}

bool ic_sites_summary(const struct ic_index *index, const struct ic_sites_query *query,
		      struct ic_function_summary *summary, struct ic_error *err)
{
	struct ic_matchers matchers;
	struct ic_error unwanted;
	uint32_t most = 0;

	*summary = (struct ic_function_summary){ 0 };
	if (!err)
		err = &unwanted;
	if (!ic_matchers_init(&matchers, index, query->function,
			      query->function ? query->more_functions : NULL, query->match, err))
		return false;
	for (uint32_t i = 0; i < index->unit_count; i++)
		if (index->units[i].function_count > most)
			most = index->units[i].function_count;
	bool *matches = ic_items_alloc(most + 1ull, sizeof(*matches));
	for (uint32_t i = 0; matches && i < index->unit_count; i++)
		add_unit(summary, &matchers, &index->units[i], matches);
	bool ok = matches && ic_matchers_are_sound(&matchers);
	ic_matchers_deinit(&matchers);
	free(matches);
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
