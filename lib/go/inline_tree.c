#include "go/inline_tree.h"

#include "base/cursor.h"

struct ic_bytes ic_go_memory_at(const struct ic_go_memory *memory, uint64_t addr)
{
	for (uint32_t i = 0; i < memory->count; i++) {
		const struct ic_go_span *span = &memory->spans[i];
		if (addr >= span->addr && addr - span->addr < span->bytes.size)
			return (struct ic_bytes){ span->bytes.data + (addr - span->addr),
						  span->bytes.size - (size_t)(addr - span->addr) };
	}
	return (struct ic_bytes){ NULL, 0 };
}

static const uint8_t record_sizes[] = {
	[IC_GO_RECORD_NONE] = 0,
	[IC_GO_RECORD_PARENT] = 16,
	[IC_GO_RECORD_BOTH] = 20,
	[IC_GO_RECORD_PLACE] = 16,
};

static void read_place(struct ic_cursor *cur, struct ic_go_inlined *inlined)
{
	ic_cursor_take(cur, 4); // funcID
	*inlined = (struct ic_go_inlined){ .parent = -1, .has_parent_pc = true };
	inlined->name_off = ic_cursor_u32(cur);
	inlined->parent_pc = ic_cursor_u32(cur);
	inlined->start_line = ic_cursor_u32(cur);
	if (inlined->start_line > INT32_MAX)
		inlined->start_line = 0;
}

static void read_parent(struct ic_cursor *cur, bool has_place, struct ic_go_inlined *inlined)
{
	*inlined = (struct ic_go_inlined){ .has_parent_pc = has_place };
	if (has_place) {
		inlined->parent = (int16_t)ic_cursor_u16(cur);
		ic_cursor_take(cur, 2); // funcID
	} else {
		inlined->parent = (int32_t)ic_cursor_u32(cur);
	}
	inlined->file = (int32_t)ic_cursor_u32(cur);
	inlined->line = ic_cursor_u32(cur);
	inlined->name_off = ic_cursor_u32(cur);
	if (has_place)
		inlined->parent_pc = ic_cursor_u32(cur);
}

bool ic_go_inlined_read(const struct ic_go_pclntab *table, struct ic_bytes records, uint32_t number,
			struct ic_go_inlined *inlined)
{
	enum ic_go_record kind = table->layout->record;
	uint64_t size = record_sizes[kind];

	*inlined = (struct ic_go_inlined){ .parent = -1 };
	if (size == 0 || number >= records.size / size)
		return false;
	struct ic_cursor cur = ic_cursor_at(records, "", number * size, size, table->swap);
	if (kind == IC_GO_RECORD_PLACE)
		read_place(&cur, inlined);
	else
		read_parent(&cur, kind == IC_GO_RECORD_BOTH, inlined);
	return true;
}

// ---- The layout

enum {
	TRIAL_FUNCTIONS = 64,   // functions with records to look at
	TRIAL_STEPS = 1u << 20, // pairs of values to read for that
	TRIAL_READ = 1u << 16,  // functions to read in order to find them
};

static bool makes_sense(const struct ic_go_pclntab *table, struct ic_bytes records,
			const struct ic_go_function *function, int32_t number)
{
	struct ic_go_inlined inlined;

	return ic_go_inlined_read(table, records, (uint32_t)number, &inlined) &&
	       ic_go_name_at(table, inlined.name_off) && inlined.parent >= -1 &&
	       inlined.parent < number && inlined.parent_pc < function->end - function->entry;
}

struct trial {
	const struct ic_go_pclntab *table;
	const struct ic_go_memory *memory;
	ic_go_runs runs;
	uint64_t steps;
	uint32_t right, wrong; // numbers of functions
};

static void try_function(struct trial *trial, const struct ic_go_function *function)
{
	uint64_t size = function->end - function->entry;
	struct ic_bytes records = ic_go_memory_at(trial->memory, function->inlined_addr);
	bool is_right = size <= UINT32_MAX &&
			ic_go_runs_read(trial->table, function->pc_inlined, (uint32_t)size,
					&trial->runs, &trial->steps) == IC_GO_VALUES_OK;

	for (uint32_t i = 0; is_right && i < trial->runs.count; i++) {
		int32_t value = trial->runs.items[i].value;
		is_right = value == -1 ||
			   (value >= 0 && makes_sense(trial->table, records, function, value));
	}
	trial->right += is_right;
	trial->wrong += !is_right;
}

// By how many the functions that make sense outnumber the others, among a sample spread over the
// table.
static int64_t try_layout(const struct ic_go_pclntab *table, const struct ic_go_memory *memory)
{
	struct trial trial = { .table = table, .memory = memory, .steps = TRIAL_STEPS };
	uint32_t step = 1 + table->function_count / TRIAL_READ;
	struct ic_go_function function;
	struct ic_error unwanted;

	for (uint32_t i = 0; i < table->function_count && trial.steps > 0 &&
			     trial.right + trial.wrong < TRIAL_FUNCTIONS;
	     i += step)
		if (ic_go_function_read(table, i, "", &function, &unwanted) &&
		    function.pc_inlined != 0 && function.inlined_addr != IC_NO_ADDR)
			try_function(&trial, &function);
	IC_ARRAY_FREE(&trial.runs);
	return (int64_t)trial.right - trial.wrong;
}

bool ic_go_layout_choose(struct ic_go_pclntab *table, const struct ic_go_memory *memory,
			 const uint64_t *module)
{
	struct ic_go_pclntab best = *table;
	int64_t most = 0;
	bool has_records = false;

	for (uint32_t i = 0; ic_go_layout_get(i); i++) {
		const struct ic_go_layout *layout = ic_go_layout_get(i);
		struct ic_go_pclntab tried = *table;
		if (layout->format != table->format || layout->record == IC_GO_RECORD_NONE ||
		    (layout->gofunc > 0 && !module))
			continue;
		tried.layout = layout;
		tried.has_inlined = true;
		tried.gofunc = layout->gofunc > 0 ? module[layout->gofunc] : 0;
		int64_t score = try_layout(&tried, memory);
		has_records |= score != 0;
		if (score > most) {
			most = score;
			best = tried;
		}
	}
	*table = best;
	return most > 0 || !has_records;
}
