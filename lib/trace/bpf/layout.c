#include "trace/bpf/layout.h"

static uint32_t string_room(const struct ic_trace_shape *shape)
{
	return (8 + shape->string_size + 7) & ~7u;
}

void ic_trace_layout_find(const struct ic_trace_shape *shape, struct ic_trace_layout *layout)
{
	uint32_t strings = (uint32_t)__builtin_popcountll(shape->strings);

	layout->registers = sizeof(struct ic_trace_record);
	layout->values = layout->registers + 8u * shape->registers->count;
	layout->strings = layout->values + IC_TRACE_VALUE_SIZE * shape->argument_count;
	layout->stack = layout->strings + strings * string_room(shape);
	layout->size = layout->stack + shape->stack_size;
}

uint32_t ic_trace_string_offset(const struct ic_trace_shape *shape,
				const struct ic_trace_layout *layout, uint32_t argument)
{
	uint64_t before = shape->strings & ((1ull << argument) - 1);

	return layout->strings + (uint32_t)__builtin_popcountll(before) * (8 + shape->string_size);
}

struct ic_trace_condition *ic_trace_conditions(struct ic_trace_copy_data *data)
{
	return (void *)(data + 1);
}

struct ic_trace_fetch *ic_trace_fetches(const struct ic_trace_shape *shape,
					struct ic_trace_copy_data *data)
{
	return (void *)(ic_trace_conditions(data) + shape->filter.count);
}

uint32_t ic_trace_copy_size(const struct ic_trace_shape *shape)
{
	return (uint32_t)(sizeof(struct ic_trace_copy_data) +
			  shape->filter.count * sizeof(struct ic_trace_condition) +
			  shape->argument_count * sizeof(struct ic_trace_fetch));
}
