#include "model/code_map.h"

#include <stdlib.h>

// How many instances are around each.
static uint32_t *measure_depths(const struct ic_unit_model *unit)
{
	uint32_t *depths = malloc((unit->instance_count + 1ull) * sizeof(*depths));

	for (uint32_t i = 0; depths && i < unit->instance_count; i++) {
		uint32_t parent = unit->instances[i].parent; // before it
		depths[i] = parent == IC_NONE ? 0 : depths[parent] + 1;
	}
	return depths;
}

static void fill_layers(struct ic_layer *layers, const struct ic_unit_model *unit,
			const uint32_t *depths)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < unit->instance_count; i++) {
		const struct ic_instance *instance = &unit->instances[i];
		for (uint32_t j = 0; j < instance->range_count; j++, count++)
			layers[count] = (struct ic_layer){
				.range = unit->ranges[instance->first_range + j],
				.rank = (uint64_t)(UINT32_MAX - depths[i]) << 32 | count,
				.owner = i,
			};
	}
}

bool ic_code_map_build_instances(struct ic_unit_model *unit, struct ic_arena *arena)
{
	struct ic_layer *layers = malloc((unit->range_count + 1ull) * sizeof(*layers));
	uint32_t *depths = measure_depths(unit);
	bool ok = layers && depths;

	if (ok) {
		fill_layers(layers, unit, depths);
		ok = ic_segments_build(&unit->code_map.instances, layers, unit->range_count, arena);
	}
	free(layers);
	free(depths);
	return ok;
}

bool ic_code_map_build_lines(struct ic_code_map *map, struct ic_arena *arena)
{
	struct ic_layer *layers = malloc((map->sequence_count + 1ull) * sizeof(*layers));
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
	uint32_t first = 0, count = sequence->row_count;

	while (count > 0) { // the first row beyond the address
		uint32_t half = count / 2;
		if (rows[first + half].addr_off <= off) {
			first += half + 1;
			count -= half + 1;
		} else {
			count = half;
		}
	}
	return &rows[first - 1];
}
