#include "read/declared.h"

#include <stdlib.h>

#include "base/array.h"
#include "dwarf/units/constants.h"
#include "model/code_map.h"
#include "read/calls.h"

struct own_code {                       // of functions whose file is unknown: one address of each
	bool *is_sought;                // by function
	IC_ARRAY(struct ic_call) calls; // represented as calls at these addresses
};

// Returns whether there are any.
static bool mark_sought(struct own_code *code, const struct ic_unit_model *model)
{
	bool any = false;

	for (uint32_t i = 0; i < model->function_count; i++)
		any |= code->is_sought[i] = !model->functions[i].decl_file;
	return any;
}

// Adds the start of each function's first code outside of what was inlined into it. Returns false
// if memory runs out.
static bool add_places(struct own_code *code, const struct ic_unit_model *model)
{
	const struct ic_segments *segments = &model->code_map.instances;

	for (uint32_t i = 0; i < segments->count; i++) {
		const struct ic_segment *segment = &segments->items[i];
		uint32_t function = segment->owner == IC_NONE
					    ? IC_NONE
					    : model->instances[segment->owner].function;
		if (function == IC_NONE || !code->is_sought[function])
			continue;
		struct ic_call *call = IC_ARRAY_PUSH(&code->calls);
		if (!call)
			return false;
		*call = (struct ic_call){ .return_addr = IC_NO_ADDR,
					  .addr = segment->start,
					  .function = function,
					  .die_off = model->instances[segment->owner].die_off,
					  .call_file = IC_NONE };
		code->is_sought[function] = false;
	}
	return true;
}

// If there is no code map, one is built for this from the instances alone. Returns false if memory
// runs out.
static bool list_places(struct own_code *code, const struct ic_reader *reader,
			const struct ic_unit_model *model)
{
	struct ic_arena arena = { .memory = reader->arena->memory };
	struct ic_unit_model copy = *model;

	bool ok = (reader->context->want.code_map || ic_code_map_build_instances(&copy, &arena)) &&
		  add_places(code, &copy);
	ic_arena_free(&arena);
	return ok;
}

static void find_in_map(struct own_code *code, const struct ic_code_map *map)
{
	for (uint32_t i = 0; i < code->calls.count; i++) {
		struct ic_call *call = &code->calls.items[i];
		const struct ic_code_row *row = ic_code_map_row(map, call->addr);
		if (row)
			call->call_file = row->file;
	}
}

static bool find_code(struct own_code *code, struct ic_reader *reader, struct ic_unit_model *model)
{
	if (!list_places(code, reader, model))
		return false;
	if (reader->context->want.code_map)
		find_in_map(code, &model->code_map);
	else
		ic_calls_place(reader, code->calls.items, code->calls.count);
	for (uint32_t i = 0; i < code->calls.count; i++) {
		const struct ic_call *call = &code->calls.items[i];
		if (call->call_file != IC_NONE)
			model->functions[call->function].decl_file =
				reader->lines.files.items[call->call_file];
	}
	return true;
}

void ic_declared_find(struct ic_reader *reader, struct ic_unit_model *model)
{
	struct own_code code = { .is_sought = NULL };

	if (reader->unit->root.language != DW_LANG_Go || !reader->table)
		return;
	code.is_sought = ic_items_zeroed(model->function_count + 1ull, sizeof(*code.is_sought));
	bool ok = code.is_sought && (!mark_sought(&code, model) || find_code(&code, reader, model));
	reader->out_of_memory |= !ok;
	IC_ARRAY_FREE(&code.calls);
	free(code.is_sought);
}
