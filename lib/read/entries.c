#include "read/entries.h"

#include <stdlib.h>

#include "base/search.h"
#include "base/sort.h"
#include "read/lines.h"
#include "read/pc.h"
#include "read/rows.h"
#include "units/name_needles.h"

enum {
	MOST_PADDING = IC_ENTRY_MOST_PADDING,
	STEPS_PER_ROW = 64,       // to search for rows of the same position
	KEEP_STEPS_PER_ROW = 1024 // to keep those at the start of copies
};

struct entry_reader {
	struct ic_stream *stream;
	// By instance: its host contains a copy with one of the requested names. NULL if all are
	// requested.
	bool *is_asked;
	struct ic_range_set asked;         // the code of these hosts, and a little after it
	struct ic_range around;            // a range of these, or the gap between two,
	bool is_around_asked;              // and which of the two it is
	IC_ARRAY(struct ic_line_row) rows; // of that code, without ends of sequences
	struct ic_keyed *by_addr;   // their numbers; those at one address are in the table's order
	bool *is_kept;              // by index in by_addr
	uint64_t found_addr;        // last address looked up in by_addr,
	uint32_t found;             // and the result: one copy needs it several times
	uint64_t steps, keep_steps; // steps left
	bool gave_up;
};

bool ic_entry_rows_note_empty(struct ic_stream *stream)
{
	struct ic_reader *reader = &stream->reader;

	for (uint32_t i = 0; i < reader->empty_starts.count; i++) {
		struct ic_empty_range *empty = IC_ARRAY_PUSH(&stream->built.empty_ranges);
		if (!empty) {
			reader->out_of_memory = true;
			return false;
		}
		*empty = (struct ic_empty_range){ reader->empty_starts.items[i],
						  stream->built.instances.count - 1 };
	}
	return true;
}

// ---- Requested code

static bool may_have_name(const struct ic_name_needles *needles, const struct ic_function *function)
{
	return !function->name || ic_name_needles_are_in(needles, function->name) ||
	       (function->linkage_name &&
		(!needles->are_symbols_clear ||
		 ic_name_needles_are_in(needles, function->linkage_name)));
}

// By function of the unit: whether it may have one of the names. A name that another unit completes
// is unknown, so it may. NULL if memory runs out.
static bool *find_asked_functions(const struct ic_stream *stream)
{
	const struct ic_built_model *built = &stream->built;
	bool *is_asked = ic_items_zeroed(built->functions.count, sizeof(*is_asked));

	for (uint32_t i = 0; is_asked && i < built->functions.count; i++)
		is_asked[i] =
			may_have_name(stream->reader.context->needles, &built->functions.items[i]);
	for (uint32_t i = 0; is_asked && i < stream->references.count; i++) {
		const struct ic_reference *reference = &stream->references.items[i];
		if (reference->unit == stream->reader.unit_index && !reference->is_scope)
			is_asked[reference->number] = true;
	}
	return is_asked;
}

// Marks the hosts that are such a function, or contain a copy of one. Returns false if memory runs
// out.
static bool mark_asked_hosts(struct entry_reader *reader, const bool *is_asked)
{
	const struct ic_built_model *built = &reader->stream->built;
	uint32_t count = built->instances.count;
	uint32_t *hosts = ic_items_alloc(count, sizeof(*hosts));

	reader->is_asked = ic_items_zeroed(count, sizeof(*reader->is_asked));
	for (uint32_t i = 0; hosts && reader->is_asked && i < count; i++) {
		const struct ic_instance *instance = &built->instances.items[i];
		hosts[i] = instance->parent == IC_NONE ? i : hosts[instance->parent];
		if (instance->function != IC_NONE && is_asked[instance->function])
			reader->is_asked[hosts[i]] = true;
	}
	for (uint32_t i = 0; hosts && reader->is_asked && i < count; i++)
		reader->is_asked[i] = reader->is_asked[hosts[i]];
	free(hosts);
	return hosts && reader->is_asked;
}

