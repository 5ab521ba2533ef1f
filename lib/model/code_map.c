#include "model/code_map.h"

#include "base/array.h"
#include "base/search.h"
#include <stdlib.h>

struct nesting {            // of an instance
	uint32_t depth;     // number of instances around it
	uint32_t outermost; // the outermost instance around it, or itself
	uint32_t set_count; // for a host: number of its ranges, after sorting and merging
};

struct layering {
	const struct ic_unit_model *unit;
	struct nesting *nestings;
	struct ic_range *sets; // the unit's ranges; those of hosts sorted and merged
	struct ic_layer *layers;
};

static void nest_layers(struct layering *layering)
{
	const struct ic_unit_model *unit = layering->unit;

	for (uint32_t i = 0; i < unit->instance_count; i++) {
		const struct ic_instance *instance = &unit->instances[i];
		struct nesting *nesting = &layering->nestings[i];
		if (instance->parent != IC_NONE) { // parents come before their children
			*nesting = layering->nestings[instance->parent];
			nesting->depth++;
			continue;
		}
		*nesting = (struct nesting){ .outermost = i };
		if (instance->kind == IC_INSTANCE_HOST)
			nesting->set_count =
				ic_range_set_build(layering->sets + instance->first_range,
						   instance->range_count)
					.count;
	}
}

// Code inlined into a function is part of its code (DWARF 5, 3.3.8.2), so a range is cut off at the
// end of the host's.
static struct ic_range within_host(const struct layering *layering, uint32_t number,
				   struct ic_range range)
{
	uint32_t outermost = layering->nestings[number].outermost;
	const struct ic_instance *host = &layering->unit->instances[outermost];
	const struct ic_range_set set = { layering->sets + host->first_range,
					  layering->nestings[outermost].set_count };

	if (host->kind != IC_INSTANCE_HOST)
		return range;
	const struct ic_range *found = ic_range_set_find(&set, range.start);
	if (!found)
		return (struct ic_range){ 0, 0 };
	return range.end <= found->end ? range : (struct ic_range){ range.start, found->end };
}

static void fill_layers(const struct layering *layering)
{
	const struct ic_unit_model *unit = layering->unit;
	uint32_t count = 0;

	for (uint32_t i = 0; i < unit->instance_count; i++) {
		const struct ic_instance *instance = &unit->instances[i];
		const struct nesting *nesting = &layering->nestings[i];
		uint64_t rank = (uint64_t)nesting->outermost << 32 | (UINT32_MAX - nesting->depth);
		for (uint32_t j = 0; j < instance->range_count; j++, count++)
			layering->layers[count] = (struct ic_layer){
				within_host(layering, i, unit->ranges[instance->first_range + j]),
				.rank = rank,
				.owner = i,
			};
	}
}

bool ic_code_map_build_instances(struct ic_unit_model *unit, struct ic_arena *arena)
{
	struct layering layering = {
		.unit = unit,
		.nestings = ic_items_alloc(unit->instance_count + 1ull, sizeof(struct nesting)),
		.sets = ic_items_alloc(unit->range_count + 1ull, sizeof(struct ic_range)),
		.layers = ic_items_alloc(unit->range_count + 1ull, sizeof(struct ic_layer)),
	};
	bool ok = layering.nestings && layering.sets && layering.layers;

	if (ok) {
		memcpy(layering.sets, unit->ranges, unit->range_count * sizeof(struct ic_range));
		nest_layers(&layering);
		fill_layers(&layering);
		ok = ic_segments_build(&unit->code_map.instances, layering.layers,
				       unit->range_count, arena);
	}
	free(layering.nestings);
	free(layering.sets);
	free(layering.layers);
	return ok;
}

bool ic_code_map_build_lines(struct ic_code_map *map, struct ic_arena *arena)
{
	struct ic_layer *layers = ic_items_alloc(map->sequence_count + 1ull, sizeof(*layers));
	bool ok = layers != NULL;

	for (uint32_t i = 0; ok && i < map->sequence_count; i++)
		layers[i] = (struct ic_layer){ map->sequences[i].range, i, i };
	ok = ok && ic_segments_build(&map->lines, layers, map->sequence_count, arena);
	free(layers);
	return ok;
}

const struct ic_code_row *ic_code_map_row(const struct ic_code_map *map, uint64_t addr)
{
	uint32_t number = ic_segments_find(&map->lines, addr);

	if (number == IC_NONE)
		return NULL;
	const struct ic_code_sequence *sequence = &map->sequences[number];
	const struct ic_code_row *rows = map->rows + sequence->first_row;
	uint64_t off = addr - sequence->range.start;
	uint32_t next; // the first row beyond the address

	IC_SEARCH(next, sequence->row_count, at, rows[at].addr_off <= off);
	return next > 0 ? &rows[next - 1] : NULL; // some rows may have been left out
}
