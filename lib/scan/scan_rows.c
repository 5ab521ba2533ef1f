#include "scan/scan_rows.h"

#include <stdlib.h>

#include "dwarf/line_rows.h"
#include "scan/scan_lines.h"
#include "scan/scan_pc.h"

struct row_reader {
	struct ic_scan_stream *stream;
	uint64_t last_file; // the last number in the table that was looked up, and what it is
	uint32_t file;
	bool in_sequence, dead, sorted;
};

static int compare_rows(const void *left, const void *right)
{
	const struct ic_scan_row *a = left, *b = right;

	if (a->addr != b->addr)
		return a->addr < b->addr ? -1 : 1;
	return (a->row.addr_off > b->row.addr_off) - (a->row.addr_off < b->row.addr_off);
}

// Addresses only rise within a sequence (DWARF 5, 6.2.5), but hands that write assembly may err.
// Rows at one address stay in their order.
static void sort_rows(struct ic_scan_stream *stream)
{
	uint32_t count = stream->sequence_rows.count;

	for (uint32_t i = 0; i < count; i++)
		stream->sequence_rows.items[i].row.addr_off = i;
	qsort(stream->sequence_rows.items, count, sizeof(*stream->sequence_rows.items),
	      compare_rows);
}

static bool same_place(const struct ic_code_row *a, const struct ic_code_row *b)
{
	return a->line == b->line && a->file == b->file && a->column == b->column &&
	       a->discriminator == b->discriminator;
}

static uint32_t file_of(struct row_reader *reader, uint32_t number)
{
	if (number != reader->last_file) {
		reader->file =
			ic_scan_lines_file(reader->stream, number, reader->stream->unit->die_off);
		reader->last_file = number;
	}
	return reader->file;
}

// Keeps the row, which holds to `end`, if anything is asked of that. False where memory is out.
static bool keep_row(struct row_reader *reader, const struct ic_scan_row *row, uint64_t start,
		     uint64_t end)
{
	struct ic_scan_stream *stream = reader->stream;

	if (!ic_scan_is_wanted(stream, (struct ic_range){ row->addr, end }))
		return true;
	struct ic_code_row *place = IC_ARRAY_PUSH(&stream->rows);
	if (!place)
		return false;
	*place = row->row;
	place->addr_off = (uint32_t)(row->addr - start);
	place->file = file_of(reader, row->row.file);
	return true;
}

static bool keep_sequence(struct ic_scan_stream *stream, struct ic_code_sequence sequence)
{
	sequence.row_count = stream->rows.count - sequence.first_row;
	if (sequence.row_count == 0)
		return true;
	struct ic_code_sequence *place = IC_ARRAY_PUSH(&stream->sequences);
	if (place)
		*place = sequence;
	return place != NULL;
}

// The rows that hold from number `first` on, as a sequence: as many as 32 bits can tell the
// addresses of. Returns the first that is left.
static uint32_t keep_some(struct row_reader *reader, uint32_t first, uint64_t end)
{
	struct ic_scan_stream *stream = reader->stream;
	const struct ic_scan_row *rows = stream->sequence_rows.items;
	uint32_t count = stream->sequence_rows.count, i = first;
	struct ic_code_sequence sequence = { .range = { rows[first].addr, end },
					     .first_row = stream->rows.count };
	bool ok = true;

	while (ok && i < count && rows[i].addr < end) {
		uint32_t row = i++;
		if (rows[row].addr - sequence.range.start > UINT32_MAX) {
			sequence.range.end = rows[row].addr;
			break;
		}
		// Of several at one address the last holds; and what says the same goes on.
		while (i < count && (rows[i].addr == rows[row].addr ||
				     same_place(&rows[i].row, &rows[row].row))) {
			if (rows[i].addr == rows[row].addr)
				row = i;
			i++;
		}
		uint64_t next = i < count && rows[i].addr < end ? rows[i].addr : end;
		ok = keep_row(reader, &rows[row], sequence.range.start, next);
	}
	if (!ok || !keep_sequence(stream, sequence))
		stream->out_of_memory = true;
	return !stream->out_of_memory && sequence.range.end < end ? i - 1 : count;
}