// If a copy starts at the end of some code, the rows a little after it matter too.
static bool find_asked_code(struct entry_reader *reader)
{
	const struct ic_stream *stream = reader->stream;
	uint32_t count = 0;
	struct ic_range *ranges = ic_items_alloc(stream->reader.ranges.count, sizeof(*ranges));

	for (uint32_t i = 0; ranges && i < stream->built.instances.count; i++) {
		const struct ic_instance *instance = &stream->built.instances.items[i];
		for (uint32_t j = 0; reader->is_asked[i] && j < instance->range_count; j++) {
			struct ic_range range =
				stream->reader.ranges.items[instance->first_range + j];
			range.end += MOST_PADDING + 1;
			bool is_known = count > 0 && range.start >= ranges[count - 1].start &&
					range.end <= ranges[count - 1].end;
			if (!is_known && range.start < range.end)
				ranges[count++] = range;
		}
	}
	if (ranges)
		reader->asked = ic_range_set_build(ranges, count);
	return ranges != NULL;
}

// Finds the requested code, unless all is. Returns false if memory runs out.
static bool find_asked(struct entry_reader *reader)
{
	if (!reader->stream->reader.context->needles)
		return true;
	bool *is_asked = find_asked_functions(reader->stream);
	bool ok = is_asked && mark_asked_hosts(reader, is_asked) && find_asked_code(reader);
	free(is_asked);
	return ok;
}

static bool is_asked_code(struct entry_reader *reader, uint64_t addr)
{
	const struct ic_range_set *asked = &reader->asked;

	if (!reader->is_asked)
		return true;
	if (addr >= reader->around.start && addr < reader->around.end)
		return reader->is_around_asked;
	uint32_t after = ic_search_up_to(asked->ranges, sizeof(*asked->ranges), asked->count, addr);
	const struct ic_range *before = after > 0 ? &asked->ranges[after - 1] : NULL;
	reader->is_around_asked = before && addr < before->end;
	if (reader->is_around_asked)
		reader->around = *before;
	else
		reader->around = (struct ic_range){ before ? before->end : 0,
						    after < asked->count
							    ? asked->ranges[after].start
							    : IC_NO_ADDR };
	return reader->is_around_asked;
}

// ---- The rows of the unit

static void push_row(struct entry_reader *reader, const struct ic_line_row *row)
{
	if (!IC_ARRAY_ADD(&reader->rows, *row))
		reader->stream->reader.out_of_memory = true;
}

// As in rows.c, a lower address starts a new sequence, and a sequence that starts outside code was
// discarded by the linker.
static void run_program(struct entry_reader *reader, struct ic_line_program *program)
{
	struct ic_reader *unit = &reader->stream->reader;
	// Whether a row may be a statement depends on the two before it.
	struct ic_line_row row, last = { .flags = IC_LINE_END_SEQUENCE }, skipped[2];
	enum ic_line_event event;
	bool dead = false;
	unsigned skipped_count = 0;

	while (!unit->out_of_memory &&
	       (event = ic_line_program_next(program, &row)) != IC_LINE_END) {
		if (event == IC_LINE_FILE) {
			ic_unit_lines_add_file(unit, program->file);
			continue;
		}
		bool begins = last.flags & IC_LINE_END_SEQUENCE, falls = row.addr < last.addr;
		if (begins || falls)
			dead = !ic_pc_is_code(unit, row.addr) || (dead && !begins);
		last = row;
		if (dead || row.flags & IC_LINE_END_SEQUENCE)
			continue;
		if (!is_asked_code(reader, row.addr)) {
			skipped[0] = skipped[1];
			skipped[1] = row;
			skipped_count += skipped_count < 2;
			continue;
		}
		for (; skipped_count > 0; skipped_count--)
			push_row(reader, &skipped[2 - skipped_count]);
		push_row(reader, &row);
	}
}

static bool read_rows(struct entry_reader *reader)
{
	struct ic_reader *unit = &reader->stream->reader;
	struct ic_line_program program;

	ic_unit_lines_read(unit);
	uint64_t budget =
		ic_allowance_take(&unit->context->row_allowance, unit->lines.header.program_size);
	ic_line_program_open(&program, &unit->lines.header, ic_unit_lines_unit(unit), budget);
	run_program(reader, &program);
	if (!unit->out_of_memory)
		(void)ic_unit_lines_end(unit, &program, budget);
	ic_line_program_close(&program);
	return !unit->out_of_memory;
}

