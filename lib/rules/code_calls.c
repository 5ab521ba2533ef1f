#include "rules/code_calls.h"

#include "code/flow/function_flow.h"

struct calls {
	struct ic_function_flow function;
	const struct ic_index *index;
	const struct ic_code_calls_visitor *visitor;
};

// Whether an instruction calls a function, or jumps to one.
static bool leaves_function(const struct ic_unit_model *unit, const struct ic_instance *host,
			    const struct ic_instruction *instruction)
{
	switch ((enum ic_instruction_kind)instruction->kind) {
	case IC_INSTRUCTION_CALL:
	case IC_INSTRUCTION_INDIRECT: return true;
	case IC_INSTRUCTION_JUMP:
	case IC_INSTRUCTION_BRANCH:
		return !ic_instance_has_address(unit, host, instruction->target);
	default: return false;
	}
}

static bool take_calls(struct calls *calls, uint32_t unit, uint32_t number)
{
	const struct ic_unit_model *model = &calls->index->units[unit];
	const struct ic_flow *flow = &calls->function.flow;

	for (uint32_t i = 0; i < flow->nodes.count; i++) {
		const struct ic_instruction *instruction = &flow->nodes.items[i].instruction;
		struct ic_flow_callee callee;
		if (!leaves_function(model, &model->instances[number], instruction) ||
		    !ic_function_flow_callee(&calls->function, instruction, &callee))
			continue;
		const struct ic_code_call call = { instruction->addr,
						   instruction->addr + instruction->size,
						   callee.addr,
						   callee.name,
						   unit,
						   number };
		if (!calls->visitor->take(calls->visitor->context, &call))
			return false;
	}
	return true;
}

static bool visit_host(struct calls *calls, uint32_t unit, uint32_t number)
{
	const struct ic_code_calls_visitor *visitor = calls->visitor;
	struct ic_error err;

	if (calls->function.fault.code != IC_ERROR_NONE)
		return visitor->end(visitor->context, unit, number, calls->function.fault.message);
	if (!ic_function_flow_read(&calls->function, unit, number, &err))
		return err.code != IC_ERROR_MEMORY &&
		       visitor->end(visitor->context, unit, number, err.message);
	bool has_data = calls->function.flow.data_addr != IC_NO_ADDR;
	return take_calls(calls, unit, number) &&
	       visitor->end(visitor->context, unit, number,
			    has_data ? "its code cannot be decoded everywhere" : NULL);
}

static bool visit_wanted(struct calls *calls)
{
	const struct ic_code_calls_visitor *visitor = calls->visitor;

	for (uint32_t i = 0; i < calls->index->unit_count; i++) {
		const struct ic_unit_model *unit = &calls->index->units[i];
		for (uint32_t j = 0; j < unit->instance_count; j++)
			if (unit->instances[j].kind == IC_INSTANCE_HOST &&
			    unit->instances[j].range_count > 0 &&
			    visitor->wants(visitor->context, i, j) && !visit_host(calls, i, j))
				return false;
	}
	return true;
}

bool ic_code_calls_find(struct ic_image *image, const struct ic_index *index,
			const struct ic_code_calls_visitor *visitor)
{
	struct calls calls = { .index = index, .visitor = visitor };
	struct ic_error err;

	bool ok = ic_function_flow_open(&calls.function, image, index, IC_CODE_AS_LINKED, &err) &&
		  visit_wanted(&calls);
	ic_function_flow_close(&calls.function);
	return ok;
}
