#include "code/entries/first_statement.h"

bool ic_entry_row_is_same_place(const struct ic_entry_row *a, const struct ic_entry_row *b)
{
	return a->line == b->line && a->column == b->column && a->file == b->file;
}

uint64_t ic_first_statement_start(const struct ic_host_code *code)
{
	const struct ic_instance *instance = ic_host_code_copy(code);

	if (instance->kind != IC_INSTANCE_INLINED || instance->entry == IC_NO_ADDR)
		return code->unit->ranges[instance->first_range].start;
	return instance->entry;
}

// Whether there is code of the copy soon after an address.
static bool has_code_near(const struct ic_host_code *code, uint64_t addr)
{
	for (uint32_t i = 0; i < code->own.count; i++)
		if (code->own.ranges[i].end > addr)
			return code->own.ranges[i].start <= addr ||
			       code->own.ranges[i].start - addr <= IC_ENTRY_MOST_PADDING;
	return false;
}

// Whether a row has the same position as the first row of an out-of-line function, which is where
// the body starts, unless LLVM made no row for that.
static bool is_before_body(const struct ic_entry_row *first, const struct ic_entry_row *row)
{
	return !first->is_prologue_end && ic_entry_row_is_same_place(row, first);
}

const struct ic_entry_row *ic_first_statement_find(const struct ic_host_code *code)
{
	const struct ic_unit_model *unit = code->unit;
	const struct ic_function *function = ic_host_code_function(code, code->copy);
	const struct ic_entry_row *found = NULL, *unmarked = NULL;
	bool is_host = ic_host_code_copy(code)->kind == IC_INSTANCE_HOST;
	bool is_behind_callers = is_host;
	uint64_t start = ic_first_statement_start(code);
	bool has_code = has_code_near(code, start);
	uint32_t first = ic_unit_model_entry_row(unit, start);

	for (uint32_t i = first; i < unit->entry_row_count &&
				 unit->entry_rows[i].addr - start <= IC_ENTRY_MOST_PADDING &&
				 (!found || unit->entry_rows[i].addr == start);
	     i++) {
		const struct ic_entry_row *row = &unit->entry_rows[i];
		bool is_head = function && row->line == function->decl_line &&
			       row->column == function->decl_column;
		bool is_own = ic_range_set_find(&code->own, row->addr);
		if (is_head && row->is_stmt && !is_host) {
			found = unmarked = NULL;
			is_behind_callers = true;
		} else if (is_head || row->line == 0 || (has_code && !is_own) ||
			   (is_host && is_before_body(&unit->entry_rows[first], row))) {
			continue;
		} else if (row->is_stmt) {
			found = found && is_behind_callers ? found : row;
		} else if (!unmarked) {
			unmarked = row;
		}
	}
	return found ? found : unmarked;
}
