#include "read/model.h"

#include <stdlib.h>

#include "dwarf/units/constants.h"
#include "model/code_map.h"
#include "read/declared.h"
#include "read/entries.h"
#include "read/lines.h"
#include "read/nesting.h"
#include "read/unit.h"

bool ic_model_begin(struct ic_stream *stream, uint32_t unit_index)
{
	struct ic_read_context *context = stream->reader.context;

	// A unit may be read again: its old model must not be used in the meantime.
	context->index->units[unit_index] =
		(struct ic_unit_model){ .off = context->units.units.items[unit_index].off };
	if (!ic_stream_open(stream, unit_index))
		return false;
	if (context->wanted)
		stream->wanted = context->wanted[unit_index];
	if (stream->reader.source->walk)
		stream->reader.source->walk(stream);
	return true;
}

// Moves a finished table from the scratch to the worker's arena, at its exact size.
#define KEEP(reader, from, to, field, count_field)                                               \
	(((to)->count_field = (from)->field.count),                                              \
	 ((to)->field = ic_arena_copy((reader)->arena, (from)->field.items, (from)->field.count, \
				      sizeof(*(from)->field.items)))                             \
		 ? (void)0                                                                       \
		 : (void)((reader)->out_of_memory = true))

static void keep_code_map(struct ic_stream *stream, struct ic_unit_model *model)
{
	struct ic_reader *reader = &stream->reader;
	struct ic_code_map *map = &model->code_map;

	KEEP(reader, &stream->built, map, sequences, sequence_count);
	KEEP(reader, &stream->built, map, rows, row_count);
	if (!reader->out_of_memory && (!ic_code_map_build_instances(model, reader->arena) ||
				       !ic_code_map_build_lines(map, reader->arena)))
		reader->out_of_memory = true;
}

static int compare_parameters(const void *left, const void *right)
{
	const struct ic_parameter_die *a = left, *b = right;

	if (a->instance != b->instance)
		return a->instance < b->instance ? -1 : 1;
	return (a->die_off > b->die_off) - (a->die_off < b->die_off);
}

// Only a parameter after an inlined function is out of order.
static void sort_parameters(struct ic_built_model *built)
{
	struct ic_parameter_die *parameters = built->parameters.items;

	for (uint32_t i = 1; i < built->parameters.count; i++) {
		if (parameters[i - 1].instance <= parameters[i].instance)
			continue;
		qsort(parameters, built->parameters.count, sizeof(*parameters), compare_parameters);
		return;
	}
}

static void build_models(struct ic_stream *stream)
{
	const struct ic_unit_source *source = stream->reader.source;

	sort_parameters(&stream->built);
	source->build(stream);
	ic_nesting_check(stream);
	if (source->rows && stream->reader.context->want.code_map && !stream->reader.out_of_memory)
		source->rows(stream);
	if (stream->reader.context->want.entries && !stream->reader.out_of_memory)
		ic_entry_rows_read(stream);
}

static void keep_model(struct ic_stream *stream, struct ic_unit_model *model)
{
	struct ic_reader *reader = &stream->reader;
	const struct ic_built_model *built = &stream->built;

	model->name = reader->unit->root.name;
	model->directory = ic_unit_lines_unit(reader)->root.comp_dir;
	model->producer = reader->unit->root.producer;
	model->language = ic_language_name(reader->unit->root.language);
	model->file = reader->unit->dwarf->file;
	model->off = reader->unit->off;
	model->outside_addr = reader->outside_addr;
	model->is_flat = ic_unit_is_flat(reader->unit);
	model->has_only_entries = reader->source && reader->source->has_only_entries;
	KEEP(reader, built, model, functions, function_count);
	KEEP(reader, built, model, instances, instance_count);
	KEEP(reader, reader, model, ranges, range_count);
	KEEP(reader, built, model, calls, call_count);
	KEEP(reader, built, model, parameters, parameter_count);
	KEEP(reader, built, model, entry_rows, entry_row_count);
	KEEP(reader, built, model, empty_ranges, empty_range_count);
	KEEP(reader, &reader->lines, model, files, file_count);
	KEEP(reader, &reader->lines, model, sources, source_count);
	KEEP(reader, built, model, scopes, scope_count);
	KEEP(reader, built, model, declarations, declaration_count);
	if (reader->context->want.code_map)
		keep_code_map(stream, model);
	if (!reader->context->want.names_only && !reader->out_of_memory)
		ic_declared_find(reader, model);
	struct ic_problems problems = ic_reader_problems_take(reader);
	model->problem_count = problems.list.count;
	model->problems = ic_arena_copy(reader->arena, problems.list.items, model->problem_count,
					sizeof(*model->problems));
	reader->out_of_memory |= !model->problems;
	IC_ARRAY_FREE(&problems.list);
}

void ic_model_end(struct ic_stream *stream)
{
	struct ic_unit_model *model =
		&stream->reader.context->index->units[stream->reader.unit_index];

	if (stream->reader.source && !stream->reader.out_of_memory)
		build_models(stream);
	// If memory ran out, the stream's tables may be incomplete, or missing though counted.
	if (!stream->reader.out_of_memory)
		keep_model(stream, model);
	if (stream->reader.out_of_memory)
		*model = (struct ic_unit_model){ .off = stream->reader.unit->off };
}
