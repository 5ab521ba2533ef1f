#include "query/find/parts.h"

#include "query/find/names.h"
#include "text/clone_name.h"

void ic_parts_init(struct ic_parts *parts, const struct ic_index *index)
{
	*parts = (struct ic_parts){ .index = index };
}

static void take_symbol(void *context, const struct ic_symbol *symbol, enum ic_symbol_kind kind)
{
	struct ic_parts *parts = context;

	(void)kind;
	if (!ic_clone_is_part(symbol->name))
		return;
	struct ic_keyed *place = IC_ARRAY_PUSH(&parts->symbols);
	parts->out_of_memory |= !place;
	if (place)
		*place = (struct ic_keyed){ symbol->start, 0 };
}

static void read_symbols(struct ic_parts *parts)
{
	if (parts->is_read)
		return;
	parts->is_read = true;
	ic_index_symbols_each(parts->index, take_symbol, parts);
	parts->out_of_memory |= !ic_keyed_sort(parts->symbols.items, parts->symbols.count);
}

static bool has_symbol_at(const struct ic_parts *parts, uint64_t addr)
{
	uint32_t at = ic_keyed_find(parts->symbols.items, parts->symbols.count, addr);

	return at < parts->symbols.count && parts->symbols.items[at].key == addr;
}

static bool is_part_out_of_line(struct ic_parts *parts, const struct ic_unit_model *unit,
				const struct ic_instance *instance)
{
	const struct ic_function *function =
		instance->function == IC_NONE ? NULL : &unit->functions[instance->function];
	struct ic_symbol symbol;

	if (instance->range_count == 0)
		return false;
	uint64_t addr = instance->entry != IC_NO_ADDR ? instance->entry
						      : unit->ranges[instance->first_range].start;
	read_symbols(parts);
	// Another function may have been folded into a part.
	return has_symbol_at(parts, addr) &&
	       ic_index_symbol_of(parts->index, (struct ic_range){ addr, addr + 1 },
				  ic_function_symbol(function), &symbol) &&
	       ic_clone_is_part(symbol.name);
}

bool ic_parts_has(struct ic_parts *parts, const struct ic_unit_model *unit,
		  const struct ic_instance *instance)
{
	return instance->kind == IC_INSTANCE_HOST ? is_part_out_of_line(parts, unit, instance)
						  : ic_instance_is_part(unit, instance);
}

// ---- Calls

static void read_functions(struct ic_parts *parts)
{
	const struct ic_index *index = parts->index;

	if (parts->has_functions)
		return;
	parts->has_functions = true;
	read_symbols(parts);
	for (uint32_t i = 0; parts->symbols.count > 0 && i < index->unit_count; i++) {
		const struct ic_unit_model *unit = &index->units[i];
		for (uint32_t j = 0; j < unit->instance_count; j++) {
			const struct ic_instance *instance = &unit->instances[j];
			if (instance->kind != IC_INSTANCE_HOST || instance->function == IC_NONE ||
			    !is_part_out_of_line(parts, unit, instance))
				continue;
			uint32_t *known = ic_map_at(&parts->functions,
						    unit->functions[instance->function].die_off);
			parts->out_of_memory |= !known;
			if (known)
				*known = 0;
		}
	}
}

static bool goes_to_part(const struct ic_parts *parts, const struct ic_branches *branches)
{
	for (uint32_t i = 0; i < branches->count; i++)
		if (has_symbol_at(parts, branches->targets[i]))
			return true;
	return false;
}

// Whether a call is in the called function itself, but not in a part of it, which may call the
// function.
static bool is_in_own_function(struct ic_parts *parts, const struct ic_unit_model *unit,
			       const struct ic_call *call)
{
	if (call->parent == IC_NONE)
		return false;
	const struct ic_instance *around = &unit->instances[call->parent];
	return around->function != IC_NONE &&
	       unit->functions[around->function].die_off ==
		       unit->functions[call->function].die_off &&
	       !ic_parts_has(parts, unit, around);
}

bool ic_parts_has_call(struct ic_parts *parts, const struct ic_unit_model *unit,
		       const struct ic_call *call)
{
	const struct ic_index *index = parts->index;
	bool is_after = call->addr == IC_NO_ADDR;
	uint64_t addr = is_after ? call->return_addr : call->addr;
	struct ic_branches branches;

	if (call->function == IC_NONE)
		return false;
	read_functions(parts);
	if (!ic_map_find(&parts->functions, unit->functions[call->function].die_off))
		return false;
	if (index->image && addr != IC_NO_ADDR &&
	    index->find_branches(index->image, addr, is_after, &branches))
		return goes_to_part(parts, &branches);
	return is_in_own_function(parts, unit, call);
}

void ic_parts_free(struct ic_parts *parts)
{
	IC_ARRAY_FREE(&parts->symbols);
	ic_map_free(&parts->functions);
}
