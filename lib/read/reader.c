#include "read/reader.h"

void ic_reader_problem(struct ic_reader *reader, uint64_t die_off, const struct ic_error *err)
{
	if (ic_dwarf_is_reported(reader->unit->dwarf, err))
		return;
	ic_problems_add(&reader->problems, err, reader->unit->dwarf->info_name, die_off);
}

// Resets the reader for another unit. Only the members named here outlive a unit, so a phase that
// leaves something unset cannot see the previous unit's value.
static void forget_last_unit(struct ic_reader *reader)
{
	struct ic_reader last = *reader;

	IC_ARRAY_FREE(&last.problems.list);
	ic_line_header_clear(&last.lines.header);
	*reader = (struct ic_reader){
		.context = last.context,
		.arena = last.arena,
		.own_table = last.own_table,
		.lines = { .header = last.lines.header,
			   .file_of = IC_ARRAY_EMPTIED(last.lines.file_of),
			   .files = IC_ARRAY_EMPTIED(last.lines.files),
			   .sources = IC_ARRAY_EMPTIED(last.lines.sources) },
		.ranges = IC_ARRAY_EMPTIED(last.ranges),
		.empty_starts = IC_ARRAY_EMPTIED(last.empty_starts),
		.code = last.code,
		.problems = { .arena = last.arena },
		.out_of_memory = last.out_of_memory || last.problems.out_of_memory,
	};
}

static bool open_unit(struct ic_reader *reader, uint32_t unit_index, bool root_only)
{
	struct ic_unit *unit = &reader->context->units.units.items[unit_index];
	struct ic_error err;

	forget_last_unit(reader);
	reader->unit = unit;
	reader->unit_index = unit_index;
	reader->problems.file = unit->dwarf->file;
	reader->lines.path_budget = 4096 + 32 * (unit->end_off - unit->off);
	if (!ic_unit_check(unit, &err)) {
		ic_problems_add(&reader->problems, &err, NULL, 0);
		return false;
	}
	reader->source = unit->dwarf->source;
	return !reader->source->open || reader->source->open(reader, root_only);
}

bool ic_reader_open(struct ic_reader *reader, uint32_t unit_index)
{
	return open_unit(reader, unit_index, false);
}

bool ic_reader_open_root(struct ic_reader *reader, uint32_t unit_index)
{
	return open_unit(reader, unit_index, true);
}

struct ic_problems ic_reader_problems_take(struct ic_reader *reader)
{
	struct ic_problems taken = reader->problems;
	const struct ic_unit *unit = reader->unit;

	ic_problems_finish(&taken, unit->dwarf->info_name, unit->off);
	reader->problems = (struct ic_problems){ .arena = reader->arena };
	reader->out_of_memory |= taken.out_of_memory;
	return taken;
}

void ic_reader_problems_drop(struct ic_reader *reader)
{
	struct ic_problems dropped = ic_reader_problems_take(reader);

	IC_ARRAY_FREE(&dropped.list);
	reader->problems.file = dropped.file;
}

void ic_reader_limit(struct ic_reader *reader, struct ic_memory *memory)
{
	reader->ranges.memory = reader->empty_starts.memory = memory;
	reader->lines.header.files.memory = reader->lines.header.functions.memory = memory;
}

void ic_reader_free(struct ic_reader *reader)
{
	ic_abbrev_table_free(&reader->own_table);
	IC_ARRAY_FREE(&reader->ranges);
	IC_ARRAY_FREE(&reader->empty_starts);
	IC_ARRAY_FREE(&reader->lines.file_of);
	IC_ARRAY_FREE(&reader->lines.files);
	IC_ARRAY_FREE(&reader->lines.sources);
	IC_ARRAY_FREE(&reader->problems.list);
	ic_line_header_free(&reader->lines.header);
}
