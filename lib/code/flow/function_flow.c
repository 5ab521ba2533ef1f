#include "code/flow/function_flow.h"

#include <inlinecall/extra/image.h>

// ---- Code

static struct ic_bytes bytes_at(void *context, uint64_t addr)
{
	return ic_image_code_at(((const struct ic_function_flow *)context)->image, addr);
}

static bool call_returns(void *context, const struct ic_instruction *call)
{
	return ic_call_returns(&((struct ic_function_flow *)context)->returning, call);
}

static const char *slot_name(void *context, uint64_t slot)
{
	return ic_slots_name(&((const struct ic_function_flow *)context)->slots, slot);
}

// Fails if the file's code is not usable for the purpose.
static bool check_use(struct ic_image *image, enum ic_code_use use, struct ic_error *err)
{
	if (ic_image_is_relocatable(image))
		return ic_fail(err, IC_ERROR_UNSUPPORTED,
			       "the file is not linked, so the targets of jumps are unknown");
	if (use == IC_CODE_AS_RUN && (ic_image_has_section(image, "__ksymtab") ||
				      ic_image_has_section(image, "__jump_table")))
		return ic_fail(err, IC_ERROR_UNSUPPORTED,
			       "the kernel patches its jumps at run time");
	return true;
}

bool ic_function_flow_open(struct ic_function_flow *function, struct ic_image *image,
			   const struct ic_index *index, enum ic_code_use use, struct ic_error *err)
{
	*function = (struct ic_function_flow){
		.image = image, .index = index, .unit = IC_NONE, .host = IC_NONE
	};
	function->flow.nodes.memory = function->flow.work.memory = &image->memory;
	if (!check_use(image, use, &function->fault))
		return true;
	function->source.disassembler = ic_disassembler_open(
		ic_image_machine(image), ic_image_addr_size(image), &function->fault);
	if (!function->source.disassembler)
		return function->fault.code != IC_ERROR_MEMORY || ic_fail_memory(err);
	function->is_go = ic_image_is_go(image);
	function->source.bytes = bytes_at;
	function->source.returns = call_returns;
	function->source.context = function;
	function->returning.source = &function->source;
	function->returning.slot_name = slot_name;
	function->returning.context = function;
	return ic_slots_read(&function->slots, image) || ic_image_fail_memory(image, err);
}

void ic_function_flow_close(struct ic_function_flow *function)
{
	ic_disassembler_close(function->source.disassembler);
	ic_returning_free(&function->returning);
	ic_slots_free(&function->slots);
	ic_flow_free(&function->flow);
	IC_ARRAY_FREE(&function->code);
}

// ---- Functions

uint32_t ic_function_flow_host(const struct ic_unit_model *unit, uint32_t number)
{
	while (unit->instances[number].parent != IC_NONE)
		number = unit->instances[number].parent;
	return unit->instances[number].kind == IC_INSTANCE_HOST &&
			       unit->instances[number].range_count > 0
		       ? number
		       : IC_NONE;
}

bool ic_function_flow_read(struct ic_function_flow *function, uint32_t unit, uint32_t number,
			   struct ic_error *err)
{
	const struct ic_unit_model *model = &function->index->units[unit];
	const struct ic_instance *host = &model->instances[number];

	if (function->unit == unit && function->host == number)
		return true;
	function->host = IC_NONE;
	function->code.count = 0;
	if (!IC_ARRAY_RESERVE(&function->code, host->range_count))
		return ic_fail_memory(err);
	for (uint32_t i = 0; i < host->range_count; i++)
		*IC_ARRAY_PUSH(&function->code) = model->ranges[host->first_range + i];
	struct ic_range_set code = ic_range_set_build(function->code.items, function->code.count);
	function->start = host->entry != IC_NO_ADDR ? host->entry : code.ranges[0].start;
	bool ok = ic_flow_read(&function->flow, &function->source, &code, function->start, err);
	if (!ok || function->returning.out_of_memory) {
		ic_flow_clear(&function->flow);
		return ok ? ic_fail_memory(err) : false;
	}
	function->unit = unit;
	function->host = number;
	return true;
}

bool ic_function_flow_callee(const struct ic_function_flow *function,
			     const struct ic_instruction *instruction,
			     struct ic_flow_callee *callee)
{
	uint64_t slot = instruction->slot;

	*callee = (struct ic_flow_callee){ .addr = instruction->target };
	if (instruction->target != IC_NO_ADDR)
		slot = ic_stub_slot(&function->source, instruction->target);
	if (slot == IC_NO_ADDR)
		return instruction->target != IC_NO_ADDR;
	callee->name = ic_slots_name(&function->slots, slot);
	callee->addr = callee->name ? IC_NO_ADDR : ic_slots_addr(&function->slots, slot);
	return true;
}
