#include "rules/code_calls.h"

#include "code/flow/function_flow.h"

struct calls {
	struct ic_function_flow function;
	const struct ic_index *index;
	ic_code_call_wants *wants;
	ic_code_call_take *take;
	void *context;
	bool *complete;
};

static bool is_inside(const struct ic_range *ranges, uint32_t count, uint64_t addr)
{
	for (uint32_t i = 0; i < count; i++)
		if (addr >= ranges[i].start && addr < ranges[i].end)
			return true;
	return false;
}

// Whether an instruction calls a function, or jumps to one.
static bool leaves_function(const struct ic_unit_model *unit, const struct ic_instance *host,
			    const struct ic_instruction *instruction)
{
	switch ((enum ic_instruction_kind)instruction->kind) {
	case IC_INSTRUCTION_CALL:
	case IC_INSTRUCTION_INDIRECT: return true;
	case IC_INSTRUCTION_JUMP:
	case IC_INSTRUCTION_BRANCH:
		return !is_inside(unit->ranges + host->first_range, host->range_count,
				  instruction->target);
	default: return false;
	}
}

static bool take_host(struct calls *calls, uint32_t unit, uint32_t number)
{
	const struct ic_unit_model *model = &calls->index->units[unit];
	const struct ic_instance *host = &model->instances[number];
	struct ic_error err;

	if (!ic_function_flow_read(&calls->function, unit, number, &err)) {
		*calls->complete = false;
		return err.code != IC_ERROR_MEMORY;
	}
	*calls->complete &= calls->function.flow.data_addr == IC_NO_ADDR;
	for (uint32_t i = 0; i < calls->function.flow.nodes.count; i++) {
		const struct ic_instruction *instruction =
			&calls->function.flow.nodes.items[i].instruction;
		struct ic_flow_callee callee;
		if (!leaves_function(model, host, instruction) ||
		    !ic_function_flow_callee(&calls->function, instruction, &callee))
			continue;
		const struct ic_code_call call = { instruction->addr,
						   instruction->addr + instruction->size,
						   callee.addr,
						   callee.name,
						   unit,
						   number };
		if (!calls->take(calls->context, &call))
			return false;
	}
	return true;
}

// Calls `take` for each out-of-line function whose calls are wanted. False if it returns false.
static bool each_wanted(struct calls *calls,
			bool (*take)(struct calls *calls, uint32_t unit, uint32_t host))
{
	for (uint32_t i = 0; i < calls->index->unit_count; i++) {
		const struct ic_unit_model *unit = &calls->index->units[i];
		for (uint32_t j = 0; j < unit->instance_count; j++)
			if (unit->instances[j].kind == IC_INSTANCE_HOST &&
			    unit->instances[j].range_count > 0 &&
			    calls->wants(calls->context, i, j) && !take(calls, i, j))
				return false;
	}
	return true;
}

static bool refuse_host(struct calls *calls, uint32_t unit, uint32_t host)
{
	(void)unit, (void)host;
	*calls->complete = false;
	return true;
}

bool ic_code_calls_find(struct ic_image *image, const struct ic_index *index,
			ic_code_call_wants *wants, ic_code_call_take *take, void *context,
			bool *complete)
{
	struct calls calls = { .index = index,
			       .wants = wants,
			       .take = take,
			       .context = context,
			       .complete = complete };
	struct ic_error err;

	*complete = true;
	bool ok = ic_function_flow_open(&calls.function, image, index, IC_CODE_AS_LINKED, &err);
	if (ok && calls.function.fault.code != IC_ERROR_NONE)
		ok = each_wanted(&calls, refuse_host);
	else
		ok = ok && each_wanted(&calls, take_host);
	ic_function_flow_close(&calls.function);
	return ok;
}
