#include "trace/hits/caller.h"

#include <string.h>

#include "unwind/frames/thread_registers.h"

// The word of the registers for a register.
static bool find_word(const struct ic_trace_place *place, uint32_t reg, uint8_t *word)
{
	for (*word = 0; *word < place->layout->count; ++*word)
		if (place->layout->numbers[*word] >= 0 &&
		    (uint32_t)place->layout->numbers[*word] == reg)
			return true;
	return false;
}

bool ic_trace_caller_fetch(const struct ic_trace_place *place, struct ic_trace_fetch *fetch)
{
	const struct ic_register_rule *rule = &place->return_rule;
	bool in_memory = rule->kind == IC_RULE_OFFSET;

	*fetch = (struct ic_trace_fetch){ .base = IC_TRACE_REGISTER };
	if (place->has_cfa && place->addr_size == 8 &&
	    (in_memory || rule->kind == IC_RULE_SAME_VALUE) &&
	    find_word(place, in_memory ? place->cfa_reg : rule->reg, &fetch->word)) {
		fetch->memory_size = in_memory ? 8 : 0;
		if (in_memory)
			fetch->offsets[0] = (uint64_t)(place->cfa_offset + rule->at.offset);
		return true;
	}
	fetch->base = IC_TRACE_NOTHING;
	return false;
}

uint64_t ic_trace_caller_find(const struct ic_trace *trace, const struct ic_trace_item *item,
			      const struct ic_trace_reading *reading)
{
	if (item->caller == 0 || !(reading->known >> (item->caller - 1) & 1))
		return 0;
	return ic_trace_recorded_number(trace, reading, item->caller - 1u);
}