static void end_sequence(struct row_reader *reader, uint64_t end)
{
	struct ic_scan_stream *stream = reader->stream;

	if (!reader->sorted)
		sort_rows(stream);
	if (stream->sequence_rows.count > 0 &&
	    !ic_scan_is_wanted(stream,
			       (struct ic_range){ stream->sequence_rows.items[0].addr, end }))
		stream->sequence_rows.count = 0;
	for (uint32_t i = 0; i < stream->sequence_rows.count && !stream->out_of_memory;)
		i = keep_some(reader, i, end);
	stream->sequence_rows.count = 0;
	reader->in_sequence = false;
}

static void take_row(struct row_reader *reader, const struct ic_line_row *row)
{
	struct ic_scan_stream *stream = reader->stream;

	if (!reader->in_sequence) {
		reader->dead = !ic_scan_is_code(stream, row->addr);
		reader->sorted = true;
		reader->in_sequence = true;
	}
	if (row->flags & IC_LINE_END_SEQUENCE) {
		end_sequence(reader, row->addr);
		return;
	}
	if (reader->dead)
		return;
	uint32_t count = stream->sequence_rows.count;
	struct ic_scan_row *place = IC_ARRAY_PUSH(&stream->sequence_rows);
	if (!place) {
		stream->out_of_memory = true;
		return;
	}
	if (count > 0 && place[-1].addr > row->addr)
		reader->sorted = false;
	*place = (struct ic_scan_row){
		row->addr, { 0, row->file, row->line, row->column, row->discriminator }
	};
}

// Takes the bytes of the program from those that may still be run.
static uint64_t take_allowance(struct ic_scan_context *context, uint64_t size)
{
	uint64_t left = atomic_load_explicit(&context->row_allowance, memory_order_relaxed);
	uint64_t taken;

	do {
		taken = size < left ? size : left;
	} while (!atomic_compare_exchange_weak_explicit(&context->row_allowance, &left,
							left - taken, memory_order_relaxed,
							memory_order_relaxed));
	return taken;
}

static bool has_code(const struct ic_scan_stream *stream)
{
	const struct ic_unit *unit = ic_scan_lines_unit(stream);

	return stream->instances.count > 0 || unit->has_low_pc || unit->has_ranges;
}

void ic_scan_rows_read(struct ic_scan_stream *stream)
{
	struct row_reader reader = { .stream = stream, .last_file = UINT64_MAX, .file = IC_NONE };
	struct ic_line_program program;
	enum ic_line_event event;
	struct ic_line_row row;
	struct ic_error err;

	if (!stream->table || !ic_scan_lines_unit(stream)->has_stmt_list || !has_code(stream))
		return;
	ic_scan_lines_read(stream);
	uint64_t budget = take_allowance(stream->context, stream->lines.program_size);
	ic_line_program_open(&program, &stream->lines, ic_scan_lines_unit(stream), budget);
	while ((event = ic_line_program_next(&program, &row)) != IC_LINE_END) {
		if (event == IC_LINE_FILE)
			ic_scan_lines_add_file(stream, program.file);
		else
			take_row(&reader, &row);
		if (stream->out_of_memory)
			return;
	}
	if (ic_line_program_ok(&program, &err))
		return;
	if (reader.in_sequence && stream->sequence_rows.count > 0) // the last one has no end
		end_sequence(&reader,
			     stream->sequence_rows.items[stream->sequence_rows.count - 1].addr);
	if (budget < stream->lines.program_size)
		ic_fail_at(&err, ".debug_line", program.cur.fault_off,
			   "line tables are used over and over; the rest is left out");
	ic_scan_problem(stream, stream->unit->off, &err);
}
