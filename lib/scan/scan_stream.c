#include "scan/scan_stream.h"

void ic_scan_problem(struct ic_scan_stream *stream, uint64_t die_off, const struct ic_error *err)
{
	if (ic_dwarf_is_reported(stream->unit->dwarf, err))
		return;
	ic_problems_add(&stream->problems, err, stream->unit->dwarf->info_name, die_off);
}

// Starts afresh for another unit. Only what is named here outlives a unit, so that nothing which
// one phase leaves unset can be taken from the unit before.
static void forget_last_unit(struct ic_scan_stream *stream)
{
	struct ic_scan_stream last = *stream;

	IC_ARRAY_FREE(&last.problems.list);
	ic_map_clear(&last.function_of);
	ic_line_header_clear(&last.lines);
	*stream = (struct ic_scan_stream){
		.context = last.context,
		.arena = last.arena,
		.own_table = last.own_table,
		.open = IC_ARRAY_EMPTIED(last.open),
		.instances = IC_ARRAY_EMPTIED(last.instances),
		.ranges = IC_ARRAY_EMPTIED(last.ranges),
		.calls = IC_ARRAY_EMPTIED(last.calls),
		.functions = IC_ARRAY_EMPTIED(last.functions),
		.scopes = IC_ARRAY_EMPTIED(last.scopes),
		.declarations = IC_ARRAY_EMPTIED(last.declarations),
		.references = last.references,
		.function_of = last.function_of,
		.lines = last.lines,
		.sought = IC_ARRAY_EMPTIED(last.sought),
		.sequences = IC_ARRAY_EMPTIED(last.sequences),
		.rows = IC_ARRAY_EMPTIED(last.rows),
		.file_of = IC_ARRAY_EMPTIED(last.file_of),
		.files = IC_ARRAY_EMPTIED(last.files),
		.sources = IC_ARRAY_EMPTIED(last.sources),
		.problems = { .arena = last.arena },
		.code = last.code,
		.out_of_memory = last.out_of_memory || last.problems.out_of_memory,
	};
}

static bool open_unit(struct ic_scan_stream *stream, uint32_t unit_index, bool root_only)
{
	struct ic_scan_context *context = stream->context;
	struct ic_unit *unit = &context->units.units.items[unit_index];
	struct ic_error err;

	forget_last_unit(stream);
	stream->unit = unit;
	stream->unit_index = unit_index;
	stream->problems.file = unit->dwarf->file;
	stream->path_budget = 4096 + 32 * (unit->end_off - unit->off);
	if (!ic_unit_check(unit, &err)) {
		ic_problems_add(&stream->problems, &err, NULL, 0);
		return false;
	}
	if (unit->dwarf->is_lines) { // there are no entries that would need abbreviations
		stream->table = &stream->own_table;
		return true;
	}
	stream->table = ic_scan_table_of(&context->listed->tables, &context->units, unit_index,
					 root_only, &stream->own_table, &err);
	if (!stream->table || !ic_unit_read_root(unit, stream->table, &stream->problems, &err)) {
		ic_scan_problem(stream, unit->off, &err);
		return false;
	}
	return true;
}

bool ic_scan_unit_open(struct ic_scan_stream *stream, uint32_t unit_index)
{
	return open_unit(stream, unit_index, false);
}

bool ic_scan_unit_open_root(struct ic_scan_stream *stream, uint32_t unit_index)
{
	return open_unit(stream, unit_index, true);
}

struct ic_problems ic_scan_problems_take(struct ic_scan_stream *stream)
{
	struct ic_problems taken = stream->problems;
	const struct ic_unit *unit = stream->unit;

	ic_problems_finish(&taken, unit->dwarf->info_name, unit->off);
	stream->problems = (struct ic_problems){ .arena = stream->arena };
	stream->out_of_memory |= taken.out_of_memory;
	return taken;
}

uint32_t ic_scan_first_wanted(const struct ic_scan_stream *stream, uint64_t addr)
{
	uint32_t first = 0, count = stream->wanted.count;

	while (count > 0) {
		uint32_t half = count / 2;
		if (stream->wanted.addrs[first + half] < addr) {
			first += half + 1;
			count -= half + 1;
		} else {
			count = half;
		}
	}
	return first;
}

void ic_scan_stream_limit(struct ic_scan_stream *stream, struct ic_memory *memory)
{
	stream->instances.memory = stream->ranges.memory = memory;
	stream->calls.memory = stream->functions.memory = memory;
	stream->scopes.memory = stream->declarations.memory = memory;
	stream->references.memory = stream->sought.memory = memory;
	stream->sequences.memory = stream->rows.memory = memory;
	stream->lines.files.memory = stream->lines.functions.memory = memory;
}

void ic_scan_stream_free(struct ic_scan_stream *stream)
{
	ic_abbrev_table_free(&stream->own_table);
	IC_ARRAY_FREE(&stream->open);
	IC_ARRAY_FREE(&stream->instances);
	IC_ARRAY_FREE(&stream->ranges);
	IC_ARRAY_FREE(&stream->calls);
	IC_ARRAY_FREE(&stream->functions);
	IC_ARRAY_FREE(&stream->scopes);
	IC_ARRAY_FREE(&stream->declarations);
	IC_ARRAY_FREE(&stream->references);
	IC_ARRAY_FREE(&stream->sought);
	IC_ARRAY_FREE(&stream->sequences);
	IC_ARRAY_FREE(&stream->rows);
	IC_ARRAY_FREE(&stream->file_of);
	IC_ARRAY_FREE(&stream->files);
	IC_ARRAY_FREE(&stream->sources);
	IC_ARRAY_FREE(&stream->problems.list);
	ic_map_free(&stream->function_of);
	ic_line_header_free(&stream->lines);
}