static bool sort_rows(struct entry_reader *reader)
{
	uint32_t count = reader->rows.count;

	reader->by_addr = ic_items_alloc(count, sizeof(*reader->by_addr));
	reader->is_kept = ic_items_zeroed(count, sizeof(*reader->is_kept));
	if (!reader->by_addr || !reader->is_kept)
		return false;
	for (uint32_t i = 0; i < count; i++)
		reader->by_addr[i] = (struct ic_keyed){ reader->rows.items[i].addr, i };
	return ic_keyed_sort(reader->by_addr, count);
}

static const struct ic_line_row *row_at(const struct entry_reader *reader, uint32_t number)
{
	return &reader->rows.items[reader->by_addr[number].number];
}

// The index in by_addr of the first row at or after an address.
static uint32_t find_row(struct entry_reader *reader, uint64_t addr)
{
	if (reader->found == IC_NONE || reader->found_addr != addr) {
		reader->found = ic_keyed_find(reader->by_addr, reader->rows.count, addr);
		reader->found_addr = addr;
	}
	return reader->found;
}

// ---- Choosing rows

static bool take_step(struct entry_reader *reader, uint64_t *steps)
{
	if (*steps == 0) {
		reader->gave_up = true;
		return false;
	}
	--*steps;
	return true;
}

// Keeps the rows at `from`, and those between it and `to`. Compilers write few rows for one
// address, but a damaged table may have all of them there.
static void keep_stretch(struct entry_reader *reader, uint64_t from, uint64_t to)
{
	uint32_t count = reader->rows.count;

	for (uint32_t i = find_row(reader, from); i < count; i++) {
		uint64_t addr = reader->by_addr[i].key;
		if ((addr != from && addr >= to) || !take_step(reader, &reader->keep_steps))
			break;
		reader->is_kept[i] = true;
	}
}

// Also keeps the row that covers the address, the last one before it.
static void keep_covering(struct entry_reader *reader, uint64_t addr)
{
	uint32_t at = find_row(reader, addr);

	if (at > 0 && (at == reader->rows.count || reader->by_addr[at].key > addr))
		reader->is_kept[at - 1] = true;
}

static bool is_same_place(const struct ic_line_row *a, const struct ic_line_row *b)
{
	return a->line == b->line && a->column == b->column && a->file == b->file;
}

// LLVM marks a row as a statement if its line differs from the row before. It does not skip rows
// without a line: a row after one is not marked if it has the line before that.
static bool may_be_stmt(const struct entry_reader *reader, uint32_t number)
{
	const struct ic_line_row *row = row_at(reader, number);
	const struct ic_line_row *before = number > 0 ? row_at(reader, number - 1) : row;

	if (number > 1 && before->line == 0)
		before = row_at(reader, number - 2);
	return row->flags & IC_LINE_IS_STMT ||
	       (row->line == before->line && row->file == before->file &&
		row->column != before->column);
}

// The entry of a copy in the DWARF; for out-of-line code, the start of its first range.
static uint64_t start_of(const struct ic_instance *instance, const struct ic_range *ranges)
{
	bool is_known = instance->kind == IC_INSTANCE_INLINED && instance->entry != IC_NO_ADDR;

	return is_known ? instance->entry : ranges[0].start;
}

// Which of the bytes from an address on are code of the instance, a bit for each.
static uint64_t find_near(const struct ic_instance *instance, const struct ic_range *ranges,
			  uint64_t addr)
{
	static_assert(MOST_PADDING < 64, "a bit each");
	uint64_t near = 0;

	for (uint32_t i = 0; i < instance->range_count; i++) {
		uint64_t from = ranges[i].start > addr ? ranges[i].start - addr : 0;
		uint64_t to = ranges[i].end > addr ? ranges[i].end - addr : 0;
		if (from <= MOST_PADDING && from < to)
			near |= UINT64_MAX << from & UINT64_MAX >> (to < 64 ? 64 - to : 0);
	}
	return near;
}

// Whether a row has the position of the first row of an out-of-line function: the body has not
// begun, unless LLVM wrote no row for its start.
static bool is_before_body(const struct ic_line_row *first, const struct ic_line_row *row)
{
	return !(first->flags & IC_LINE_PROLOGUE_END) && is_same_place(row, first);
}

