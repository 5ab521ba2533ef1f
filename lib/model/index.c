#include "model/index.h"

#include <stdlib.h>
#include <string.h>

#include "base/search.h"

#include <inlinecall/extra/index.h>

const struct ic_code_section *ic_index_section_of(const struct ic_index *index, uint64_t addr)
{
	uint32_t first = ic_search_up_to(index->sections, sizeof(*index->sections),
					 index->section_count, addr);

	return first > 0 && addr <= index->sections[first - 1].end ? &index->sections[first - 1]
								   : NULL;
}

const struct ic_code_section *ic_index_code_section(const struct ic_index *index, uint64_t addr)
{
	uint32_t first = ic_search_up_to(index->all_sections, sizeof(*index->all_sections),
					 index->all_section_count, addr);

	return first > 0 && addr < index->all_sections[first - 1].end
		       ? &index->all_sections[first - 1]
		       : NULL;
}

uint32_t ic_unit_model_parameters(const struct ic_unit_model *unit, uint32_t instance,
				  const struct ic_parameter_die **first)
{
	uint32_t start;

	IC_SEARCH(start, unit->parameter_count, at, unit->parameters[at].instance < instance);
	uint32_t end = start;

	while (end < unit->parameter_count && unit->parameters[end].instance == instance)
		end++;
	*first = unit->parameters + start;
	return end - start;
}

uint32_t ic_unit_model_entry_row(const struct ic_unit_model *unit, uint64_t addr)
{
	return addr == 0 ? 0
			 : ic_search_up_to(unit->entry_rows, sizeof(*unit->entry_rows),
					   unit->entry_row_count, addr - 1);
}

uint32_t ic_instance_host(const struct ic_unit_model *unit, uint32_t number, const uint32_t *hosts)
{
	const struct ic_instance *instance = &unit->instances[number];

	if (instance->kind == IC_INSTANCE_HOST)
		return number;
	return instance->parent == IC_NONE ? IC_NONE : hosts[instance->parent];
}

uint64_t ic_instance_size(const struct ic_unit_model *unit, const struct ic_instance *instance)
{
	uint64_t size = 0;

	for (uint32_t i = 0; i < instance->range_count; i++) {
		const struct ic_range *range = &unit->ranges[instance->first_range + i];
		size += range->end - range->start;
	}
	return size;
}

bool ic_instance_has_address(const struct ic_unit_model *unit, const struct ic_instance *instance,
			     uint64_t addr)
{
	const struct ic_range *ranges = unit->ranges + instance->first_range;

	for (uint32_t i = 0; i < instance->range_count; i++)
		if (addr >= ranges[i].start && addr < ranges[i].end)
			return true;
	return false;
}

// Whether the position of a call is that of the function's declaration. Lines alone do not tell, as
// a call may be on the same line; and a macro may both define a function and its caller.
static bool is_called_at_declaration(const struct ic_unit_model *unit,
				     const struct ic_instance *instance,
				     const struct ic_function *function,
				     const struct ic_function *caller)
{
	return instance->call_line == function->decl_line && function->decl_column > 0 &&
	       instance->call_column == function->decl_column &&
	       caller->decl_line != function->decl_line && instance->call_file != IC_NONE &&
	       function->decl_file &&
	       strcmp(unit->files[instance->call_file], function->decl_file) == 0;
}

bool ic_instance_is_part(const struct ic_unit_model *unit, const struct ic_instance *instance)
{
	if (instance->kind == IC_INSTANCE_HOST || instance->parent == IC_NONE ||
	    instance->function == IC_NONE)
		return false;
	const struct ic_instance *around = &unit->instances[instance->parent];
	const struct ic_function *function = &unit->functions[instance->function];
	if (around->range_count == 0 || around->function == IC_NONE || function->decl_line == 0)
		return false;
	// GCC folds parts of different functions that are the same: such a part is that of the
	// function around it, with the name of the other one.
	const struct ic_function *caller = &unit->functions[around->function];
	if (caller->die_off != function->die_off)
		return is_called_at_declaration(unit, instance, function, caller);
	return instance->call_line == function->decl_line &&
	       instance->call_column == function->decl_column;
}

