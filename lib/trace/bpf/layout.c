#include "trace/bpf/layout.h"

static uint32_t string_room(const struct ic_trace_shape *shape)
{
	return (8 + shape->string_size + 7) & ~7u;
}

// Strings share what is left of a key.
static uint32_t key_string_room(const struct ic_trace_shape *shape)
{
	uint32_t strings = (uint32_t)__builtin_popcount(shape->grouping.strings);
	uint32_t others = shape->grouping.key_count - strings;
	uint32_t left = IC_TRACE_MOST_KEY - (uint32_t)sizeof(struct ic_trace_group_key) -
			IC_TRACE_VALUE_SIZE * others;
	uint32_t wanted = (shape->string_size + 7) & ~7u;

	if (strings == 0)
		return 0;
	return wanted < left / strings ? wanted : left / strings & ~7u;
}

uint32_t ic_trace_key_offset(const struct ic_trace_shape *shape,
			     const struct ic_trace_layout *layout, uint32_t number)
{
	uint32_t before = shape->grouping.strings & ((1u << number) - 1);
	uint32_t strings = (uint32_t)__builtin_popcount(before);

	return (uint32_t)sizeof(struct ic_trace_group_key) + layout->key_string_room * strings +
	       IC_TRACE_VALUE_SIZE * (number - strings);
}

void ic_trace_layout_find(const struct ic_trace_shape *shape, struct ic_trace_layout *layout)
{
	uint32_t strings = (uint32_t)__builtin_popcountll(shape->strings);
	uint32_t buckets = shape->grouping.has_buckets ? 2 * IC_TRACE_POWERS : 0;

	layout->registers = sizeof(struct ic_trace_record);
	layout->values = layout->registers + 8u * shape->registers->count;
	layout->strings = layout->values + IC_TRACE_VALUE_SIZE * shape->argument_count;
	layout->key = layout->strings + strings * string_room(shape);
	layout->key_string_room = key_string_room(shape);
	layout->key_size = ic_trace_key_offset(shape, layout, shape->grouping.key_count);
	layout->sums_size =
		(uint32_t)(sizeof(struct ic_trace_group_sums) + buckets * sizeof(uint64_t));
	layout->stack = layout->key + (shape->grouping.is_on ? layout->key_size : 0);
	layout->size = layout->stack + shape->stack_size;
}

uint32_t ic_trace_string_offset(const struct ic_trace_shape *shape,
				const struct ic_trace_layout *layout, uint32_t argument)
{
	uint64_t before = shape->strings & ((1ull << argument) - 1);

	return layout->strings + (uint32_t)__builtin_popcountll(before) * string_room(shape);
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