// Finds the row of an instance's first statement, if it is near the start; IC_NONE otherwise. The
// declarator is not a statement. Rows before it at the same address belong to the caller, as does
// code mixed with the instance's. Nor is the row where the body of an out-of-line function begins.
// With -flto, GCC marks no statements: then it is the first of the other rows.
static uint32_t find_first_statement(struct entry_reader *reader,
				     const struct ic_instance *instance,
				     const struct ic_function *function)
{
	const struct ic_range *ranges = reader->stream->reader.ranges.items + instance->first_range;
	uint64_t start = start_of(instance, ranges), near = find_near(instance, ranges, start);
	uint32_t count = reader->rows.count, found = IC_NONE, unmarked = IC_NONE;
	uint32_t first = find_row(reader, start);
	bool is_host = instance->kind == IC_INSTANCE_HOST, is_behind_callers = is_host;

	for (uint32_t i = first; i < count && reader->by_addr[i].key - start <= MOST_PADDING &&
				 (found == IC_NONE || reader->by_addr[i].key == start) &&
				 take_step(reader, &reader->steps);
	     i++) {
		const struct ic_line_row *row = row_at(reader, i);
		bool is_stmt = row->flags & IC_LINE_IS_STMT;
		bool is_head = function && row->line == function->decl_line &&
			       row->column == function->decl_column;
		bool is_own = near >> (reader->by_addr[i].key - start) & 1;
		if (is_head && is_stmt && !is_host) {
			found = unmarked = IC_NONE;
			is_behind_callers = true;
		} else if (is_head || row->line == 0 || (near && !is_own) ||
			   (is_host && is_before_body(row_at(reader, first), row))) {
			continue;
		} else if (is_stmt) {
			found = found == IC_NONE || !is_behind_callers ? i : found;
		} else if (unmarked == IC_NONE) {
			unmarked = i;
		}
	}
	return found != IC_NONE ? found : unmarked;
}

// Keeps the rows of an instance with the position of its first statement.
static void keep_repeated(struct entry_reader *reader, const struct ic_instance *instance,
			  const struct ic_function *function)
{
	const struct ic_range *ranges = reader->stream->reader.ranges.items + instance->first_range;
	uint32_t count = reader->rows.count;
	bool is_host = instance->kind == IC_INSTANCE_HOST;
	bool has_column = function && function->decl_column > 0;
	uint32_t first = find_first_statement(reader, instance, function);
	bool is_marked = first != IC_NONE && row_at(reader, first)->flags & IC_LINE_IS_STMT;

	if (is_host && first != IC_NONE) // the start of the body
		reader->is_kept[find_row(reader, ranges[0].start)] = true;
	for (uint32_t i = 0; i < instance->range_count && first != IC_NONE; i++) {
		uint32_t j = find_row(reader, ranges[i].start);
		for (; j < count && reader->by_addr[j].key < ranges[i].end; j++) {
			if (!take_step(reader, &reader->steps))
				return;
			if ((!is_marked || (has_column ? row_at(reader, j)->flags & IC_LINE_IS_STMT
						       : may_be_stmt(reader, j))) &&
			    is_same_place(row_at(reader, j), row_at(reader, first)))
				reader->is_kept[j] = true;
		}
	}
}

// Keeps the first row in a range that is a statement.
static void keep_statement(struct entry_reader *reader, struct ic_range range)
{
	uint32_t count = reader->rows.count;
	uint32_t i = find_row(reader, range.start);

	for (; i < count && reader->by_addr[i].key < range.end; i++) {
		if (!take_step(reader, &reader->steps))
			return;
		if (row_at(reader, i)->flags & IC_LINE_IS_STMT) {
			reader->is_kept[i] = true;
			return;
		}
	}
}

// Whether a row at the start of a range, or at the copy's entry, has the position of the
// declarator, with which GCC marks the start.
static bool has_mark(struct entry_reader *reader, const struct ic_instance *instance,
		     const struct ic_range *ranges, const struct ic_function *function)
{
	for (uint32_t i = 0; i <= instance->range_count; i++) {
		uint64_t start = i < instance->range_count ? ranges[i].start : instance->entry;
		for (uint32_t j = find_row(reader, start);
		     j < reader->rows.count && reader->by_addr[j].key == start &&
		     take_step(reader, &reader->steps);
		     j++)
			if (row_at(reader, j)->line == function->decl_line &&
			    row_at(reader, j)->column == function->decl_column)
				return true;
	}
	return false;
}

