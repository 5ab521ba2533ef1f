// The calls of the function at an address. Implements inlinecall/call_values.h.
#include <inlinecall/call_values.h>

#include <stdlib.h>

#include "scan/scan_call_values.h"
#include "symbolize/symbolizer.h"

struct ic_call_values {
	struct ic_scan_call_values found;
};

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
	values->found.list.memory = &symbolizer->image->memory;
	if (!find_host(symbolizer, return_addr - 1, &unit, &die_off))
		return values;
	pthread_mutex_lock(&symbolizer->lock);
	bool ok = ic_scan_call_values_find(&values->found, &symbolizer->units.scan, unit, die_off,
					   return_addr, &symbolizer->problems, err);
	pthread_mutex_unlock(&symbolizer->lock);
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
