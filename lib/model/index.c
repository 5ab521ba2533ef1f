#include "model/index.h"

#include <stdlib.h>

enum { MOST_NESTED_SYMBOLS = 32 }; // how far back a larger symbol around a range is looked for

// Whether a symbol is the function's own: by its name, or as a clone of it (f.constprop.0).
static bool is_symbol_of(const struct ic_symbol *symbol, const char *function)
{
	size_t length = strlen(function);

	return !strncmp(symbol->name, function, length) &&
	       (symbol->name[length] == 0 || symbol->name[length] == '.');
}

const struct ic_symbol *ic_index_symbol_of(const struct ic_index *index, struct ic_range range,
					   const char *function)
{
	uint32_t first = 0, count = index->symbol_count;

	while (count > 0) { // the first symbol that starts beyond the range's start
		uint32_t half = count / 2;
		if (index->symbols[first + half].start <= range.start) {
			first += half + 1;
			count -= half + 1;
		} else {
			count = half;
		}
	}
	const struct ic_symbol *found = NULL, *last = NULL;
	for (uint32_t back = 1; back <= first && back <= MOST_NESTED_SYMBOLS; back++) {
		const struct ic_symbol *symbol = &index->symbols[first - back];
		if (found && symbol->start != found->start)
			break;
		if (range.end > symbol->end)
			continue;
		found = symbol; // of several at one address the first is the best name
		last = last ? last : symbol;
	}
	// Unless the linker folded functions, and one of the others is this one's.
	for (const struct ic_symbol *i = found; function && found != last && i <= last; i++)
		if (range.end <= i->end && is_symbol_of(i, function))
			return i;
	return found;
}

const struct ic_code_section *ic_index_section_of(const struct ic_index *index, uint64_t addr)
{
	uint32_t first = 0, count = index->section_count;

	while (count > 0) {
		uint32_t half = count / 2;
		if (index->sections[first + half].start <= addr) {
			first += half + 1;
			count -= half + 1;
		} else {
			count = half;
		}
	}
	return first > 0 && addr <= index->sections[first - 1].end ? &index->sections[first - 1]
								   : NULL;
}

void ic_index_free(struct ic_index *index)
{
	if (!index)
		return;
	ic_arena_free(&index->arena);
	free(index);
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
	counts.problems = index->problem_count;
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

bool ic_index_problem_get(const struct ic_index *index, uint64_t number,
			  struct ic_index_problem *problem)
{
	if (number >= index->problem_count)
		return false;
	const struct ic_problem *found = &index->problems[number];
	*problem = (struct ic_index_problem){ found->file, found->section, found->offset,
					      found->message };
	return true;
}
