#include "emit/positions.h"

#include "base/search.h"

static uint64_t choose_first(uint64_t left, uint64_t right)
{
	return left < right ? left : right;
}

// The segment that begins last up to an address; IC_NONE if none does.
static uint32_t find_segment(const struct ic_segments *segments, uint64_t addr)
{
	uint32_t count =
		ic_search_up_to(segments->items, sizeof(*segments->items), segments->count, addr);

	return count > 0 ? count - 1 : IC_NONE;
}

// Advances to the segment that contains the start of what is left. Returns whether that is another
// one.
static bool enter_segment(struct ic_positions *positions)
{
	const struct ic_segments *lines = &positions->map->lines;
	uint32_t next = positions->segment + 1;

	if (next >= lines->count || lines->items[next].start > positions->left.start)
		return false;
	positions->segment = next;
	return true;
}

// Finds the row of a sequence at an address inside it.
static uint32_t find_row(const struct ic_code_row *rows, uint32_t count, uint64_t off)
{
	uint32_t after;

	IC_SEARCH(after, count, at, rows[at].addr_off <= off);
	return after > 0 ? after - 1 : 0;
}

// Gets the code of one row, or of none.
static bool read_next(struct ic_positions *positions, struct ic_position *position)
{
	const struct ic_segments *lines = &positions->map->lines;
	uint64_t start = positions->left.start, end = positions->left.end;

	if (start >= end)
		return false;
	bool is_new = enter_segment(positions);
	uint32_t segment = positions->segment;
	uint32_t owner = segment == IC_NONE ? IC_NONE : lines->items[segment].owner;
	*position = (struct ic_position){ { start, end }, IC_NONE, 0 };
	if (segment + 1 < lines->count)
		position->range.end = choose_first(end, lines->items[segment + 1].start);
	if (owner != IC_NONE) {
		const struct ic_code_sequence *sequence = &positions->map->sequences[owner];
		const struct ic_code_row *rows = positions->map->rows + sequence->first_row;
		positions->row =
			is_new || positions->row == IC_NONE
				? find_row(rows, sequence->row_count, start - sequence->range.start)
				: positions->row + 1;
		const struct ic_code_row *row = &rows[positions->row];
		if (positions->row + 1 < sequence->row_count)
			position->range.end = choose_first(position->range.end,
							   sequence->range.start + row[1].addr_off);
		position->file = row->file;
		position->line = row->is_approximate ? 0 : row->line;
	}
	positions->left.start = position->range.end;
	return true;
}

void ic_positions_begin(struct ic_positions *positions, const struct ic_code_map *map,
			struct ic_range range)
{
	*positions = (struct ic_positions){ .map = map,
					    .left = range,
					    .segment = find_segment(&map->lines, range.start),
					    .row = IC_NONE };
	positions->has_next = read_next(positions, &positions->next);
}

bool ic_positions_next(struct ic_positions *positions, struct ic_position *position)
{
	if (!positions->has_next)
		return false;
	*position = positions->next;
	while ((positions->has_next = read_next(positions, &positions->next)) &&
	       positions->next.file == position->file && positions->next.line == position->line)
		position->range.end = positions->next.range.end;
	return true;
}