static void choose_of(struct entry_reader *reader, const struct ic_instance *instance)
{
	const struct ic_stream *stream = reader->stream;
	const struct ic_function *function =
		instance->function == IC_NONE ? NULL
					      : &stream->built.functions.items[instance->function];
	bool has_column = function && function->decl_column > 0;

	if (instance->range_count == 0)
		return;
	const struct ic_range *ranges = stream->reader.ranges.items + instance->first_range;
	keep_repeated(reader, instance, function);
	if (instance->kind != IC_INSTANCE_INLINED)
		return;
	if (instance->entry != IC_NO_ADDR)
		keep_stretch(reader, instance->entry, instance->entry);
	bool is_marked = has_column && has_mark(reader, instance, ranges, function);
	for (uint32_t i = 0; i < instance->range_count; i++) {
		uint64_t start = ranges[i].start;
		keep_stretch(reader, start, is_marked ? start : start + MOST_PADDING + 1);
		if (has_column)
			keep_statement(reader, ranges[i]);
		if (!is_marked)
			keep_covering(reader, start);
	}
}

static void choose_entry(struct entry_reader *reader)
{
	const struct ic_built_model *built = &reader->stream->built;
	struct ic_error err;

	reader->steps = STEPS_PER_ROW * (uint64_t)reader->rows.count;
	reader->keep_steps = KEEP_STEPS_PER_ROW * (uint64_t)reader->rows.count;
	for (uint32_t i = 0; i < built->instances.count; i++)
		if (!reader->is_asked || reader->is_asked[i])
			choose_of(reader, &built->instances.items[i]);
	for (uint32_t i = 0; i < built->empty_ranges.count; i++)
		keep_stretch(reader, built->empty_ranges.items[i].addr,
			     built->empty_ranges.items[i].addr);
	if (!reader->gave_up)
		return;
	ic_fail_at(&err, ".debug_line", reader->stream->reader.lines.header.program_off,
		   "inlined functions are nested too deeply to detect unrolled loops in them");
	ic_reader_problem(&reader->stream->reader, reader->stream->reader.unit->off, &err);
}

static void push_kept(struct entry_reader *reader)
{
	struct ic_stream *stream = reader->stream;

	for (uint32_t i = 0; i < reader->rows.count; i++) {
		const struct ic_line_row *row = row_at(reader, i);
		if (!reader->is_kept[i])
			continue;
		struct ic_entry_row *kept = IC_ARRAY_PUSH(&stream->built.entry_rows);
		if (!kept) {
			stream->reader.out_of_memory = true;
			return;
		}
		*kept = (struct ic_entry_row){
			.addr = row->addr,
			.file = ic_unit_lines_file(&stream->reader, row->file,
						   stream->reader.unit->die_off),
			.line = row->line,
			.column = row->column & 0x1fffffff,
			.is_stmt = (row->flags & IC_LINE_IS_STMT) != 0,
			.is_prologue_end = (row->flags & IC_LINE_PROLOGUE_END) != 0,
			.may_be_stmt = may_be_stmt(reader, i),
		};
	}
}

void ic_entry_rows_read(struct ic_stream *stream)
{
	struct entry_reader reader = { .stream = stream, .found = IC_NONE };

	if (!stream->reader.table || stream->built.instances.count == 0 ||
	    !ic_unit_lines_unit(&stream->reader)->root.has_stmt_list)
		return;
	reader.rows.memory = stream->built.entry_rows.memory;
	if (find_asked(&reader) && read_rows(&reader) && sort_rows(&reader)) {
		choose_entry(&reader);
		push_kept(&reader);
	} else {
		stream->reader.out_of_memory = true;
	}
	IC_ARRAY_FREE(&reader.rows);
	free(reader.by_addr);
	free(reader.is_kept);
	free(reader.is_asked);
	free(reader.asked.ranges);
}
