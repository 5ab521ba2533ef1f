#include "query/counts/facts.h"

#include <string.h>

#include "query/find/names.h"
#include "text/clone_name.h"

static void note_inlined(uint8_t *facts, const struct ic_definitions *definitions,
			 const struct ic_index *index)
{
	for (uint32_t i = 0; i < index->unit_count; i++) {
		const struct ic_unit_model *unit = &index->units[i];
		for (uint32_t j = 0; j < unit->instance_count; j++) {
			const struct ic_instance *instance = &unit->instances[j];
			if (instance->kind == IC_INSTANCE_INLINED &&
			    ic_instance_has_code(unit, instance) &&
			    !ic_instance_is_part(unit, instance))
				facts[ic_definition_of(definitions, i, instance)] |=
					IC_FACT_IS_INLINED;
		}
	}
}

static void note_hosts(uint8_t *facts, const struct ic_definitions *definitions,
		       struct ic_parts *parts)
{
	const struct ic_index *index = parts->index;

	for (uint32_t i = 0; i < index->unit_count; i++) {
		const struct ic_unit_model *unit = &index->units[i];
		for (uint32_t j = 0; j < unit->instance_count; j++) {
			const struct ic_instance *instance = &unit->instances[j];
			uint32_t definition = ic_definition_of(definitions, i, instance);
			if (instance->kind == IC_INSTANCE_HOST && instance->range_count > 0 &&
			    !(facts[definition] & IC_FACT_HAS_CODE) &&
			    (!(facts[definition] & IC_FACT_IS_WANTED) ||
			     !ic_parts_has(parts, unit, instance)))
				facts[definition] |= IC_FACT_HAS_CODE;
		}
	}
}

// Calls do not arrive at a piece of a function.
static bool note_found(void *context, const struct ic_symbol *symbol)
{
	bool *found = context;

	*found = !ic_clone_is_part(symbol->name);
	return !*found;
}

// Names in DWARF have no symbol version. Names that differ only in the version would be searched
// for among the same symbols.
static bool has_symbol(const struct ic_index *index, const char *name)
{
	bool found = false;

	if (*name && !strchr(name, '@'))
		ic_index_symbols_named(index, name, note_found, &found);
	return found;
}

static bool have_one_name(const struct ic_definitions *definitions, uint32_t one, uint32_t other)
{
	return ic_clone_compare(ic_function_symbol(definitions->items.items[one]),
				ic_function_symbol(definitions->items.items[other])) == 0;
}

// If no function of a name has an out-of-line copy, a symbol of that name may nevertheless be code
// of all of them: an alias, or code without debug information. If one of them has such a copy, the
// symbol belongs to that one.
static void note_symbols(uint8_t *facts, const struct ic_definitions *definitions,
			 const struct ic_index *index)
{
	uint32_t count = definitions->items.count - 1; // the last one has no name

	for (uint32_t i = 0, start, end = 0; i < count; i = i < end ? end : i + 1) {
		uint8_t all = 0;
		if (!(facts[i] & IC_FACT_IS_WANTED))
			continue;
		for (start = i; start > end && have_one_name(definitions, start - 1, i); start--)
			all |= facts[start - 1];
		for (end = i; end < count && have_one_name(definitions, i, end); end++)
			all |= facts[end];
		if (all & IC_FACT_HAS_CODE ||
		    !has_symbol(index, ic_function_symbol(definitions->items.items[start])))
			continue;
		for (uint32_t j = start; j < end; j++)
			facts[j] |= IC_FACT_HAS_CODE;
	}
}

bool ic_facts_note(uint8_t *facts, const struct ic_definitions *definitions, struct ic_parts *parts)
{
	note_inlined(facts, definitions, parts->index);
	note_hosts(facts, definitions, parts);
	note_symbols(facts, definitions, parts->index);
	return !parts->out_of_memory;
}

enum ic_inlined ic_facts_inlined(uint8_t facts)
{
	switch (facts & (IC_FACT_HAS_CODE | IC_FACT_IS_INLINED)) {
	case IC_FACT_HAS_CODE: return IC_INLINED_NEVER;
	case IC_FACT_IS_INLINED: return IC_INLINED_FULLY;
	case IC_FACT_HAS_CODE | IC_FACT_IS_INLINED: return IC_INLINED_PARTLY;
	default: return IC_INLINED_UNKNOWN;
	}
}
