#include "query/facts.h"

#include <string.h>

static void note_instances(uint8_t *facts, const struct ic_definitions *definitions,
			   const struct ic_index *index)
{
	for (uint32_t i = 0; i < index->unit_count; i++) {
		const struct ic_unit_model *unit = &index->units[i];
		for (uint32_t j = 0; j < unit->instance_count; j++) {
			const struct ic_instance *instance = &unit->instances[j];
			if (ic_instance_has_code(unit, instance) &&
			    !ic_instance_is_part(unit, instance))
				facts[ic_definition_of(definitions, i, instance)] |=
					instance->kind == IC_INSTANCE_HOST ? IC_FACT_HAS_CODE
									   : IC_FACT_IS_INLINED;
		}
	}
}

static bool note_found(void *context, const struct ic_symbol *symbol)
{
	(void)symbol;
	*(bool *)context = true;
	return false;
}

// Names in DWARF have no symbol version. All names that differ only in one would be looked for
// among the same symbols.
static bool has_symbol(const struct ic_index *index, const char *name)
{
	bool found = false;

	if (*name && !strchr(name, '@'))
		ic_index_symbols_named(index, name, note_found, &found);
	return found;
}

// If functions of one name have no out-of-line copy, a symbol of that name may be code of them all
// the same: an alias, or code without debug information. If one of them has such a copy, the symbol
// is that one's.
static void note_symbols(uint8_t *facts, const struct ic_definitions *definitions,
			 const struct ic_index *index)
{
	uint32_t count = definitions->items.count - 1; // the last one has no name

	for (uint32_t i = 0, end; i < count; i = end) {
		const char *name = ic_function_symbol(definitions->items.items[i]);
		uint8_t all = 0;

		for (end = i; end < count &&
			      strcmp(name, ic_function_symbol(definitions->items.items[end])) == 0;
		     end++)
			all |= facts[end];
		if (all & IC_FACT_HAS_CODE || !(all & IC_FACT_IS_WANTED) ||
		    !has_symbol(index, name))
			continue;
		for (uint32_t j = i; j < end; j++)
			facts[j] |= IC_FACT_HAS_CODE;
	}
}

void ic_facts_note(uint8_t *facts, const struct ic_definitions *definitions,
		   const struct ic_index *index)
{
	note_instances(facts, definitions, index);
	note_symbols(facts, definitions, index);
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
