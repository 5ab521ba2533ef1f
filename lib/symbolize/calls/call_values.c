// The calls made by the function at an address. Implements inlinecall/extra/call_values.h.
#include <inlinecall/extra/call_values.h>

#include <stdlib.h>

#include "symbolize/calls/callee.h"

struct ic_call_values {
	struct ic_site_values found;
	uint64_t callee_addr;
};

static struct ic_call_values *find_values(struct ic_symbolizer *symbolizer, uint64_t addr,
					  bool is_after, bool is_tail, struct ic_error *err)
{
	struct ic_call_values *values = calloc(1, sizeof(*values));
	struct ic_error unwanted;
	struct ic_host host;

	if (!err)
		err = &unwanted;
	if (!values) {
		ic_fail_memory(err);
		return NULL;
	}
	values->callee_addr = IC_NO_ADDR;
	values->found.list.memory = &symbolizer->image->memory;
	if (!ic_host_at(symbolizer, addr - is_after, &host))
		return values;
	pthread_mutex_lock(&symbolizer->lock);
	const struct ic_call_place place = { host.unit, host.die_off, addr, is_tail };
	bool ok = ic_site_values_find(&values->found, &symbolizer->units.scan, place,
				      &symbolizer->problems, err);
	pthread_mutex_unlock(&symbolizer->lock);
	if (ok && values->found.is_found)
		values->callee_addr =
			ic_callee_addr(symbolizer, &values->found.callee, addr, is_after);
	if (ok)
		return values;
	ic_call_values_free(values);
	(void)ic_image_fail_memory(symbolizer->image, err);
	return NULL;
}

struct ic_call_values *ic_call_values_find(struct ic_symbolizer *symbolizer, uint64_t return_addr,
					   struct ic_error *err)
{
	return find_values(symbolizer, return_addr, true, false, err);
}

struct ic_call_values *ic_call_values_find_tail_call(struct ic_symbolizer *symbolizer,
						     const struct ic_tail_call *call,
						     struct ic_error *err)
{
	return find_values(symbolizer, call->addr, call->is_after, true, err);
}

void ic_call_values_free(struct ic_call_values *values)
{
	if (!values)
		return;
	ic_site_values_free(&values->found);
	free(values);
}

size_t ic_call_values_get(const struct ic_call_values *values, const struct ic_call_value **list)
{
	*list = values->found.list.items;
	return values->found.list.count;
}

static const uint8_t *give_bytes(struct ic_bytes bytes, size_t *size)
{
	*size = bytes.size;
	return bytes.size > 0 ? bytes.data : NULL;
}

const uint8_t *ic_call_values_frame_base(const struct ic_call_values *values, size_t *size)
{
	return give_bytes(values->found.frame_base, size);
}

const uint8_t *ic_call_values_target(const struct ic_call_values *values, size_t *size)
{
	return give_bytes(values->found.target, size);
}

const char *ic_call_values_callee(const struct ic_call_values *values)
{
	return values->found.callee.name;
}

const char *ic_call_values_callee_linkage_name(const struct ic_call_values *values)
{
	return values->found.callee.linkage_name;
}

uint64_t ic_call_values_callee_addr(const struct ic_call_values *values)
{
	return values->callee_addr;
}
