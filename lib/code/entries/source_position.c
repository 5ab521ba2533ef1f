#include "code/entries/source_position.h"

enum { MOST_DEPTH = 64 }; // nesting of copies to examine

static uint32_t find_inner(struct ic_host_code *code, uint32_t copy, uint64_t addr)
{
	const struct ic_unit_model *unit = code->unit;

	for (uint32_t i = copy + 1; i <= code->lasts.items[code->host]; i++) {
		const struct ic_instance *inner = &unit->instances[i];
		uint32_t range_count = inner->parent == copy ? inner->range_count : 0;
		if (inner->parent < copy || !ic_host_code_search(code, 1 + (uint64_t)range_count))
			break;
		for (uint32_t j = 0; j < range_count; j++) {
			struct ic_range range = unit->ranges[inner->first_range + j];
			if (addr >= range.start && addr < range.end)
				return i;
		}
	}
	return IC_NONE;
}

struct ic_source_position ic_source_position_of(struct ic_host_code *code, uint32_t instance,
						uint64_t addr, uint32_t *inner)
{
	const struct ic_unit_model *unit = code->unit;
	uint32_t found = find_inner(code, instance, addr);

	if (inner)
		*inner = found;
	if (found != IC_NONE)
		return (struct ic_source_position){ unit->instances[found].call_line,
						    unit->instances[found].call_column };
	uint32_t after = addr == UINT64_MAX ? unit->entry_row_count
					    : ic_unit_model_entry_row(unit, addr + 1);
	const struct ic_entry_row *row = after > 0 ? &unit->entry_rows[after - 1] : NULL;
	return row && ic_entry_row_is_of(unit, row, ic_host_code_function(code, instance))
		       ? (struct ic_source_position){ row->line, row->column }
		       : (struct ic_source_position){ 0, 0 };
}

int ic_source_position_compare(struct ic_source_position a, struct ic_source_position b)
{
	if (a.line != b.line)
		return a.line < b.line ? -1 : 1;
	return a.column < b.column ? -1 : a.column > b.column;
}

int ic_source_order(struct ic_host_code *code, uint64_t a, uint64_t b)
{
	uint32_t copy = code->copy, inner_a, inner_b;

	for (unsigned i = 0; i < MOST_DEPTH; i++) {
		struct ic_source_position at_a = ic_source_position_of(code, copy, a, &inner_a);
		struct ic_source_position at_b = ic_source_position_of(code, copy, b, &inner_b);
		int order = ic_source_position_compare(at_a, at_b);
		if (order != 0 || inner_a != inner_b || inner_a == IC_NONE)
			return order;
		copy = inner_a;
	}
	return 0;
}