bool ic_index_symbol_of(const struct ic_index *index, struct ic_range range, const char *function,
			struct ic_symbol *symbol)
{
	struct ic_symbol_source *symbols = index->symbols;

	return symbols && symbols->find(symbols, range, function, symbol);
}

struct in_code { // visits only symbols in code
	const struct ic_index *index;
	ic_symbol_visit *visit;
	void *context;
};

static bool visit_in_code(void *context, const struct ic_symbol *symbol)
{
	const struct in_code *in_code = context;

	return !ic_range_set_find(&in_code->index->code, symbol->start) ||
	       in_code->visit(in_code->context, symbol);
}

void ic_index_symbols_named(const struct ic_index *index, const char *name, ic_symbol_visit *visit,
			    void *context)
{
	struct in_code in_code = { index, visit, context };

	if (index->symbols)
		index->symbols->each_name(index->symbols, name, visit_in_code, &in_code);
}

struct taken_in_code { // takes only symbols in code
	const struct ic_index *index;
	ic_symbol_take *take;
	void *context;
};

static void take_in_code(void *context, const struct ic_symbol *symbol, enum ic_symbol_kind kind)
{
	const struct taken_in_code *taken = context;

	if (ic_range_set_find(&taken->index->code, symbol->start))
		taken->take(taken->context, symbol, kind);
}

void ic_index_symbols_each(const struct ic_index *index, ic_symbol_take *take, void *context)
{
	struct taken_in_code taken = { index, take, context };

	if (index->symbols)
		index->symbols->each(index->symbols, take_in_code, &taken);
}

void ic_index_expect_symbols(const struct ic_index *index, uint64_t count)
{
	if (index->symbols)
		index->symbols->expect(index->symbols, count);
}

void ic_index_free(struct ic_index *index)
{
	if (!index)
		return;
	ic_arena_free(&index->arena);
	free(index);
}

static const char *symbols_fault(const struct ic_index *index)
{
	return index->symbols ? atomic_load(&index->symbols->fault) : NULL;
}

struct ic_index_counts ic_index_count(const struct ic_index *index)
{
	struct ic_index_counts counts = { .units = index->unit_count };

	for (uint32_t i = 0; i < index->unit_count; i++) {
		const struct ic_unit_model *unit = &index->units[i];
		counts.functions += unit->function_count;
		counts.ranges += unit->range_count;
		counts.calls += unit->call_count;
		for (uint32_t j = 0; j < unit->instance_count; j++)
			if (unit->instances[j].kind == IC_INSTANCE_INLINED)
				counts.inlined++;
			else
				counts.hosts++;
	}
	counts.problems = symbols_fault(index) != NULL;
	for (uint32_t i = 0; i < index->problem_count; i++)
		counts.problems += !index->problems[i].is_note;
	return counts;
}

bool ic_index_section_find(const struct ic_index *index, uint64_t addr,
			   struct ic_index_section *section)
{
	const struct ic_code_section *found = ic_index_section_of(index, addr);

	if (found)
		*section = (struct ic_index_section){ found->name, found->start };
	return found != NULL;
}

bool ic_index_problem_get(const struct ic_index *index, size_t number,
			  struct ic_index_problem *problem)
{
	const char *fault = symbols_fault(index);

	if (number == index->problem_count && fault) {
		*problem = (struct ic_index_problem){ .message = fault };
		return true;
	}
	if (number >= index->problem_count)
		return false;
	const struct ic_problem *found = &index->problems[number];
	*problem = (struct ic_index_problem){ found->file, found->section, found->offset,
					      found->message, found->is_note };
	return true;
}
