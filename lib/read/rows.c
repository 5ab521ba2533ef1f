#include "read/rows.h"

#include "read/lines.h"
#include "read/pc.h"

enum { ROW_IS_APPROXIMATE = 128 }; // an extra flag of struct ic_line_row

struct row_reader {
	struct ic_stream *stream;
	struct ic_code_sequence sequence; // the current one; its end is unknown so far
	struct ic_line_row last;          // its last row, which extends to the next address
	struct ic_line_row last_known;    // its last row that has a line; line 0 if there is none
	bool in_sequence, dead;
	uint64_t next_addr;              // rows below this are skipped: see find_next_addr()
	uint32_t next_wanted;            // number of the first address not below `last`
	uint32_t found;                  // number of addresses whose row was found
	uint32_t last_number, last_file; // of a file: its number in the table, and its index in the
					 // stream's files
};

static uint32_t file_of(struct row_reader *reader, uint32_t number)
{
	if (number != reader->last_number) {
		reader->last_file = ic_unit_lines_file(&reader->stream->reader, number,
						       reader->stream->reader.unit->die_off);
		reader->last_number = number;
	}
	return reader->last_file;
}

// Pushes a row that starts `off` bytes into its sequence.
static void push_row(struct row_reader *reader, const struct ic_line_row *row, uint64_t off)
{
	struct ic_stream *stream = reader->stream;
	struct ic_code_row *place = IC_ARRAY_PUSH(&stream->built.rows);

	if (place)
		*place = (struct ic_code_row){
			.addr_off = (uint32_t)off,
			.file = file_of(reader, row->file),
			.line = row->line,
			.column = row->column & INT32_MAX, // no compiler produces such long lines
			.is_approximate = (row->flags & ROW_IS_APPROXIMATE) != 0,
			.discriminator = row->discriminator,
		};
	else
		stream->reader.out_of_memory = true;
}

static void push_sequence(struct ic_stream *stream, struct ic_code_sequence sequence)
{
	sequence.row_count = stream->built.rows.count - sequence.first_row;
	struct ic_code_sequence *place =
		sequence.row_count > 0 ? IC_ARRAY_PUSH(&stream->built.sequences) : NULL;
	if (place)
		*place = sequence;
	else if (sequence.row_count > 0)
		stream->reader.out_of_memory = true;
}

// Rows that end at or below next_addr are not needed.
static void find_next_addr(struct row_reader *reader)
{
	const struct ic_requested_addrs *wanted = &reader->stream->wanted;

	if (wanted->count == 0)
		reader->next_addr = 0;
	else if (reader->dead || reader->next_wanted == wanted->count)
		reader->next_addr = UINT64_MAX;
	else
		reader->next_addr = wanted->addrs[reader->next_wanted];
}

static void begin_sequence(struct row_reader *reader, const struct ic_line_row *row)
{
	struct ic_stream *stream = reader->stream;

	reader->in_sequence = true;
	reader->dead = !ic_pc_is_code(&stream->reader, row->addr);
	reader->sequence = (struct ic_code_sequence){ .range = { row->addr, row->addr },
						      .first_row = stream->built.rows.count };
	reader->next_wanted = ic_stream_first_requested(stream, row->addr);
	find_next_addr(reader);
	reader->last = *row;
}

// ---- The whole table

static bool same_place(const struct ic_code_row *kept, const struct ic_line_row *row, uint32_t file)
{
	return kept->line == row->line && kept->file == file &&
	       kept->column == (row->column & INT32_MAX) &&
	       kept->discriminator == row->discriminator &&
	       kept->is_approximate == ((row->flags & ROW_IS_APPROXIMATE) != 0);
}

// Keeps the last row, which extends to `end`, unless the row before it has the same position.
static void keep_last(struct row_reader *reader, uint64_t end)
{
	struct ic_stream *stream = reader->stream;
	struct ic_code_sequence *sequence = &reader->sequence;
	const struct ic_line_row *row = &reader->last;
	uint32_t count = stream->built.rows.count;

	if (row->addr - sequence->range.start > UINT32_MAX) { // a row's offset has 32 bits
		push_sequence(stream, *sequence);
		*sequence = (struct ic_code_sequence){ .range = { row->addr, row->addr },
						       .first_row = count };
	}
	if (count == sequence->first_row ||
	    !same_place(&stream->built.rows.items[count - 1], row, file_of(reader, row->file)))
		push_row(reader, row, row->addr - sequence->range.start);
	sequence->range.end = end;
}

// ---- Wanted addresses

static bool is_found(const struct ic_stream *stream, uint64_t addr)
{
	bool found = false;

	for (uint32_t i = 0; !found && i < stream->built.sequences.count; i++)
		found = stream->built.sequences.items[i].range.start == addr;
	return found;
}

