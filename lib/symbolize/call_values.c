// The calls of the function at an address. Implements inlinecall/call_values.h.
#include <inlinecall/call_values.h>

#include <stdlib.h>

#include "scan/scan_call_values.h"
#include "symbolize/symbolizer.h"

struct ic_call_values {
	struct ic_scan_call_values found;
	uint64_t callee_addr;
};

// The address of the only symbol with the name of the function that is called; IC_NO_ADDR if there
// are several, or none.
static uint64_t find_callee(struct ic_symbolizer *symbolizer,
			    const struct ic_scan_call_values *found)
{
	const char *name = found->callee_linkage_name ? found->callee_linkage_name : found->callee;
	struct ic_symbolizer_symbol symbol, other;

	if (found->callee_addr != IC_NO_ADDR)
		return found->callee_addr;
	if (!ic_symbolizer_symbol_find(symbolizer, name, 0, &symbol) ||
	    ic_symbolizer_symbol_find(symbolizer, name, 1, &other))
		return IC_NO_ADDR;
	return symbol.start;
}

// The DIE of the function that has the code at an address; false if none has.
static bool find_host(struct ic_symbolizer *symbolizer, uint64_t addr, uint32_t *unit,
		      uint32_t *die_off)
{
	struct ic_instance_place place;

	if (!ic_symbolizer_instance_at(symbolizer, addr, &place))
		return false;
	const struct ic_instance *instance = &place.model->instances[place.instance];
	while (instance->parent != IC_NONE)
		instance = &place.model->instances[instance->parent];
	*unit = place.unit;
	*die_off = instance->die_off;
	return instance->die_off != 0;
}

struct ic_call_values *ic_call_values_find(struct ic_symbolizer *symbolizer, uint64_t return_addr,
					   struct ic_error *err)
{
	struct ic_call_values *values = calloc(1, sizeof(*values));
	struct ic_error unwanted;
	uint32_t unit, die_off;

	if (!err)
		err = &unwanted;
	if (!values) {
		ic_fail_memory(err);
		return NULL;
	}
	values->callee_addr = IC_NO_ADDR;
	values->found.list.memory = &symbolizer->image->memory;
	if (!find_host(symbolizer, return_addr - 1, &unit, &die_off))
		return values;
	pthread_mutex_lock(&symbolizer->lock);
	bool ok = ic_scan_call_values_find(&values->found, &symbolizer->units.scan, unit, die_off,
					   return_addr, &symbolizer->problems, err);
	pthread_mutex_unlock(&symbolizer->lock);
	if (ok && values->found.is_found)
		values->callee_addr = find_callee(symbolizer, &values->found);
	if (ok)
		return values;
	ic_call_values_free(values);
	(void)ic_image_fail_memory(symbolizer->image, err);
	return NULL;
}

void ic_call_values_free(struct ic_call_values *values)
{
	if (!values)
		return;
	ic_scan_call_values_free(&values->found);
	free(values);
}

size_t ic_call_values_get(const struct ic_call_values *values, const struct ic_call_value **list)
{
	*list = values->found.list.items;
	return values->found.list.count;
}

const char *ic_call_values_callee(const struct ic_call_values *values)
{
	return values->found.callee;
}

const char *ic_call_values_callee_linkage_name(const struct ic_call_values *values)
{
	return values->found.callee_linkage_name;
}

uint64_t ic_call_values_callee_addr(const struct ic_call_values *values)
{
	return values->callee_addr;
}

bool ic_call_values_has_tail_calls(struct ic_symbolizer *symbolizer, uint64_t addr)
{
	struct ic_scan_call_values found = { .is_found = false };
	struct ic_error err;
	uint32_t unit, die_off;

	if (!find_host(symbolizer, addr, &unit, &die_off))
		return true;
	pthread_mutex_lock(&symbolizer->lock);
	bool ok = ic_scan_call_values_find(&found, &symbolizer->units.scan, unit, die_off,
					   IC_NO_ADDR, &symbolizer->problems, &err);
	pthread_mutex_unlock(&symbolizer->lock);
	ic_scan_call_values_free(&found);
	return !ok || found.has_tail_calls;
}
