// Fuzzes the programs of line tables.
// Wanted: no more events than bytes, so that none takes forever; addresses are of their size; names
// of files and functions are whole texts of their sections; a fault stays where it is; a program
// that is cut yields the same events as the whole one, as far as it goes; the fast path yields the
// same rows as the slow one.
#include "dwarf/lines/rows.h"
#include "fuzz_input.h"

static void check_functions(const struct ic_line_program *program)
{
	const struct ic_line_functions *functions = &program->functions;
	uint64_t last = program->is_actual ? program->logicals.rows.count
					   : functions->row_number - 1;

	PROMISE(functions->context <= last);
	if (functions->function.name)
		fuzz_read_text(functions->function.name, NULL);
	for (uint64_t number = functions->context; number > 0;) {
		const struct ic_line_logical *call =
			ic_line_logicals_find(&program->logicals, number);
		PROMISE(call != NULL || !program->keeps_rows);
		PROMISE(!call || call->context < number); // so that no chain of calls is endless
		number = call ? call->context : 0;
	}
}

static void check_row(const struct ic_line_program *program, const struct ic_line_row *row)
{
	uint8_t most = program->header->max_ops_per_inst;

	PROMISE((row->addr & ~program->addr_mask) == 0);
	PROMISE(row->flags < 2 * IC_LINE_EPILOGUE_BEGIN);
	PROMISE(row->op_index < (most > 1 ? most : 1));
}

static bool same_row(const struct ic_line_row *a, const struct ic_line_row *b)
{
	return !memcmp(a, b, offsetof(struct ic_line_row, flags) + 1); // and not what pads it
}

// Runs two programs side by side; the second is the beginning of the first.
static void check_budget(const struct ic_line_header *header, const struct ic_unit *unit,
			 uint64_t budget)
{
	struct ic_line_program whole, cut;
	struct ic_line_row row = { 0 }, same = { 0 };

	ic_line_program_open(&whole, header, unit, UINT64_MAX);
	ic_line_program_open(&cut, header, unit, budget);
	for (enum ic_line_event event;
	     (event = ic_line_program_next(&cut, &same)) != IC_LINE_END;) {
		PROMISE(ic_line_program_next(&whole, &row) == event);
		PROMISE(event != IC_LINE_ROW || same_row(&row, &same));
	}
	ic_line_program_close(&whole);
	ic_line_program_close(&cut);
}

static void check_short_way(const struct ic_line_header *header, const struct ic_unit *unit)
{
	struct ic_line_program either, slow;
	struct ic_line_row row = { 0 }, same = { 0 };
	struct ic_error err, same_err;
	enum ic_line_event event;

	ic_line_program_open(&either, header, unit, UINT64_MAX);
	ic_line_program_open(&slow, header, unit, UINT64_MAX);
	slow.is_plain = false;
	do {
		event = ic_line_program_next(&either, &row);
		PROMISE(ic_line_program_next(&slow, &same) == event);
		PROMISE(event != IC_LINE_ROW || same_row(&row, &same));
		PROMISE(either.cur.pos == slow.cur.pos);
	} while (event != IC_LINE_END);
	if (!ic_line_program_ok(&either, &err))
		PROMISE(!ic_line_program_ok(&slow, &same_err) && err.offset == same_err.offset);
	ic_line_program_close(&either);
	ic_line_program_close(&slow);
}

static void check_program(const struct ic_line_header *header, const struct ic_unit *unit,
			  bool keep)
{
	struct ic_line_program program;
	struct ic_line_row row;
	struct ic_error err = { 0 };
	uint64_t events = 0;

	ic_line_program_open(&program, header, unit, UINT64_MAX);
	if (keep)
		ic_line_program_keep_rows(&program);
	for (enum ic_line_event event;
	     (event = ic_line_program_next(&program, &row)) != IC_LINE_END; events++) {
		if (event == IC_LINE_ROW)
			check_row(&program, &row), check_functions(&program);
		else
			fuzz_read_text(program.file.name, &unit->dwarf->line);
		PROMISE(ic_line_program_ok(&program, &err));
		if (!ic_line_functions_ok(&program.functions, &err))
			PROMISE_REASON(err);
	}
	PROMISE(events <= header->program_size);
	if (!ic_line_program_ok(&program, &err))
		PROMISE_REASON(err);
	PROMISE(ic_line_program_next(&program, &row) == IC_LINE_END);
	PROMISE(program.logicals.rows.count <= header->program_size);
	PROMISE(keep || header->version == IC_LINE_TWO_LEVEL || program.logicals.rows.count == 0);
	ic_line_program_close(&program);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_input in = { data, data + size };
	struct ic_bytes sections[4]; // .debug_line, .debug_line_str, .debug_str and its offsets
	struct ic_line_header header = { 0 };
	struct ic_error err = { 0 };
	uint8_t sizes = fuzz_take_u8(&in);
	uint8_t budget = fuzz_take_u8(&in);

	fuzz_take_sections(&in, sections, 4);
	const struct ic_dwarf dwarf = { .line = sections[0],
					.line_str = sections[1],
					.str = sections[2],
					.str_offsets = sections[3],
					.swap = sizes & 1 };
	const struct ic_unit unit = { .dwarf = &dwarf,
				      .version = sizes & 2 ? 4 : 5,
				      .addr_size = sizes & 4 ? 4 : 8,
				      .offset_size = sizes & 8 ? 8 : 4,
				      .root.str_offsets_base = 8 };

	if (!ic_line_header_parse(&header, &unit, UINT64_MAX, &err))
		PROMISE_REASON(err); // of its tables perhaps, and the program can be run
	PROMISE(header.program_size <= dwarf.line.size);
	check_program(&header, &unit, false);
	check_program(&header, &unit, true);
	check_short_way(&header, &unit);
	check_budget(&header, &unit, budget);
	ic_line_header_free(&header);
	fuzz_free_sections(sections, 4);
	return 0;
}
