#include "read/calls.h"

#include <stdlib.h>

#include "base/search.h"
#include "read/lines.h"
#include "read/pc.h"

// The address at which to look up a call: its own, or one inside the call instruction, since the
// return address may be in the next statement or in another function.
static uint64_t address_of(const struct ic_call *call)
{
	if (call->addr != IC_NO_ADDR)
		return call->addr;
	return call->return_addr != IC_NO_ADDR ? call->return_addr - 1 : IC_NO_ADDR;
}

struct sought { // a call to find in the line table
	uint64_t addr;
	uint32_t call; // its index in the unit
	uint32_t next; // itself, or where to continue once it has its position
};

struct call_search {
	struct ic_reader *reader;
	struct ic_call *calls;
	struct sought *sought; // sorted by address, followed by a sentinel that is never found
	uint32_t count;
};

static int compare_sought(const void *left, const void *right)
{
	const struct sought *a = left, *b = right;

	return a->addr != b->addr ? (a->addr < b->addr ? -1 : 1)
				  : (a->call > b->call) - (a->call < b->call);
}

// Lists the calls that have no position yet. Returns false if memory runs out.
static bool list_sought(struct call_search *search, uint32_t call_count)
{
	struct sought *sought = ic_items_alloc(call_count + 1ull, sizeof(*sought));

	search->sought = sought;
	if (!sought)
		return false;
	for (uint32_t i = 0; i < call_count; i++) {
		const struct ic_call *call = &search->calls[i];
		uint64_t addr = address_of(call);
		if (call->call_file == IC_NONE && call->call_line == 0 && addr != IC_NO_ADDR)
			sought[search->count++] = (struct sought){ .addr = addr, .call = i };
	}
	qsort(sought, search->count, sizeof(*sought), compare_sought);
	for (uint32_t i = 0; i <= search->count; i++)
		sought[i].next = i;
	return true;
}

static uint32_t first_from(const struct call_search *search, uint64_t addr)
{
	return addr == 0 ? 0
			 : ic_search_up_to(search->sought, sizeof(*search->sought), search->count,
					   addr - 1);
}

// The first one from `i` on that has no position yet. Each pass halves the chain of the others, so
// that rows that cover the same calls over and over cost no more than others.
static uint32_t next_unplaced(struct sought *sought, uint32_t i)
{
	while (sought[i].next != i) {
		sought[i].next = sought[sought[i].next].next;
		i = sought[i].next;
	}
	return i;
}

// Gives the row's position to the calls between it and the next row.
static void place_row(struct call_search *search, const struct ic_line_row *row, uint64_t end)
{
	struct ic_reader *reader = search->reader;
	struct sought *sought = search->sought;
	uint32_t i = next_unplaced(sought, first_from(search, row->addr));

	for (; i < search->count && sought[i].addr < end; i = next_unplaced(sought, i)) {
		struct ic_call *call = &search->calls[sought[i].call];
		call->call_file =
			ic_unit_lines_file(reader, row->file, reader->unit->off + call->die_off);
		call->call_line = row->line;
		call->call_column = row->column;
		sought[i].next = i + 1;
	}
}

static void place_all(struct call_search *search)
{
	struct ic_reader *reader = search->reader;
	struct ic_line_program program;
	struct ic_line_row row, last = { .flags = IC_LINE_END_SEQUENCE };
	enum ic_line_event event;
	bool dead = false; // the linker discarded the sequence's code

	ic_unit_lines_read(reader);
	uint64_t budget = ic_unit_lines_budget(reader);
	ic_line_program_open(&program, &reader->lines.header, ic_unit_lines_unit(reader), budget);
	while ((event = ic_line_program_next(&program, &row)) != IC_LINE_END) {
		if (event == IC_LINE_FILE) {
			ic_unit_lines_add_file(reader, program.file);
			continue;
		}
		if (last.flags & IC_LINE_END_SEQUENCE)
			dead = !ic_pc_is_code(reader, row.addr);
		else if (!dead && last.addr < row.addr)
			place_row(search, &last, row.addr);
		last = row;
	}
	(void)ic_unit_lines_end(reader, &program, budget);
	ic_line_program_close(&program);
}

void ic_calls_place(struct ic_reader *reader, struct ic_call *calls, uint32_t count)
{
	struct call_search search = { .reader = reader, .calls = calls };

	if (!ic_unit_lines_unit(reader)->root.has_stmt_list)
		return;
	if (!list_sought(&search, count))
		reader->out_of_memory = true;
	else if (search.count > 0)
		place_all(&search);
	free(search.sought);
}
