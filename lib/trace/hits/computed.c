#include "trace/hits/computed.h"

#include "unwind/frames/registers.h"

#include <inlinecall/extra/evaluate.h>

struct reading {
	const struct ic_trace *trace;
	const struct ic_trace_place *place;
	const struct ic_unwind_registers *registers;
};

static bool read_register(void *context, uint32_t reg, void *bytes, size_t size,
			  struct ic_error *err)
{
	const struct reading *reading = context;

	(void)err;
	return ic_registers_bytes(reading->registers, reg, IC_HOST_IS_BIG_ENDIAN, bytes, size);
}

bool ic_trace_cfa(const struct ic_trace_place *place, const struct ic_unwind_registers *registers,
		  uint64_t *cfa)
{
	if (!place->has_cfa || !ic_unwind_register_get(registers, place->cfa_reg, cfa))
		return false;
	*cfa += (uint64_t)place->cfa_offset;
	return true;
}

static bool find_cfa(void *context, uint64_t *addr, struct ic_error *err)
{
	const struct reading *reading = context;

	(void)err;
	return ic_trace_cfa(reading->place, reading->registers, addr);
}

static bool find_loaded(void *context, uint64_t addr, uint64_t *loaded, struct ic_error *err)
{
	const struct reading *reading = context;

	(void)err;
	return ic_placement_loaded(reading->trace->placement, addr, loaded);
}

bool ic_trace_compute(const struct ic_trace *trace, const struct ic_trace_item *item,
		      const struct ic_trace_type *type, const struct ic_unwind_registers *registers,
		      uint8_t *bytes)
{
	struct reading reading = { trace, &item->place, registers };
	const struct ic_evaluate_options options = {
		.version = 5,
		.addr_size = (uint8_t)item->place.addr_size,
		.offset_size = 4,
		.is_big_endian = IC_HOST_IS_BIG_ENDIAN,
		.bias = registers->pc - item->copy.addr,
		.find_loaded = trace->placement ? find_loaded : NULL,
		.read_register = read_register,
		.find_cfa = find_cfa,
		.context = &reading,
	};
	struct ic_evaluated evaluated;

	return ic_evaluate(type->expression, type->expression_size, &options, &evaluated, NULL) &&
	       ic_evaluated_read(&evaluated, &options, bytes, (size_t)type->size, NULL);
}
