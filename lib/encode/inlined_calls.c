#include "encode/inlined_calls.h"

#include "query/find/names.h"

bool ic_inlined_next(struct ic_inlined_walk *walk, struct ic_inlined_call *call)
{
	for (; walk->unit < walk->index->unit_count; walk->unit++, walk->number = 0) {
		const struct ic_unit_model *unit = &walk->index->units[walk->unit];
		while (walk->number < unit->instance_count) {
			uint32_t number = walk->number++, host = number, depth = 0;
			if (unit->instances[number].kind != IC_INSTANCE_INLINED)
				continue;
			for (; host != IC_NONE && unit->instances[host].kind != IC_INSTANCE_HOST;
			     host = unit->instances[host].parent)
				depth++;
			*call = (struct ic_inlined_call){
				.unit = walk->unit,
				.number = number,
				.instance = &unit->instances[number],
				.host_number = host,
				.host = host == IC_NONE ? NULL : &unit->instances[host],
				.depth = depth - 1,
			};
			return true;
		}
	}
	return false;
}

struct ic_site ic_inlined_site(uint32_t unit, uint32_t number, enum ic_site_kind kind)
{
	return (struct ic_site){ .kind = kind, .unit_number = unit, .instance_number = number };
}

const struct ic_function *ic_inlined_function(const struct ic_index *index, uint32_t unit,
					      const struct ic_instance *instance)
{
	return instance->function == IC_NONE ? NULL
					     : &index->units[unit].functions[instance->function];
}

const char *ic_inlined_name(const struct ic_index *index, uint32_t unit,
			    const struct ic_instance *instance)
{
	const struct ic_function *function = instance ? ic_inlined_function(index, unit, instance)
						      : NULL;

	return function ? ic_function_name(function) : NULL;
}

bool ic_inlined_offset(const struct ic_index *index, uint64_t start, uint64_t addr, int32_t *offset)
{
	int64_t difference = (int64_t)(addr - start);

	*offset = (int32_t)difference;
	return start != IC_NO_ADDR && *offset == difference &&
	       ic_index_section_of(index, addr) == ic_index_section_of(index, start);
}
