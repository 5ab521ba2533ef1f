// The trace object: see inlinecall/extra/trace.h.
#include "trace/groups/groups.h"

#include <stdlib.h>

struct ic_trace *ic_trace_new(struct ic_image *image, const struct ic_sites *sites,
			      struct ic_parameters *parameters,
			      const struct ic_trace_options *options, struct ic_error *err)
{
	static const struct ic_trace_options defaults = { .path = NULL };
	struct ic_error unwanted;
	struct ic_trace *trace = calloc(1, sizeof(*trace));

	if (!err)
		err = &unwanted;
	if (!trace) {
		ic_fail_memory(err);
		return NULL;
	}
	trace->image = image;
	trace->sites = sites;
	trace->shape.maps = (struct ic_trace_maps){ -1, -1, -1, -1, -1, -1 };
	if (ic_trace_prepare(trace, image, parameters, options ? options : &defaults, err))
		return trace;
	ic_trace_free(trace);
	return NULL;
}

void ic_trace_free(struct ic_trace *trace)
{
	if (!trace)
		return;
	ic_trace_close(trace);
	ic_trace_stacks_free(trace);
	IC_ARRAY_FREE(&trace->items);
	IC_ARRAY_FREE(&trace->exits);
	free(trace->entered);
	ic_trace_groups_free(trace);
	IC_ARRAY_FREE(&trace->code.items);
	IC_ARRAY_FREE(&trace->last.texts);
	IC_ARRAY_FREE(&trace->last.values);
	IC_ARRAY_FREE(&trace->last.spelled);
	free(trace->data);
	ic_arena_free(&trace->arena);
	free(trace);
}

bool ic_trace_copy_get(const struct ic_trace *trace, size_t number, struct ic_trace_copy *copy)
{
	if (number >= trace->items.count)
		return false;
	*copy = trace->items.items[number].copy;
	return true;
}

struct ic_image *ic_trace_image(const struct ic_trace *trace)
{
	return trace->image;
}

const struct ic_sites *ic_trace_sites(const struct ic_trace *trace)
{
	return trace->sites;
}