// Assigns the last row, which extends to `end`, to the wanted addresses it covers, each as a
// sequence of its own. If several sequences cover an address, the first one counts.
static void give_last(struct row_reader *reader, uint64_t end)
{
	struct ic_stream *stream = reader->stream;
	const struct ic_requested_addrs *wanted = &stream->wanted;

	for (; reader->next_wanted < wanted->count; reader->next_wanted++) {
		uint64_t addr = wanted->addrs[reader->next_wanted];
		if (addr >= end)
			break;
		if (is_found(stream, addr))
			continue;
		struct ic_code_sequence sequence = { .range = { addr, addr + 1 },
						     .first_row = stream->built.rows.count };
		push_row(reader, &reader->last, 0);
		push_sequence(stream, sequence);
		reader->found++;
	}
	find_next_addr(reader);
}

// ---- Both

// Takes a row. If several have the same address, the last one counts, and the row before them
// extends to it. Addresses only increase within a sequence (DWARF 5, 6.2.5); a lower one starts
// another.
static void take_row(struct row_reader *reader, const struct ic_line_row *row)
{
	struct ic_stream *stream = reader->stream;
	bool wants_all = stream->wanted.count == 0;

	if (!reader->in_sequence) {
		begin_sequence(reader, row);
	} else if (!reader->dead && row->addr > reader->last.addr) {
		if (wants_all)
			keep_last(reader, row->addr);
		else
			give_last(reader, row->addr);
	}
	bool ends = row->flags & IC_LINE_END_SEQUENCE, falls = row->addr < reader->last.addr;
	if ((ends || falls) && wants_all)
		push_sequence(stream, reader->sequence);
	if (falls) { // an address in discarded code that wraps below 0 does not revive it
		bool dead = reader->dead;
		begin_sequence(reader, row);
		reader->dead |= dead;
		find_next_addr(reader);
	}
	reader->in_sequence = !ends;
	reader->last = *row;
}

uint64_t ic_allowance_take(atomic_ullong *allowance, uint64_t size)
{
	unsigned long long left = atomic_load_explicit(allowance, memory_order_relaxed);
	uint64_t taken;

	do {
		taken = size < left ? size : left;
	} while (!atomic_compare_exchange_weak_explicit(
		allowance, &left, left - taken, memory_order_relaxed, memory_order_relaxed));
	return taken;
}

static bool is_done(const struct row_reader *reader)
{
	const struct ic_stream *stream = reader->stream;

	return stream->reader.out_of_memory ||
	       (stream->wanted.count > 0 && reader->found == stream->wanted.count);
}

// Gives a row without a line the position of the last one in its sequence that has one.
static void skip_line_zero(struct row_reader *reader, struct ic_line_row *row)
{
	if (row->line > 0) {
		reader->last_known = *row;
	} else if (reader->last_known.line > 0) {
		uint64_t addr = row->addr;
		uint8_t flags = row->flags;
		*row = reader->last_known;
		row->addr = addr;
		row->flags = flags | ROW_IS_APPROXIMATE;
	}
	if (row->flags & IC_LINE_END_SEQUENCE)
		reader->last_known.line = 0;
}

void ic_unit_rows_read(struct ic_stream *stream)
{
	struct row_reader reader = { .stream = stream,
				     .last_number = IC_NONE,
				     .last_file = IC_NONE };
	struct ic_line_program program;
	enum ic_line_event event;
	struct ic_line_row row;

	if (!ic_unit_lines_unit(&stream->reader)->root.has_stmt_list)
		return;
	ic_unit_lines_read(&stream->reader);
	uint64_t budget = ic_allowance_take(&stream->reader.context->row_allowance,
					    stream->reader.lines.header.program_size);
	ic_line_program_open(&program, &stream->reader.lines.header,
			     ic_unit_lines_unit(&stream->reader), budget);
	while (!is_done(&reader) && (event = ic_line_program_next(&program, &row)) != IC_LINE_END) {
		if (event != IC_LINE_FILE && stream->reader.context->want.skip_line_zero)
			skip_line_zero(&reader, &row);
		if (event == IC_LINE_FILE)
			ic_unit_lines_add_file(&stream->reader, program.file);
		else if (reader.in_sequence && row.addr >= reader.last.addr &&
			 row.addr <= reader.next_addr && !(row.flags & IC_LINE_END_SEQUENCE))
			reader.last = row; // the usual case if few are wanted
		else
			take_row(&reader, &row);
	}
	bool ok = is_done(&reader) || ic_unit_lines_end(&stream->reader, &program, budget);
	if (!ok && reader.in_sequence && stream->wanted.count == 0)
		push_sequence(stream, reader.sequence); // its last row has no end
	ic_line_program_close(&program);
}
